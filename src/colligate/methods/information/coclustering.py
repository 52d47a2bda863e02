"""What the information methods have in common as methods: the types of a network clustered in turn.

The information methods that knowledge guides: links on any type, with labels and categories as links.

What the methods for networks of any schema add: parameters for further types and for relations.

What the relations count in the information methods: their share of all occurrences, given, or learned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.errors import ParameterError
from colligate.kernels import SparseRows, make_kernels
from colligate.methods import parameters, schema
from colligate.methods.base import Method
from colligate.methods.information import step
from colligate.methods.information.links import compile_links, statement_costs
from colligate.methods.information.problem import InformationProblem, sweep_order
from colligate.methods.information.relation_weights import learn_relation_weights
from colligate.methods.information.start import candidate_starts, initialize_labels, is_auto, place_remaining
from colligate.methods.information.step import log_conditionals
from colligate.methods.loop import State
from colligate.methods.outsiders import append_outsiders, find_outsiders, mask_outside_labels
from colligate.methods.schema import MAX_WEIGHT, check_centre, count_clusters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

FIRST_SMOOTHING = 0.01
LAST_SMOOTHING = 1e-9
# new documents hold words that their group has not seen
PREDICT_SMOOTHING = 1e-4
POLISH_ROUNDS = 20
TERMS_PER_CLUSTER = 6
LOOK_AHEAD_SWEEPS = 3
# by which share of the objective another start must be better: a link that holds anyway should change nothing
MIN_GAIN = 1e-4


NETWORK_DOMAINS: dict[str, Domain] = {
    "n_entity_clusters": parameters.ByName(parameters.Integer(1, none=True), "types", parameters.Integer(1)),
    "relation_weights": parameters.ByName(
        parameters.Choice(("share", "learned")), "names of relations", parameters.Real(0.0, MAX_WEIGHT)
    ),
}


class CoClustering(Method):
    """The types of a network in turn, from a common state, with tables that start smooth and sharpen.

    Documents × words is the network of two types. `n_entity_clusters` and `relation_weights` are parameters
    of the methods that take more.
    """

    family: ClassVar[str] = "information"
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "n_word_clusters": parameters.Integer(1, none=True),
        "init": parameters.Choice(("auto", "svd", "tfidf", "random"), array=True),
        "word_init": parameters.Choice(("auto", "svd", "tfidf", "random"), array=True),
        "polish": parameters.Flag(),
    }

    n_word_clusters: int | None
    init: Any
    word_init: Any
    polish: bool
    n_entity_clusters: int | Mapping[str, int] | None = None
    relation_weights: str | Mapping[str, float] = "share"

    def sizes(self, network: Network) -> dict[str, int]:
        """See `methods.schema`."""
        return count_clusters(
            network, self.n_clusters, self.n_word_clusters, self.n_entity_clusters, TERMS_PER_CLUSTER
        )

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> InformationProblem:
        """Weigh the relations and prepare the sides."""
        threads, sizes = make_kernels("fast", self.n_jobs), self.sizes(network)
        weighted = weigh_relations(network, self.relation_weights, sizes, threads)
        return InformationProblem(weighted, threads, sizes, guidance)

    def start(self, problem: InformationProblem, rng: np.random.Generator) -> State:
        """The best of a few starts by `init` and `word_init`, and the order in which linked objects follow.

        Objects tied together may start as wholes; but a single wrong link can tie all there is together. So a
        start shaped by ties is taken only if it stands clearly lower after a few sweeps.
        """
        inits = self._inits(problem.network)
        found = {kind: initialize_labels(problem, kind, init, rng) for kind, init in inits.items()}
        labels = place_remaining(problem, found)
        orders = {f"order/{kind}": links.order(rng) for kind, links in problem.links.items()}
        numbers = {"smoothing": np.array(FIRST_SMOOTHING), **orders}
        free = [kind for kind, init in inits.items() if is_auto(init) and kind in problem.links]
        starts = [State(each, numbers) for each in (labels, *candidate_starts(problem, labels, free, rng))]
        if len(starts) == 1:
            return starts[0]
        reached = np.array([self._reached(problem, state) for state in starts])
        best = int(reached.argmin())
        return starts[best if reached[best] < reached[0] * (1.0 - MIN_GAIN) else 0]

    def _inits(self, network: Network) -> dict[str, Any]:
        """How every type starts: the centre first, then its terms."""
        given = {network.centre: self.init}
        if network.terms is not None:
            given.setdefault(network.terms, self.word_init)
        return {**given, **{kind: "auto" for kind in sweep_order(network) if kind not in given}}

    def _reached(self, problem: InformationProblem, state: State) -> float:
        """The objective a few sweeps after a start."""
        for _ in range(LOOK_AHEAD_SWEEPS):
            state = self.sweep(problem, state)
        return self.objective(problem, state)

    def sweep(self, problem: InformationProblem, state: State) -> State:
        """Update the types one after the other, and halve the smoothing."""
        smoothing = float(state.numbers["smoothing"])
        orders = {kind: state.numbers[f"order/{kind}"] for kind in problem.links}
        labels = state.labels
        for kind in sweep_order(problem.network):
            labels = step.update_labels(problem, labels, kind, smoothing, orders)
        halved = smoothing / 2.0 if smoothing > LAST_SMOOTHING else 0.0
        return State(labels, {**state.numbers, "smoothing": np.array(halved)})

    def objective(self, problem: InformationProblem, state: State) -> float:
        """J of `information.step`."""
        return problem.evaluate(state.labels).objective

    def finish(self, problem: InformationProblem, state: State) -> State:
        """Sequential moves of single objects, if `polish` is set; objects with links stay."""
        if not self.polish:
            return state
        labels = state.labels
        # a move within a relation of a type with itself changes rows and columns of its table at once
        movable = [kind for kind in problem.sizes if not problem.sides[kind].reflexive]
        for _ in range(POLISH_ROUNDS):
            moved = 0
            for kind in movable:
                labels, moves = step.polish_labels(problem, labels, kind)
                moved += moves
            if not moved:
                break
        return State(labels, state.numbers, settled=True)

    def misfits(self, problem: InformationProblem, state: State, kind: str) -> NDArray[np.int64]:
        """Objects without links by how much they lose in their cluster, the greatest loss first."""
        return step.rank_misfits(problem, state.labels, kind)

    def association(self, problem: InformationProblem, state: State) -> dict[str, Floats]:
        """The cluster tables as joint masses."""
        found = {}
        for relation, table in zip(
            problem.network.relations, problem.evaluate(state.labels).tables, strict=True
        ):
            inside = table[: problem.n_inside(relation.rows), : problem.n_inside(relation.columns)]
            found[relation.name] = inside / max(inside.sum(), 1e-300)
        return found

    def statement_costs(self, problem: InformationProblem, state: State, n_statements: int) -> Floats:
        """The cost of the broken links of each statement, in the units of the objective."""
        costs = np.zeros(n_statements)
        for kind, links in problem.links.items():
            costs += statement_costs(links, state.labels[kind][links.where], n_statements)
        return costs

    def train_scores(self, problem: InformationProblem, state: State) -> dict[str, Floats]:
        """Mean log-likelihood per occurrence, links included, times the cube root of the occurrences.

        Words of one document depend on each other, so that n of them are worth far fewer.
        """
        found = {}
        for kind, side in problem.sides.items():
            scores = step.score_objects(problem, state.labels, kind, PREDICT_SMOOTHING)
            # an object without entries has links alone to go by, weighed as those of an average one
            mass = np.where(side.mass > 0, side.mass, max(side.mass.mean(), 1e-300))
            found[kind] = scores / mass[:, None] * _worth(np.maximum(side.counts, 1.0))[:, None]
        return {kind: own[: len(problem.user_network.types[kind])] for kind, own in found.items()}

    def model(self, problem: InformationProblem, state: State) -> dict[str, NDArray[Any]]:
        """For all around the centre: the groups of the columns, log p(group | centre's group), and scales.

        Every relation has column groups of its own; `scale` is what an occurrence counts in it, 1 where it
        counts most.
        """
        side = problem.sides[problem.network.centre]
        most = max(piece.scale for piece in side.pieces)
        table = log_conditionals(side, problem.evaluate(state.labels).tables, PREDICT_SMOOTHING)
        return {
            "column_labels": side.columns(state.labels, problem.sizes),
            "table": table / most,
            "scale": side.scales(problem.sizes) / most,
        }

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `train_scores`."""
        rows = SparseRows.of(matrix)
        found = make_kernels().score_rows(rows, model["column_labels"], model["table"])
        mass = make_kernels().score_rows(rows, model["column_labels"], model["scale"][:, None])
        counts = np.asarray(matrix.sum(axis=1, dtype=np.float64))
        return np.asarray(found * _per_mass(counts.ravel(), mass.ravel())[:, None])

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Counts · log p(the column's group | centre's group), on the scale of `predict_scores`."""
        labels = model["column_labels"][columns]
        known, own = (labels >= 0)[:, None], np.maximum(labels, 0)
        log_p = np.where(known, model["table"][own], 0.0)
        mass = np.sum(counts * np.where(labels >= 0, model["scale"][own], 0.0), dtype=np.float64)
        worth = _per_mass(np.asarray(counts.sum(dtype=np.float64)), np.asarray(mass))
        return np.asarray(counts[:, None] * log_p * worth)


def _per_mass(counts: Floats, mass: Floats) -> Floats:
    """What turns a sum of log-likelihoods into a mean, times what the occurrences are worth."""
    return np.asarray(_worth(np.maximum(counts, 1.0)) / np.maximum(mass, 1e-300))


def _worth(occurrences: Floats) -> Floats:
    """How many independent occurrences so many in one object are worth."""
    return np.cbrt(occurrences)


class LinkedCoClustering(CoClustering):
    """Adds links: their weights by type, in units of 1/√n for n objects of the type.

    `entity_link_weight` is a parameter of the method that takes more than two types.
    """

    domains: ClassVar[Mapping[str, Domain]] = {
        **CoClustering.domains,
        "link_weight": parameters.Real(0.0),
        "word_link_weight": parameters.Real(0.0),
        "n_outside_clusters": parameters.Integer(1, none=True),
        "reading": parameters.Choice(("objective", "printed")),
    }

    link_weight: float
    word_link_weight: float
    n_outside_clusters: int | None
    reading: str
    entity_link_weight: float | Mapping[str, float] = 10.0

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> InformationProblem:
        """Prepare the sides and compile every type's links; labels and categories become implied links."""
        problem = replace(
            self._with_outsiders(super().problem(network, guidance)), printed_step=self.reading == "printed"
        )
        weights = self._weights(network)
        for kind, own in problem.guidance.items():
            linked = own.with_groups(own.label_groups(), *own.seed_groups())
            weight = self._weight(weights[kind], own.size)
            links = compile_links(problem.sides[kind], linked, weight, problem.kernels)
            if links is not None:
                problem.links[kind] = links
        return problem

    def labels(self, state: State) -> Mapping[str, Labels]:
        """The labels of the user's own objects; outsiders, told or found, are in no group."""
        return mask_outside_labels(state)

    def start(self, problem: InformationProblem, rng: np.random.Generator) -> State:
        """As without knowledge; a run with outsiders carries what its labels need to be read."""
        state = super().start(problem, rng)
        if problem.outside is None:
            return state
        centre = problem.network.centre
        inside = np.array([len(problem.user_network.types[centre]), problem.outside.n_inside])
        return replace(state, numbers={**state.numbers, f"inside/{centre}": inside})

    def _with_outsiders(self, problem: InformationProblem) -> InformationProblem:
        centre, n_inside = problem.network.centre, problem.sizes[problem.network.centre]
        outside = find_outsiders(problem.network, problem.guidance, n_inside, self.n_outside_clusters)
        if outside is None:
            return problem
        network, guidance = append_outsiders(problem.network, problem.guidance)
        sizes = {**problem.sizes, centre: n_inside + outside.n_groups}
        return replace(problem, network=network, guidance=guidance, sizes=sizes, outside=outside)

    def _weights(self, network: Network) -> dict[str, float]:
        """The weight of links on each type; types that a mapping leaves out have that of the centre."""
        roles = {network.terms: self.word_link_weight, network.centre: self.link_weight}
        further = [kind for kind in network.types if kind not in roles]
        given = self.entity_link_weight
        if not isinstance(given, Mapping):
            given = dict.fromkeys(further, given)
        for kind in given:
            if kind not in further:
                known = ", ".join(further) or "none"
                raise ParameterError(
                    f"entity_link_weight speaks of {kind}; the types it may speak of are {known}"
                )
        return {kind: roles.get(kind, given.get(kind, self.link_weight)) for kind in network.types}

    def _weight(self, given: float, size: int) -> float:
        weight = given / np.sqrt(size)
        return float(weight if self.reading == "printed" else weight / size)


class NetworkCoClustering(CoClustering):
    """Takes any network whose centre takes part in a relation."""

    domains: ClassVar[Mapping[str, Domain]] = {**CoClustering.domains, **NETWORK_DOMAINS}

    def check_network(self, network: Network) -> None:
        """Refuse a network whose centre stands alone."""
        check_centre(self.name, network)


def weigh_relations(
    network: Network, asked: str | Mapping[str, float], sizes: Mapping[str, int], kernels: Kernels
) -> Network:
    """The same network, every relation with its weight.

    `asked` is a rule, `share` or `learned`, or a mapping; the rule is the share where that leaves some out.
    """
    ruled = schema.occurrence_shares(network)
    if asked == "learned" and len(network.relations) > 1:
        ruled = learn_relation_weights(schema.replace_weights(network, ruled), sizes, kernels)
    return schema.assign_weights(network, asked, ruled)
