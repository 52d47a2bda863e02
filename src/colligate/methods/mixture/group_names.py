"""Names alone: the documents nearest to the name of a group are suggested as labels.

A name and the documents are directions in the space of word vectors. Suggested labels are used like those of
the user, but have an error rate ε of their own, and a document of the user's labels gets no other. Names of
labels and categories are assigned to groups here, too.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment

from colligate._array import one_hot, unit_dense_rows
from colligate._text import list_first
from colligate.corpus.embeddings import embed_words, has_word_vectors
from colligate.errors import KnowledgeWarning, ParameterError, RefusedKnowledgeError
from colligate.knowledge import GroupNames
from colligate.knowledge.text import format_name
from colligate.methods.mixture.priors import NameNearness, SeedEntries, count_entries
from colligate.methods.mixture.views import LETTERS
from colligate.methods.spherical import make_dense_directions, spherical_kmeans, tfidf
from colligate.network import WORDS, list_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.knowledge import Guidance
    from colligate.methods.mixture.constants import Constants
    from colligate.methods.mixture.priors import NamedGroups
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.network import Network

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NameSource:
    """What suggestions are made from: the documents that may get one, and K, the number of groups."""

    network: Network
    counts: csr_array
    is_free: NDArray[np.bool_]
    n_groups: int
    has_init: bool


def suggest_labels(
    named: NamedGroups, known: Guidance | None, source: NameSource, constants: Constants
) -> NamedGroups:
    """Add the labels that names alone suggest, numbered after all statements of the user."""
    stated = None if known is None else known.of_kind(GroupNames)
    if known is None or stated is None:
        return named
    vectors, reason = _word_vectors(source)
    has_vector = np.full(len(stated.names), vectors is not None)
    has_vector &= [LETTERS.search(text) is not None for text in stated.meanings]
    _check_usable(named, stated, has_vector, source, reason)
    usable = np.flatnonzero(has_vector)
    is_free = source.is_free.copy()
    for entries in named.entries:
        if entries.type_name == source.network.centre:
            is_free[entries.member] = False
    if vectors is None or not len(usable) or not is_free.any():
        return named
    cosines = measure_cosines(source.counts, vectors, [stated.meanings[name] for name in usable.tolist()])
    documents = np.flatnonzero(is_free)
    member, column = nearest_documents(cosines, documents, source.n_groups, constants)
    number = np.array([named.names.index(stated.names[name]) for name in usable.tolist()], dtype=np.int64)
    statement = len(known.sources) + np.arange(len(member), dtype=np.int64)
    entries = SeedEntries(
        source.network.centre,
        member,
        number[column],
        np.ones(len(member)),
        statement,
        is_label=True,
        is_suggested=True,
    )
    nearness = NameNearness(_standardise(cosines, documents), number, is_free)
    return replace(named, entries=(*named.entries, entries), nearness=nearness)


def nearest_documents(
    cosines: Floats, documents: Ints, n_groups: int, constants: Constants
) -> tuple[Ints, Ints]:
    """Return documents and the name that each is clearly nearest to (eq. 24).

    A document is as near as its cosine stands out among those of all documents with the name, in standard
    deviations, less those of the next name; a name that is far from all documents so gets some, too.
    """
    z = _standardise(cosines, documents)[documents]
    # a last column for a document that is near to no name
    margin = _margins(np.column_stack([z, np.zeros(len(z))]))[:, :-1]  # eq. 24
    n_nearest = _count_labels(cosines[documents], n_groups, constants)
    taken = np.full(len(documents), -1, dtype=np.int64)
    for name in range(z.shape[1]):
        ranked = np.argsort(-margin[:, name], kind="stable")
        ranked = ranked[taken[ranked] < 0][: n_nearest[name]]
        # the first one in any case, so that every name has a document
        taken[ranked[(margin[ranked, name] > 0) | (np.arange(len(ranked)) == 0)]] = name
    chosen = np.flatnonzero(taken >= 0)
    return documents[chosen], taken[chosen]


def label_uncovered_groups(
    problem: MixtureProblem, groups: Sequence[Floats], constants: Constants
) -> NamedGroups:
    """Add labels in small groups of documents that are too far from all names to have got any.

    `groups` are responsibilities of runs without knowledge. A group gets labels of the name that is nearest
    to it in the mean, if that stands out from the next name (eq. 25) and is the nearest one of most
    documents.
    """
    named, nearness = problem.named, problem.named.nearness
    assert nearness is not None
    z, margin = nearness.z, _margins(nearness.z)
    is_labelled = np.zeros(len(z), dtype=bool)
    for entries in problem.document_labels:
        is_labelled[entries.member] = True
    is_judged = nearness.is_free | is_labelled
    usual_share = is_labelled[is_judged].mean()
    added = np.full(len(z), -1, dtype=np.int64)
    for resp in groups:
        number = np.where(is_judged, resp.argmax(axis=1), -1)
        for group in range(resp.shape[1]):
            documents = np.flatnonzero(number == group)
            n_usual = usual_share * len(documents)
            if n_usual < 1.0 or is_labelled[documents].sum() >= constants.least_coverage * n_usual:
                continue
            mean = z[documents].mean(axis=0)
            column = int(mean.argmax())
            gap = float(_margins(mean[None])[0, column])
            share = float(np.mean(margin[documents, column] > 0))
            if gap >= constants.least_group_gap and share >= constants.least_nearest_share:
                free = documents[~is_labelled[documents]]
                added[free[np.argsort(-margin[free, column], kind="stable")[: int(n_usual)]]] = column
    member = np.flatnonzero(added >= 0)
    return replace(
        named,
        entries=tuple(
            _append(part, member, nearness.name[added[member]]) if part.is_suggested else part
            for part in named.entries
        ),
    )


def _append(entries: SeedEntries, member: Ints, name: Ints) -> SeedEntries:
    """Append suggested labels, with the numbers of statements after those of the others."""
    first = int(entries.statement.max(initial=-1)) + 1
    return replace(
        entries,
        member=np.append(entries.member, member),
        name=np.append(entries.name, name),
        strength=np.append(entries.strength, np.ones(len(member))),
        statement=np.append(entries.statement, first + np.arange(len(member), dtype=np.int64)),
    )


def _standardise(cosines: Floats, documents: Ints) -> Floats:
    """Return z of eq. 24: cosines in standard deviations from the mean, both over `documents`."""
    deviation = cosines[documents].std(axis=0)
    return np.asarray((cosines - cosines[documents].mean(axis=0)) / np.where(deviation > 0, deviation, 1.0))


def _margins(values: Floats) -> Floats:
    """Return how far each value of a row is above the highest of the others."""
    order = np.sort(values, axis=1)
    return np.asarray(values - np.where(values == order[:, -1:], order[:, -2:-1], order[:, -1:]))


def _count_labels(cosines: Floats, n_groups: int, constants: Constants) -> Ints:
    """Return how many documents each name labels.

    Its group is expected to be as large as the geometric mean of an even share of the documents and of those
    that are nearest to the name.
    """
    nearest = np.bincount(cosines.argmax(axis=1), minlength=cosines.shape[1])
    expected = np.sqrt(nearest * (len(cosines) / n_groups))
    n_labels = np.clip(constants.nearest_share * expected, *constants.nearest_bounds)
    return np.asarray(np.maximum(np.minimum(n_labels, expected / 3), 1.0), dtype=np.int64)


def measure_cosines(counts: csr_array, vectors: NDArray[np.float32], names: Iterable[str]) -> Floats:
    """Compute the cosines of documents × names by the vectors of their words, less the mean of documents.

    `vectors` has a row for each feature. The vector of a name is the sum of those of its words.
    """
    words = [LETTERS.findall(name.lower()) for name in names]
    of_words = embed_words([word for of_name in words for word in of_name])
    ends = np.cumsum([len(of_name) for of_name in words])
    of_names = np.array([part.sum(axis=0) for part in np.split(of_words, ends[:-1])])
    weight = np.asarray((vectors != 0).any(axis=1), dtype=np.float64)
    rows = unit_dense_rows(tfidf(counts, weight) @ vectors)
    mean = rows.sum(axis=0) / max(np.count_nonzero(rows.any(axis=1)), 1)
    return unit_dense_rows(rows - mean) @ unit_dense_rows(unit_dense_rows(of_names) - mean).T


def keep_suggestions_of_init(problem: MixtureProblem) -> MixtureProblem:
    """Leave out suggestions that the groups to start from contradict; these are the user's by now."""
    if problem.init is None:
        return problem
    entries = tuple(
        _select(part, problem.init[part.member] == problem.group_of_name[part.name])
        if part.is_suggested
        else part
        for part in problem.named.entries
    )
    return replace(problem, named=replace(problem.named, entries=entries))


