"""What knowledge adds to the objective: clamped labels, document weights λ, prior scores u, and links A.

Knowledge names groups. A label, or a category of words, is the name of one group (`NamedGroups`); entries
say which object has which name (`SeedEntries`). Every statement counts by its reliability.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.special import log_softmax, softmax

from colligate._array import one_hot
from colligate.knowledge import GroupNames
from colligate.methods.mixture.em import TINY
from colligate.network import orient_matrix
from colligate.shards.matrix import by_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.loop import Labels
    from colligate.methods.mixture.constants import Constants
    from colligate.methods.mixture.em import EMState
    from colligate.methods.mixture.implied_links import ImpliedLinks
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.network import Network, Part

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SeedEntries:
    """In entry e, object `member[e]` of a type has the name `name[e]`, by `statement[e]` (-1: none).

    Entries are labels if `is_label`, else members of categories with a `strength`. Labels that the names of
    groups suggest are `is_suggested`; nobody stated them.
    """

    type_name: str
    member: Ints
    name: Ints
    strength: Floats
    statement: Ints
    is_label: bool
    is_suggested: bool = False

    def weights(self, reliability: Floats, constants: Constants) -> Floats:
        """Return how much every entry counts: a power of the reliability of its statement."""
        return _reliability_of(self.statement, reliability) ** constants.reliability_power


@dataclass(frozen=True, eq=False)
class NameNearness:
    """How near documents are to names by word vectors: z of eq. 24, documents × names.

    Column k is about the name `name[k]`. `is_free` marks the documents that a name may label.
    """

    z: Floats
    name: Ints
    is_free: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class NamedGroups:
    """The names of groups in the order of the knowledge, and all entries that use them.

    `nearness` is there if names alone suggest labels.
    """

    names: tuple[str, ...]
    entries: tuple[SeedEntries, ...]
    nearness: NameNearness | None = None

    @classmethod
    def of(cls, network: Network, guidance: Mapping[str, Guidance]) -> NamedGroups:
        """Collect the names of the centre first, then of the other types in the order of the network."""
        numbers: dict[str, int] = {}
        order = list(network.types)
        types = sorted(guidance, key=lambda name: (name != network.centre, order.index(name)))
        entries = [
            entry for type_name in types for entry in seed_entries(type_name, guidance[type_name], numbers)
        ]
        stated = guidance[network.centre].of_kind(GroupNames) if network.centre in guidance else None
        for name in () if stated is None else stated.names:
            numbers.setdefault(name, len(numbers))
        return cls(tuple(numbers), tuple(entries))


def seed_entries(type_name: str, known: Guidance, numbers: dict[str, int]) -> Iterator[SeedEntries]:
    """Yield the labels and the categories of one type; `numbers` collects the names."""

    def make(
        matrix: sparse.coo_array, names: tuple[str, ...], statement: Ints, *, is_label: bool
    ) -> SeedEntries:
        number = np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)
        member, column = (np.asarray(side, dtype=np.int64) for side in matrix.coords)
        strength = np.asarray(matrix.data, dtype=np.float64)
        return SeedEntries(type_name, member, number[column], strength, statement, is_label)

    if known.labels is not None:
        labels = one_hot(known.labels, len(known.label_names)).tocoo()
        numbered = known.label_statements
        statement = np.full(len(labels.data), -1) if numbered is None else numbered[labels.coords[0]]
        yield make(labels, known.label_names, statement, is_label=True)
    if known.seeds is not None:
        seeds = sparse.coo_array(known.seeds.matrix)
        yield make(seeds, known.seeds.categories, known.seeds.statement, is_label=False)


def count_entries(problem: MixtureProblem, entries: SeedEntries, weights: Floats) -> sparse.csr_array:
    """Count, for documents × names, the objects of each name that a document has, by the weights of entries.

    An object counts once, however often the document has it.
    """
    network = problem.network
    shape = (len(network.types[entries.type_name]), len(problem.named.names))
    values = (entries.strength * weights, (entries.member, entries.name))
    by_object = sparse.csr_array(sparse.coo_array(values, shape=shape))
    if entries.type_name == network.centre:
        return by_object
    counts = sparse.csr_array((problem.n_documents, shape[1]))
    for part in problem.parts:
        if part.other == entries.type_name:
            counts = counts + presence(orient_matrix(network, part)) @ by_object
    return sparse.csr_array(counts)


@by_rows("matrix")
def presence(counts: sparse.csr_array) -> sparse.csr_array:
    """Return 1 for every feature that a document has."""
    return sparse.csr_array((counts > 0).astype(np.float64))


@dataclass(frozen=True, eq=False)
class Priors:
    """Knowledge as terms of the objective, at given reliabilities.

    `clamped` is the group of every labelled document, -1 for the others; `lam` is λ; `u` the prior scores
    (eq. 10); `seed_counts` is v of eq. 10 and `document_seeds` z; `links` is A, its strengths in nats;
    `frozen` marks the labelled documents that only must not leave their group.
    """

    clamped: Labels
    lam: Floats
    u: Floats | None = None
    seed_counts: Floats | None = None
    document_seeds: Floats | None = None
    links: Guidance | None = None
    classifier: LabelClassifier | None = None
    frozen: NDArray[np.bool_] | None = None

    @cached_property
    def labelled(self) -> Ints:
        """The documents with a label."""
        return np.flatnonzero(self.clamped >= 0)

    @cached_property
    def total_weight(self) -> float:
        """The sum of λ."""
        return float(self.lam.sum())

    def link_field(self, resp: Floats) -> Floats:
        """Compute f of eq. 3: what links add to the scores at responsibilities."""
        assert self.links is not None
        root = np.sqrt(self.lam)[:, None]
        gain, loss = self.links.gain_and_loss(resp * root)
        # λ is 0 for a document that shapes no group and has neither label nor link
        return np.asarray((gain - loss) / np.maximum(root, TINY))


def make_priors(
    problem: MixtureProblem, reliability: Floats, beta: float, linked_groups: Labels | None = None
) -> Priors:
    """Make the terms of all statements whose reliability is above 0.

    Documents with a group in `linked_groups` (-1: none) are examples of the classifier beside labelled ones.
    """
    clamped, label_weight = _clamped_labels(problem, reliability)
    links = _links_in_nats(problem, reliability)
    lam = _document_weights(problem, clamped, label_weight, links)
    v = seed_counts(problem, reliability)
    z = document_seed_scores(problem, reliability)
    groups, weight = clamped, label_weight
    if links is not None and linked_groups is not None:
        groups = np.where(clamped >= 0, clamped, linked_groups).astype(np.int32)
        weight = np.where(clamped >= 0, label_weight, link_weights(links, problem.constants))
    classifier = fit_label_classifier(problem, groups, weight, beta)
    u = prior_scores(problem, v, z, classifier) + problem.init_scores()
    frozen = problem.frozen if problem.frozen.any() else None
    return Priors(clamped, lam, u if u.any() else None, v, z, links, classifier, frozen)


def find_linked_groups(problem: MixtureProblem, priors: Priors, resp: Floats) -> Labels | None:
    """Return the group of every document with links that is mostly in one, -1 for others; None if no links.

    Groups of outsiders teach nothing about the groups of the user.
    """
    if priors.links is None:
        return None
    groups = resp.argmax(axis=1)
    is_clear = (resp.max(axis=1) > 0.5) & (groups < problem.n_inside)
    is_linked = link_weights(priors.links, problem.constants) > 0
    return np.where(is_clear & is_linked, groups, -1).astype(np.int32)


def without_knowledge(problem: MixtureProblem) -> Priors:
    """Make the terms of no statement at all."""
    return Priors(np.full(problem.n_documents, -1, dtype=np.int32), problem.shapes_groups.astype(np.float64))


def select_groups(priors: Priors, columns: Ints, n_inside: int) -> Priors:
    """Return the same terms for some of the groups."""

    def select(table: Floats | None) -> Floats | None:
        return None if table is None else table[:, columns]

    classifier = priors.classifier and replace(priors.classifier, n_inside=n_inside)
    u, v, z = select(priors.u), select(priors.seed_counts), select(priors.document_seeds)
    return replace(priors, u=u, seed_counts=v, document_seeds=z, classifier=classifier)


def replace_beta(problem: MixtureProblem, priors: Priors, beta: float) -> Priors:
    """Return the same terms with another weight of the classifier."""
    if priors.classifier is None:
        return priors
    unit, classifier = problem.joint_unit, replace(priors.classifier, beta=beta)
    change = classifier.scores(unit, problem.n_groups) - priors.classifier.scores(unit, problem.n_groups)
    return replace(priors, u=change if priors.u is None else priors.u + change, classifier=classifier)


def _reliability_of(statement: Ints, reliability: Floats) -> Floats:
    """Look up reliabilities; what follows from no statement has 1."""
    # -1 looks up the last reliability, which is not used
    return np.where(statement >= 0, reliability[statement], 1.0)


def _clamped_labels(problem: MixtureProblem, reliability: Floats) -> tuple[Labels, Floats]:
    """Find the group of every labelled document, and how much its label counts."""
    clamped = np.full(problem.n_documents, -1, dtype=np.int32)
    label_weight = np.zeros(problem.n_documents)
    for entries in problem.document_labels:
        weight = entries.weights(reliability, problem.constants)
        used = weight > 0
        clamped[entries.member[used]] = problem.group_of_name[entries.name[used]]
        label_weight[entries.member[used]] = weight[used]
    return clamped, label_weight


def _document_weights(
    problem: MixtureProblem, clamped: Labels, label_weight: Floats, links: Guidance | None
) -> Floats:
    """Compute λ (eq. 9): labelled documents together count for no more than the others.

    Documents of frozen groups count once, so that freezing a group does not make it larger.
    """
    constants = problem.constants
    lam: Floats = problem.shapes_groups.astype(np.float64)
    if links is not None:
        lam = np.maximum(lam, constants.lambda_max * link_weights(links, constants))  # eq. 9, linked
    labelled = (clamped >= 0) & ~problem.frozen
    n_free = int(np.count_nonzero(problem.filled & ~labelled))
    n_labelled = int(np.count_nonzero(labelled))
    lambda_max = float(np.clip(n_free / max(n_labelled, 1), 1.0, constants.lambda_max))
    lam[labelled] = np.maximum(lambda_max * label_weight[labelled], constants.lambda_min)  # eq. 9, labelled
    return lam


def _links_in_nats(problem: MixtureProblem, reliability: Floats) -> Guidance | None:
    """Return A: links times their reliability; unreliable members of groups of links are left out."""
    known, constants = problem.document_guidance, problem.constants
    if known is None or "links" not in known.kinds:
        return None
    strength = constants.link_nats * known.pairs.strength
    pairs = replace(known.pairs, strength=strength * _reliability_of(known.pairs.statement, reliability))
    groups = []
    for links in known.groups:
        keep = _reliability_of(links.statement, reliability) > constants.member_cutoff
        groups.append(
            replace(
                links,
                member=links.member[keep],
                group=links.group[keep],
                statement=links.statement[keep],
                together=constants.link_nats * links.together,
                apart=constants.link_nats * links.apart,
            )
        )
    return replace(known, pairs=pairs, groups=tuple(groups))


def link_weights(links: Guidance, constants: Constants) -> Floats:
    """Compute a of eq. 9: the strength of the strongest link of every document, at most 1."""
    strongest = np.zeros(links.size)
    for side in (links.pairs.left, links.pairs.right):
        np.maximum.at(strongest, side, links.pairs.strength)
    for groups in links.groups:
        strength = max(groups.together, groups.apart)
        strongest[groups.member] = np.maximum(strongest[groups.member], strength)
    return np.minimum(strongest / constants.link_nats, 1.0)


def seed_counts(problem: MixtureProblem, reliability: Floats) -> Floats | None:
    """Compute v of eq. 10, the seed features of each group in a document; None if there are no seeds."""
    return _sum_by_group(problem, reliability, problem.feature_seeds)


def document_seed_scores(problem: MixtureProblem, reliability: Floats) -> Floats | None:
    """Compute z of eq. 10, the categories of documents themselves; None if there are none."""
    centre = problem.network.centre
    of_documents = [entries for entries in problem.named.entries if entries.type_name == centre]
    categories = [entries for entries in of_documents if not entries.is_label]
    return _sum_by_group(problem, reliability, categories)


def _sum_by_group(
    problem: MixtureProblem, reliability: Floats, seeds: Sequence[SeedEntries]
) -> Floats | None:
    """Sum the counts of entries over the names of each group, documents × groups."""
    if not seeds:
        return None
    first, *rest = (
        count_entries(problem, entries, entries.weights(reliability, problem.constants)) for entries in seeds
    )
    by_name = np.asarray(sum(rest, start=first).todense())
    by_group = np.zeros((len(by_name), problem.n_groups))
    for name, group in enumerate(problem.group_of_name.tolist()):
        by_group[:, group] += by_name[:, name]
    return by_group


def prior_scores(
    problem: MixtureProblem, v: Floats | None, z: Floats | None, classifier: LabelClassifier | None
) -> Floats:
    """Compute u (eq. 10)."""
    u = np.zeros((problem.n_documents, problem.n_groups))
    if v is not None:
        u += problem.constants.seed_scale * problem.y_sum[:, None] * np.log1p(v)  # eq. 10
    if z is not None:
        u += problem.constants.link_nats * z
    if classifier is not None:
        u += classifier.scores(problem.joint_unit, problem.n_groups)  # eq. 11
    return u


@dataclass(frozen=True, eq=False)
class LabelClassifier:
    """Logistic regression on joint directions: slope and offset of groups with labels, and its weight β."""

    groups: Labels
    slope: Floats
    offset: Floats
    beta: float
    n_inside: int

    def scores(self, unit: NDArray[Any], n_groups: int) -> Floats:
        """Compute the classifier's part of u (eq. 11).

        It cannot tell whether a document is of a group without labels: such a group gets the best score.
        Groups of outsiders get 0, the score of a guess.
        """
        log_p = log_softmax(np.asarray(unit @ self.slope) + self.offset, axis=1)
        # relative to a guess, so that a document the classifier cannot place gets 0 everywhere
        labelled = self.beta * (log_p + np.log(log_p.shape[1]))
        scores = np.zeros((len(labelled), n_groups))
        scores[:, : self.n_inside] = labelled.max(axis=1, keepdims=True)
        scores[:, self.groups] = labelled
        return scores


def fit_label_classifier(
    problem: MixtureProblem, labels: Labels, weight: Floats, beta: float
) -> LabelClassifier | None:
    """Fit the classifier on documents with a label (≥ 0); None unless two groups have some with features."""
    examples = np.flatnonzero((labels >= 0) & (weight > 0) & problem.filled & ~problem.frozen)
    groups = np.unique(labels[examples])
    if len(groups) < 2:
        return None
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    constants = problem.constants
    model = LogisticRegression(C=constants.classifier_c, max_iter=constants.classifier_max_iter)
    with warnings.catch_warnings():
        # the solution after `max_iter` steps is good enough
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", UserWarning)
        model.fit(problem.joint_unit[examples], labels[examples], weight[examples])
    slope, offset = model.coef_.T, model.intercept_
    if len(groups) == 2:
        # scikit-learn gives one slope for two classes
        slope, offset = np.column_stack([-slope / 2, slope / 2]), np.append(-offset / 2, offset / 2)
    slope, offset = np.asarray(slope, np.float64), np.asarray(offset, np.float64)
    return LabelClassifier(groups, slope, offset, beta, problem.n_inside)


@dataclass(frozen=True, eq=False)
class FeatureLinks:
    """ψ′ of eq. 13: further counts (columns × groups) of the features that have links."""

    columns: Ints
    counts: Floats


def linked_parts(problem: MixtureProblem) -> Iterator[tuple[Part, Guidance]]:
    """Yield the relations of the documents whose other side has links, with these links."""
    for part in problem.parts:
        known = problem.guidance.get(part.other)
        if part.other != problem.network.centre and known is not None and "links" in known.kinds:
            yield part, known


def smooth_linked_features(
    problem: MixtureProblem, state: EMState, implied_links: ImpliedLinks
) -> FeatureLinks:
    """Divide further counts of linked features among the groups as their links ask (eq. 13)."""
    columns, counts = [np.zeros(0, dtype=np.int64)], [np.zeros((0, problem.n_groups))]
    y_of_feature = problem.y.column_sums()
    for part, known in linked_parts(problem):
        known = implied_links.guidance.get(part.other, known)
        y_of_part = y_of_feature[part.start : part.stop] * implied_links.share.get(part.other, 1.0)
        linked = np.flatnonzero(_has_links(known) & (y_of_part > 0))
        # the share of each group in the feature, by Bayes' rule; m cancels
        r = np.exp(state.log_phi_ratio[part.start : part.stop] + state.log_pi)
        r /= np.maximum(r.sum(axis=1, keepdims=True), TINY)
        psi = _propagate(known, r, problem.constants)
        columns.append(part.start + linked)
        counts.append(problem.constants.lambda_max * y_of_part[linked, None] * psi[linked])
    return FeatureLinks(np.concatenate(columns), np.concatenate(counts))


def _propagate(known: Guidance, r: Floats, constants: Constants) -> Floats:
    """Compute ψ of eq. 13."""
    nats = constants.feature_link_nats
    links = replace(
        known,
        pairs=replace(known.pairs, strength=nats * known.pairs.strength),
        groups=tuple(
            replace(groups, together=nats * groups.together, apart=nats * groups.apart)
            for groups in known.groups
        ),
    )
    log_r, psi = np.log(np.maximum(r, TINY)), r.copy()
    linked, n_turns = np.flatnonzero(_has_links(known)), constants.feature_link_turns
    for turn in range(constants.feature_link_rounds * n_turns):
        # a part at a time: otherwise two features that should part both leave, and meet again
        now = linked[turn % n_turns :: n_turns]
        gain, loss = links.gain_and_loss(psi)
        psi[now] = softmax(log_r[now] + gain[now] - loss[now], axis=1)
    return psi


def _has_links(known: Guidance) -> NDArray[np.bool_]:
    """Mark the objects that have a link."""
    linked = np.zeros(known.size, dtype=bool)
    for side in (known.pairs.left, known.pairs.right, *(groups.member for groups in known.groups)):
        linked[side] = True
    return linked
