"""The groups of any type: their names, who stands for them, and which groups of the centre they go with.

The documents that stand for a group: near its middle, long enough to read, and not the same text twice.

A short name for every group: what the user calls it where knowledge says so, else its own words.

The groups that knowledge names, by the votes of what it labels and of what leans to its categories.

How sure a result is of each document: its membership in its own group, and which group comes next.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colligate._array import one_hot
from colligate.errors import InputError
from colligate.knowledge.text import singular
from colligate.result.association import tabulate_objects, take_strongest, take_top

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from colligate.knowledge.guidance import Guidance, Seeds
    from colligate.network import ObjectType
    from colligate.result.result import Result


FloatArray = NDArray[np.float64]
ROUNDING = 1e-9
IntArray = NDArray[np.int64]
MIN_WORDS = 20
NEAR_DUPLICATE = 0.9
CANDIDATES_PER_EXAMPLE = 20
WORDS_IN_NAME = 3
EMPTY_GROUP = "empty"
Labels = NDArray[np.integer[Any]]
MIN_VOTE_SHARE = 0.5
SINGLE_VOTER = 1.5
CHUNK = 65_536


@dataclass(frozen=True)
class ObjectGroup:
    """One group of a type.

    `members` holds (name, strength), the strongest first. `goes_with` holds (group of the centre, share):
    which part of what the group's objects have to do with the centre falls there, for those where it is more
    than could be expected, the largest first.
    """

    number: int
    name: str
    size: int
    members: tuple[tuple[str, float], ...]
    goes_with: tuple[tuple[int, float], ...]


def find_type(result: Result, kind: str) -> ObjectType:
    """A type of the network, or who there is instead."""
    if kind not in result.network.types:
        raise InputError(
            f"there is no type {kind!r:.60} in this result; there are {', '.join(result.network.types)}"
        )
    return result.network.types[kind]


def find_labels(result: Result, kind: str) -> NDArray[np.int32]:
    """The groups of the objects of a type, or which types there are groups of."""
    find_type(result, kind)
    if kind not in result.labels:
        raise InputError(f"{result.method} does not group {kind}; it groups {', '.join(result.labels)}")
    return result.labels[kind]


def name_groups(result: Result, kind: str) -> tuple[str, ...]:
    """A unique name for every group of a type; none where the method does not group it."""
    if kind == result.centre:
        return result.group_names
    own = find_type(result, kind)
    if kind not in result.labels:
        return ()
    return name_by_members(result.labels[kind], result.n_groups(kind), measure_strengths(result, kind), own)


def name_centre_groups(result: Result) -> tuple[str, ...]:
    """A unique name for every group of the centre, as knowledge calls it or by what it has most of."""
    labels, reach = result.labels[result.centre], result.object_tables[result.terms]
    claims, terms = find_named_groups(result), find_type(result, result.terms)
    return name_by_terms(labels, reach.scores, terms, claims, table=reach.counts)


def find_named_groups(result: Result) -> dict[int, str]:
    """Return the names that the knowledge gives to groups of the centre, by the votes of its members."""
    if result.compiled is None:
        return {}
    guidance = dict(result.compiled.guidance)
    own = guidance.pop(result.centre, None)
    tables = {kind: reach.counts for kind, reach in result.object_tables.items()}
    return elect_names(result.labels[result.centre], result.n_groups(), tables, own, guidance)


def find_groups_by_name(result: Result) -> dict[str, int]:
    """Return the group of each name in the knowledge: as the method bound it, or else by votes."""
    if result.named_groups:
        return dict(result.named_groups)
    return {name: group for group, name in find_named_groups(result).items()}


def name_groups_before(result: Result) -> tuple[str, ...]:
    """A unique name for every group of the run without knowledge; none where it was not made."""
    if result.before is None or result.centre not in result.before:
        return ()
    labels = result.before[result.centre]
    reach = tabulate_objects(labels, result.n_groups(), result.counts)
    return name_by_terms(labels, reach.scores, find_type(result, result.terms), table=reach.counts)


def list_top_objects(result: Result, kind: str, limit: int) -> list[list[tuple[str, float]]]:
    """The objects of a type that tell each group of the centre apart, with their scores, best first."""
    own = find_type(result, kind)
    if kind not in result.object_tables:
        return [[] for _ in range(result.n_groups())]
    return [
        [(name_object(own.names, kind, at), float(value)) for at, value in zip(*part, strict=True)]
        for part in take_top(result.object_tables[kind].scores, limit)
    ]


def describe_groups(result: Result, kind: str, limit: int) -> tuple[ObjectGroup, ...]:
    """Every group of a type with its strongest members."""
    own, labels = find_type(result, kind), find_labels(result, kind)
    count, strength = result.n_groups(kind), measure_strengths(result, kind)
    sizes = np.bincount(labels[labels >= 0], minlength=count)
    members = take_strongest(labels, count, strength, limit)
    return tuple(
        ObjectGroup(
            number=number,
            name=name,
            size=int(sizes[number]),
            members=tuple((name_object(own.names, kind, at), float(strength[at])) for at in part.tolist()),
            goes_with=goes_with,
        )
        for number, (name, part, goes_with) in enumerate(
            zip(name_groups(result, kind), members, _list_centre_groups(result, kind), strict=True)
        )
    )


def measure_strengths(result: Result, kind: str) -> FloatArray:
    """How well each object stands for its group: what it says about the centre, times its membership.

    Of the terms the first alone counts. Objects that no way leads to have their membership alone.
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
    count = result.n_groups(kind)
    if kind not in result.object_tables or kind == result.centre:
        return [()] * count
    mass = np.asarray((result.object_tables[kind].counts @ one_hot(result.labels[kind], count)).todense())
    shares = mass / np.maximum(mass.sum(axis=0), np.finfo(np.float64).tiny)
    expected = mass.sum(axis=1) / max(mass.sum(), np.finfo(np.float64).tiny)
    more = shares > expected[:, None] * (1 + ROUNDING)
    return [
        tuple((k, float(column[k])) for k in np.argsort(-column, kind="stable").tolist() if above[k])
        for column, above in zip(shares.T, more.T, strict=True)
    ]


