"""The groups of every type: their names, members, most typical documents, and the confidence in them.

A group of the centre has the name that the user gave to it. Otherwise it is named by the knowledge if it has
most of the votes for a name, by a language model if one was asked, and by its most characteristic words.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colligate._array import one_hot
from colligate.errors import InputError
from colligate.knowledge import GroupNames
from colligate.knowledge.text import singular
from colligate.network import WORDS
from colligate.result.association import TINY, tabulate_objects, take_strongest, take_top
from colligate.result.word_names import find_phrases, name_by_words, rank_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from colligate.corpus import Corpus
    from colligate.knowledge.guidance import Guidance, Seeds
    from colligate.network import ObjectType
    from colligate.result.association import GroupObjectTable
    from colligate.result.result import Result


FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Labels = NDArray[np.integer[Any]]
Name = TypeVar("Name")
Ballot = tuple[FloatArray, tuple[str, ...]]

CHUNK = 65_536
ROUNDING = 1e-9
WORDS_IN_NAME = 3
EMPTY_GROUP = "empty"
# Of the examples of a group, those with fewer words come last.
MIN_WORDS = 20
# Documents with a larger cosine count as the same text.
NEAR_DUPLICATE = 0.9
CANDIDATES_PER_EXAMPLE = 20
# The knowledge names a group where at least this share of the name's voters sit in it.
MIN_VOTE_SHARE = 0.5
# A group keeps the words that name it while it shares this share of its documents with the group before.
MIN_SHARED = 0.8
# A name with fewer votes has a single voter.
SINGLE_VOTER = 1.5


@dataclass(frozen=True)
class ObjectGroup:
    """One group of a type.

    Attributes
    ----------
    number : int
        The label of its members.
    name : str
        Its name, unique among the groups of the type.
    size : int
        The number of its members.
    members : tuple of (str, float)
        The strongest members with their strengths, strongest first.
    goes_with : tuple of (int, float)
        Groups of the centre with more of it than expected, and its share there, largest first.
    """

    number: int
    name: str
    size: int
    members: tuple[tuple[str, float], ...]
    goes_with: tuple[tuple[int, float], ...]


def find_type(result: Result, kind: str) -> ObjectType:
    """Return a type of the network; the error lists the types there are."""
    if kind not in result.network.types:
        raise InputError(
            f"there is no type {kind!r:.60} in this result; the types are {', '.join(result.network.types)}"
        )
    return result.network.types[kind]


def find_labels(result: Result, kind: str) -> NDArray[np.int32]:
    """Return the labels of a type; the error lists the types that are grouped."""
    find_type(result, kind)
    if kind not in result.labels:
        raise InputError(f"{result.method} does not group {kind}; it groups {', '.join(result.labels)}")
    return result.labels[kind]


def describe_groups(result: Result, kind: str, limit: int) -> tuple[ObjectGroup, ...]:
    """Describe every group of a type with its strongest members."""
    objects, labels = find_type(result, kind), find_labels(result, kind)
    count, strength = result.n_groups(kind), measure_strengths(result, kind)
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    members = take_strongest(labels, count, strength, limit)
    return tuple(
        ObjectGroup(
            number=number,
            name=name,
            size=int(sizes[number]),
            members=tuple(
                (name_object(objects.names, kind, position), float(strength[position]))
                for position in positions.tolist()
            ),
            goes_with=goes_with,
        )
        for number, (name, positions, goes_with) in enumerate(
            zip(name_groups(result, kind), members, _list_centre_groups(result, kind), strict=True)
        )
    )


def list_top_objects(result: Result, kind: str, limit: int) -> list[list[tuple[str, float]]]:
    """List the most characteristic objects of a type for each group of the centre, best first."""
    objects = find_type(result, kind)
    if kind not in result.object_tables:
        return [[] for _ in range(result.n_groups())]
    return [
        [
            (name_object(objects.names, kind, position), float(score))
            for position, score in zip(*top, strict=True)
        ]
        for top in take_top(result.object_tables[kind].scores, limit)
    ]


def measure_strengths(result: Result, kind: str) -> FloatArray:
    """Measure how well each object represents its group: its information about the centre × its membership.

    Terms count only by their information, objects without a path to the centre only by their membership.
    """
    if kind == result.centre:
        return result.confidence
    if kind == result.terms:
        return result.object_tables[kind].weights
    sure = (
        measure_confidence(result.labels[kind], result.memberships[kind])
        if kind in result.memberships
        else np.ones(result.labels[kind].size)
    )
    return sure * result.object_tables[kind].weights if kind in result.object_tables else sure


def _list_centre_groups(result: Result, kind: str) -> list[tuple[tuple[int, float], ...]]:
    """List for each group of a type the groups of the centre with more of it than expected."""
    count = result.n_groups(kind)
    if kind not in result.object_tables or kind == result.centre:
        return [()] * count
    mass = np.asarray((result.object_tables[kind].counts @ one_hot(result.labels[kind], count)).todense())
    shares = mass / np.maximum(mass.sum(axis=0), TINY)
    expected = mass.sum(axis=1) / max(mass.sum(), TINY)
    # A share that is equal but for rounding is not more than expected.
    more = shares > expected[:, None] * (1 + ROUNDING)
    return [
        tuple((k, float(column[k])) for k in np.argsort(-column, kind="stable").tolist() if above[k])
        for column, above in zip(shares.T, more.T, strict=True)
    ]


def measure_confidence(labels: Labels, memberships: NDArray[np.floating[Any]]) -> FloatArray:
    """Return the membership of each object in its group; 0 for objects in no group."""
    memberships_there = memberships[np.arange(labels.size), np.maximum(labels, 0)].astype(np.float64)
    return np.where(labels >= 0, memberships_there, 0.0)


def find_runner_up(labels: Labels, memberships: NDArray[np.floating[Any]]) -> NDArray[np.int32]:
    """Return the second-best group of each object; -1 where no other group has any membership."""
    runner_up = np.full(labels.size, -1, dtype=np.int32)
    if memberships.shape[1] < 2:
        return runner_up
    for start in range(0, labels.size, CHUNK):
        chunk = labels[start : start + CHUNK]
        # A copy, in which the document's own group is struck out.
        remaining = np.array(memberships[start : start + CHUNK])
        remaining[np.arange(chunk.size), np.maximum(chunk, 0)] = 0
        best = remaining.argmax(axis=1)
        exists = (chunk >= 0) & (remaining[np.arange(chunk.size), best] > 0)
        runner_up[start : start + CHUNK] = np.where(exists, best, -1)
    return runner_up


def average_confidence(labels: Labels, n_groups: int, confidence: FloatArray) -> FloatArray:
    """Return the mean confidence of each group; 0 for an empty one."""
    inside = labels >= 0
    sizes = np.bincount(labels[inside], minlength=n_groups)
    sums = np.bincount(labels[inside], weights=confidence[inside], minlength=n_groups)
    return np.asarray(sums / np.maximum(sizes, 1), dtype=np.float64)


def choose_representatives(
    labels: Labels,
    n_groups: int,
    confidence: FloatArray,
    counts: sparse.csr_array,
    texts: Sequence[str] | None = None,
    limit: int = 5,
) -> list[IntArray]:
    """Choose the most typical documents of each group, best first.

    Documents rank by confidence × cosine to the mean of the group (tf-idf with logarithmic counts); short
    documents come last. Near-duplicates are skipped, so there may be fewer than `limit`.
    """
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(n_groups + 1))
    lengths = np.asarray(counts.sum(axis=1, dtype=np.float64))
    typicality = confidence * _measure_closeness(labels, n_groups, counts)
    chosen = []
    for start, end in itertools.pairwise(starts):
        members = order[start:end]
        ranked = members[_rank(typicality[members], lengths[members])][: limit * CANDIDATES_PER_EXAMPLE]
        chosen.append(_skip_duplicates(ranked, counts, texts, limit))
    return chosen


def _measure_closeness(labels: Labels, n_groups: int, counts: sparse.csr_array) -> FloatArray:
    """Return the cosine of each document to the mean of its group; 0 for a document in no group."""
    unit = unit_tfidf(counts)
    inside = np.flatnonzero(labels >= 0)
    shape = (n_groups, labels.size)
    means = (sparse.csr_array((np.ones(inside.size), (labels[inside], inside)), shape=shape) @ unit).toarray()
    means /= np.maximum(np.sqrt((means**2).sum(axis=1, keepdims=True)), 1e-300)
    group = np.repeat(np.maximum(labels, 0), np.diff(unit.indptr))
    row = np.repeat(np.arange(labels.size), np.diff(unit.indptr))
    cosine = np.bincount(row, weights=unit.data * means[group, unit.indices], minlength=labels.size)
    return np.where(labels >= 0, cosine, 0.0)


def unit_tfidf(counts: sparse.csr_array) -> sparse.csr_array:
    """Return tf-idf with logarithmic counts, in rows of unit length; a row without words stays zero."""
    unit = counts.astype(np.float64)
    idf = np.log(counts.shape[0] / np.maximum(np.bincount(counts.indices, minlength=counts.shape[1]), 1))
    unit.data = np.log1p(unit.data) * idf[unit.indices]
    norms = np.sqrt(np.asarray(unit.multiply(unit).sum(axis=1)))
    unit.data /= np.repeat(np.where(norms > 0, norms, 1.0), np.diff(unit.indptr))
    return unit


def _rank(typicality: FloatArray, lengths: FloatArray) -> IntArray:
    if lengths.size == 0:
        return np.zeros(0, dtype=np.int64)
    # Where most documents are short, half of them would otherwise come last.
    short = lengths < min(MIN_WORDS, max(float(np.median(lengths)), 1.0))
    # Rounded, so that nearly equal documents keep their order on every machine.
    return np.lexsort((np.arange(lengths.size), -np.round(typicality, 9), short))


def _skip_duplicates(
    ranked: IntArray, counts: sparse.csr_array, texts: Sequence[str] | None, limit: int
) -> IntArray:
    rows = counts[ranked].astype(np.float64)
    norms = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)))
    # At most limit × CANDIDATES_PER_EXAMPLE rows, so the square table is small.
    alike = (rows @ rows.T).toarray() >= NEAR_DUPLICATE * np.outer(norms, norms)
    kept: list[int] = []
    seen: set[str] = set()
    for place, document in enumerate(ranked):
        text = " ".join(texts[int(document)].split()) if texts is not None else str(document)
        if text in seen or alike[place, kept].any():
            continue
        seen.add(text)
        kept.append(place)
        if len(kept) == limit:
            break
    return ranked[kept]


def name_groups(result: Result, kind: str) -> tuple[str, ...]:
    """Name every group of a type; return nothing if the method does not group it."""
    if kind == result.centre:
        return result.group_names
    objects = find_type(result, kind)
    if kind not in result.labels:
        return ()
    strengths = measure_strengths(result, kind)
    return name_by_members(result.labels[kind], result.n_groups(kind), strengths, objects)


def name_centre_groups(result: Result) -> tuple[str, ...]:
    """Name every group of the centre: by the user, the knowledge, a language model, or its terms."""
    claims = list_claims(result)
    names = list(_name_by_words(result, claims))
    for group, description in enumerate(result.descriptions):
        if description.name and group not in claims:
            names[group] = description.name
    taken = set(result.given_names)
    return make_unique(
        chosen or (f"{name} ({number})" if name in taken else name)
        for number, chosen, name in zip(result.group_numbers, result.given_names, names, strict=True)
    )


def name_groups_by_words(result: Result) -> tuple[str, ...]:
    """Name every group of the centre by its most characteristic terms alone, or as it was called before."""
    return _name_by_words(result)


def _name_by_words(result: Result, claims: Mapping[int, str] | None = None) -> tuple[str, ...]:
    table, labels = result.object_tables[result.terms], result.labels[result.centre]
    return _name_labels(result, labels, table, claims, result.word_names)


def _name_labels(
    result: Result,
    labels: Labels,
    table: GroupObjectTable,
    claims: Mapping[int, str] | None = None,
    kept: Sequence[str] = (),
) -> tuple[str, ...]:
    """Name the groups of the centre under these labels."""
    terms = find_type(result, result.terms)
    scores = rank_terms(table, labels, result.counts)
    return name_by_terms(labels, scores, terms, claims, counts=table.counts, kept=kept, corpus=result.corpus)


def list_claims(result: Result) -> dict[int, str]:
    """Return the names that the knowledge gives to groups; numbers and words of groups are no names."""
    no_names = {*map(refer_to_group, result.group_numbers), *result.provisional_names}
    return {group: name for group, name in find_named_groups(result).items() if name not in no_names}


def refer_to_group(number: int) -> str:
    """Return how the knowledge refers to a group that has no name: by its lasting number."""
    return f"group {number}"


def keep_names(
    names_before: Mapping[int, Name], before: Labels, after: Labels, numbers: Sequence[int], empty: Name
) -> tuple[Name, ...]:
    """Return what each group was called before, or `empty` for a new or a much changed group.

    `before` and `after` have the lasting numbers of the documents' groups. A group keeps its name if most
    documents that were or are in it (`MIN_SHARED`) were in it and still are.
    """
    names: list[Name] = []
    for number in numbers:
        was, is_member = before == number, after == number
        shared, either = np.count_nonzero(was & is_member), np.count_nonzero(was | is_member)
        is_same = either and shared >= MIN_SHARED * either
        names.append(names_before.get(number, empty) if is_same else empty)
    return tuple(names)


def name_groups_before(result: Result) -> tuple[str, ...]:
    """Name every group of the run without knowledge; return nothing if none was made."""
    if result.before is None or result.centre not in result.before:
        return ()
    labels = result.before[result.centre]
    table = tabulate_objects(labels, result.n_groups(), result.counts)
    return _name_labels(result, labels, table)


def name_by_terms(
    labels: Labels,
    scores: sparse.csr_array,
    terms: ObjectType,
    claims: Mapping[int, str] | None = None,
    *,
    counts: sparse.csr_array,
    kept: Sequence[str] = (),
    corpus: Corpus | None = None,
) -> tuple[str, ...]:
    """Name each group by its claim and its top terms: `space: orbit, nasa, space shuttle`.

    A group without a characteristic term, such as one of all documents, is named by its most frequent terms.
    `kept` has the terms of groups that keep their names, and is empty for the others. Phrases come from the
    texts of `corpus`.
    """
    sizes = np.bincount(labels[labels >= 0], minlength=scores.shape[0])
    names = []
    for number, of_terms in enumerate(_list_term_names(labels, scores, counts, terms, corpus)):
        words = of_terms or (f"no {terms.name}" if sizes[number] else EMPTY_GROUP)
        if kept and kept[number]:
            words = kept[number]
        elif words in kept:
            words = f"{words} ({number})"
        claim = (claims or {}).get(number)
        # An answer about a group that has no name yet claims the group's words as its name.
        names.append(words if claim in (None, words) else f"{claim}: {words}")
    return make_unique(names)


def _list_term_names(
    labels: Labels,
    scores: sparse.csr_array,
    counts: sparse.csr_array,
    terms: ObjectType,
    corpus: Corpus | None,
) -> list[str]:
    """List the top terms of each group; words are chosen to be readable and different."""
    if terms.name == WORDS and not isinstance(terms.names, range):

        def phrases_of(tops: Sequence[Sequence[str]]) -> Sequence[Mapping[str, tuple[str, ...]]]:
            return find_phrases(corpus, labels, tops)

        language = None if corpus is None else corpus.language
        return name_by_words(scores, counts, terms.names, WORDS_IN_NAME, phrases_of, language)
    tops = zip(take_top(scores, WORDS_IN_NAME), take_top(counts, WORDS_IN_NAME), strict=True)
    return [_list_names(best if best.size else common, terms) for (best, _), (common, _) in tops]


def name_by_members(
    labels: Labels, n_groups: int, strengths: FloatArray, kind: ObjectType
) -> tuple[str, ...]:
    """Name each group by its three strongest members."""
    members = take_strongest(labels, n_groups, strengths, WORDS_IN_NAME)
    return make_unique(_list_names(positions, kind) or EMPTY_GROUP for positions in members)


def name_object(names: Sequence[str] | range, kind: str, position: int) -> str:
    """Name an object: `word 7` for objects that are only known by position."""
    return f"{singular(kind)} {position}" if isinstance(names, range) else names[position]


def _list_names(positions: IntArray, kind: ObjectType) -> str:
    return ", ".join(name_object(kind.names, kind.name, position) for position in positions.tolist())


def make_unique(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names; one that is taken already gets its position behind it."""
    taken: dict[str, None] = {}
    for number, name in enumerate(names):
        unique = name
        # The name with a number may be taken, too.
        while unique in taken:
            unique = f"{unique} ({number})"
        taken[unique] = None
    return tuple(taken)


