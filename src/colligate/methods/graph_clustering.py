"""What the methods on the graph of nearest neighbours have in common.

A mixture of Gaussians as arrays: shares, means, and precisions (the inverses of the covariances).

The two tables of probabilistic latent semantic analysis, and EM on the entries that are there.

The nearest neighbours of documents, as a sparse graph, found in blocks of rows.

Groups from the leading eigenvectors of an operator on documents, by the rotation of Yu and Shi (2003).
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import sparse
from scipy.sparse import csr_array
from scipy.sparse.linalg import eigsh
from scipy.special import logsumexp

from colligate.kernels import make_kernels
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.kmeans import KMeans
from colligate.methods.loop import Problem, State
from colligate.methods.margin.features import centre_rows, project_rows
from colligate.methods.margin.groups import assign_groups, initialize_groups
from colligate.methods.spherical import inverse_document_frequency, make_dense_directions, tfidf

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray
    from scipy.sparse.linalg import LinearOperator

    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

# a document whose rotated row points at its group has a membership of about .95
SHARPNESS = 4.0
# the least variance in any direction, as a share of the mean one; groups of few documents have none
MIN_VARIANCE = 1e-3
# entries handled at a time
CHUNK = 1 << 18
BLOCK = 512
# the neighbour whose distance is the unit of length around a document (Zelnik-Manor and Perona, 2004)
LOCAL_SCALE_NEIGHBOUR = 7
# below so many documents all eigenvectors are found at once
MAX_DENSE = 200


@dataclass(frozen=True, eq=False)
class GraphProblem(Problem):
    """Adds the positions of the documents that are not empty, and their rows among the eigenvectors."""

    filled: NDArray[np.int64] | None = None
    rows: Floats | None = None


class GraphClustering(Method):
    """Groups of documents by eigenvectors on their graph of nearest neighbours; no knowledge.

    A sweep rotates the eigenvectors towards the groups, and then moves every document to the nearest axis;
    neither can raise ‖X − Y·R‖². New documents go to the group with the nearest centre.
    """

    family: ClassVar[str] = "baselines"
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "n_neighbours": parameters.Integer(1),
        "dimensions": parameters.Integer(1),
    }

    n_neighbours: int
    dimensions: int

    @abstractmethod
    def operator(self, rows: NDArray[Any], neighbours: Neighbours) -> LinearOperator:
        """The map on documents whose largest eigenvalues belong to the groups; `rows` are of unit length."""

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> GraphProblem:
        """Find neighbours and eigenvectors."""
        counts = network.counts
        filled = np.flatnonzero(np.diff(counts.indptr))
        _, rows = project_rows(counts[filled], self.dimensions)
        unit = make_dense_directions(rows, np.ones(len(filled), dtype=np.bool_)).unit
        assert isinstance(unit, np.ndarray)
        found = leading_eigenvectors(
            self.operator(unit, find_neighbours(unit, self.n_neighbours)), self.n_clusters
        )
        return GraphProblem(
            network, make_kernels("fast", self.n_jobs), self.sizes(network), guidance, filled, found
        )

    def start(self, problem: GraphProblem, rng: np.random.Generator) -> State:
        """Spherical k-means on the rows of the eigenvectors."""
        assert problem.rows is not None
        groups = initialize_groups(problem.kernels, centre_rows(problem.rows), self.n_clusters, rng)
        return _state(problem, groups)

    def sweep(self, problem: GraphProblem, state: State) -> State:
        """The best rotation for the groups, then the best groups for the rotation."""
        assert problem.rows is not None
        groups = _groups(problem, state)
        turned = Rotation.towards(problem.rows, groups).turned
        losses = 1.0 - turned[np.arange(len(groups)), groups]
        following = assign_groups(turned, groups, losses)
        return _state(problem, following, settled=np.array_equal(following, groups))

    def objective(self, problem: GraphProblem, state: State) -> float:
        """‖X − Y·R‖² with the best rotation R."""
        assert problem.rows is not None
        groups = _groups(problem, state)
        return Rotation.towards(problem.rows, groups).distance(groups)

    def train_scores(self, problem: GraphProblem, state: State) -> dict[str, Floats]:
        """The rotated rows, sharpened."""
        assert problem.rows is not None
        network = problem.network
        found = np.zeros((network.counts.shape[0], self.n_clusters))
        found[problem.filled] = Rotation.towards(problem.rows, _groups(problem, state)).turned
        return {network.centre: SHARPNESS * found}

    def model(self, problem: GraphProblem, state: State) -> dict[str, NDArray[Any]]:
        """The mean tf-idf row of every group, and the idf."""
        counts = problem.network.counts
        idf = inverse_document_frequency(counts)
        labels = state.labels[problem.network.centre]
        placed = np.flatnonzero(labels >= 0)
        sizes = np.bincount(labels[placed], minlength=self.n_clusters)
        shares = (1.0 / np.maximum(sizes, 1)[labels[placed]], (labels[placed], placed))
        mean = sparse.csr_array(shares, shape=(self.n_clusters, len(labels))) @ tfidf(counts, idf)
        return {"centres": mean.toarray(), "idf": idf}

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """As in `kmeans`: minus the squared distances to the centres, sharpened."""
        return KMeans.predict_scores(model, matrix)

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """As in `kmeans`."""
        return KMeans.evidence(model, columns, counts)


def _state(problem: GraphProblem, groups: NDArray[np.int32], *, settled: bool = False) -> State:
    labels = np.full(problem.network.counts.shape[0], -1, dtype=np.int32)
    labels[problem.filled] = groups
    return State({problem.network.centre: labels}, settled=settled)


def _groups(problem: GraphProblem, state: State) -> NDArray[np.int32]:
    return state.labels[problem.network.centre][problem.filled]


@dataclass(frozen=True, eq=False)
class Gaussians:
    """`shares` of K groups, `means` K × dimensions, `precisions` K × dimensions × dimensions."""

    shares: Floats
    means: Floats
    precisions: Floats

    def log_joint(self, rows: Floats) -> Floats:
        """Rows × groups: the log of a group's share times its density."""
        constant = np.log(np.maximum(self.shares, 1e-300)) + 0.5 * np.linalg.slogdet(self.precisions)[1]
        constant = constant - 0.5 * rows.shape[1] * np.log(2.0 * np.pi)
        found = np.empty((len(rows), len(self.shares)))
        for group, (mean, precision) in enumerate(zip(self.means, self.precisions, strict=True)):
            away = rows - mean
            found[:, group] = constant[group] - 0.5 * ((away @ precision) * away).sum(axis=1)
        return found

    def surprise(self, rows: Floats) -> float:
        """Minus the mean log-likelihood of rows."""
        return -float(np.mean(logsumexp(self.log_joint(rows), axis=1)))

    def pulls(self, row: Floats) -> Floats:
        """P_k·(μ_k − x/2) of one row x for every group: times x it is the score, but for constants."""
        return np.asarray(np.einsum("kij,kj->ki", self.precisions, self.means - 0.5 * row))


