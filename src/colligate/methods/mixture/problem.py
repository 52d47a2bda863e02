"""What the mixture is fitted to: tempered counts, directions, named groups, and who may be in which group."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from scipy.sparse import csr_array

from colligate.errors import RefusedKnowledgeError
from colligate.kernels import SparseRows
from colligate.methods.loop import Problem
from colligate.methods.mixture.calibration import (
    average_gain,
    draw_pairs,
    fit_kappas,
    fit_length_exponent,
    fit_mention_weight,
    information_gain,
)
from colligate.methods.mixture.em import run_em
from colligate.methods.mixture.ensemble import first_labels, smooth_labels
from colligate.methods.mixture.features import TemperedTfidf, default_weights, list_mentions
from colligate.methods.mixture.group_names import (
    NameSource,
    assign_names,
    keep_suggestions_of_init,
    label_uncovered_groups,
    suggest_labels,
)
from colligate.methods.mixture.priors import NamedGroups, SeedEntries, without_knowledge
from colligate.methods.mixture.views import LatentSpace, View, embedding_views, join_directions
from colligate.methods.outsiders import append_outsiders, find_outsiders
from colligate.methods.schema import assign_weights
from colligate.methods.sizes import SizeBounds
from colligate.methods.spherical import (
    Directions,
    check_labels,
    document_frequency,
)
from colligate.network import list_parts
from colligate.progress import report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.mixture.calibration import PairSample
    from colligate.methods.mixture.constants import Constants
    from colligate.methods.outsiders import OutsiderGroups
    from colligate.network import Network, Part

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# the steps of the preparation, for progress bars
N_STEPS = 8
# EM runs side by side have at most so many bytes, in about so many arrays of documents × groups and of
# features × groups each
MAX_RUN_BYTES, ARRAYS_OF_DOCUMENTS, ARRAYS_OF_FEATURES = 2**30, 7, 3
# cached properties that do not depend on the number of groups
SHARED = (
    "n_documents",
    "parts",
    "document_labels",
    "frozen",
    "suggested",
    "y",
    "y_sum",
    "m",
    "document_frequency",
    "counts_in_mean",
    "filled",
    "shapes_groups",
    "unit",
    "joint_directions",
    "start_directions",
    "n_statements",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class MixtureProblem(Problem):
    """Adds what every iteration needs. `counts` are documents × features, relation by relation.

    `y` and `m` are those of the page; `group_of_name` is the group of each name of `named`. `init` has the
    groups to start from, and `init_nats` what a document gains by staying in its group there (eq. 21).
    """

    counts: csr_array
    tfidf: TemperedTfidf
    space: LatentSpace
    views: tuple[View, ...]
    named: NamedGroups
    constants: Constants
    group_of_name: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    smoothing: float = 1.0
    uneven_sizes: bool | str = "auto"
    outside: OutsiderGroups | None = None
    init: Labels | None = None
    init_nats: float = 0.0
    temperature: float = 1.0
    doubt: float | None = None
    calibration_clusters: int = 1
    cache: list[Any] = field(default_factory=list, repr=False)

    @property
    def user_network(self) -> Network:
        """The user's network, without outsiders from elsewhere."""
        return self.network if self.outside is None else self.outside.user_network

    @cached_property
    def n_inside(self) -> int:
        """The number of groups that are not for outsiders."""
        return self.n_groups if self.outside is None else self.outside.n_inside

    @cached_property
    def n_groups(self) -> int:
        """K, the number of groups, those of outsiders included."""
        return self.n_clusters_by_type[self.network.centre]

    @cached_property
    def n_documents(self) -> int:
        """The number of documents, outsiders from elsewhere included."""
        return len(self.network.types[self.network.centre])

    @property
    def max_running(self) -> int:
        """The number of EM runs that may be in memory at a time."""
        n_rows = ARRAYS_OF_DOCUMENTS * self.n_documents + ARRAYS_OF_FEATURES * self.counts.shape[1]
        return max(1, MAX_RUN_BYTES // max(8 * n_rows * self.n_groups, 1))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The relations of the documents, with their columns."""
        return list_parts(self.network, self.network.centre)

    @property
    def document_guidance(self) -> Guidance | None:
        """The guidance of the documents."""
        return self.guidance.get(self.network.centre)

    @cached_property
    def document_labels(self) -> tuple[SeedEntries, ...]:
        """The labels of documents."""
        centre = self.network.centre
        return tuple(
            entries for entries in self.named.entries if entries.is_label and entries.type_name == centre
        )

    @cached_property
    def feature_seeds(self) -> tuple[SeedEntries, ...]:
        """The features, such as words, that name groups."""
        centre = self.network.centre
        return tuple(entries for entries in self.named.entries if entries.type_name != centre)

    @cached_property
    def frozen(self) -> NDArray[np.bool_]:
        """The documents of frozen groups: they stay, but count like documents without a label."""
        frozen = np.zeros(self.n_documents, dtype=bool)
        if self.document_guidance is not None:
            frozen[self.document_guidance.frozen] = True
        return frozen

    @cached_property
    def suggested(self) -> NDArray[np.bool_]:
        """The documents whose labels nobody gave: the name of a group suggests them."""
        suggested = np.zeros(self.n_documents, dtype=bool)
        for entries in self.document_labels:
            suggested[entries.member] |= entries.is_suggested
        return suggested

    @cached_property
    def y(self) -> SparseRows:
        """The tempered counts, eq. 7, in single precision and also by columns: every iteration reads them."""
        return SparseRows.of(self.tfidf.temper(self.counts, self.kernels)).with_blocks(self.kernels)

    @cached_property
    def y_sum(self) -> Floats:
        """Y, the sum of y over the features of each document."""
        return self.y.row_sums()

    @cached_property
    def m(self) -> Floats:
        """The share of every feature in the y of its relation."""
        total = self.y.column_sums()
        sums = np.add.reduceat(np.append(total, 0.0), self.tfidf.bounds[:-1]) if len(total) else np.zeros(1)
        return np.asarray(total / np.maximum(sums[self.tfidf.relation], 1e-300))

    @cached_property
    def document_frequency(self) -> Ints:
        """The number of documents with each feature."""
        return document_frequency(self.counts)

    @cached_property
    def counts_in_mean(self) -> NDArray[np.bool_]:
        """Which features occur in a relation whose weight is not 0."""
        return np.asarray((self.document_frequency > 0) & (self.m > 0))

    @cached_property
    def filled(self) -> NDArray[np.bool_]:
        """Which documents have a feature or an embedding."""
        embedded = [view.directions.filled for view in self.views[1:]]
        return np.asarray(np.any([np.diff(self.counts.indptr) > 0, *embedded], axis=0))

    @cached_property
    def shapes_groups(self) -> NDArray[np.bool_]:
        """Which documents shape groups: those with features, or all that are filled if most have none.

        A few documents with nothing but an embedding are like no other, and would become a group.
        """
        has_features = np.diff(self.counts.indptr) > 0
        has_few = 2 * np.count_nonzero(has_features) < np.count_nonzero(self.filled)
        return self.filled if has_few else has_features

    @cached_property
    def unit(self) -> NDArray[np.float32]:
        """e, the directions of documents by their counts."""
        return np.asarray(self.views[0].directions.unit)

    @cached_property
    def joint_directions(self) -> Directions:
        """All views of the documents side by side, as one direction."""
        lengths = [1.0, *(self.view_length(view) for view in self.views[1:])]
        return join_directions([view.directions for view in self.views], lengths)

    @cached_property
    def start_directions(self) -> Directions:
        """The joint directions of documents that shape groups, which k-means groups at the start of a run."""
        joint = self.joint_directions
        return Directions(joint.unit, joint.filled & self.shapes_groups)

    @property
    def joint_unit(self) -> NDArray[np.float32]:
        """The rows of `joint_directions`."""
        return np.asarray(self.joint_directions.unit)

    def view_length(self, view: View) -> float:
        """Return how long the directions of embeddings are beside those of tf-idf."""
        return float(np.sqrt(view.kappa / self.constants.default_kappa))

    @cached_property
    def n_statements(self) -> int:
        """One more than the highest number of a statement in the guidance."""
        statements = [entries.statement for entries in self.named.entries]
        for known in self.guidance.values():
            statements += [known.pairs.statement, *(links.statement for links in known.groups)]
        return 1 + max((int(numbers.max(initial=-1)) for numbers in statements), default=-1)

    @property
    def sources(self) -> Ints:
        """A number for the source of every statement; suggested labels have one of their own."""
        known = self._known_sources
        if known is None:
            return np.zeros(self.n_statements, dtype=np.int64)
        return np.pad(known, (0, self._n_suggested), constant_values=known.max() + 1)

    @property
    def n_stated(self) -> int:
        """The number of statements without labels that names suggest, which have the numbers after them."""
        return self.n_statements if self._known_sources is None else len(self._known_sources)

    @property
    def _n_suggested(self) -> int:
        return max(self.n_statements - self.n_stated, 0)

    @property
    def _known_sources(self) -> Ints | None:
        return next((known.sources for known in self.guidance.values() if len(known.sources)), None)

    @property
    def by_model(self) -> NDArray[np.bool_]:
        """Which statements a language model made."""
        known = next((known.by_model for known in self.guidance.values() if len(known.by_model)), None)
        if known is None:
            return np.zeros(self.n_statements, dtype=bool)
        return np.pad(known, (0, self._n_suggested))

    @property
    def runs_use_knowledge(self) -> bool:
        """Whether a statement names a group or is about documents.

        Links of features and bounds on sizes have no part in runs.
        """
        known = self.document_guidance
        return bool(self.named.entries) or (known is not None and bool({*known.kinds} - {"sizes"}))

    @cached_property
    def forbidden(self) -> NDArray[np.bool_] | None:
        """Documents × groups that are closed to a document; None if every group is open to all."""
        if self.outside is None:
            return None
        forbidden = np.zeros((self.n_documents, self.n_groups), dtype=bool)
        forbidden[self.outside.members, : self.n_inside] = True
        forbidden[self.outside.insiders, self.n_inside :] = True
        return forbidden

    def init_scores(self) -> Floats:
        """Compute h of eq. 21: what documents gain by staying in their groups of `init`."""
        scores = np.zeros((self.n_documents, self.n_groups))
        if self.init is not None:
            placed = np.flatnonzero(self.init >= 0)
            scores[placed, self.init[placed]] = self.init_nats  # eq. 21
        return scores

    @cached_property
    def size_bounds(self) -> SizeBounds | None:
        """Bounds on the sizes of groups; groups of outsiders may have any size."""
        is_inside = self.filled.copy()
        if self.outside is not None:
            is_inside[self.outside.members] = False
        names = dict(zip(self.named.names, self.group_of_name.tolist(), strict=True))
        bounds = SizeBounds.of(self.document_guidance, self.n_inside, int(is_inside.sum()), names)
        return None if bounds is None else bounds.widened(self.n_groups)

    def with_groups(self, n_inside: int) -> MixtureProblem:
        """Return the problem with another number of groups inside; what does not depend on it is shared."""
        sizes = {**self.n_clusters_by_type, self.network.centre: self.n_groups + n_inside - self.n_inside}
        outside = self.outside and replace(self.outside, n_inside=n_inside)
        # a cache of its own: states of another number of groups do not fit
        problem = replace(self, n_clusters_by_type=sizes, outside=outside, cache=[])
        # cached properties live in __dict__, which a frozen dataclass can still fill
        vars(problem).update({name: getattr(self, name) for name in SHARED})
        return problem


class Settings(Protocol):
    """The parameters and constants that the problem depends on."""

    concentration: float
    smoothing: float
    length_exponent: float | None
    embeddings: Any
    relation_weights: str | Mapping[str, float]
    uneven_sizes: bool | str
    n_clusters: int
    init: Any
    init_names: Mapping[str, int] | None
    init_weight: float
    temperature: float
    doubt: float | None
    calibration_clusters: int | None
    n_outside_clusters: int | None
    constants: Constants


def prepare_problem(
    network: Network,
    kernels: Kernels,
    sizes: Mapping[str, int],
    guidance: Mapping[str, Guidance],
    settings: Settings,
) -> MixtureProblem:
    """Compute features, name groups, and estimate η and κ′ where they are not given."""
    _refuse_unrelated_knowledge(network, guidance)
    constants, centre = settings.constants, network.centre
    mentions = list_mentions(network, settings.relation_weights)
    network = assign_weights(network, settings.relation_weights, default_weights(network, constants))
    user_network = network
    outside = find_outsiders(network, guidance, sizes[centre], settings.n_outside_clusters)
    if outside is not None:
        network, guidance = append_outsiders(network, guidance)
        sizes = {**sizes, centre: sizes[centre] + outside.n_groups}
    around = network.neighbourhood(centre)
    weights = [network.relations[part.relation].effective_weight for part in around.parts]
    tfidf = TemperedTfidf.of(around, weights, constants.first_eta)
    _report_step(0, "directions of documents")
    space, directions = LatentSpace.of_tfidf(around.matrix, tfidf.weighted_idf, kernels)
    _report_step(1, "embeddings")
    embedded = embedding_views(
        network, around.matrix, user_network, settings.embeddings, constants.default_kappa
    )
    named = NamedGroups.of(network, guidance)
    is_free = np.diff(around.matrix.indptr) > 0
    is_free[len(user_network.types[centre]) :] = False
    if outside is not None:
        is_free[outside.members] = False
    source = NameSource(
        network, around.matrix, is_free, settings.n_clusters, has_init=not isinstance(settings.init, str)
    )
    problem = MixtureProblem(
        network,
        kernels,
        sizes,
        guidance,
        counts=around.matrix,
        tfidf=tfidf,
        space=space,
        views=(View(directions, settings.concentration),),
        named=suggest_labels(named, guidance.get(centre), source, constants),
        constants=constants,
        smoothing=settings.smoothing,
        uneven_sizes="auto" if settings.uneven_sizes == "auto" else bool(settings.uneven_sizes),
        outside=outside,
        init_nats=settings.init_weight * settings.temperature,
        temperature=settings.temperature,
        doubt=settings.doubt,
        calibration_clusters=settings.calibration_clusters or settings.n_clusters,
    )
    problem = replace(problem, init=_read_init(problem, settings))
    problem = replace(problem, group_of_name=assign_names(problem, settings.init_names or {}))
    problem = keep_suggestions_of_init(problem)
    if mentions:
        problem = _weigh_mentions(problem, mentions)
    problem = _fit_exponents(problem, embedded, settings.length_exponent)
    return _cover_with_labels(_weigh_features(problem))


def _weigh_mentions(problem: MixtureProblem, mentions: Sequence[str]) -> MixtureProblem:
    """Estimate one weight for all relations that are mentions, from what they add to words."""
    relations = [problem.network.relations[part.relation].name for part in problem.parts]
    is_mention, tfidf = np.isin(relations, mentions), problem.tfidf
    resp, sample = _first_groups_and_pairs(problem)
    if is_mention.all() or len(sample.pairs) < problem.constants.min_pairs:
        return problem
    eta = fit_length_exponent(problem, resp, sample)
    weight = fit_mention_weight(replace(problem, tfidf=replace(tfidf, eta=eta)), resp, sample, is_mention)
    return _replace_tfidf(problem, replace(tfidf, weight=np.where(is_mention, weight, tfidf.weight)))


def _replace_tfidf(problem: MixtureProblem, tfidf: TemperedTfidf) -> MixtureProblem:
    """Return the problem with other weights of features, in the latent space too."""
    counts, is_used = problem.counts, tfidf.weight[tfidf.relation] > 0.0
    if is_used.all():
        space, directions = LatentSpace.of_tfidf(counts, tfidf.weighted_idf, problem.kernels)
    else:
        # relations of weight 0 have no part in the draws of the decomposition either
        part, directions = LatentSpace.of_tfidf(
            csr_array(counts[:, is_used]), tfidf.weighted_idf[is_used], problem.kernels
        )
        basis = np.zeros((len(is_used), part.basis.shape[1]), dtype=np.float32)
        basis[is_used] = part.basis
        space = replace(part, weight=tfidf.weighted_idf, basis=basis)
    first = View(directions, problem.views[0].kappa)
    return replace(problem, tfidf=tfidf, space=space, views=(first, *problem.views[1:]), cache=[])


def _report_step(number: int, note: str) -> None:
    """Report one of the steps of the preparation, which take about as long as each other."""
    report("preparing", number, N_STEPS, note)


def _fit_exponents(
    problem: MixtureProblem, embedded: tuple[View, ...], length_exponent: float | None
) -> MixtureProblem:
    """Estimate η, unless the user gave it, and κ′ of each embedding; an embedding of no use is left out."""
    if length_exponent is not None:
        eta = np.full_like(problem.tfidf.eta, length_exponent)
        problem = replace(problem, tfidf=replace(problem.tfidf, eta=eta))
        if not embedded:
            return problem
    _report_step(2, "neighbouring documents")
    resp, sample = _first_groups_and_pairs(problem)
    if length_exponent is None:
        eta = fit_length_exponent(problem, resp, sample)
        # a new problem also forgets the y that was cached at the first η
        problem = replace(problem, tfidf=replace(problem.tfidf, eta=eta))
    kappas = fit_kappas(problem, resp, embedded, sample)
    weighed = [replace(view, kappa=kappa) for view, kappa in zip(embedded, kappas, strict=True)]
    return replace(problem, views=(*problem.views, *(view for view in weighed if view.kappa > 0.0)))


def _weigh_features(problem: MixtureProblem) -> MixtureProblem:
    """Multiply idf by the root of what each feature tells of the groups of short runs (eq. 23)."""
    constants = problem.constants
    if not constants.n_gain_runs:
        return problem
    numbers = [problem.calibration_clusters]
    if 2 * numbers[0] <= np.count_nonzero(problem.filled):
        numbers.append(2 * numbers[0])
    parts = [problem.with_groups(number) for number in numbers]
    runs = [(part, seed) for part in parts for seed in range(constants.n_gain_runs)]

    def draw_tasks() -> Iterator[Callable[[], Floats]]:
        for number, (part, seed) in enumerate(runs):
            _report_step(3 + 4 * number // len(runs), f"weights of words, run {number + 1} of {len(runs)}")
            yield partial(_gain_of_run, problem, part, seed)

    gains = problem.kernels.run_side_by_side(draw_tasks(), parts[-1].max_running)
    _report_step(7, "directions of documents by weighted words")
    tfidf = replace(problem.tfidf, idf=problem.tfidf.idf * np.sqrt(average_gain(problem, gains)))
    return _replace_tfidf(problem, tfidf)


def _cover_with_labels(problem: MixtureProblem) -> MixtureProblem:
    """Let names label documents that are far from all of them, if every group has a name."""
    nearness, constants = problem.named.nearness, problem.constants
    # a far document may be of a group without a name
    if (
        problem.n_inside < 2
        or nearness is None
        or len(np.unique(problem.group_of_name[nearness.name])) < problem.n_inside
    ):
        return problem
    n_small = constants.small_groups_factor * problem.n_inside
    if 3 * n_small > np.count_nonzero(nearness.is_free):
        return problem
    small = problem.with_groups(n_small)
    groups = []
    for seed in range(constants.n_name_runs):
        _report_step(7, f"names of small groups, run {seed + 1} of {constants.n_name_runs}")
        groups.append(first_groups(small, seed))
    named = label_uncovered_groups(problem, groups, constants)
    return keep_suggestions_of_init(replace(problem, named=named, cache=[]))


def _gain_of_run(problem: MixtureProblem, part: MixtureProblem, seed: int) -> Floats:
    """Estimate what features tell of the groups of a short run with the number of groups of a part."""
    return information_gain(problem, first_groups(part, seed))


def _first_groups_and_pairs(problem: MixtureProblem) -> tuple[Floats, PairSample]:
    """Find what η and other weights are estimated from: groups, and pairs of neighbouring documents."""
    coarse = problem.with_groups(problem.calibration_clusters)
    tasks: list[Callable[[], Any]] = [partial(first_groups, coarse), partial(draw_pairs, problem)]
    resp, sample = problem.kernels.run_side_by_side(tasks, len(tasks))
    return resp, sample


def first_groups(problem: MixtureProblem, seed: int = 0) -> Floats:
    """Find responsibilities without knowledge in a few iterations; they need not be good."""
    priors = without_knowledge(problem)
    labels = first_labels(problem, np.random.default_rng(seed), None)
    resp = smooth_labels(problem, priors, labels)
    return run_em(problem, priors, resp, problem.constants.first_max_iter, 0.0).resp


def _read_init(problem: MixtureProblem, settings: Settings) -> Labels | None:
    """Check the groups of `init`; outsiders from elsewhere are appended. None if there are none."""
    if isinstance(settings.init, str):
        return None
    centre = problem.network.centre
    matrix = problem.user_network.neighbourhood(centre).matrix
    labels = check_labels(settings.init, matrix, settings.n_clusters, centre, least=-1)
    labels = np.pad(labels, (0, problem.n_documents - len(labels)), constant_values=-1)
    if problem.outside is not None:
        labels[problem.outside.members] = problem.n_inside
    return labels


def _refuse_unrelated_knowledge(network: Network, guidance: Mapping[str, Guidance]) -> None:
    """Refuse knowledge on a type that has no relation to the documents."""
    related = {network.centre, *(part.other for part in list_parts(network, network.centre))}
    for type_name, known in guidance.items():
        if type_name not in related and known.kinds:
            raise RefusedKnowledgeError(
                f"colligate cannot use {' and '.join(known.kinds)} on {type_name}, because no relation "
                f"connects {type_name} with {network.centre}. Remove this knowledge, or choose chinc."
            )