def find_groups_by_name(result: Result) -> dict[str, int]:
    """Return the group of each name in the knowledge: as the method bound it, or else by votes."""
    if result.named_groups:
        return dict(result.named_groups)
    return {name: group for group, name in find_named_groups(result).items()}


def find_named_groups(result: Result) -> dict[int, str]:
    """Return the names that the knowledge gives to groups of the centre.

    A name that was stated as such has the group that the method bound it to. Other groups have the name that
    most of its members vote for.
    """
    if result.compiled is None:
        return {}
    guidance = dict(result.compiled.guidance)
    of_centre = guidance.pop(result.centre, None)
    tables = {kind: table.counts for kind, table in result.object_tables.items()}
    elected = elect_names(result.labels[result.centre], result.n_groups(), tables, of_centre, guidance)
    stated = None if of_centre is None else of_centre.of_kind(GroupNames)
    bound: dict[int, str] = {}
    for name in () if stated is None else stated.names:
        if name in result.named_groups:
            bound.setdefault(result.named_groups[name], name)
    others = {group: name for group, name in elected.items() if name not in bound.values()}
    return others | bound


def elect_names(
    labels: Labels,
    n_groups: int,
    tables: Mapping[str, sparse.csr_array],
    of_centre: Guidance | None,
    of_types: Mapping[str, Guidance],
) -> dict[int, str]:
    """Name the groups that have at least half of a name's voters, and more of them than any other group.

    The voters of a name are the documents with that label, and the documents, words and other objects in that
    category. Objects of other types vote by `tables`, groups × objects. Where several names win a group, the
    one with the largest share of its voters there is used, names with a single voter last.
    """
    ballots = [*_centre_ballots(labels, n_groups, of_centre), *_type_ballots(tables, of_types)]
    names, votes = _sum_votes(ballots, n_groups)
    if not names:
        return {}
    voters, shares = votes.sum(axis=1), _row_shares(votes)
    best, share = shares.argmax(axis=1), shares.max(axis=1)
    # A name whose voters are spread evenly over two groups names neither.
    clear = np.sum(shares >= share[:, None] - ROUNDING, axis=1) == 1
    by_group: dict[int, str] = {}
    for claim in np.lexsort((np.arange(len(names)), -share, voters < SINGLE_VOTER)).tolist():
        if clear[claim] and share[claim] >= MIN_VOTE_SHARE - ROUNDING:
            by_group.setdefault(int(best[claim]), names[claim])
    return by_group


