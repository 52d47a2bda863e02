"""A mixture of Gaussians in the leading directions of tf-idf, by scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from colligate.kernels import make_kernels
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.graph_clustering import Gaussians, fit_gaussians, run_gaussian_em
from colligate.methods.loop import Problem, State
from colligate.methods.margin.features import centre_rows, project_rows
from colligate.methods.margin.groups import initialize_groups
from colligate.methods.spherical import tfidf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.margin.features import Space
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Rows(Problem):
    """Adds the positions of the documents that are not empty, and their rows."""

    filled: NDArray[np.int64] | None = None
    space: Space | None = None
    rows: Floats | None = None


class GMM(Method):
    """A mixture of Gaussians in the leading directions of tf-idf: documents alone, no knowledge.

    min −1/M · Σ_d log Σ_k π_k·N(x_d; μ_k, Σ_k)

    x_d is a document's tf-idf row in the leading singular directions. The run is scikit-learn's, from the
    groups of spherical k-means, so that a restart is one sweep.

    Parameters
    ----------
    dimensions : int
        Number of singular directions.
    covariance : {"full", "diag"}
        Whether a group has a covariance matrix of its own, or variances alone.
    n_clusters, n_init, max_iter, tol, random_state, n_jobs
        As in `itcc`; `tol` is scikit-learn's, on the mean log-likelihood.
    """

    name: ClassVar[str] = "gmm"
    family: ClassVar[str] = "baselines"
    paper: ClassVar[str] = "Liu et al. 2002; baseline of Zhang, Wang, Si 2011"
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "dimensions": parameters.Integer(1),
        "covariance": parameters.Choice(("full", "diag")),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        dimensions: int = 50,
        covariance: str = "full",
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-3,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.dimensions = dimensions
        self.covariance = covariance
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _Rows:
        """Project the documents."""
        counts = network.counts
        filled = np.flatnonzero(np.diff(counts.indptr))
        space, rows = project_rows(counts[filled], self.dimensions)
        threads, sizes = make_kernels("fast", self.n_jobs), self.sizes(network)
        return _Rows(network, threads, sizes, guidance, filled, space, rows.astype(np.float64))

    def start(self, problem: _Rows, rng: np.random.Generator) -> State:
        """Gaussians of the groups of spherical k-means."""
        assert problem.rows is not None
        groups = initialize_groups(problem.kernels, centre_rows(problem.rows), self.n_clusters, rng)
        return _state(problem, fit_gaussians(problem.rows, groups, self.n_clusters, self.covariance))

    def sweep(self, problem: _Rows, state: State) -> State:
        """Run scikit-learn's EM from the Gaussians to its end."""
        assert problem.rows is not None
        now = Gaussians(**state.numbers)
        found, converged = run_gaussian_em(now, problem.rows, self.covariance, self.max_iter, self.tol)
        # the least variance may cost likelihood, so that EM alone does not promise a fall
        better = found.surprise(problem.rows) <= now.surprise(problem.rows)
        return _state(problem, found if better else now, settled=converged or not better)

    def objective(self, problem: _Rows, state: State) -> float:
        """Minus the mean log-likelihood of the documents."""
        assert problem.rows is not None
        return Gaussians(**state.numbers).surprise(problem.rows)

    def misfits(self, problem: _Rows, state: State, kind: str) -> NDArray[np.int64]:
        """Documents by their likelihood, the least likely first."""
        assert problem.filled is not None
        assert problem.rows is not None
        best = Gaussians(**state.numbers).log_joint(problem.rows).max(axis=1)
        return problem.filled[np.argsort(best, kind="stable")]

    def train_scores(self, problem: _Rows, state: State) -> dict[str, Floats]:
        """Log π_k·N(x; μ_k, Σ_k)."""
        network = problem.network
        return {network.centre: self.predict_scores(self.model(problem, state), network.counts)}

    def model(self, problem: _Rows, state: State) -> dict[str, NDArray[Any]]:
        """The Gaussians, the directions and the idf."""
        assert problem.space is not None
        assert problem.space.directions is not None
        return {**state.numbers, "directions": problem.space.directions, "idf": problem.space.idf}

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `train_scores`."""
        rows = tfidf(matrix, model["idf"]) @ model["directions"].astype(np.float64)
        return _gaussians(model).log_joint(np.asarray(rows))

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """What a word adds to x·P_k·(μ_k − x/2), P_k the inverse of Σ_k: x is a sum over words."""
        row = tfidf(
            csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["idf"]))), model["idf"]
        )
        parts = row.data[:, None] * model["directions"][columns].astype(np.float64)
        return np.asarray(parts @ _gaussians(model).pulls(parts.sum(axis=0)).T)


def _gaussians(model: Mapping[str, NDArray[Any]]) -> Gaussians:
    return Gaussians(model["shares"], model["means"], model["precisions"])


def _state(problem: _Rows, gaussians: Gaussians, *, settled: bool = False) -> State:
    assert problem.rows is not None
    centre = problem.network.centre
    labels = np.full(len(problem.network.types[centre]), -1, dtype=np.int32)
    labels[problem.filled] = gaussians.log_joint(problem.rows).argmax(axis=1)
    return State({centre: labels}, dict(vars(gaussians)), settled)
