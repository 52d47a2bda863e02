"""Why a document is in its group: the words and links that decided it against the runner-up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate import registry
from colligate.errors import InputError
from colligate.knowledge.names import spelt_position
from colligate.result.naming import object_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from colligate.knowledge.guidance import GroupLinks, PairLinks
    from colligate.result.result import Result

DOCUMENTS = "documents"


@dataclass(frozen=True)
class Why:
    """The reasons for one document's group.

    `words` holds (word, evidence): what all occurrences of the word add to the score of the group, less what
    they add to the runner-up's. `links` holds (sentence, pull): the strength with which the link draws the
    document to its group (positive) or to the runner-up (negative).
    """

    document: str
    group: int
    runner_up: int
    words: tuple[tuple[str, float], ...]
    links: tuple[tuple[str, float], ...]


def why(result: Result, document: str | int, limit: int = 12) -> Why:
    """Explain the group of a document, given by id or position; the strongest `limit` words and links."""
    position = find_document(result.network.types[DOCUMENTS].names, document)
    name = object_name(result.network.types[DOCUMENTS].names, DOCUMENTS, position)
    group = int(result.labels[DOCUMENTS][position])
    if group < 0:
        return Why(name, -1, -1, (), tuple(_links(result, position, -1, -1))[:limit])
    rival = _runner_up(result, position, group)
    links = sorted(_links(result, position, group, rival), key=lambda link: -abs(link[1]))
    return Why(
        name, group, rival, _word_evidence(result, position, group, rival, limit), tuple(links[:limit])
    )


def word_evidence(
    result: Result, positions: NDArray[np.int64], limit: int
) -> list[tuple[tuple[str, float], ...]]:
    """The words that decided for each of some documents, without the links: for lists of examples."""
    found: list[tuple[tuple[str, float], ...]] = []
    for position in positions.tolist():
        group = int(result.labels[DOCUMENTS][position])
        rival = _runner_up(result, position, group) if group >= 0 else -1
        found.append(_word_evidence(result, position, group, rival, limit) if group >= 0 else ())
    return found


def find_document(names: Sequence[str] | range, document: str | int) -> int:
    """The position of a document: text is an id, a whole number a position, as in knowledge."""
    if isinstance(document, str) and not isinstance(names, range):
        try:
            return names.index(document)
        except ValueError:
            raise InputError(
                f"there is no document {document!r} in this result; ids are case-sensitive"
            ) from None
    position = spelt_position(document, len(names)) if isinstance(document, str) else document
    if _is_whole(position) and 0 <= position < len(names):
        return int(position)
    raise InputError(
        f"there is no document {document!r} in this result; "
        f"give an id as text, or a position from 0 to {len(names) - 1} as a whole number"
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _runner_up(result: Result, position: int, group: int) -> int:
    """The second-best group; memberships that vanish in storage are settled by the method's own scores."""
    known = int(result.runner_up[position])
    if known >= 0 or result.n_groups(DOCUMENTS) < 2:
        return known
    row = result.counts[[position]]
    scores = np.array(registry.find(result.method).scores(result.model, row)[0], dtype=np.float64)
    scores[group] = -np.inf
    return int(scores.argmax())


def _word_evidence(
    result: Result, position: int, group: int, rival: int, limit: int
) -> tuple[tuple[str, float], ...]:
    counts = result.counts
    start, end = counts.indptr[position], counts.indptr[position + 1]
    columns = counts.indices[start:end].astype(np.int64)
    if columns.size == 0 or rival < 0:
        return ()
    table = registry.find(result.method).evidence(result.model, columns, counts.data[start:end])
    value = table[:, group] - table[:, rival]
    best = np.lexsort((columns, -np.abs(value)))[: min(limit, np.count_nonzero(value))]
    words = result.network.types["words"].names
    return tuple((object_name(words, "words", int(columns[at])), float(value[at])) for at in best)


def _links(result: Result, position: int, group: int, rival: int) -> Iterator[tuple[str, float]]:
    guidance = result.compiled.guidance.get(DOCUMENTS) if result.compiled is not None else None
    if guidance is None:
        return
    yield from _pair_links(result, guidance.pairs, position, group, rival)
    labels = guidance.label_groups()
    for groups in (*guidance.groups, *(() if labels is None else (labels,))):
        yield from _group_links(result, groups, position, group, rival)


def _pair_links(
    result: Result, pairs: PairLinks, position: int, group: int, rival: int
) -> Iterator[tuple[str, float]]:
    names, labels = result.network.types[DOCUMENTS].names, result.labels[DOCUMENTS]
    for at in np.flatnonzero((pairs.left == position) | (pairs.right == position)).tolist():
        partner = int(pairs.left[at] + pairs.right[at] - position)
        how = "together with" if pairs.sign[at] > 0 else "apart from"
        side = int(pairs.sign[at]) * _side(int(labels[partner]), group, rival)
        sentence = f"belongs {how} {object_name(names, DOCUMENTS, partner)}, which is "
        yield sentence + _place(result, int(labels[partner]), group), side * float(pairs.strength[at])


def _group_links(
    result: Result, groups: GroupLinks, position: int, group: int, rival: int
) -> Iterator[tuple[str, float]]:
    labels = result.labels[DOCUMENTS]
    for own in np.unique(groups.group[groups.member == position]).tolist():
        fellows = np.setdiff1d(groups.member[groups.group == own], [position])
        strangers = np.setdiff1d(groups.member[groups.group != own], [position])
        for strength, others, words in (
            (groups.together, fellows, "belongs together with {} of the same group {!r}"),
            (-groups.apart, strangers, "belongs apart from {} of other groups than {!r}"),
        ):
            if strength and others.size:
                here, there = (int(np.sum(labels[others] == k)) if k >= 0 else 0 for k in (group, rival))
                sentence = words.format(_documents(others.size), groups.names[own])
                pull = strength * (here - there) if here != there else 0.0
                yield f"{sentence}; {here:,} of them in this group", pull


def _side(place: int, group: int, rival: int) -> int:
    return 0 if place < 0 else int(place == group) - int(place == rival)


def _place(result: Result, place: int, group: int) -> str:
    if place < 0:
        return "in no group"
    return "in the same group" if place == group else f"in {result.group_names[place]!r}"


def _documents(count: Any) -> str:
    return "1 document" if count == 1 else f"{count:,} documents"
