"""What the methods on the graph of nearest neighbours have in common."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import sparse

from colligate.kernels import kernels
from colligate.methods import domains
from colligate.methods.contract import Method
from colligate.methods.directions import dense_directions
from colligate.methods.kmeans import KMeans
from colligate.methods.margin.features import centred, dense_rows
from colligate.methods.margin.groups import first_groups, next_groups
from colligate.methods.margin.neighbours import nearest
from colligate.methods.margin.spectral import Rotation, embedding
from colligate.methods.problem import Problem
from colligate.methods.state import State
from colligate.methods.tfidf import inverse_frequency, tfidf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from scipy.sparse.linalg import LinearOperator

    from colligate.knowledge import Guidance
    from colligate.methods.domains import Domain
    from colligate.methods.margin.neighbours import Neighbours
    from colligate.network import Network

    Floats = NDArray[np.float64]

# a document whose rotated row points at its group has a membership of about .95
SHARPNESS = 4.0


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
        "n_neighbours": domains.Integer(1),
        "dimensions": domains.Integer(1),
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
        _, rows = dense_rows(counts[filled], self.dimensions)
        unit = dense_directions(rows, np.ones(len(filled), dtype=np.bool_)).unit
        assert isinstance(unit, np.ndarray)
        found = embedding(self.operator(unit, nearest(unit, self.n_neighbours)), self.n_clusters)
        return GraphProblem(
            network, kernels("fast", self.n_jobs), self.sizes(network), guidance, filled, found
        )

    def start(self, problem: GraphProblem, rng: np.random.Generator) -> State:
        """Spherical k-means on the rows of the eigenvectors."""
        assert problem.rows is not None
        groups = first_groups(problem.kernels, centred(problem.rows), self.n_clusters, rng)
        return _state(problem, groups)

    def sweep(self, problem: GraphProblem, state: State) -> State:
        """The best rotation for the groups, then the best groups for the rotation."""
        assert problem.rows is not None
        groups = _groups(problem, state)
        turned = Rotation.towards(problem.rows, groups).turned
        losses = 1.0 - turned[np.arange(len(groups)), groups]
        following = next_groups(turned, groups, losses)
        return _state(problem, following, settled=np.array_equal(following, groups))

    def objective(self, problem: GraphProblem, state: State) -> float:
        """‖X − Y·R‖² with the best rotation R."""
        assert problem.rows is not None
        groups = _groups(problem, state)
        return Rotation.towards(problem.rows, groups).distance(groups)

    def scored(self, problem: GraphProblem, state: State) -> dict[str, Floats]:
        """The rotated rows, sharpened."""
        assert problem.rows is not None
        network = problem.network
        found = np.zeros((network.counts.shape[0], self.n_clusters))
        found[problem.filled] = Rotation.towards(problem.rows, _groups(problem, state)).turned
        return {network.centre: SHARPNESS * found}

    def model(self, problem: GraphProblem, state: State) -> dict[str, NDArray[Any]]:
        """The mean tf-idf row of every group, and the idf."""
        counts = problem.network.counts
        idf = inverse_frequency(counts)
        labels = state.labels[problem.network.centre]
        placed = np.flatnonzero(labels >= 0)
        sizes = np.bincount(labels[placed], minlength=self.n_clusters)
        shares = (1.0 / np.maximum(sizes, 1)[labels[placed]], (labels[placed], placed))
        mean = sparse.csr_array(shares, shape=(self.n_clusters, len(labels))) @ tfidf(counts, idf)
        return {"centres": mean.toarray(), "idf": idf}

    @staticmethod
    def scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """As in `kmeans`: minus the squared distances to the centres, sharpened."""
        return KMeans.scores(model, matrix)

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
