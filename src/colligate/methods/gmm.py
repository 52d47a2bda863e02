"""A mixture of Gaussians in the leading directions of tf-idf, by scikit-learn (docs: gmm)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array
from scipy.special import logsumexp

from colligate._storage.array_schema import ArraySpec
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.loop import Problem, State
from colligate.methods.margin.features import centre_rows, project_rows
from colligate.methods.margin.groups import initialize_groups
from colligate.methods.spherical import tfidf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.margin.features import Space
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

# variance added in every direction, as a share of the mean one: a group of few documents has none
MIN_VARIANCE = 1e-3


@dataclass(frozen=True, eq=False)
class Gaussians:
    """A mixture of K Gaussians: π (`shares`), μ (`means`), and the inverses of Σ (`precisions`)."""

    shares: Floats
    means: Floats
    precisions: Floats

    def log_joint(self, rows: Floats) -> Floats:
        """Return rows × groups: log π_k·N(x; μ_k, Σ_k)."""
        constant = np.log(np.maximum(self.shares, 1e-300)) + 0.5 * np.linalg.slogdet(self.precisions)[1]
        constant = constant - 0.5 * rows.shape[1] * np.log(2.0 * np.pi)
        log_joint = np.empty((len(rows), len(self.shares)))
        for group, (mean, precision) in enumerate(zip(self.means, self.precisions, strict=True)):
            away = rows - mean
            log_joint[:, group] = constant[group] - 0.5 * ((away @ precision) * away).sum(axis=1)
        return log_joint

    def negative_log_likelihood(self, rows: Floats) -> float:
        """Return −1/M · Σ_d log Σ_k π_k·N(x_d; μ_k, Σ_k) (eq. 1)."""
        return -float(np.mean(logsumexp(self.log_joint(rows), axis=1)))

    def linear_terms(self, x: Floats) -> Floats:
        """Return P_k·(μ_k − x/2) of one row x for every group: its product with x is the score (eq. 2)."""
        return np.asarray(np.einsum("kij,kj->ki", self.precisions, self.means - 0.5 * x))


def fit_gaussians(rows: Floats, groups: Labels, n_groups: int, covariance: str) -> Gaussians:
    """Return the Gaussians of nonempty groups of rows; `covariance` is "full" or "diag"."""
    members = [rows[groups == group] for group in range(n_groups)]
    return Gaussians(
        np.array([len(of_group) for of_group in members]) / len(rows),
        np.array([of_group.mean(axis=0) for of_group in members]),
        np.array([_precision(of_group, _min_variance(rows), covariance) for of_group in members]),
    )


def _precision(rows: Floats, min_variance: float, covariance: str) -> Floats:
    """Return the inverse of the covariance of one group, with the least variance added."""
    if covariance == "diag":
        return np.diag(1.0 / (rows.var(axis=0) + min_variance))
    away = rows - rows.mean(axis=0)
    spread = away.T @ away / len(rows)
    return np.asarray(np.linalg.inv(spread + min_variance * np.eye(rows.shape[1])))


def _min_variance(rows: Floats) -> float:
    return MIN_VARIANCE * max(float(rows.var(axis=0).mean()), 1e-9)


def run_em(
    start: Gaussians, rows: Floats, covariance: str, max_iter: int, tol: float
) -> tuple[Gaussians, bool]:
    """Run scikit-learn's EM, and return whether it converged; it needs two rows."""
    if len(rows) < 2:
        return start, True
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    full = covariance == "full"
    mixture = GaussianMixture(
        len(start.shares),
        covariance_type=covariance,
        weights_init=start.shares,
        means_init=start.means,
        precisions_init=start.precisions if full else np.diagonal(start.precisions, axis1=1, axis2=2),
        reg_covar=_min_variance(rows),
        max_iter=max_iter,
        tol=tol,
        # all starting values are given; this only spares scikit-learn's own k-means
        init_params="random_from_data",
        random_state=0,
    )
    with warnings.catch_warnings():
        # the second value says so
        warnings.simplefilter("ignore", ConvergenceWarning)
        mixture.fit(rows)
    precisions = mixture.precisions_ if full else np.array([np.diag(each) for each in mixture.precisions_])
    return Gaussians(mixture.weights_, mixture.means_, precisions), bool(mixture.converged_)


@dataclass(frozen=True, eq=False)
class _ProjectedProblem(Problem):
    """A problem with the positions of the nonempty documents, and their rows x_d."""

    filled: NDArray[np.int64] | None = None
    space: Space | None = None
    rows: Floats | None = None


