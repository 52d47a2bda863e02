"""Clustering by eigenvectors on the graph of nearest neighbours: the base of `ncut` and `clgr`.

Neighbours are found in blocks of rows and kept as a sparse graph. Groups come from the leading eigenvectors Y
of an operator on documents, by the rotation R of Yu and Shi (2003): min ‖X − Y·R‖² (docs: ncut, eq. 1).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from colligate._array import one_hot, unit_dense_rows
from colligate._storage.array_schema import ArraySpec
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.kmeans import KMeans
from colligate.methods.loop import Problem, State
from colligate.methods.margin.features import centre_rows, project_rows
from colligate.methods.margin.groups import assign_groups, initialize_groups
from colligate.methods.spherical import inverse_document_frequency, make_dense_directions, tfidf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

# a document whose rotated row points at its group has a membership of about .95
SHARPNESS = 4.0
# rows handled at a time
BLOCK = 512
# the neighbour whose distance is the unit of length around a document (Zelnik-Manor and Perona, 2004)
LOCAL_SCALE_NEIGHBOUR = 7
# up to so many documents all eigenvectors are computed at once, which is faster
MAX_DENSE = 200


@dataclass(frozen=True, eq=False)
class GraphProblem(Problem):
    """A problem with the positions of the nonempty documents, and their rows Y among the eigenvectors."""

    filled: NDArray[np.int64] | None = None
    Y: Floats | None = None


class GraphClustering(Method):
    """Groups of documents by eigenvectors on their graph of nearest neighbours; no knowledge.

    An iteration rotates the eigenvectors towards the groups, and then moves every document to the nearest
    axis; neither can raise ‖X − Y·R‖². New documents go to the group with the nearest centre.
    """

    family: ClassVar[str] = "baselines"
    model_schema: ClassVar[ArraySchema] = {
        "centres": ArraySpec(("groups", "columns")),
        "idf": ArraySpec(("columns",)),
    }
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "n_neighbours": parameters.Integer(1),
        "dimensions": parameters.Integer(1),
    }
    predict_scores = staticmethod(KMeans.predict_scores)
    evidence = staticmethod(KMeans.evidence)

    n_neighbours: int
    dimensions: int

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_neighbours: int = 20,
        dimensions: int = 100,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    @abstractmethod
    def operator(self, rows: NDArray[Any], neighbours: Neighbours) -> LinearOperator:
        """Return the operator whose largest eigenvalues belong to the groups; `rows` have unit length."""

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> GraphProblem:
        """Find neighbours and eigenvectors."""
        filled = np.flatnonzero(np.diff(network.counts.indptr))
        _, rows = project_rows(network.counts[filled], self.dimensions)
        unit = make_dense_directions(rows, np.ones(len(filled), dtype=np.bool_)).unit
        assert isinstance(unit, np.ndarray)
        operator = self.operator(unit, find_neighbours(unit, self.n_neighbours))
        Y = leading_eigenvectors(operator, self.n_clusters)
        kernels = self.back_end(network)
        return GraphProblem(network, kernels, self.n_clusters_by_type(network), guidance, filled, Y)

    def start(self, problem: GraphProblem, rng: np.random.Generator) -> State:
        """Run spherical k-means on the rows of the eigenvectors."""
        assert problem.Y is not None
        groups = initialize_groups(problem.kernels, centre_rows(problem.Y), self.n_clusters, rng)
        return _make_state(problem, groups)

    def sweep(self, problem: GraphProblem, state: State) -> State:
        """Find the best rotation for the groups, then the best groups for the rotation (ncut, eq. 1)."""
        groups = _groups(problem, state)
        YR = rotate_towards(problem.Y, groups)
        losses = 1.0 - YR[np.arange(len(groups)), groups]
        following = assign_groups(YR, groups, losses)
        return _make_state(problem, following, settled=np.array_equal(following, groups))

    def objective(self, problem: GraphProblem, state: State) -> float:
        """Compute ‖X − Y·R‖² with the best rotation R; rows of Y have unit length."""
        groups = _groups(problem, state)
        YR = rotate_towards(problem.Y, groups)
        return float(2.0 * (1.0 - YR[np.arange(len(groups)), groups]).sum())

    def train_scores(self, problem: GraphProblem, state: State) -> dict[str, Floats]:
        """Return the rotated rows, sharpened."""
        network = problem.network
        scores = np.zeros((network.counts.shape[0], self.n_clusters))
        scores[problem.filled] = rotate_towards(problem.Y, _groups(problem, state))
        return {network.centre: SHARPNESS * scores}

    def model(self, problem: GraphProblem, state: State) -> dict[str, NDArray[Any]]:
        """Return the mean tf-idf row of every group, and the idf."""
        counts = problem.network.counts
        idf = inverse_document_frequency(counts)
        labels = state.labels[problem.network.centre]
        sizes = np.bincount(labels[labels >= 0], minlength=self.n_clusters)
        share = 1.0 / np.maximum(sizes, 1)[np.maximum(labels, 0)]
        means = one_hot(labels, self.n_clusters, share).T.tocsr() @ tfidf(counts, idf)
        return {"centres": means.toarray(), "idf": idf}


def _make_state(problem: GraphProblem, groups: Labels, *, settled: bool = False) -> State:
    labels = np.full(problem.network.counts.shape[0], -1, dtype=np.int32)
    labels[problem.filled] = groups
    return State({problem.network.centre: labels}, settled=settled)


def _groups(problem: GraphProblem, state: State) -> Labels:
    return state.labels[problem.network.centre][problem.filled]


def rotate_towards(Y: Floats | None, groups: Labels) -> Floats:
    """Return Y·R with the rotation R that minimises ‖X − Y·R‖², X the groups as indicators."""
    assert Y is not None
    sums = np.zeros((Y.shape[1], Y.shape[1]))
    np.add.at(sums, groups, Y)
    # orthogonal Procrustes: the best rotation is U·Vᵀ of the decomposition of Yᵀ·X
    left, _, right = np.linalg.svd(sums.T)
    return np.asarray(Y @ (left @ right))


def leading_eigenvectors(operator: LinearOperator, n_groups: int) -> Floats:
    """Return Y: the eigenvectors of the largest eigenvalues, every row at unit length."""
    n = operator.shape[0]
    if n <= max(MAX_DENSE, n_groups + 1):
        _, vectors = np.linalg.eigh(operator @ np.eye(n))
        vectors = vectors[:, -n_groups:]
    else:
        # a fixed vector: ARPACK would draw one, and the signs of the answer with it
        first = np.random.default_rng(0).normal(size=n)
        wide = min(n, max(4 * n_groups, 40))
        _, vectors = eigsh(operator, k=n_groups, which="LA", v0=first, tol=1e-4, ncv=wide, maxiter=1000)
    return unit_dense_rows(vectors)


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The nearest other documents of each document, the nearest first, and their cosines."""

    index: NDArray[np.int64]
    cosine: Floats

    def affinity(self) -> sparse.csr_array:
        """Return A: exp(−d²/(σᵢσⱼ)) between neighbours, symmetric, with d² = 2 − 2·cos (ncut, eq. 2)."""
        n, width = self.index.shape
        squared = np.maximum(2.0 - 2.0 * self.cosine, 0.0)
        sigma = np.sqrt(squared[:, min(LOCAL_SCALE_NEIGHBOUR, width) - 1]) if width else np.zeros(n)
        # documents with many copies have σ = 0
        units = np.maximum(sigma[:, None] * sigma[self.index], 1e-12)
        one_way = self._matrix(np.exp(-squared / units))
        # being a nearest neighbour is not mutual
        return sparse.csr_array(one_way.maximum(one_way.T))

    def normalised_affinity(self) -> sparse.csr_array:
        """Return D^-½·A·D^-½, D the row sums of A plus their mean.

        Without the mean, a few nearly equal documents are cut off as a group (Amini et al., 2013).
        """
        affinity = self.affinity()
        degree = np.asarray(affinity.sum(axis=1)).ravel()
        inverse = 1.0 / np.sqrt(degree + max(float(degree.mean()), 1e-300))
        affinity.data *= np.repeat(inverse, np.diff(affinity.indptr)) * inverse[affinity.indices]
        return affinity

    def predictors(self, unit: NDArray[Any], ridge: float) -> sparse.csr_array:
        """Return P: row i predicts document i from its neighbours, by ridge regression on the cosines."""
        n, width = self.index.shape
        coefficients = np.zeros((n, width))
        for start in range(0, n if width else 0, BLOCK):
            rows = slice(start, min(start + BLOCK, n))
            around = unit[self.index[rows]].astype(np.float64)
            cosines = around @ around.transpose(0, 2, 1) + ridge * np.eye(width)
            coefficients[rows] = np.linalg.solve(cosines, self.cosine[rows][:, :, None])[:, :, 0]
        return self._matrix(coefficients)

    def _matrix(self, values: Floats) -> sparse.csr_array:
        """Return values of every document's neighbours as a sparse matrix."""
        n, width = self.index.shape
        starts = np.arange(0, n * width + 1, width) if width else np.zeros(n + 1, dtype=np.int64)
        return sparse.csr_array((values.ravel(), self.index.ravel(), starts), shape=(n, n)).sorted_indices()


