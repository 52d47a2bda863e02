"""Spectral relational clustering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.cluster import KMeans as ScikitKMeans
from sklearn.cluster import kmeans_plusplus
from sklearn.metrics.pairwise import euclidean_distances

from colligate.kernels import kernels
from colligate.knowledge.faces import one_hot
from colligate.methods.factorisation.networked import NetworkFactorisation
from colligate.methods.factorisation.problem import FactorProblem
from colligate.methods.factorisation.spectral import embedding
from colligate.methods.state import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.network import Network

    Floats = NDArray[np.float64]

SHARPNESS = 10.0


@dataclass(frozen=True, eq=False)
class _Embedded(FactorProblem):
    """Adds the documents in the space of the leading vectors."""

    vectors: Floats | None = None


class SRC(NetworkFactorisation):
    """Spectral relational clustering: documents in the leading vectors of their relations, no knowledge.

    min Σ_r weight_r·‖R_r − G_p·S_r·G_qᵀ‖²,   GᵀG = I for every type;   then k-means on the rows of G

    R_r holds the tf-idf rows of a relation between types p and q; each G has a column for each group of
    documents, of any sign. The other types serve the documents and are not grouped. What is reported as the
    objective is that of k-means. Long, Zhang, Wu and Yu (2006); a baseline of the triplet paper.

    Parameters
    ----------
    n_clusters, weighting, n_init, random_state, n_jobs
        As in `tnmf`.
    relation_weights : {"plain", "share"} or mapping of relations to weights
        As in `tnmf`; the plain sum by default.
    max_iter, tol
        scikit-learn's, for k-means.
    """

    name: ClassVar[str] = "src"
    paper: ClassVar[str] = "Long, Zhang, Wu, Yu 2006"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        relation_weights: str | Mapping[str, float] = "plain",
        weighting: str = "tfidf",
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.relation_weights = relation_weights
        self.weighting = weighting
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _Embedded:
        """Find the leading vectors, which all restarts share."""
        network, pieces = self.weighed(network)
        sizes, fast = self.sizes(network), kernels("fast", self.n_jobs)
        bare = FactorProblem(network, fast, sizes, guidance, pieces)
        return _Embedded(network, fast, sizes, guidance, pieces, vectors=embedding(bare))

    def start(self, problem: _Embedded, rng: np.random.Generator) -> State:
        """Centres by k-means++."""
        seed = int(rng.integers(2**31 - 1))
        centres, _ = kmeans_plusplus(_filled(problem), self.n_clusters, random_state=seed)
        return _state(problem, centres)

    def sweep(self, problem: _Embedded, state: State) -> State:
        """Run scikit-learn's k-means from the centres to its end."""
        found = ScikitKMeans(
            self.n_clusters, init=state.numbers["centres"], n_init=1, max_iter=self.max_iter, tol=self.tol
        ).fit(_filled(problem))
        return _state(problem, found.cluster_centers_, settled=found.n_iter_ < self.max_iter)

    def objective(self, problem: _Embedded, state: State) -> float:
        """The sum of squared distances to the nearest centre."""
        return float(_distances(_filled(problem), state).min(axis=1).sum())

    def scored(self, problem: _Embedded, state: State) -> dict[str, Floats]:
        """Minus the squared distances to the centres, sharpened."""
        assert problem.vectors is not None
        return {problem.network.centre: -SHARPNESS * _distances(problem.vectors, state)}

    def profiles(self, problem: _Embedded, state: State) -> list[Floats]:
        """The sums of the groups."""
        placed = one_hot(state.labels[problem.network.centre], self.n_clusters)
        return [np.asarray((piece.matrix.T @ placed).todense()) for piece in problem.own]


def _filled(problem: _Embedded) -> Floats:
    assert problem.vectors is not None
    return problem.vectors[problem.network.filled(problem.network.centre)]


def _distances(vectors: Floats, state: State) -> Floats:
    return np.asarray(euclidean_distances(vectors, state.numbers["centres"], squared=True))


def _state(problem: _Embedded, centres: Floats, *, settled: bool = False) -> State:
    state = State({}, {"centres": centres}, settled)
    centre = problem.network.centre
    labels = np.full(len(problem.network.types[centre]), -1, dtype=np.int32)
    labels[problem.network.filled(centre)] = _distances(_filled(problem), state).argmin(axis=1)
    return State({centre: labels}, {"centres": centres}, settled)
