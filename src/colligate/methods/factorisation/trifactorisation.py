"""What the tri-factorisations have in common as methods: every type clustered, associations between types.

Factors and the state that carries them, one better association, and the mass that groups explain.

What the factorisations of a whole network add: which networks they take, and what each relation counts.

A weight is the share of a relation in all that is to be explained: Σ_r weight_r·‖R_r − …‖²/‖R_r‖², times a
constant that makes it ‖R − …‖² for one relation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.errors import InputError
from colligate.kernels import make_kernels
from colligate.methods import parameters
from colligate.methods.factorisation.penalty import (
    Anchor,
    LinkPenalty,
    Penalty,
    measure_scale,
    statement_costs,
)
from colligate.methods.factorisation.problem import (
    FactorProblem,
    Factors,
    assign_groups,
    log_memberships,
    make_relations,
)
from colligate.methods.factorisation.profiles import ProfileMethod
from colligate.methods.factorisation.start import initialize_memberships
from colligate.methods.factorisation.update import update_association, update_memberships
from colligate.methods.loop import State
from colligate.methods.schema import (
    MAX_WEIGHT,
    assign_weights,
    check_centre,
    count_clusters,
    occurrence_shares,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.factorisation.penalty import Scale
    from colligate.methods.factorisation.problem import FactorRelation
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

FIRST_ASSOCIATIONS = 5
TERMS_PER_CLUSTER = 2


PLAIN = "plain"


class NetworkFactorisation(ProfileMethod):
    """Takes any network whose centre takes part in a relation, and in which no type is related to itself."""

    domains: ClassVar[Mapping[str, Domain]] = {
        **ProfileMethod.domains,
        "relation_weights": parameters.ByName(
            parameters.Choice(("share", PLAIN)), "names of relations", parameters.Real(0.0, MAX_WEIGHT)
        ),
    }

    relation_weights: str | Mapping[str, float]

    def check_network(self, network: Network) -> None:
        """Refuse a network whose centre stands alone, and relations of a type with itself."""
        for relation in network.relations:
            if relation.rows == relation.columns:
                raise InputError(
                    f"{self.name} cannot take {relation.name}, a relation of a type with itself; leave it "
                    "out, or choose hinc or chinc"
                )
        check_centre(self.name, network)

    def weighed(self, network: Network) -> tuple[Network, tuple[FactorRelation, ...]]:
        """The network with the weights of its relations, and the relations with what follows from them."""
        pieces = make_relations(network, self.weighting)
        norms = [piece.squared_norm for piece in pieces]
        whole = sum(norms)
        plain = [norm / max(whole, 1e-300) for norm in norms]
        found = assign_weights(
            network,
            self.relation_weights,
            plain if self.relation_weights == PLAIN else occurrence_shares(network),
        )
        weights = [float(relation.weight or 0.0) for relation in found.relations]
        return found, tuple(
            replace(piece, weight=weight * whole / max(norm, 1e-300))
            for piece, weight, norm in zip(pieces, weights, norms, strict=True)
        )


class TriFactorisation(NetworkFactorisation):
    """R ≈ G_p·S·G_qᵀ for every relation, memberships updated type by type and associations after each."""

    domains: ClassVar[Mapping[str, Domain]] = {
        **NetworkFactorisation.domains,
        "n_word_clusters": parameters.Integer(1, none=True),
        "n_entity_clusters": parameters.ByName(
            parameters.Integer(1, none=True), "types", parameters.Integer(1)
        ),
        "orthogonality": parameters.Real(1e-6),
        "init": parameters.Choice(("auto", "tfidf", "random"), array=True),
        "word_init": parameters.Choice(("auto", "tfidf", "random"), array=True),
    }
    signed: ClassVar[bool] = False

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        n_entity_clusters: int | Mapping[str, int] | None = None,
        relation_weights: str | Mapping[str, float] = "share",
        orthogonality: float = 0.02,
        weighting: str = "tfidf",
        init: Any = "auto",
        word_init: Any = "auto",
        n_init: int = 3,
        max_iter: int = 200,
        tol: float = 1e-4,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_word_clusters = n_word_clusters
        self.n_entity_clusters = n_entity_clusters
        self.relation_weights = relation_weights
        self.orthogonality = orthogonality
        self.weighting = weighting
        self.init = init
        self.word_init = word_init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def sizes(self, network: Network) -> dict[str, int]:
        """See `methods.schema`; terms that are not asked for follow the rule max(16, 2·n_clusters)."""
        return count_clusters(
            network, self.n_clusters, self.n_word_clusters, self.n_entity_clusters, TERMS_PER_CLUSTER
        )

    def sizes_with(self, network: Network, guidance: Mapping[str, Guidance]) -> dict[str, int]:
        """The number of clusters of each type where something is known."""
        return self.sizes(network)

    def asked(
        self, guidance: Guidance, size: int, scale: Scale, *, centre: bool
    ) -> tuple[Anchor | LinkPenalty, ...]:
        """What knowledge asks of the memberships of the centre, or of another type.

        `size` is its number of groups; `scale` is what weights are relative to.
        """
        return ()

    def prepared(
        self, network: Network, guidance: Mapping[str, Guidance]
    ) -> tuple[Network, tuple[FactorRelation, ...]]:
        """The network and its relations as they are to be factorised."""
        return self.weighed(network)

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> FactorProblem:
        """Weigh the relations, and put knowledge on the scale of what there is to explain."""
        network, pieces = self.prepared(network, guidance)
        sizes = self.sizes_with(network, guidance)
        penalties = {}
        for kind, size in sizes.items():
            known, centre = guidance.get(kind), kind == network.centre
            scale = measure_scale(kind, pieces, sizes, known=known is not None)
            own = () if known is None else self.asked(known, size, scale, centre=centre)
            penalties[kind] = Penalty(self.orthogonality * scale.whole, own)
        fast = make_kernels("fast", self.n_jobs)
        return FactorProblem(network, fast, sizes, guidance, pieces, penalties, self.signed)

    def start(self, problem: FactorProblem, rng: np.random.Generator) -> State:
        """Soft memberships by `init` and `word_init`, and the associations that suit them."""
        inits = {problem.network.terms: self.word_init, problem.network.centre: self.init}
        memberships = {
            kind: initialize_memberships(problem, kind, inits.get(kind, "auto"), rng)
            for kind in problem.sizes
        }
        factors = Factors(memberships)
        crosses = tuple(problem.cross(number, factors) for number in range(len(problem.pieces)))
        factors = Factors(memberships, crosses)
        for _ in range(FIRST_ASSOCIATIONS):
            for number in range(len(problem.pieces)):
                factors = step_association(problem, factors, number)
        return pack_factors(problem, factors)

    def sweep(self, problem: FactorProblem, state: State) -> State:
        """Update the memberships of each type, and after each the associations of its relations."""
        factors = unpack_factors(problem, state)
        before = problem.objective(factors)
        for kind in problem.penalties:
            factors = factors.with_memberships(kind, step_memberships(problem, factors, kind))
            for number, piece in enumerate(problem.pieces):
                if kind in (piece.rows, piece.columns):
                    factors = step_association(problem, factors, number)
        norm = sum(piece.squared_norm for piece in problem.pieces)
        # where nearly all is explained, a share of what is left would never be small enough
        return pack_factors(problem, factors, settled=before - problem.objective(factors) <= self.tol * norm)

    def objective(self, problem: FactorProblem, state: State) -> float:
        """See `factorisation.problem`."""
        return problem.objective(unpack_factors(problem, state))

    def train_scores(self, problem: FactorProblem, state: State) -> dict[str, Floats]:
        """The logarithm of the memberships, at columns of unit length."""
        return {kind: log_memberships(state.numbers[f"memberships/{kind}"]) for kind in problem.sizes}

    def association(self, problem: FactorProblem, state: State) -> dict[str, Floats]:
        """The mass of each relation that the groups explain, by pairs of groups."""
        factors = unpack_factors(problem, state)
        return {
            piece.name: explained_mass(piece, number, factors) for number, piece in enumerate(problem.pieces)
        }

    def statement_costs(self, problem: FactorProblem, state: State, n_statements: int) -> Floats:
        """What each statement adds to the penalties."""
        costs = np.zeros(n_statements)
        for kind, penalty in problem.penalties.items():
            costs += statement_costs(penalty, state.numbers[f"memberships/{kind}"], n_statements)
        return costs

    def profiles(self, problem: FactorProblem, state: State) -> list[Floats]:
        """G_q·Sᵀ."""
        factors = unpack_factors(problem, state)
        pairs = zip(problem.pieces, factors.associations, strict=True)
        own = [(piece.columns, S) for piece, S in pairs if piece.rows == problem.network.centre]
        return [np.asarray(factors.memberships[kind] @ S.T) for kind, S in own]

    def model(self, problem: FactorProblem, state: State) -> dict[str, NDArray[Any]]:
        """The profiles, and S of the relation between the centre and its terms as it is."""
        S = unpack_factors(problem, state).associations[problem.pieces.index(problem.described)]
        return {**super().model(problem, state), "association": S}


def step_memberships(problem: FactorProblem, factors: Factors, kind: str) -> Floats:
    """Better memberships of one type."""
    C, Q, parts = problem.seen_from(kind, factors)
    penalty = problem.penalties[kind].and_for(parts)
    return update_memberships(problem.kernels, factors.memberships[kind], C, Q, penalty, problem.overlap)


def step_association(problem: FactorProblem, factors: Factors, number: int) -> Factors:
    """The factors with a better association of one relation."""
    piece = problem.pieces[number]
    left, right = factors.memberships[piece.rows], factors.memberships[piece.columns]
    S = update_association(
        factors.associations[number],
        problem.cross(number, factors),
        problem.gram(number, left, across=False),
        problem.gram(number, right, across=True),
        signed=problem.signed,
    )
    others = factors.associations
    return Factors(factors.memberships, (*others[:number], S, *others[number + 1 :]))


def pack_factors(problem: FactorProblem, factors: Factors, *, settled: bool = False) -> State:
    """The factors as a state, with the groups they make."""
    labels = {kind: assign_groups(G, problem.filled[kind]) for kind, G in factors.memberships.items()}
    numbers = {f"memberships/{kind}": G for kind, G in factors.memberships.items()}
    numbers.update({f"association/{number}": S for number, S in enumerate(factors.associations)})
    return State(labels, numbers, settled)


def unpack_factors(problem: FactorProblem, state: State) -> Factors:
    """The factors that a state holds."""
    memberships = {kind: state.numbers[f"memberships/{kind}"] for kind in problem.sizes}
    return Factors(
        memberships, tuple(state.numbers[f"association/{number}"] for number in range(len(problem.pieces)))
    )


def explained_mass(piece: FactorRelation, number: int, factors: Factors) -> Floats:
    """How much of a relation each pair of groups explains, as shares, the way round the network has it."""
    left, right = factors.memberships[piece.rows], factors.memberships[piece.columns]
    found = left.sum(axis=0)[:, None] * np.maximum(factors.associations[number], 0.0) * right.sum(axis=0)
    found = found.T if piece.flipped else found
    return np.asarray(found / max(float(found.sum()), 1e-300))