def choose_representatives(
    labels: NDArray[np.integer[Any]],
    n_groups: int,
    confidence: FloatArray,
    counts: sparse.csr_array,
    texts: Sequence[str] | None = None,
    limit: int = 5,
) -> list[IntArray]:
    """The positions of the documents that stand for each group, best first.

    A document stands for its group by its confidence times the cosine of its words (logarithms of counts, by
    idf) to the group's mean; documents with enough words come before the others. A document nearly the same
    as one already chosen is passed over, so fewer than `limit` may come back.
    """
    order, starts = _sort_by_group(labels, n_groups)
    lengths = np.asarray(counts.sum(axis=1, dtype=np.float64))
    standing = confidence * _measure_closeness(labels, n_groups, counts)
    chosen = []
    for start, end in itertools.pairwise(starts):
        members = order[start:end]
        ranked = members[_rank(standing[members], lengths[members])][: limit * CANDIDATES_PER_EXAMPLE]
        chosen.append(_skip_duplicates(ranked, counts, texts, limit))
    return chosen


def _sort_by_group(labels: NDArray[np.integer[Any]], n_groups: int) -> tuple[IntArray, IntArray]:
    order = np.argsort(labels, kind="stable")
    return order, np.searchsorted(labels[order], np.arange(n_groups + 1))


def _measure_closeness(
    labels: NDArray[np.integer[Any]], n_groups: int, counts: sparse.csr_array
) -> FloatArray:
    """The cosine of each document to the mean of its group; 0 for a document in none."""
    unit = counts.astype(np.float64)
    idf = np.log(counts.shape[0] / np.maximum(np.bincount(counts.indices, minlength=counts.shape[1]), 1))
    unit.data = np.log1p(unit.data) * idf[unit.indices]
    norms = np.sqrt(np.asarray(unit.multiply(unit).sum(axis=1)))
    unit.data /= np.repeat(np.where(norms > 0, norms, 1.0), np.diff(unit.indptr))
    inside = np.flatnonzero(labels >= 0)
    shape = (n_groups, labels.size)
    means = (sparse.csr_array((np.ones(inside.size), (labels[inside], inside)), shape=shape) @ unit).toarray()
    means /= np.maximum(np.sqrt((means**2).sum(axis=1, keepdims=True)), 1e-300)
    owner = np.repeat(np.maximum(labels, 0), np.diff(unit.indptr))
    row = np.repeat(np.arange(labels.size), np.diff(unit.indptr))
    found = np.bincount(row, weights=unit.data * means[owner, unit.indices], minlength=labels.size)
    return np.where(labels >= 0, found, 0.0)