def find_neighbours(unit: NDArray[Any], count: int) -> Neighbours:
    """Return the neighbours of unit rows by cosine; equal cosines in the order of the documents."""
    n = len(unit)
    count = min(count, n - 1)
    index, cosine = np.zeros((n, count), dtype=np.int64), np.zeros((n, count))
    for start in range(0, n, BLOCK):
        rows = slice(start, min(start + BLOCK, n))
        products = np.asarray(unit[rows] @ unit.T)
        # a document is not its own neighbour
        products[np.arange(len(products)), np.arange(start, rows.stop)] = -np.inf
        index[rows], cosine[rows] = _largest(products, count)
    return Neighbours(index, cosine)


def _largest(products: NDArray[Any], count: int) -> tuple[NDArray[np.int64], Floats]:
    if not count:
        return np.zeros((len(products), 0), dtype=np.int64), np.zeros((len(products), 0))
    # argpartition leaves an arbitrary order; sorted, equal cosines stay in the order of documents
    columns = np.sort(np.argpartition(-products, count - 1, axis=1)[:, :count], axis=1)
    values = np.take_along_axis(products, columns, axis=1)
    order = np.argsort(-values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    return np.take_along_axis(columns, order, axis=1), np.asarray(ordered, dtype=np.float64)


def symmetric_operator(apply: Any, size: int) -> LinearOperator:
    """Return a symmetric linear map as SciPy's operator."""
    return LinearOperator((size, size), matvec=apply, rmatvec=apply, matmat=apply, dtype=np.float64)
