"""Spectral relational clustering."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.cluster import KMeans as ScikitKMeans
from sklearn.cluster import kmeans_plusplus
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import euclidean_distances

from colligate._array import one_hot
from colligate.kernels import make_kernels
from colligate.methods import parameters
from colligate.methods.factorisation.problem import FactorProblem
from colligate.methods.factorisation.spectral import embed_types
from colligate.methods.factorisation.trifactorisation import TERMS_PER_CLUSTER, NetworkFactorisation
from colligate.methods.loop import State
from colligate.methods.schema import count_clusters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

SHARPNESS = 10.0


@dataclass(frozen=True, eq=False)
class _Embedded(FactorProblem):
    """Adds all objects in the space of the leading vectors, and the centres of types but documents."""

    vectors: Mapping[str, Floats] = field(default_factory=dict)
    others: Mapping[str, Floats] = field(default_factory=dict)


class SRC(NetworkFactorisation):
    """Spectral relational clustering: objects in the leading vectors of their relations, no knowledge.

    min Σ_r weight_r·‖R_r − G_p·S_r·G_qᵀ‖²,   GᵀG = I for every type;   then k-means on the rows of G

    R_r holds the tf-idf rows of a relation between types p and q; G_p has a column for each group of its
    type, of any sign. What is reported as the objective is that of k-means on the documents; the other types
    are grouped once, as all restarts share the vectors. Long, Zhang, Wu and Yu (2006); a baseline of the
    triplet paper.

    Parameters
    ----------
    n_clusters, n_word_clusters, n_entity_clusters, weighting, n_init, random_state, n_jobs
        As in `tnmf`.
    relation_weights : {"plain", "share"} or mapping of relations to weights
        As in `tnmf`; the plain sum by default.
    max_iter, tol
        scikit-learn's, for k-means.
    """

    name: ClassVar[str] = "src"
    paper: ClassVar[str] = "Long, Zhang, Wu, Yu 2006"
    domains: ClassVar[Mapping[str, Domain]] = {
        **NetworkFactorisation.domains,
        "n_word_clusters": parameters.Integer(1, none=True),
        "n_entity_clusters": parameters.ByName(
            parameters.Integer(1, none=True), "types", parameters.Integer(1)
        ),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        n_entity_clusters: int | Mapping[str, int] | None = None,
        relation_weights: str | Mapping[str, float] = "plain",
        weighting: str = "tfidf",
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_word_clusters = n_word_clusters
        self.n_entity_clusters = n_entity_clusters
        self.relation_weights = relation_weights
        self.weighting = weighting
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def sizes(self, network: Network) -> dict[str, int]:
        """See `methods.schema`."""
        numbers = (self.n_clusters, self.n_word_clusters, self.n_entity_clusters, TERMS_PER_CLUSTER)
        return count_clusters(network, *numbers)

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _Embedded:
        """Find the leading vectors, which all restarts share, and group the types but documents."""
        network, pieces = self.weighed(network)
        sizes, fast = self.sizes(network), make_kernels("fast", self.n_jobs)
        vectors = embed_types(FactorProblem(network, fast, sizes, guidance, pieces))
        others = {
            kind: self._centres(vectors[kind][network.nonempty(kind)], size)
            for kind, size in sizes.items()
            if kind != network.centre
        }
        return _Embedded(network, fast, sizes, guidance, pieces, vectors=vectors, others=others)

    def _centres(self, rows: Floats, size: int) -> Floats:
        found = _means(rows, size, n_init=self.n_init, max_iter=self.max_iter, tol=self.tol, random_state=0)
        return np.asarray(found.cluster_centers_)

    def start(self, problem: _Embedded, rng: np.random.Generator) -> State:
        """Centres by k-means++."""
        seed = int(rng.integers(2**31 - 1))
        centres, _ = kmeans_plusplus(_filled(problem), self.n_clusters, random_state=seed)
        return _state(problem, centres)

    def sweep(self, problem: _Embedded, state: State) -> State:
        """Run scikit-learn's k-means from the centres to its end."""
        centres = state.numbers["centres"]
        settings = {"init": centres, "n_init": 1, "max_iter": self.max_iter, "tol": self.tol}
        found = _means(_filled(problem), self.n_clusters, **settings)
        return _state(problem, found.cluster_centers_, settled=found.n_iter_ < self.max_iter)

    def objective(self, problem: _Embedded, state: State) -> float:
        """The sum of squared distances to the nearest centre."""
        return float(_distances(_filled(problem), state.numbers["centres"]).min(axis=1).sum())

    def train_scores(self, problem: _Embedded, state: State) -> dict[str, Floats]:
        """Minus the squared distances to the centres, sharpened."""
        return {
            kind: -SHARPNESS * _distances(rows, _centres_of(problem, state, kind))
            for kind, rows in problem.vectors.items()
        }

    def profiles(self, problem: _Embedded, state: State) -> list[Floats]:
        """The sums of the groups."""
        placed = one_hot(state.labels[problem.network.centre], self.n_clusters)
        return [np.asarray((piece.matrix.T @ placed).todense()) for piece in problem.own]


def _means(rows: Floats, size: int, **settings: Any) -> ScikitKMeans:
    """scikit-learn's k-means; several rows may be one and the same, so that there are fewer groups."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return ScikitKMeans(size, **settings).fit(rows)


def _filled(problem: _Embedded) -> Floats:
    centre = problem.network.centre
    return problem.vectors[centre][problem.network.nonempty(centre)]


def _distances(rows: Floats, centres: Floats) -> Floats:
    return np.asarray(euclidean_distances(rows, centres, squared=True))


def _centres_of(problem: _Embedded, state: State, kind: str) -> Floats:
    return state.numbers["centres"] if kind == problem.network.centre else problem.others[kind]


def _state(problem: _Embedded, centres: Floats, *, settled: bool = False) -> State:
    each = {problem.network.centre: centres, **problem.others}
    return State(
        {kind: _nearest(problem, kind, own) for kind, own in each.items()}, {"centres": centres}, settled
    )


def _nearest(problem: _Embedded, kind: str, centres: Floats) -> Labels:
    found = _distances(problem.vectors[kind], centres).argmin(axis=1)
    return np.where(problem.network.nonempty(kind), found, -1).astype(np.int32)
