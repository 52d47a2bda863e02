"""Information-theoretic co-clustering as methods: without and with links, on two types or on a network.

`CoClustering` updates the types of a network in turn; documents × words is the network of two types.
`LinkedCoClustering` adds links and outsiders, `NetworkCoClustering` any schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate._storage.array_schema import DOUBLES, INTEGERS, ArraySpec
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

    from colligate._storage.array_schema import ArraySchema
    from colligate.kernels import Kernels
    from colligate.knowledge import GroupLinks, Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.parameters import Domain
    from colligate.network import Network

    Floats = NDArray[np.float64]

# ε in the first iteration (itcc, eq. 4), halved each time; exact once below the last
FIRST_SMOOTHING = 0.01
LAST_SMOOTHING = 1e-9
# ε for scores: new documents hold words that their group has not seen
PREDICT_SMOOTHING = 1e-4
# the most rounds of single moves; they end when no object moves
POLISH_ROUNDS = 20
# word groups per document group: fewer keep too little of what words say (measured on 20 Newsgroups)
TERMS_PER_CLUSTER = 6
# iterations after which starts are compared
LOOK_AHEAD_SWEEPS = 3
# share of the objective by which a start by components must be lower: a few wrong links can join all objects
MIN_GAIN = 1e-4

# how much more than listed links between words those of categories and labels weigh: with the same weight,
# words leave the categories that name them
NAMED_WORDS = 10.0

INITS = ("auto", "svd", "tfidf", "random")
NETWORK_DOMAINS: dict[str, Domain] = {
    "n_entity_clusters": parameters.ByName(parameters.Integer(1, none=True), "types", parameters.Integer(1)),
    "relation_weights": parameters.ByName(
        parameters.Choice(("share", "learned")), "names of relations", parameters.Real(0.0, MAX_WEIGHT)
    ),
}


class CoClustering(Method):
    """Update the types of a network in turn, with tables that start smooth and become exact.

    `n_entity_clusters` and `relation_weights` are parameters of the methods that take more than two types.
    """

    family: ClassVar[str] = "information"
    model_schema: ClassVar[ArraySchema] = {
        "column_labels": ArraySpec(("columns",), INTEGERS, least=-1, below="column groups"),
        "table": ArraySpec(("column groups", "groups+"), DOUBLES),
        "scale": ArraySpec(("column groups",), DOUBLES, least=0.0),
    }
    state_schema: ClassVar[ArraySchema] = {
        "smoothing": ArraySpec((), least=0.0),
        "order/*": ArraySpec(("ordered *",), INTEGERS, least=0, below="size of *"),
        "inside/*": ArraySpec((2,), INTEGERS, least=0),
    }
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "n_word_clusters": parameters.Integer(1, none=True),
        "init": parameters.Choice(INITS, array=True),
        "word_init": parameters.Choice(INITS, array=True),
        "polish": parameters.Flag(),
    }

    n_entity_clusters: int | Mapping[str, int] | None = None
    relation_weights: str | Mapping[str, float] = "share"
    reading: str = "objective"

    n_word_clusters: int | None
    init: Any
    word_init: Any
    polish: bool

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        init: Any = "auto",
        word_init: Any = "auto",
        polish: bool = False,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
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

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> InformationProblem:
        """Assign the weights of the relations."""
        kernels, sizes = self.back_end(network), self.n_clusters_by_type(network)
        if self.reading == parameters.PRINTED:
            weighted = weigh_as_printed(network, self.relation_weights)
        else:
            weighted = weigh_relations(network, self.relation_weights, sizes, kernels)
        return InformationProblem(weighted, kernels, sizes, guidance)

    def start(self, problem: InformationProblem, rng: np.random.Generator) -> State:
        """Return the start by `init` and `word_init`, or a clearly better one by components of links."""
        inits = self._inits(problem.network)
        labels = place_remaining(
            problem, {kind: initialize_labels(problem, kind, init, rng) for kind, init in inits.items()}
        )
        orders = {f"order/{kind}": links.order(rng) for kind, links in problem.links.items()}
        numbers = {"smoothing": np.array(FIRST_SMOOTHING), **orders}
        linked = [kind for kind, init in inits.items() if is_auto(init) and kind in problem.links]
        starts = [State(each, numbers) for each in (labels, *candidate_starts(problem, labels, linked, rng))]
        if len(starts) == 1:
            return starts[0]
        reached = np.array([self._look_ahead(problem, state) for state in starts])
        best = int(reached.argmin())
        return starts[best if reached[best] < reached[0] * (1.0 - MIN_GAIN) else 0]

    def _inits(self, network: Network) -> dict[str, Any]:
        """Return how every type starts: the centre first, then its terms."""
        inits = {network.centre: self.init}
        if network.terms is not None:
            inits.setdefault(network.terms, self.word_init)
        return {**inits, **{kind: "auto" for kind in sweep_order(network) if kind not in inits}}

    def _look_ahead(self, problem: InformationProblem, state: State) -> float:
        for _ in range(LOOK_AHEAD_SWEEPS):
            state = self.sweep(problem, state)
        return self.objective(problem, state)

    def sweep(self, problem: InformationProblem, state: State) -> State:
        """Update the types one after the other (itcc, eq. 3; hinc, eq. 2), and halve the smoothing."""
        smoothing = float(state.numbers["smoothing"])
        orders = {kind: state.numbers[f"order/{kind}"] for kind in problem.links}
        labels = state.labels
        for kind in sweep_order(problem.network):
            labels = step.update_labels(problem, labels, kind, smoothing, orders)
        halved = smoothing / 2.0 if smoothing > LAST_SMOOTHING else 0.0
        return State(labels, {**state.numbers, "smoothing": np.array(halved)})

    def objective(self, problem: InformationProblem, state: State) -> float:
        """Compute J (chinc, eq. 1, of which itcc, citcc and hinc are cases)."""
        return problem.evaluate(state.labels).objective

    def finish(self, problem: InformationProblem, state: State) -> State:
        """Move single objects if `polish` is set; objects with links stay."""
        if not self.polish:
            return state
        labels = state.labels
        # a move within a relation of a type with itself changes rows and columns of its table at once
        movable = [kind for kind in problem.n_clusters_by_type if not problem.views[kind].reflexive]
        for _ in range(POLISH_ROUNDS):
            moved = 0
            for kind in movable:
                labels, moves = step.polish_labels(problem, labels, kind)
                moved += moves
            if not moved:
                break
        return State(labels, state.numbers, settled=True)

    def misfits(self, problem: InformationProblem, state: State, kind: str) -> NDArray[np.int64]:
        """Return objects without links by their loss in their cluster, the largest first."""
        return step.rank_misfits(problem, state.labels, kind)

    def association(self, problem: InformationProblem, state: State) -> dict[str, Floats]:
        """Return the cluster tables as joint distributions."""
        association, tables = {}, problem.evaluate(state.labels).tables
        for relation, table in zip(problem.network.relations, tables, strict=True):
            # groups of outsiders are the last ones and no part of the result
            inside = table[: problem.n_inside(relation.rows), : problem.n_inside(relation.columns)]
            association[relation.name] = inside / max(inside.sum(), 1e-300)
        return association

    def statement_costs(self, problem: InformationProblem, state: State, n_statements: int) -> Floats:
        """Return the cost of the broken links of each statement, in the units of the objective."""
        costs = np.zeros(n_statements)
        for kind, links in problem.links.items():
            costs += statement_costs(links, state.labels[kind][links.where], n_statements)
        return costs

    def train_scores(self, problem: InformationProblem, state: State) -> dict[str, Floats]:
        """Return the mean log-likelihood per occurrence, links included, times the cube root of their number.

        Words of one document depend on each other, so n of them count as far fewer independent ones.
        """
        train_scores = {}
        for kind, view in problem.views.items():
            scores = step.score_objects(problem, state.labels, kind, PREDICT_SMOOTHING)
            # an object without entries has only its links, weighted as those of an average object
            mass = np.where(view.mass > 0, view.mass, max(view.mass.mean(), 1e-300))
            scores = scores / mass[:, None] * np.cbrt(np.maximum(view.counts, 1.0))[:, None]
            train_scores[kind] = scores[: len(problem.user_network.types[kind])]
        return train_scores

    def model(self, problem: InformationProblem, state: State) -> dict[str, NDArray[Any]]:
        """Return the groups of the columns around the centre, log p(l|k), and the scales of occurrences.

        Each relation has its own column groups; `scale` is 1 for the relation with the largest weight per
        occurrence.
        """
        view = problem.views[problem.network.centre]
        largest = max(relation.scale for relation in view.relations)
        # scales are mass per occurrence; relative to the largest, scores do not shrink with the corpus
        log_p = log_conditionals(view, problem.evaluate(state.labels).tables, PREDICT_SMOOTHING)
        return {
            "column_labels": view.columns(state.labels, problem.n_clusters_by_type),
            "table": log_p / largest,
            "scale": view.scales(problem.n_clusters_by_type) / largest,
        }

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See `train_scores`."""
        rows = SparseRows.of(matrix)
        scores = make_kernels().score_rows(rows, model["column_labels"], model["table"])
        mass = make_kernels().score_rows(rows, model["column_labels"], model["scale"][:, None])
        counts = np.asarray(matrix.sum(axis=1, dtype=np.float64))
        return np.asarray(scores * _per_mass(counts.ravel(), mass.ravel())[:, None])

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Return counts·log p(l|k) of the words, on the scale of `predict_scores`."""
        labels = model["column_labels"][columns]
        # words that the run left without a group add nothing
        grouped, group = labels >= 0, np.maximum(labels, 0)
        log_p = np.where(grouped[:, None], model["table"][group], 0.0)
        mass = np.sum(counts * np.where(grouped, model["scale"][group], 0.0), dtype=np.float64)
        factor = _per_mass(np.asarray(counts.sum(dtype=np.float64)), np.asarray(mass))
        return np.asarray(counts[:, None] * log_p * factor)


def _per_mass(counts: Floats, mass: Floats) -> Floats:
    """Return the factor that turns a sum of log-likelihoods into a mean times the cube root of the counts."""
    return np.asarray(np.cbrt(np.maximum(counts, 1.0)) / np.maximum(mass, 1e-300))


class LinkedCoClustering(CoClustering):
    """Add links and outsiders; the weights of links are in units of 1/√n for n objects of the type.

    `entity_link_weight` is a parameter of the method that takes more than two types.
    """

    domains: ClassVar[Mapping[str, Domain]] = {
        **CoClustering.domains,
        "link_weight": parameters.Real(0.0),
        "word_link_weight": parameters.Real(0.0),
        "n_outside_clusters": parameters.Integer(1, none=True),
        "reading": parameters.READING,
    }

    entity_link_weight: float | Mapping[str, float] = 10.0

    link_weight: float
    word_link_weight: float
    n_outside_clusters: int | None

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        link_weight: float = 10.0,
        word_link_weight: float = 1.0,
        n_outside_clusters: int | None = None,
        reading: str = "objective",
        init: Any = "auto",
        word_init: Any = "auto",
        polish: bool = False,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> InformationProblem:
        """Append outsiders and compile the links of every type; labels and categories are implied links."""
        # outsiders come first: links may name them, and the sizes of the tables include their groups
        problem = self._with_outsiders(super().problem(network, guidance))
        problem = replace(problem, printed_step=self.reading == parameters.PRINTED)
        weights = self._link_weights(network)
        terms = None if network.terms == network.centre else network.terms
        for kind, of_kind in problem.guidance.items():
            linked = of_kind.with_groups(*_named_groups(of_kind, NAMED_WORDS if kind == terms else 1.0))
            w = weights[kind] / np.sqrt(of_kind.size)
            w = float(w if self.reading == parameters.PRINTED else w / of_kind.size)  # citcc, eq. 1
            links = compile_links(problem.views[kind], linked, w, problem.kernels)
            if links is not None:
                problem.links[kind] = links
        return problem

    def labels(self, state: State) -> Mapping[str, Labels]:
        """Return the labels of the user's objects, -1 for all that are outside."""
        return mask_outside_labels(state)

    def start(self, problem: InformationProblem, rng: np.random.Generator) -> State:
        """Start as without links; with outsiders, the state marks which labels are inside."""
        state = super().start(problem, rng)
        if problem.outside is None:
            return state
        centre = problem.network.centre
        inside = np.array([len(problem.user_network.types[centre]), problem.outside.n_inside])
        return replace(state, numbers={**state.numbers, f"inside/{centre}": inside})

    def _with_outsiders(self, problem: InformationProblem) -> InformationProblem:
        centre, n_inside = problem.network.centre, problem.n_clusters_by_type[problem.network.centre]
        outside = find_outsiders(problem.network, problem.guidance, n_inside, self.n_outside_clusters)
        if outside is None:
            return problem
        network, guidance = append_outsiders(problem.network, problem.guidance)
        sizes = {**problem.n_clusters_by_type, centre: n_inside + outside.n_groups}
        return replace(problem, network=network, guidance=guidance, n_clusters_by_type=sizes, outside=outside)

    def _link_weights(self, network: Network) -> dict[str, float]:
        """Return the weight of links on each type; types missing from a mapping have that of the centre."""
        # the centre comes last: if it is its own terms, its weight applies
        roles = {network.terms: self.word_link_weight, network.centre: self.link_weight}
        further = [kind for kind in network.types if kind not in roles]
        weights = self.entity_link_weight
        if not isinstance(weights, Mapping):
            weights = dict.fromkeys(further, weights)
        for kind in weights:
            if kind not in further:
                raise ParameterError(
                    f"entity_link_weight has an entry for {kind}, which is not allowed; allowed types: "
                    f"{', '.join(further) or 'none'}",
                    parameter="entity_link_weight",
                )
        return {kind: roles.get(kind, weights.get(kind, self.link_weight)) for kind in network.types}