def fit_gaussians(rows: Floats, groups: Labels, n_groups: int, covariance: str) -> Gaussians:
    """The Gaussians of groups of rows, none of them empty; `covariance` is "full" or "diag"."""
    members = [rows[groups == group] for group in range(n_groups)]
    return Gaussians(
        np.array([len(own) for own in members]) / len(rows),
        np.array([own.mean(axis=0) for own in members]),
        np.array([_precision(own, _least(rows), covariance) for own in members]),
    )


def run_gaussian_em(
    now: Gaussians, rows: Floats, covariance: str, max_iter: int, tol: float
) -> tuple[Gaussians, bool]:
    """What scikit-learn's EM makes of the Gaussians, and whether it came to its end; it asks for two rows."""
    if len(rows) < 2:
        return now, True
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    full = covariance == "full"
    mixture = GaussianMixture(
        len(now.shares),
        covariance_type=covariance,
        weights_init=now.shares,
        means_init=now.means,
        precisions_init=now.precisions if full else np.diagonal(now.precisions, axis1=1, axis2=2),
        reg_covar=_least(rows),
        max_iter=max_iter,
        tol=tol,
        init_params="random_from_data",
        random_state=0,
    )
    with warnings.catch_warnings():
        # the caller is told by the second value
        warnings.simplefilter("ignore", ConvergenceWarning)
        mixture.fit(rows)
    precisions = mixture.precisions_ if full else np.array([np.diag(own) for own in mixture.precisions_])
    return Gaussians(mixture.weights_, mixture.means_, precisions), bool(mixture.converged_)


