"""K-means on tf-idf, by scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array
from sklearn.cluster import KMeans as ScikitKMeans
from sklearn.cluster import kmeans_plusplus
from sklearn.metrics.pairwise import euclidean_distances

from colligate.kernels import kernels
from colligate.methods.contract import Method
from colligate.methods.problem import Problem
from colligate.methods.state import State
from colligate.methods.tfidf import inverse_frequency, tfidf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.network import Network

    Floats = NDArray[np.float64]

# squared distances to centres differ by hundredths on the unit sphere; memberships are read on that scale
SHARPNESS = 50.0


@dataclass(frozen=True, eq=False)
class _Directions(Problem):
    """Adds the tf-idf rows and which of them are not empty."""

    idf: Floats | None = None
    rows: csr_array | None = None
    filled: NDArray[np.int64] | None = None


class KMeans(Method):
    """K-means on tf-idf rows of unit length: documents alone, no knowledge.

    min Σ_d ‖x_d − μ_k(d)‖²

    x_d is a document's tf-idf row, μ_k the mean of cluster k. The run is scikit-learn's, from centres by
    k-means++, so that a restart is one sweep.

    Parameters
    ----------
    n_clusters, n_init, max_iter, tol, random_state, n_jobs
        As in `itcc`; `tol` is scikit-learn's, on the movement of the centres.
    """

    name: ClassVar[str] = "kmeans"
    family: ClassVar[str] = "baselines"
    paper: ClassVar[str] = "baseline of all five papers"

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _Directions:
        """Weigh the counts."""
        counts = network.counts
        idf = inverse_frequency(counts)
        filled = np.flatnonzero(np.diff(counts.indptr))
        sizes, rows = self.sizes(network), tfidf(counts, idf)
        return _Directions(network, kernels("fast", self.n_jobs), sizes, guidance, idf, rows[filled], filled)

    def start(self, problem: _Directions, rng: np.random.Generator) -> State:
        """Centres by k-means++."""
        centres, _ = kmeans_plusplus(problem.rows, self.n_clusters, random_state=int(rng.integers(2**31 - 1)))
        return _state(problem, centres if isinstance(centres, np.ndarray) else centres.toarray())

    def sweep(self, problem: _Directions, state: State) -> State:
        """Run scikit-learn's k-means from the centres to its end."""
        found = ScikitKMeans(
            self.n_clusters, init=state.numbers["centres"], n_init=1, max_iter=self.max_iter, tol=self.tol
        ).fit(problem.rows)
        return _state(problem, found.cluster_centers_, settled=found.n_iter_ < self.max_iter)

    def objective(self, problem: _Directions, state: State) -> float:
        """The sum of squared distances to the nearest centre."""
        return float(_squared_distances(problem.rows, state.numbers["centres"]).min(axis=1).sum())

    def scored(self, problem: _Directions, state: State) -> dict[str, Floats]:
        """Minus the squared distances to the centres, sharpened."""
        network = problem.network
        return {network.centre: self.scores(self.model(problem, state), network.counts)}

    def model(self, problem: _Directions, state: State) -> dict[str, NDArray[Any]]:
        """The centres and the idf."""
        assert problem.idf is not None
        return {"centres": state.numbers["centres"], "idf": problem.idf}

    @staticmethod
    def scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `scored`."""
        return -SHARPNESS * _squared_distances(tfidf(matrix, model["idf"]), model["centres"])

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Twice the product of the document's entry and the centre's, sharpened."""
        row = tfidf(
            csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["idf"]))), model["idf"]
        )
        return np.asarray(2.0 * SHARPNESS * row.data[:, None] * model["centres"][:, columns].T)


def _state(problem: _Directions, centres: Floats, *, settled: bool = False) -> State:
    centre = problem.network.centre
    labels = np.full(len(problem.network.types[centre]), -1, dtype=np.int32)
    labels[problem.filled] = _squared_distances(problem.rows, centres).argmin(axis=1)
    return State({centre: labels}, {"centres": centres}, settled)


def _squared_distances(rows: Any, centres: Floats) -> Floats:
    return np.asarray(euclidean_distances(rows, centres, squared=True))