def _sum_votes(ballots: list[Ballot], n_groups: int) -> tuple[tuple[str, ...], FloatArray]:
    """Return all names, and names × groups: the number of voters of each name in each group."""
    row: dict[str, int] = {}
    for name in (name for _, names in ballots for name in names):
        row.setdefault(name, len(row))
    votes = np.zeros((len(row), n_groups))
    for part, names in ballots:
        # A ballot has each name once, so that += reaches every row.
        votes[[row[name] for name in names]] += part
    return tuple(row), votes


def _centre_ballots(labels: Labels, n_groups: int, guidance: Guidance | None) -> Iterator[Ballot]:
    """Yield the votes of labelled objects of the centre and of those in categories."""
    groups = one_hot(labels, n_groups)
    if guidance is not None and guidance.labels is not None:
        labelled = one_hot(guidance.labels, len(guidance.label_names))
        yield (labelled.T @ groups).toarray(), guidance.label_names
    if guidance is not None and guidance.seeds is not None:
        yield ((guidance.seeds.matrix > 0).T @ groups).toarray(), guidance.seeds.categories


def _type_ballots(
    tables: Mapping[str, sparse.csr_array], of_types: Mapping[str, Guidance]
) -> Iterator[Ballot]:
    """Yield the votes of words and other objects in categories."""
    for kind, guidance in of_types.items():
        if guidance.seeds is not None and kind in tables:
            yield _spread_votes(guidance.seeds, tables[kind]), guidance.seeds.categories


def _spread_votes(seeds: Seeds, table: sparse.csr_array) -> FloatArray:
    """Give every object one vote, spread over the groups like its occurrences."""
    used = np.flatnonzero(np.diff(seeds.matrix.indptr))
    spread = _row_shares(table[:, used].toarray().T)
    return np.asarray((seeds.matrix[used] > 0).T @ spread, dtype=np.float64)


def _row_shares(table: FloatArray) -> FloatArray:
    total = table.sum(axis=1, keepdims=True)
    return np.asarray(table / np.where(total > 0, total, 1.0), dtype=np.float64)