def _rank(standing: FloatArray, lengths: FloatArray) -> IntArray:
    if lengths.size == 0:
        return np.zeros(0, dtype=np.int64)
    short = lengths < min(MIN_WORDS, max(float(np.median(lengths)), 1.0))
    return np.lexsort((np.arange(lengths.size), -np.round(standing, 9), short))


def _skip_duplicates(
    ranked: IntArray, counts: sparse.csr_array, texts: Sequence[str] | None, limit: int
) -> IntArray:
    rows = counts[ranked].astype(np.float64)
    norms = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)))
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


def name_object(names: Sequence[str] | range, kind: str, position: int) -> str:
    """The name of an object; `word 7` for objects that are only known by position."""
    return f"{singular(kind)} {position}" if isinstance(names, range) else names[position]


def name_by_terms(
    labels: Labels,
    scores: sparse.csr_array,
    terms: ObjectType,
    claims: Mapping[int, str] | None = None,
    *,
    table: sparse.csr_array,
) -> tuple[str, ...]:
    """A unique name for each group of documents: `space: orbit, nasa, launch`, or just the top words.

    A group that no word tells apart, such as one of all documents, is named by its most frequent words, which
    `table` counts.
    """
    sizes = np.bincount(labels[labels >= 0], minlength=scores.shape[0])
    frequent = take_top(table, WORDS_IN_NAME)
    best = [
        own if own.size else often
        for (own, _), (often, _) in zip(take_top(scores, WORDS_IN_NAME), frequent, strict=True)
    ]
    found = []
    for number, columns in enumerate(best):
        own = _list_names(columns, terms) or (f"no {terms.name}" if sizes[number] else EMPTY_GROUP)
        claim = (claims or {}).get(number)
        # answers about a group without a name claim its words
        found.append(own if claim in (None, own) else f"{claim}: {own}")
    return _make_unique(found)


def name_by_members(
    labels: Labels, n_groups: int, strengths: FloatArray, kind: ObjectType
) -> tuple[str, ...]:
    """A unique name for each group of words, or of objects of another type: its three strongest members."""
    members = take_strongest(labels, n_groups, strengths, WORDS_IN_NAME)
    return _make_unique(_list_names(part, kind) or EMPTY_GROUP for part in members)


def _list_names(positions: NDArray[np.int64], kind: ObjectType) -> str:
    return ", ".join(name_object(kind.names, kind.name, at) for at in positions.tolist())