def _select(entries: SeedEntries, keep: NDArray[np.bool_]) -> SeedEntries:
    columns = {name: getattr(entries, name)[keep] for name in ("member", "name", "strength", "statement")}
    return replace(entries, **columns)


def _word_vectors(source: NameSource) -> tuple[NDArray[np.float32] | None, str]:
    """Return the vectors of the features; or None, and why there are none."""
    network = source.network
    columns = [part for part in list_parts(network, network.centre) if part.other == WORDS]
    words = network.types[WORDS].names if columns else range(0)
    if isinstance(words, range):
        return None, f"the words of the {network.centre} are not known"
    if not has_word_vectors():
        return None, "the package wordllama, which has vectors of words, is not installed"
    of_words = embed_words(words)
    vectors = np.zeros((source.counts.shape[1], of_words.shape[1]), dtype=np.float32)
    for part in columns:
        vectors[part.start : part.stop] = of_words
    return (vectors, "") if vectors.any() else (None, f"no word of the {network.centre} has a vector")


def _check_usable(
    named: NamedGroups, stated: GroupNames, has_vector: NDArray[np.bool_], source: NameSource, reason: str
) -> None:
    """Refuse names that nothing else is known of and that have no vector; warn of others without one."""
    supported = {named.names[number] for part in named.entries for number in np.unique(part.name).tolist()}
    unusable = [name for name, usable in zip(stated.names, has_vector.tolist(), strict=True) if not usable]
    alone = [name for name in unusable if name not in supported]
    if not unusable or source.has_init:
        return
    listed = list_first(alone or unusable, write=format_name)
    plural = len(alone or unusable) > 1
    why = reason or ("they have no word of letters" if plural else "it has no word of letters")
    if not alone:
        warnings.warn(
            f"the name{'s' * plural} {listed} alone {'say' if plural else 'says'} nothing, because {why}; "
            "the run uses only the other statements about the group",
            KnowledgeWarning,
            stacklevel=2,
        )
        return
    advice = " Install it with `pip install wordllama`, or give" if "wordllama" in reason else " Give"
    raise RefusedKnowledgeError(
        f"the name{'s' * plural} {listed} cannot be used alone, because {why}.{advice} "
        f"{'each of them' if plural else 'it'} seed words too, as in "
        f"categories: {{{format_name(alone[0])}: [word, …]}}, or a meaning in words."
    )