def _named_groups(guidance: Guidance, weight: float) -> list[GroupLinks]:
    """Return labels and categories as implied links of this weight."""
    labels, seeds = guidance.label_groups(weight, weight), guidance.seed_groups()
    named = [replace(links, together=weight * links.together) for links in seeds]
    return named if labels is None else [labels, *named]


class NetworkCoClustering(CoClustering):
    """Take any network in which a relation includes the centre."""

    domains: ClassVar[Mapping[str, Domain]] = {**CoClustering.domains, **NETWORK_DOMAINS}

    def check_network(self, network: Network) -> None:
        """Refuse a network in which no relation includes the centre."""
        check_centre(self.name, network)


def weigh_as_printed(network: Network, weights: str | Mapping[str, float]) -> Network:
    """Return the network with weight 1 for every relation that neither the mapping nor its maker weighs."""
    if weights == "learned":
        raise ParameterError(
            "reading='printed' gives every relation the weight 1, so relation_weights cannot be 'learned'; "
            "leave relation_weights out, or pass a mapping of relations to weights",
            parameter="relation_weights",
        )
    return schema.assign_weights(network, weights, [1.0] * len(network.relations))


def weigh_relations(
    network: Network, weights: str | Mapping[str, float], sizes: Mapping[str, int], kernels: Kernels
) -> Network:
    """Return the network with a weight for every relation.

    `weights` is a rule, `share` or `learned`, or a mapping; relations that it lacks have their share.
    """
    rule = schema.occurrence_shares(network)
    if weights == "learned" and len(network.relations) > 1:
        rule = learn_relation_weights(schema.replace_weights(network, rule), sizes, kernels)
    return schema.assign_weights(network, weights, rule)
