"""What the semi-non-negative factorisations share as methods: documents alone, profiles of any sign.

    min ‖X − G·Bᵀ‖² + penalty(G),   G ≥ 0 with columns of unit length, B of any sign

G are the memberships of the documents, B the profiles of their groups: the least-squares solution for G.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.kernels import make_kernels
from colligate.methods import parameters
from colligate.methods.factorisation.penalty import Penalty, measure_scale, statement_costs
from colligate.methods.factorisation.problem import (
    FactorProblem,
    assign_groups,
    log_memberships,
    make_relations,
)
from colligate.methods.factorisation.profiles import ProfileMethod
from colligate.methods.factorisation.start import initialize_memberships
from colligate.methods.factorisation.update import LowRank, update_memberships
from colligate.methods.loop import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.factorisation.penalty import LinkPenalty, Scale
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Fit:
    """The profiles that suit some memberships, and what they leave: ‖X − G·Bᵀ‖²."""

    profiles: Floats
    unexplained: float


class BiFactorisation(ProfileMethod):
    """X ≈ G·Bᵀ with memberships of documents alone."""

    domains: ClassVar[Mapping[str, Domain]] = {
        **ProfileMethod.domains,
        "orthogonality": parameters.Real(1e-6),
        "init": parameters.Choice(("auto", "tfidf", "random"), array=True),
    }

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
    ) -> None:
        self.n_clusters = n_clusters
        self.orthogonality = orthogonality
        self.weighting = weighting
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def asked(self, guidance: Guidance, scale: Scale) -> tuple[LinkPenalty, ...]:
        """What knowledge asks of the memberships; `scale` is what weights are relative to."""
        return ()

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> FactorProblem:
        """Weigh the relation, and put knowledge on its scale."""
        pieces = make_relations(network, self.weighting)
        known, sizes = guidance.get(network.centre), self.sizes(network)
        scale = measure_scale(network.centre, pieces, sizes, known=known is not None)
        own = () if known is None else self.asked(known, scale)
        penalties = {network.centre: Penalty(self.orthogonality * scale.whole, own)}
        fast = make_kernels("fast", self.n_jobs)
        return FactorProblem(network, fast, sizes, guidance, pieces, penalties, signed=True)

    def start(self, problem: FactorProblem, rng: np.random.Generator) -> State:
        """Soft memberships by `init`."""
        return _state(problem, initialize_memberships(problem, problem.network.centre, self.init, rng))

    def sweep(self, problem: FactorProblem, state: State) -> State:
        """Find the profiles, then better memberships."""
        G = state.numbers["memberships"]
        B = _fit(problem, G).profiles
        C = problem.product(0, B, transposed=False)
        penalty = problem.penalties[problem.network.centre]
        found = update_memberships(problem.kernels, G, LowRank.of(C), B.T @ B, penalty, problem.overlap)
        following = _state(problem, found)
        fallen = self.objective(problem, state) - self.objective(problem, following)
        norm = problem.pieces[0].squared_norm
        return State(following.labels, following.numbers, settled=fallen <= self.tol * norm)

    def objective(self, problem: FactorProblem, state: State) -> float:
        """See the module."""
        G = state.numbers["memberships"]
        asked = problem.penalties[problem.network.centre].value(G, problem.overlap(G, G))
        return _fit(problem, G).unexplained + asked

    def train_scores(self, problem: FactorProblem, state: State) -> dict[str, Floats]:
        """The logarithm of the memberships."""
        return {problem.network.centre: log_memberships(state.numbers["memberships"])}

    def statement_costs(self, problem: FactorProblem, state: State, n_statements: int) -> Floats:
        """What each statement adds to the penalties."""
        penalty = problem.penalties[problem.network.centre]
        return statement_costs(penalty, state.numbers["memberships"], n_statements)

    def profiles(self, problem: FactorProblem, state: State) -> list[Floats]:
        """B."""
        return [_fit(problem, state.numbers["memberships"]).profiles]


def _fit(problem: FactorProblem, G: Floats) -> _Fit:
    """B = Xᵀ·G·(GᵀG)⁻¹, and ‖X‖² − ⟨B, Xᵀ·G⟩, which is what it leaves."""
    towards = problem.product(0, G, transposed=True)
    B = towards @ np.linalg.pinv(G.T @ G)
    piece = problem.pieces[0]
    return _Fit(B, piece.squared_norm - float(np.vdot(B, towards)))


def _state(problem: FactorProblem, G: Floats) -> State:
    centre = problem.network.centre
    return State({centre: assign_groups(G, problem.network.nonempty(centre))}, {"memberships": G})