def _make_unique(names: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for number, name in enumerate(names):
        unique = name
        while unique in found:
            unique = f"{unique} ({number})"
        found[unique] = None
    return tuple(found)


def elect_names(
    labels: Labels,
    n_groups: int,
    tables: Mapping[str, sparse.csr_array],
    own: Guidance | None,
    others: Mapping[str, Guidance],
) -> dict[int, str]:
    """The groups that knowledge names: at least half of a name's voters sit there, and more than elsewhere.

    The voters of a name are the documents labelled with it, and the documents, words and objects of any type
    of its category: `own` is the guidance of what is grouped, `others` that of the other types, of which
    `tables` say how often each group has them. Where names meet in a group, the one with the largest share of
    its voters there wins (a label, of equals); a name with a single voter comes after all others. A group
    takes one name.
    """
    ballots = [*_centre_ballots(labels, n_groups, own), *_type_ballots(tables, others)]
    names, votes = _sum_votes(ballots, n_groups)
    if not names:
        return {}
    voters, shares = votes.sum(axis=1), _row_shares(votes)
    best, share = shares.argmax(axis=1), shares.max(axis=1)
    clear = np.sum(shares >= share[:, None] - ROUNDING, axis=1) == 1
    by_group: dict[int, str] = {}
    for claim in np.lexsort((np.arange(len(names)), -share, voters < SINGLE_VOTER)).tolist():
        if clear[claim] and share[claim] >= MIN_VOTE_SHARE - ROUNDING:
            by_group.setdefault(int(best[claim]), names[claim])
    return by_group


def _sum_votes(
    ballots: list[tuple[FloatArray, tuple[str, ...]]], n_groups: int
) -> tuple[tuple[str, ...], FloatArray]:
    """All names, and names × groups: how many voters of each name sit where."""
    place: dict[str, int] = {}
    for name in (name for _, names in ballots for name in names):
        place.setdefault(name, len(place))
    votes = np.zeros((len(place), n_groups))
    for part, names in ballots:
        votes[[place[name] for name in names]] += part
    return tuple(place), votes


def _centre_ballots(
    labels: Labels, n_groups: int, own: Guidance | None
) -> Iterator[tuple[FloatArray, tuple[str, ...]]]:
    """The votes by labels and by categories of what is grouped."""
    groups = one_hot(labels, n_groups)
    if own is not None and own.labels is not None:
        known = one_hot(own.labels, len(own.label_names))
        yield (known.T @ groups).toarray(), own.label_names
    if own is not None and own.seeds is not None:
        yield ((own.seeds.matrix > 0).T @ groups).toarray(), own.seeds.categories


def _type_ballots(
    tables: Mapping[str, sparse.csr_array], others: Mapping[str, Guidance]
) -> Iterator[tuple[FloatArray, tuple[str, ...]]]:
    """The votes by categories of the other types."""
    for kind, guidance in others.items():
        if guidance.seeds is not None and kind in tables:
            yield _spread_votes(guidance.seeds, tables[kind]), guidance.seeds.categories


def _spread_votes(seeds: Seeds, table: sparse.csr_array) -> FloatArray:
    """Every word has one vote, however frequent it is, spread over the groups as its occurrences are."""
    used = np.flatnonzero(np.diff(seeds.matrix.indptr))
    spread = _row_shares(table[:, used].toarray().T)
    return np.asarray((seeds.matrix[used] > 0).T @ spread, dtype=np.float64)


def _row_shares(table: FloatArray) -> FloatArray:
    total = table.sum(axis=1, keepdims=True)
    return np.asarray(table / np.where(total > 0, total, 1.0), dtype=np.float64)


def measure_confidence(labels: Labels, memberships: NDArray[np.floating[Any]]) -> FloatArray:
    """The membership of each object in its own group; 0 for objects in no group."""
    own = memberships[np.arange(labels.size), np.maximum(labels, 0)].astype(np.float64)
    return np.where(labels >= 0, own, 0.0)


def find_runner_up(labels: Labels, memberships: NDArray[np.floating[Any]]) -> NDArray[np.int32]:
    """The group each object would be in otherwise; -1 where no other group has any membership."""
    found = np.full(labels.size, -1, dtype=np.int32)
    if memberships.shape[1] < 2:
        return found
    for start in range(0, labels.size, CHUNK):
        part = labels[start : start + CHUNK]
        others = np.array(memberships[start : start + CHUNK])
        others[np.arange(part.size), np.maximum(part, 0)] = 0
        best = others.argmax(axis=1)
        some = (part >= 0) & (others[np.arange(part.size), best] > 0)
        found[start : start + CHUNK] = np.where(some, best, -1)
    return found


def average_confidence(labels: Labels, n_groups: int, values: FloatArray) -> FloatArray:
    """The mean confidence of each group; 0 for an empty one."""
    inside = labels >= 0
    sizes = np.bincount(labels[inside], minlength=n_groups)
    sums = np.bincount(labels[inside], weights=values[inside], minlength=n_groups)
    return np.asarray(sums / np.maximum(sizes, 1), dtype=np.float64)