class GMM(Method):
    """A mixture of Gaussians in the leading directions of tf-idf: documents only, no knowledge.

    min −1/M · Σ_d log Σ_k π_k·N(x_d; μ_k, Σ_k)

    x_d is the tf-idf row of one of M documents in the leading singular directions; π_k, μ_k and Σ_k are the
    share, mean and covariance of group k. scikit-learn runs the whole EM, from the groups of spherical
    k-means, so that a restart is one sweep.

    Parameters
    ----------
    dimensions : int
        Number of singular directions.
    covariance : {"full", "diag"}
        Whether Σ_k is a full matrix, or diagonal.
    n_clusters, n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`; `tol` is scikit-learn's, on the mean log-likelihood.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "gmm"
    family: ClassVar[str] = "baselines"
    paper: ClassVar[str] = "Liu et al. 2002; baseline of Zhang, Wang, Si 2011"
    state_schema: ClassVar[ArraySchema] = {
        "shares": ArraySpec(("groups",), least=0.0),
        "means": ArraySpec(("groups", "dimensions")),
        "precisions": ArraySpec(("groups", "dimensions", "dimensions")),
    }
    model_schema: ClassVar[ArraySchema] = {
        **state_schema,
        "directions": ArraySpec(("columns", "dimensions")),
        "idf": ArraySpec(("columns",)),
    }
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "dimensions": parameters.Integer(1),
        "covariance": parameters.Choice(("full", "diag")),
    }

    dimensions: int
    covariance: str

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
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _ProjectedProblem:
        """Project the documents."""
        filled = np.flatnonzero(np.diff(network.counts.indptr))
        space, rows = project_rows(network.counts[filled], self.dimensions)
        kernels, sizes = self.back_end(network), self.n_clusters_by_type(network)
        return _ProjectedProblem(network, kernels, sizes, guidance, filled, space, rows.astype(np.float64))

    def start(self, problem: _ProjectedProblem, rng: np.random.Generator) -> State:
        """Return the Gaussians of the groups of spherical k-means."""
        assert problem.rows is not None
        groups = initialize_groups(problem.kernels, centre_rows(problem.rows), self.n_clusters, rng)
        return _make_state(problem, fit_gaussians(problem.rows, groups, self.n_clusters, self.covariance))

    def sweep(self, problem: _ProjectedProblem, state: State) -> State:
        """Run scikit-learn's EM to its end."""
        assert problem.rows is not None
        current = Gaussians(**state.numbers)
        following, converged = run_em(current, problem.rows, self.covariance, self.max_iter, self.tol)
        # the least variance may cost likelihood, so that EM does not guarantee a fall
        before, after = (g.negative_log_likelihood(problem.rows) for g in (current, following))
        if after <= before:
            return _make_state(problem, following, settled=converged)
        return _make_state(problem, current, settled=True)

    def objective(self, problem: _ProjectedProblem, state: State) -> float:
        """Compute eq. 1."""
        assert problem.rows is not None
        return Gaussians(**state.numbers).negative_log_likelihood(problem.rows)

    def misfits(self, problem: _ProjectedProblem, state: State, kind: str) -> NDArray[np.int64]:
        """Return documents by their likelihood, the least likely first."""
        assert problem.filled is not None
        assert problem.rows is not None
        best = Gaussians(**state.numbers).log_joint(problem.rows).max(axis=1)
        return problem.filled[np.argsort(best, kind="stable")]

    def train_scores(self, problem: _ProjectedProblem, state: State) -> dict[str, Floats]:
        """Return log π_k·N(x; μ_k, Σ_k)."""
        network = problem.network
        return {network.centre: self.predict_scores(self.model(problem, state), network.counts)}

    def model(self, problem: _ProjectedProblem, state: State) -> dict[str, NDArray[Any]]:
        """Return the Gaussians, the directions and the idf."""
        assert problem.space is not None
        assert problem.space.directions is not None
        return {**state.numbers, "directions": problem.space.directions, "idf": problem.space.idf}

    @staticmethod
    def check_state(problem: _ProjectedProblem, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Raise ValueError for precisions of no Gaussian; see `Method.check_state`."""
        precisions = numbers["precisions"]
        if not np.allclose(precisions, precisions.transpose(0, 2, 1)):
            raise ValueError("its precisions are not symmetric")
        # raises LinAlgError, a ValueError, if one is not positive definite
        np.linalg.cholesky(precisions)

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `train_scores`."""
        rows = tfidf(matrix, model["idf"]) @ model["directions"].astype(np.float64)
        return _gaussians(model).log_joint(np.asarray(rows))

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Return what each word adds to x·P_k·(μ_k − x/2) (eq. 2): x is a sum over words."""
        row = csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["idf"])))
        entries = tfidf(row, model["idf"]).data
        parts = entries[:, None] * model["directions"][columns].astype(np.float64)
        return np.asarray(parts @ _gaussians(model).linear_terms(parts.sum(axis=0)).T)


def _gaussians(model: Mapping[str, NDArray[Any]]) -> Gaussians:
    return Gaussians(model["shares"], model["means"], model["precisions"])


def _make_state(problem: _ProjectedProblem, gaussians: Gaussians, *, settled: bool = False) -> State:
    assert problem.rows is not None
    centre = problem.network.centre
    labels = np.full(len(problem.network.types[centre]), -1, dtype=np.int32)
    labels[problem.filled] = gaussians.log_joint(problem.rows).argmax(axis=1)
    return State({centre: labels}, dict(vars(gaussians)), settled)