# --- the groups of names ---


def assign_names(problem: MixtureProblem, bound: Mapping[str, int]) -> Ints:
    """Assign a group to each name; surplus names share the group of names with similar documents.

    With groups to start from, a name has the group that it is bound to, or that has most of its documents.
    """
    if problem.init is not None:
        return _assign_names_to_init(problem, bound)
    n_names = len(problem.named.names)
    if n_names <= problem.n_inside:
        return np.arange(n_names)
    known = problem.document_guidance
    if known is None or len(known.label_names) <= problem.n_inside:
        # `compile_for` has warned of surplus labels
        warnings.warn(
            f"the knowledge has {n_names} different names of groups, but n_clusters is "
            f"{problem.n_inside}. So names whose {problem.network.centre} are similar share a group. To "
            f"give every name a group, set n_clusters to at least {n_names}.",
            KnowledgeWarning,
            stacklevel=2,
        )
    sums = np.zeros((problem.unit.shape[1], n_names))
    for entries in problem.named.entries:
        counts = count_entries(problem, entries, np.ones(len(entries.member)))
        sums += np.asarray((counts.T @ problem.unit.astype(np.float64)).T)
    directions = make_dense_directions(sums.T, np.abs(sums).sum(axis=0) > 0)
    labels = spherical_kmeans(problem.kernels, directions, problem.n_inside, np.random.default_rng(0))
    # a name without documents has no direction and so no label
    return np.maximum(labels, 0).astype(np.int64)


def _assign_names_to_init(problem: MixtureProblem, bound: Mapping[str, int]) -> Ints:
    """Assign bound names to their groups, others one to one by their documents, surplus ones by theirs."""
    assert problem.init is not None
    names, n_inside = problem.named.names, problem.n_inside
    if wrong := [name for name, group in bound.items() if group >= n_inside]:
        raise ParameterError(
            f"init_names puts {wrong[0]!r:.60} into group {bound[wrong[0]]}, but there are only {n_inside} "
            "groups, numbered from 0",
            parameter="init_names",
        )
    inside = one_hot(np.where(problem.init < n_inside, problem.init, -1), n_inside)
    votes = np.zeros((len(names), n_inside))
    for entries in problem.named.entries:
        counts = count_entries(problem, entries, np.ones(len(entries.member)))
        votes += np.asarray((counts.T @ inside).todense())
    group = np.array([bound.get(name, -1) for name in names], dtype=np.int64)
    free = np.flatnonzero(group < 0)
    open_groups = np.setdiff1d(np.arange(n_inside), group)
    rows, columns = linear_sum_assignment(-votes[np.ix_(free, open_groups)])
    group[free[rows]] = open_groups[columns]
    surplus = np.flatnonzero(group < 0)
    group[surplus] = votes[surplus].argmax(axis=1)
    return group