def _least(rows: Floats) -> float:
    return MIN_VARIANCE * max(float(rows.var(axis=0).mean()), 1e-9)


def _precision(rows: Floats, least: float, covariance: str) -> Floats:
    """The inverse of the covariance of one group, with the least variance added."""
    if covariance == "diag":
        return np.diag(1.0 / (rows.var(axis=0) + least))
    away = rows - rows.mean(axis=0)
    spread = away.T @ away / len(rows)
    return np.asarray(np.linalg.inv(spread + least * np.eye(rows.shape[1])))


@dataclass(frozen=True, eq=False)
class Topics:
    """`shares` p(k|d), documents × groups, and `words` p(w|k), groups × words; rows sum to 1."""

    shares: Floats
    words: Floats

    @classmethod
    def of(cls, counts: csr_array, shares: Floats) -> Topics:
        """The words of the groups when documents have these shares."""
        return cls(shares, _normalised((counts.astype(np.float64).T @ shares).T))

    def improved(self, counts: csr_array) -> Topics:
        """One step of EM: multiplicative updates with counts over their expectation."""
        ratio = csr_array(
            (counts.data / np.maximum(self._expected(counts), 1e-300), counts.indices, counts.indptr),
            shape=counts.shape,
        )
        shares = self.shares * np.asarray(ratio @ self.words.T)
        words = self.words * np.asarray(ratio.T @ self.shares).T
        empty = np.diff(counts.indptr) == 0
        return Topics(np.where(empty[:, None], self.shares, _normalised(shares)), _normalised(words))

    def surprise(self, counts: csr_array) -> float:
        """Minus the mean log-likelihood of an occurrence."""
        logs = np.log(np.maximum(self._expected(counts), 1e-300))
        return -float(counts.data @ logs) / float(counts.data.sum(dtype=np.float64))

    def _expected(self, counts: csr_array) -> Floats:
        """Σ_k p(k|d)·p(w|k) of every entry."""
        by_word = np.ascontiguousarray(self.words.T)
        found = [
            np.einsum("ek,ek->e", self.shares[rows], by_word[columns]) for rows, columns in _entries(counts)
        ]
        return np.concatenate([np.zeros(0), *found])


def _entries(counts: csr_array) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
    """Rows and columns of the entries, some at a time."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    for start in range(0, len(rows), CHUNK):
        yield rows[start : start + CHUNK], counts.indices[start : start + CHUNK]


def _normalised(table: Floats) -> Floats:
    sums = table.sum(axis=1, keepdims=True)
    return np.asarray(np.where(sums > 0, table / np.where(sums > 0, sums, 1.0), 1.0 / table.shape[1]))


@dataclass(frozen=True, eq=False)
class Neighbours:
    """For each document its nearest others, the nearest first, and their cosines."""

    index: NDArray[np.int64]
    cosine: Floats

    def affinity(self) -> sparse.csr_array:
        """exp(−d²/(σᵢσⱼ)) between neighbours, d² = 2 − 2·cos, symmetric; σ is the distance to the 7th."""
        n, width = self.index.shape
        squared = np.maximum(2.0 - 2.0 * self.cosine, 0.0)
        own = np.sqrt(squared[:, min(LOCAL_SCALE_NEIGHBOUR, width) - 1]) if width else np.zeros(n)
        units = np.maximum(own[:, None] * own[self.index], 1e-12)
        one_way = self.matrix(np.exp(-squared / units))
        return sparse.csr_array(one_way.maximum(one_way.T))

    def cut(self) -> sparse.csr_array:
        """D^-½·A·D^-½ of the affinities A, D their row sums plus the mean of these.

        Without the mean, a few documents that are almost alike are cut off as a group of their own (Amini et
        al., 2013).
        """
        affinity = self.affinity()
        degree = np.asarray(affinity.sum(axis=1)).ravel()
        inverse = 1.0 / np.sqrt(degree + max(float(degree.mean()), 1e-300))
        affinity.data *= np.repeat(inverse, np.diff(affinity.indptr)) * inverse[affinity.indices]
        return affinity

    def predictors(self, unit: NDArray[Any], ridge: float) -> sparse.csr_array:
        """Row i says how document i follows from its neighbours, by ridge regression on the cosines."""
        n, width = self.index.shape
        found = np.zeros((n, width))
        for start in range(0, n if width else 0, BLOCK):
            rows = slice(start, min(start + BLOCK, n))
            around = unit[self.index[rows]].astype(np.float64)
            alike = around @ around.transpose(0, 2, 1) + ridge * np.eye(width)
            found[rows] = np.linalg.solve(alike, self.cosine[rows][:, :, None])[:, :, 0]
        return self.matrix(found)

    def matrix(self, values: Floats) -> sparse.csr_array:
        """Values of every document's neighbours as a sparse matrix."""
        n, width = self.index.shape
        starts = np.arange(0, n * width + 1, width) if width else np.zeros(n + 1, dtype=np.int64)
        return sparse.csr_array((values.ravel(), self.index.ravel(), starts), shape=(n, n)).sorted_indices()


