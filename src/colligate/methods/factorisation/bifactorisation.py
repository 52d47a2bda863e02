"""Semi-non-negative factorisation of documents only, with profiles of any sign (docs: snmf).

    min ‖X − G·Pᵀ‖² + penalty(G),   G ≥ 0 with columns of unit length, P of any sign         (eq. 1)

G has the memberships of the documents, P the profiles of their groups: the least-squares solution for G.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate._storage.array_schema import DOUBLES, ArraySpec
from colligate.methods import parameters
from colligate.methods.factorisation.penalty import Penalty, measure_scale, statement_costs
from colligate.methods.factorisation.problem import (
    FactorProblem,
    assign_groups,
    log_memberships,
    make_relations,
)
from colligate.methods.factorisation.profiles import INITS, ProfileMethod
from colligate.methods.factorisation.start import initialize_memberships
from colligate.methods.factorisation.update import LowRank, update_memberships
from colligate.methods.loop import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Guidance
    from colligate.methods.factorisation.penalty import LinkPenalty, Scale
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]


class BiFactorisation(ProfileMethod):
    """X ≈ G·Pᵀ with memberships of documents only."""

    state_schema: ClassVar[ArraySchema] = {
        "memberships": ArraySpec(("documents", "groups"), DOUBLES, least=0.0)
    }
    domains: ClassVar[Mapping[str, Domain]] = {
        **ProfileMethod.domains,
        "orthogonality": parameters.Real(1e-6),
        "init": parameters.Choice(INITS, array=True),
    }

    orthogonality: float
    weighting: str
    init: Any

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        orthogonality: float = 0.02,
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

    def make_penalties(self, guidance: Guidance, scale: Scale) -> tuple[LinkPenalty, ...]:
        """Turn knowledge into penalties; `scale` is what weights are relative to."""
        return ()

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> FactorProblem:
        """Weigh the entries, and scale the penalties to them."""
        relations = make_relations(network, self.weighting)
        centre_guidance, sizes = guidance.get(network.centre), self.n_clusters_by_type(network)
        scale = measure_scale(network.centre, relations, sizes, guided=centre_guidance is not None)
        parts = () if centre_guidance is None else self.make_penalties(centre_guidance, scale)
        penalties = {network.centre: Penalty(self.orthogonality * scale.whole, parts)}
        kernels = self.back_end(network)
        return FactorProblem(network, kernels, sizes, guidance, relations, penalties, signed=True)

    def start(self, problem: FactorProblem, rng: np.random.Generator) -> State:
        """Return soft memberships by `init`."""
        return _make_state(problem, initialize_memberships(problem, problem.network.centre, self.init, rng))

    def sweep(self, problem: FactorProblem, state: State) -> State:
        """Solve for the profiles (eq. 2), then step the memberships (tnmf, eq. 6)."""
        G = state.numbers["memberships"]
        P, _ = _solve_profiles(problem, G)
        C = problem.product(0, P, transposed=False)
        penalty = problem.penalties[problem.network.centre]
        G = update_memberships(problem.kernels, G, LowRank.of(C), P.T @ P, penalty, problem.overlap)
        following = _make_state(problem, G)
        fallen = self.objective(problem, state) - self.objective(problem, following)
        # relative to ‖X‖²: where nearly all is explained, a share of the small rest would never be reached
        norm = problem.relations[0].squared_norm
        return State(following.labels, following.numbers, settled=fallen <= self.tol * norm)

    def objective(self, problem: FactorProblem, state: State) -> float:
        """Compute eq. 1."""
        G = state.numbers["memberships"]
        penalty = problem.penalties[problem.network.centre].value(G, problem.overlap(G, G))
        return _solve_profiles(problem, G)[1] + penalty

    def train_scores(self, problem: FactorProblem, state: State) -> dict[str, Floats]:
        """Return the logarithm of the memberships."""
        return {problem.network.centre: log_memberships(state.numbers["memberships"])}

    def statement_costs(self, problem: FactorProblem, state: State, n_statements: int) -> Floats:
        """Return the part of each statement in the penalties."""
        penalty = problem.penalties[problem.network.centre]
        return statement_costs(penalty, state.numbers["memberships"], n_statements)

    def profiles(self, problem: FactorProblem, state: State) -> list[Floats]:
        """Return P."""
        return [_solve_profiles(problem, state.numbers["memberships"])[0]]


def _solve_profiles(problem: FactorProblem, G: Floats) -> tuple[Floats, float]:
    """Return P = Xᵀ·G·(GᵀG)⁺ (eq. 2), and ‖X − G·Pᵀ‖² = ‖X‖² − ⟨P, Xᵀ·G⟩."""
    XG = problem.product(0, G, transposed=True)
    # the pseudo-inverse, since two equal columns make GᵀG singular
    P = XG @ np.linalg.pinv(G.T @ G)
    # the short form of the norm holds because P is the least-squares solution
    return P, problem.relations[0].squared_norm - float(np.vdot(P, XG))


def _make_state(problem: FactorProblem, G: Floats) -> State:
    centre = problem.network.centre
    return State({centre: assign_groups(G, problem.network.nonempty(centre))}, {"memberships": G})
