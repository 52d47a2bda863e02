"""Tri-factorisation as methods: every type of a network clustered, with associations between the types.

`NetworkFactorisation` checks networks and weights relations. The weight of a relation
is its share in all that is to be explained, Σ_r w_r·‖R_r − …‖²/‖R_r‖², times a constant that makes it ‖R −
…‖² for one relation. `TriFactorisation` adds the updates (docs: tnmf).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate._storage.array_schema import DOUBLES, ArraySpec
from colligate.errors import InputError
from colligate.kernels.arrays import to_host
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
from colligate.methods.factorisation.profiles import INITS, ProfileMethod
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

    from colligate._storage.array_schema import ArraySchema
    from colligate.knowledge import Guidance
    from colligate.methods.factorisation.penalty import Scale
    from colligate.methods.factorisation.problem import FactorRelation
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

# rounds of association updates at the start, from S = GᵀXF: more change the objective by rounding only
START_ROUNDS = 5
# word groups per document group (measured on 20 Newsgroups; the information methods profit from more)
TERMS_PER_CLUSTER = 2
PLAIN = "plain"


class NetworkFactorisation(ProfileMethod):
    """Take any network in which a relation includes the centre and no type is related to itself."""

    domains: ClassVar[Mapping[str, Domain]] = {
        **ProfileMethod.domains,
        "relation_weights": parameters.ByName(
            parameters.Choice(("share", PLAIN)), "names of relations", parameters.Real(0.0, MAX_WEIGHT)
        ),
    }

    relation_weights: str | Mapping[str, float]

    def check_network(self, network: Network) -> None:
        """Refuse a network without a relation of the centre, and relations of a type with itself."""
        for relation in network.relations:
            if relation.rows == relation.columns:
                raise InputError(
                    f"{self.name} does not accept {relation.name}, because both sides of this relation "
                    "are of the same type; leave out the relation, or choose hinc or chinc"
                )
        check_centre(self.name, network)

    def weigh_relations(self, network: Network) -> tuple[Network, tuple[FactorRelation, ...]]:
        """Return the network with the weights of its relations, and the relations to factorise."""
        relations = make_relations(network, self.weighting)
        norms = [relation.squared_norm for relation in relations]
        total = sum(norms)
        plain = [norm / max(total, 1e-300) for norm in norms]
        rule = plain if self.relation_weights == PLAIN else occurrence_shares(network)
        weighted = assign_weights(network, self.relation_weights, rule)
        weights = [float(relation.weight or 0.0) for relation in weighted.relations]
        return weighted, tuple(
            replace(relation, weight=weight * total / max(norm, 1e-300))
            for relation, weight, norm in zip(relations, weights, norms, strict=True)
        )


class TriFactorisation(NetworkFactorisation):
    """R ≈ G_p·S·G_qᵀ for every relation; memberships are updated type by type, associations after each."""

    model_schema: ClassVar[ArraySchema] = {
        **NetworkFactorisation.model_schema,
        "association": ArraySpec(("groups", "term groups")),
    }
    state_schema: ClassVar[ArraySchema] = {
        "memberships/*": ArraySpec(("size of *", "groups of *"), DOUBLES, least=0.0),
        "association/*": ArraySpec(("row groups of *", "column groups of *"), DOUBLES),
    }
    domains: ClassVar[Mapping[str, Domain]] = {
        **NetworkFactorisation.domains,
        "n_word_clusters": parameters.Integer(1, none=True),
        "n_entity_clusters": parameters.ByName(
            parameters.Integer(1, none=True), "types", parameters.Integer(1)
        ),
        "orthogonality": parameters.Real(1e-6),
        "init": parameters.Choice(INITS, array=True),
        "word_init": parameters.Choice(INITS, array=True),
    }
    signed: ClassVar[bool] = False

    n_word_clusters: int | None
    n_entity_clusters: int | Mapping[str, int] | None
    relation_weights: str | Mapping[str, float]
    orthogonality: float
    weighting: str
    init: Any
    word_init: Any

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
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def n_clusters_by_type(self, network: Network) -> dict[str, int]:
        """Return the number of clusters of each type; see `methods.schema`."""
        return count_clusters(
            network, self.n_clusters, self.n_word_clusters, self.n_entity_clusters, TERMS_PER_CLUSTER
        )

    def n_clusters_with_knowledge(self, network: Network, guidance: Mapping[str, Guidance]) -> dict[str, int]:
        """Return the number of clusters of each type, which categories may raise."""
        return self.n_clusters_by_type(network)

    def make_penalties(
        self, guidance: Guidance, n_clusters: int, scale: Scale, *, centre: bool
    ) -> tuple[Anchor | LinkPenalty, ...]:
        """Turn the knowledge about the centre, or another type, into penalties on its memberships.

        `scale` is what weights are relative to.
        """
        return ()

    def prepare_relations(
        self, network: Network, guidance: Mapping[str, Guidance]
    ) -> tuple[Network, tuple[FactorRelation, ...]]:
        """Return the network and its relations as they are to be factorised."""
        return self.weigh_relations(network)

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> FactorProblem:
        """Weigh the relations, and scale the penalties to them."""
        network, relations = self.prepare_relations(network, guidance)
        sizes = self.n_clusters_with_knowledge(network, guidance)
        penalties = {}
        for kind, size in sizes.items():
            of_kind, centre = guidance.get(kind), kind == network.centre
            scale = measure_scale(kind, relations, sizes, guided=of_kind is not None)
            parts = () if of_kind is None else self.make_penalties(of_kind, size, scale, centre=centre)
            penalties[kind] = Penalty(self.orthogonality * scale.whole, parts)
        kernels = self.back_end(network)
        return FactorProblem(network, kernels, sizes, guidance, relations, penalties, self.signed)

    def start(self, problem: FactorProblem, rng: np.random.Generator) -> State:
        """Return soft memberships by `init` and `word_init`, and associations that fit them."""
        inits = {problem.network.terms: self.word_init, problem.network.centre: self.init}
        memberships = {}
        for kind in problem.n_clusters_by_type:
            memberships[kind] = initialize_memberships(problem, kind, inits.get(kind, "auto"), rng)
        factors = Factors(memberships)
        crosses = tuple(problem.cross(number, factors) for number in range(len(problem.relations)))
        factors = Factors(memberships, crosses)
        for _ in range(START_ROUNDS):
            for number in range(len(problem.relations)):
                factors = step_association(problem, factors, number)
        return pack_factors(problem, factors)

    def sweep(self, problem: FactorProblem, state: State) -> State:
        """Update the memberships of each type (tnmf, eq. 6), then the associations it is in (eq. 7)."""
        factors = unpack_factors(problem, state)
        before = problem.objective(factors)
        # associations follow every type, so that the next one is updated against those that fit
        for kind in problem.penalties:
            factors = factors.with_memberships(kind, step_memberships(problem, factors, kind))
            for number, relation in enumerate(problem.relations):
                if kind in (relation.rows, relation.columns):
                    factors = step_association(problem, factors, number)
        norm = sum(relation.squared_norm for relation in problem.relations)
        # where nearly all is explained, a share of the small rest would never be reached
        settled = before - problem.objective(factors) <= self.tol * norm
        return pack_factors(problem, factors, settled=settled)

    def objective(self, problem: FactorProblem, state: State) -> float:
        """Compute eq. 2 of tnmf."""
        return problem.objective(unpack_factors(problem, state))

    def train_scores(self, problem: FactorProblem, state: State) -> dict[str, Floats]:
        """Return the logarithm of the memberships."""
        return {
            kind: log_memberships(to_host(state.numbers[f"memberships/{kind}"]))
            for kind in problem.n_clusters_by_type
        }

    def association(self, problem: FactorProblem, state: State) -> dict[str, Floats]:
        """Return the mass of each relation that pairs of groups explain."""
        factors, association = unpack_factors(problem, state), {}
        for number, relation in enumerate(problem.relations):
            association[relation.name] = explained_mass(relation, number, factors)
        return association

    def statement_costs(self, problem: FactorProblem, state: State, n_statements: int) -> Floats:
        """Return the part of each statement in the penalties."""
        costs = np.zeros(n_statements)
        for kind, penalty in problem.penalties.items():
            memberships = to_host(state.numbers[f"memberships/{kind}"])
            costs += statement_costs(penalty, memberships, n_statements)
        return costs

    def profiles(self, problem: FactorProblem, state: State) -> list[Floats]:
        """Return G_q·Sᵀ for each relation of the centre."""
        factors = unpack_factors(problem, state)
        pairs = zip(problem.relations, factors.associations, strict=True)
        of_centre = [
            (relation.columns, S) for relation, S in pairs if relation.rows == problem.network.centre
        ]
        return [np.asarray(to_host(factors.memberships[kind]) @ S.T) for kind, S in of_centre]

    def model(self, problem: FactorProblem, state: State) -> dict[str, NDArray[Any]]:
        """Return the profiles, and S of the relation between the centre and its terms."""
        S = unpack_factors(problem, state).associations[problem.relations.index(problem.description)]
        return {**super().model(problem, state), "association": S}


def step_memberships(problem: FactorProblem, factors: Factors, kind: str) -> Floats:
    """Return the memberships of one type after a step (tnmf, eq. 6)."""
    C, Q, partial = problem.coefficients(kind, factors)
    penalty = problem.penalties[kind].extend(partial)
    return update_memberships(problem.kernels, factors.memberships[kind], C, Q, penalty, problem.overlap)


def step_association(problem: FactorProblem, factors: Factors, number: int) -> Factors:
    """Return the factors after an update of the association of one relation (tnmf, eq. 7)."""
    relation = problem.relations[number]
    G_p, G_q = factors.memberships[relation.rows], factors.memberships[relation.columns]
    S = update_association(
        factors.associations[number],
        problem.cross(number, factors),
        problem.gram(number, G_p, across=False),
        problem.gram(number, G_q, across=True),
        signed=problem.signed,
    )
    associations = factors.associations
    return Factors(factors.memberships, (*associations[:number], S, *associations[number + 1 :]))


def pack_factors(problem: FactorProblem, factors: Factors, *, settled: bool = False) -> State:
    """Return the factors as a state, with their groups."""
    labels = {kind: assign_groups(G, problem.filled[kind]) for kind, G in factors.memberships.items()}
    numbers = {f"memberships/{kind}": G for kind, G in factors.memberships.items()}
    numbers.update({f"association/{number}": S for number, S in enumerate(factors.associations)})
    return State(labels, numbers, settled)


def unpack_factors(problem: FactorProblem, state: State) -> Factors:
    """Return the factors of a state, the memberships where the kernels compute."""
    memberships = {
        kind: problem.kernels.place(state.numbers[f"memberships/{kind}"])
        for kind in problem.n_clusters_by_type
    }
    associations = (state.numbers[f"association/{number}"] for number in range(len(problem.relations)))
    return Factors(memberships, tuple(associations))


def explained_mass(relation: FactorRelation, number: int, factors: Factors) -> Floats:
    """Return the shares of a relation that pairs of groups explain, oriented as in the network."""
    G_p, G_q = (to_host(factors.memberships[kind]) for kind in (relation.rows, relation.columns))
    # a signed association can be negative; the share of a relation cannot
    mass = G_p.sum(axis=0)[:, None] * np.maximum(factors.associations[number], 0.0) * G_q.sum(axis=0)
    mass = mass.T if relation.flipped else mass
    return np.asarray(mass / max(float(mass.sum()), 1e-300))