def find_neighbours(unit: NDArray[Any], count: int) -> Neighbours:
    """The neighbours of unit rows by their cosines; equal cosines in the order of the documents."""
    n = len(unit)
    count = min(count, n - 1)
    index, cosine = np.zeros((n, count), dtype=np.int64), np.zeros((n, count))
    for start in range(0, n, BLOCK):
        rows = slice(start, min(start + BLOCK, n))
        products = np.asarray(unit[rows] @ unit.T)
        products[np.arange(len(products)), np.arange(start, rows.stop)] = -np.inf
        index[rows], cosine[rows] = _highest(products, count)
    return Neighbours(index, cosine)


def _highest(products: NDArray[Any], count: int) -> tuple[NDArray[np.int64], Floats]:
    if not count:
        return np.zeros((len(products), 0), dtype=np.int64), np.zeros((len(products), 0))
    some = np.sort(np.argpartition(-products, count - 1, axis=1)[:, :count], axis=1)
    values = np.take_along_axis(products, some, axis=1)
    order = np.argsort(-values, axis=1, kind="stable")
    found = np.take_along_axis(values, order, axis=1)
    return np.take_along_axis(some, order, axis=1), np.asarray(found, dtype=np.float64)


def leading_eigenvectors(operator: LinearOperator, n_groups: int) -> Floats:
    """Documents × groups: the eigenvectors of the largest eigenvalues, every row at unit length."""
    n = operator.shape[0]
    if n <= max(MAX_DENSE, n_groups + 1):
        _, vectors = np.linalg.eigh(operator @ np.eye(n))
        vectors = vectors[:, -n_groups:]
    else:
        first = np.random.default_rng(0).normal(size=n)
        wide = min(n, max(4 * n_groups, 40))
        _, vectors = eigsh(operator, k=n_groups, which="LA", v0=first, tol=1e-4, ncv=wide, maxiter=1000)
    length = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return np.asarray(vectors / np.where(length > 0, length, 1.0))


@dataclass(frozen=True, eq=False)
class Rotation:
    """The rotation under which rows come closest to their groups, as indicators: min ‖X − Y·R‖²."""

    turned: Floats

    @classmethod
    def towards(cls, rows: Floats, groups: Labels) -> Rotation:
        """The best rotation of the rows for given groups."""
        sums = np.zeros((rows.shape[1], rows.shape[1]))
        np.add.at(sums, groups, rows)
        left, _, right = np.linalg.svd(sums.T)
        return cls(rows @ (left @ right))

    def distance(self, groups: Labels) -> float:
        """‖X − Y·R‖² of some groups X; every row of Y is of unit length."""
        return float(2.0 * (1.0 - self.turned[np.arange(len(groups)), groups]).sum())


def symmetric_operator(apply: Any, size: int) -> LinearOperator:
    """A symmetric linear map as SciPy wants it."""
    from scipy.sparse.linalg import LinearOperator as Operator

    return Operator((size, size), matvec=apply, rmatvec=apply, matmat=apply, dtype=np.float64)
