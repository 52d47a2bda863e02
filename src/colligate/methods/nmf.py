"""Non-negative matrix factorisation by scikit-learn (docs: nmf)."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from colligate._storage.array_schema import DOUBLES, ArraySpec
from colligate.methods import parameters
from colligate.methods.factorisation.penalty import Penalty
from colligate.methods.factorisation.problem import (
    FactorProblem,
    assign_groups,
    log_memberships,
    make_relations,
)
from colligate.methods.factorisation.profiles import INITS, ProfileMethod
from colligate.methods.factorisation.start import initialize_memberships
from colligate.methods.loop import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Guidance
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

# added to the first profiles: an entry of 0 would stay 0
MIN_ENTRY = 1e-6


class NMF(ProfileMethod):
    """Non-negative matrix factorisation: documents only, no knowledge.

    min ‖X − G·Pᵀ‖²,   G, P ≥ 0

    X has the tf-idf rows of the documents, G their memberships, P the profiles of the groups over words.
    scikit-learn runs the whole optimisation, from spherical k-means++, so that a restart is one sweep. Lee
    and Seung (2001); a baseline of the triplet paper.

    Parameters
    ----------
    n_clusters, weighting, init, n_init, random_state, n_jobs, device
        As in `tnmf`.
    max_iter, tol
        scikit-learn's, for one restart.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "nmf"
    paper: ClassVar[str] = "Lee, Seung 2001"
    state_schema: ClassVar[ArraySchema] = {
        "memberships": ArraySpec(("documents", "groups"), DOUBLES, least=0.0),
        "profiles": ArraySpec(("columns", "groups"), DOUBLES),
    }
    domains: ClassVar[Mapping[str, Domain]] = {
        **ProfileMethod.domains,
        "init": parameters.Choice(INITS, array=True),
    }

    weighting: str
    init: Any

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        weighting: str = "tfidf",
        init: Any = "auto",
        n_init: int = 3,
        max_iter: int = 200,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> FactorProblem:
        """Weigh the entries."""
        relations = make_relations(network, self.weighting)
        kernels, penalties = self.back_end(network), {network.centre: Penalty(0.0)}
        return FactorProblem(
            network, kernels, self.n_clusters_by_type(network), guidance, relations, penalties
        )

    def start(self, problem: FactorProblem, rng: np.random.Generator) -> State:
        """Return soft memberships by `init`, and the sums of the groups as profiles."""
        G = initialize_memberships(problem, problem.network.centre, self.init, rng)
        return _make_state(problem, G, problem.product(0, G, transposed=True) + MIN_ENTRY)

    def sweep(self, problem: FactorProblem, state: State) -> State:
        """Run scikit-learn's coordinate descent to its end."""
        from sklearn.decomposition import non_negative_factorization

        with warnings.catch_warnings():
            # the loop warns of it
            warnings.simplefilter("ignore", ConvergenceWarning)
            G, P, n_iter = non_negative_factorization(
                problem.relations[0].matrix,
                # a copy, since it works in place and the arrays of a state are never changed
                W=state.numbers["memberships"].copy(),
                H=np.array(state.numbers["profiles"].T, order="C"),
                n_components=self.n_clusters,
                init="custom",
                tol=self.tol,
                max_iter=self.max_iter,
            )
        following = _make_state(problem, G, P.T)
        fallen = self.objective(problem, state) - self.objective(problem, following)
        settled = n_iter < self.max_iter or fallen <= self.tol * problem.relations[0].squared_norm
        return State(following.labels, following.numbers, settled)

    def objective(self, problem: FactorProblem, state: State) -> float:
        """Compute ‖X − G·Pᵀ‖² by traces (eq. 1)."""
        G, P = state.numbers["memberships"], state.numbers["profiles"]
        explained = 2.0 * np.vdot(P, problem.product(0, G, transposed=True))
        return problem.relations[0].squared_norm - float(explained - np.vdot(G.T @ G, P.T @ P))

    def train_scores(self, problem: FactorProblem, state: State) -> dict[str, Floats]:
        """Return the logarithm of the memberships."""
        return {problem.network.centre: log_memberships(state.numbers["memberships"])}

    def profiles(self, problem: FactorProblem, state: State) -> list[Floats]:
        """Return P."""
        return [state.numbers["profiles"]]


def _make_state(problem: FactorProblem, G: Floats, P: Floats) -> State:
    centre = problem.network.centre
    labels = {centre: assign_groups(G, problem.network.nonempty(centre))}
    return State(labels, {"memberships": G, "profiles": P})
