"""K-means on tf-idf by scikit-learn (docs: kmeans)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array
from sklearn.cluster import KMeans as ScikitKMeans
from sklearn.cluster import kmeans_plusplus
from sklearn.metrics.pairwise import euclidean_distances

from colligate._array import one_hot
from colligate._storage.array_schema import ArraySpec
from colligate.errors import MatrixError
from colligate.methods.batches import BatchMethod
from colligate.methods.lloyd import draw_sharded_centres, run_sharded_lloyd, sum_by_label
from colligate.methods.loop import Problem, State
from colligate.methods.sizes import SizeBounds, assign_within_bounds
from colligate.methods.spherical import inverse_document_frequency, tfidf
from colligate.shards.matrix import ShardedMatrix, by_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Guidance
    from colligate.network import Network

    Floats = NDArray[np.float64]

# squared distances on the unit sphere differ by hundredths: the softmax of fifty times these is readable
SHARPNESS = 50.0


@dataclass(frozen=True, eq=False)
class TfidfProblem(Problem):
    """A problem with the idf, the nonempty tf-idf rows x_d, their positions, and bounds on cluster sizes."""

    idf: Floats | None = None
    rows: csr_array | None = None
    filled: NDArray[np.int64] | None = None
    bounds: SizeBounds | None = None


class KMeans(BatchMethod):
    """K-means on tf-idf rows of unit length; the only knowledge it accepts is the sizes of all groups.

    min Σ_d ‖x_d − μ_k(d)‖²

    x_d is a document's tf-idf row, k(d) its cluster, μ_k the mean of cluster k. scikit-learn runs the whole
    optimisation, from k-means++ centres, so that a restart is one sweep. With bounds on sizes, a sweep is one
    iteration: the means, then the assignment of least cost within the bounds. Documents on the workers of a
    cluster go through the same steps there (`methods.lloyd`).

    Parameters
    ----------
    n_clusters, n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`; `tol` is scikit-learn's, on the movement of the centres.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    model_schema: ClassVar[ArraySchema] = {
        "centres": ArraySpec(("groups", "columns")),
        "idf": ArraySpec(("columns",)),
    }
    state_schema: ClassVar[ArraySchema] = {"centres": ArraySpec(("groups", "features"))}
    name: ClassVar[str] = "kmeans"
    family: ClassVar[str] = "baselines"
    paper: ClassVar[str] = "baseline of all five papers"
    takes: ClassVar[tuple[str, ...]] = ("sizes:documents",)

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> TfidfProblem:
        """Weigh the counts."""
        counts = network.counts
        idf = inverse_document_frequency(counts)
        filled = np.flatnonzero(np.diff(counts.indptr))
        sizes, rows = self.n_clusters_by_type(network), tfidf(counts, idf)
        bounds = SizeBounds.of(guidance.get(network.centre), self.n_clusters, len(filled))
        kernels, unit = self.back_end(network), _select_filled(rows, filled)
        return TfidfProblem(network, kernels, sizes, guidance, idf, unit, filled, bounds)

    def start(self, problem: TfidfProblem, rng: np.random.Generator) -> State:
        """Draw centres by k-means++."""
        return assign_nearest(problem, draw_centres(problem.rows, self.n_clusters, rng))

    def sweep(self, problem: TfidfProblem, state: State) -> State:
        """Run scikit-learn's k-means from the centres to its end, or one iteration within bounds."""
        if problem.bounds is not None:
            labels = state.labels[problem.network.centre][problem.filled]
            moved = assign_nearest(problem, move_centres(problem.rows, labels, state.numbers["centres"]))
            same = np.array_equal(labels, moved.labels[problem.network.centre][problem.filled])
            return State(moved.labels, moved.numbers, settled=same)
        if isinstance(problem.rows, ShardedMatrix):
            lloyd = run_sharded_lloyd(problem.rows, state.numbers["centres"], self.max_iter, self.tol)
            return assign_nearest(problem, lloyd.centres, settled=lloyd.n_iter < self.max_iter)
        kmeans = ScikitKMeans(
            self.n_clusters, init=state.numbers["centres"], n_init=1, max_iter=self.max_iter, tol=self.tol
        ).fit(problem.rows)
        return assign_nearest(problem, kmeans.cluster_centers_, settled=kmeans.n_iter_ < self.max_iter)

    def objective(self, problem: TfidfProblem, state: State) -> float:
        """Sum the squared distances to the nearest centre, or to the own centre within bounds (eq. 1)."""
        distances = squared_distances(problem.rows, state.numbers["centres"])
        if problem.bounds is None:
            return float(distances.min(axis=1).sum())
        labels = state.labels[problem.network.centre][problem.filled]
        return float(distances[np.arange(len(distances)), labels].sum())

    def train_scores(self, problem: TfidfProblem, state: State) -> dict[str, Floats]:
        """Return minus the squared distances to the centres, sharpened."""
        network = problem.network
        return {network.centre: self.predict_scores(self.model(problem, state), network.counts)}

    def model(self, problem: TfidfProblem, state: State) -> dict[str, NDArray[Any]]:
        """Return the centres and the idf."""
        assert problem.idf is not None
        return {"centres": state.numbers["centres"], "idf": problem.idf}

    def sum_batch(self, model: Mapping[str, NDArray[Any]], matrix: Any) -> dict[str, NDArray[Any]]:
        """Sum the rows of each cluster, and count them."""
        filled = matrix[np.flatnonzero(np.diff(matrix.indptr))]
        rows = tfidf(filled, model["idf"])
        members = one_hot(squared_distances(rows, model["centres"]).argmin(axis=1), len(model["centres"]))
        sizes = np.asarray(members.sum(axis=0), dtype=np.float64).ravel()
        return {"rows": np.asarray((members.T @ rows).todense()), "sizes": sizes}

    def model_from_sums(
        self, model: Mapping[str, NDArray[Any]], sums: Mapping[str, NDArray[Any]]
    ) -> dict[str, NDArray[Any]]:
        """Return the means; an empty cluster keeps its centre."""
        sizes = sums["sizes"][:, None]
        centres = np.where(sizes > 0, sums["rows"] / np.maximum(sizes, 1.0), model["centres"])
        return {**model, "centres": centres}

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `train_scores`."""
        distances: Floats = squared_distances(tfidf(matrix, model["idf"]), model["centres"])
        return -SHARPNESS * distances

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Return twice the products of the document's entries and the centres', sharpened."""
        row = csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["idf"])))
        entries = tfidf(row, model["idf"]).data
        return np.asarray(2.0 * SHARPNESS * entries[:, None] * model["centres"][:, columns].T)


def _select_filled(rows: csr_array, filled: NDArray[np.int64]) -> csr_array:
    """Return the rows that are not empty, as scikit-learn's k-means, or that on workers, takes them."""
    if not isinstance(rows, ShardedMatrix):
        return use_int32_indices(rows[filled])
    kept = np.zeros(rows.shape[0], dtype=bool)
    kept[filled] = True
    return rows.select_rows(kept)


def use_int32_indices(matrix: Any) -> csr_array:
    """Return the matrix with 32-bit indices, the only ones that scikit-learn's k-means takes."""
    largest = np.iinfo(np.int32).max
    if max(matrix.nnz, *matrix.shape) > largest:
        raise MatrixError(
            f"k-means accepts matrices with at most {largest:,} nonzero entries, but this matrix has "
            f"{matrix.nnz:,}; use another method"
        )
    indices, indptr = (part.astype(np.int32, copy=False) for part in (matrix.indices, matrix.indptr))
    return csr_array((matrix.data, indices, indptr), shape=matrix.shape)


def draw_centres(rows: Any, n_clusters: int, rng: np.random.Generator) -> Floats:
    """Draw centres by k-means++."""
    if isinstance(rows, ShardedMatrix):
        return draw_sharded_centres(rows, n_clusters, int(rng.integers(2**31 - 1)))
    centres, _ = kmeans_plusplus(rows, n_clusters, random_state=int(rng.integers(2**31 - 1)))
    return np.asarray(centres if isinstance(centres, np.ndarray) else centres.toarray())


def assign_nearest(problem: TfidfProblem, centres: Floats, *, settled: bool = False) -> State:
    """Return a state with the centres, and every document at the nearest one that bounds on sizes allow."""
    centre = problem.network.centre
    labels = np.full(len(problem.network.types[centre]), -1, dtype=np.int32)
    distances, bounds = squared_distances(problem.rows, centres), problem.bounds
    labels[problem.filled] = (
        distances.argmin(axis=1) if bounds is None else assign_within_bounds(distances, bounds)
    )
    return State({centre: labels}, {"centres": centres}, settled)


def move_centres(rows: Any, labels: NDArray[np.integer[Any]], centres: Floats) -> Floats:
    """Return the means of the clusters; an empty cluster keeps its centre."""
    members = one_hot(labels, len(centres))
    sizes = np.asarray(members.sum(axis=0)).ravel()
    if isinstance(rows, ShardedMatrix):
        sums = sum_by_label(rows, labels, len(centres))
    else:
        sums = np.asarray((members.T @ rows).todense())
    return np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1.0)[:, None], centres)


@by_rows("array")
def squared_distances(rows: Any, centres: Floats) -> Floats:
    """Return the squared distance of every row to every centre."""
    return np.asarray(euclidean_distances(rows, centres, squared=True))
