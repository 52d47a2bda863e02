"""Why a document is in its group: the words, objects and links that decided it against the runner-up.

The links of one object in sentences, each with the strength by which it draws it to its group.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate import registry
from colligate.errors import InputError
from colligate.knowledge.names import parse_position
from colligate.knowledge.text import format_count
from colligate.result.groups import find_labels, find_runner_up, find_type, name_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.knowledge.guidance import GroupLinks, Guidance, PairLinks
    from colligate.network import ObjectType
    from colligate.result.result import Result

    Floats = NDArray[np.float64]
    Evidence = tuple[tuple[str, str, float], ...]
    Told = tuple[str, float]

# the family of the methods in whose objective objects of one category are linked
LINK_FAMILY = "information"


@dataclass(frozen=True)
class Why:
    """The reasons for one document's group.

    `words` holds (word, evidence): what all occurrences of the word add to the score of the group, less what
    they add to the runner-up's. `links` holds (sentence, pull): the strength with which the link draws the
    document to its group (positive) or to the runner-up (negative). `objects` holds (type, name, evidence)
    of the objects of further types, as `words` does.
    """

    document: str
    group: int
    runner_up: int
    words: tuple[tuple[str, float], ...]
    links: tuple[tuple[str, float], ...]
    objects: tuple[tuple[str, str, float], ...] = ()


def explain_object(result: Result, document: str | int, limit: int = 12, kind: str | None = None) -> Why:
    """Explain the group of a document, given by id or position; the strongest `limit` reasons of each sort.

    Of an object of another `kind` the links alone are told.
    """
    kind = kind or result.centre
    labels, own = find_labels(result, kind), find_type(result, kind)
    position = find_object(own, document)
    group = int(labels[position])
    rival = _find_rival(result, kind, position, group)
    links = describe_links(result, kind, position, group, rival)
    if group >= 0:
        links = sorted(links, key=lambda link: -abs(link[1]))
    evidence = _collect_evidence(result, position, group, rival) if kind == result.centre else ()
    words = tuple((name, value) for type_name, name, value in evidence if type_name == result.terms)
    objects = tuple(part for part in evidence if part[0] != result.terms)
    name = name_object(own.names, kind, position)
    return Why(name, group, rival, words[:limit], tuple(links[:limit]), objects[:limit])


def list_evidence(
    result: Result, positions: NDArray[np.int64], limit: int
) -> list[tuple[tuple[str, float], ...]]:
    """What decided for each of some documents, without the links: for lists of examples."""
    found: list[tuple[tuple[str, float], ...]] = []
    for position in positions.tolist():
        group = int(result.labels[result.centre][position])
        rival = _find_rival(result, result.centre, position, group)
        found.append(
            tuple(
                (name, value) for _, name, value in _collect_evidence(result, position, group, rival)[:limit]
            )
        )
    return found


def find_object(kind: ObjectType, name: str | int) -> int:
    """The position of an object: text is a name, a whole number a position, as in knowledge."""
    one, names = kind.singular, kind.names
    if isinstance(name, str) and not isinstance(names, range):
        try:
            return names.index(name)
        except ValueError:
            raise InputError(f"there is no {one} {name!r} in this result; ids are case-sensitive") from None
    position = parse_position(name, len(names)) if isinstance(name, str) else name
    if _is_integer(position) and 0 <= position < len(names):
        return int(position)
    raise InputError(
        f"there is no {one} {name!r} in this result; "
        f"give an id as text, or a position from 0 to {len(names) - 1} as a whole number"
    )


def _is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _find_rival(result: Result, kind: str, position: int, group: int) -> int:
    """The second-best group; memberships that vanish in storage are settled by the method's own scores."""
    if group < 0 or kind not in result.memberships:
        return -1
    row = slice(position, position + 1)
    known = int(find_runner_up(result.labels[kind][row], result.memberships[kind][row])[0])
    if known >= 0 or result.n_groups(kind) < 2 or kind != result.centre:
        return known
    matrix = result.neighbourhood.matrix[[position]]
    scores = np.array(
        registry.find_method(result.method).predict_scores(result.model, matrix)[0], dtype=np.float64
    )
    scores[group] = -np.inf
    return int(scores.argmax())


def _collect_evidence(result: Result, position: int, group: int, rival: int) -> Evidence:
    """Type, name and evidence of everything the document is related to, the strongest first."""
    matrix = result.neighbourhood.matrix
    start, end = matrix.indptr[position], matrix.indptr[position + 1]
    columns = matrix.indices[start:end].astype(np.int64)
    if columns.size == 0 or rival < 0:
        return ()
    table = registry.find_method(result.method).evidence(result.model, columns, matrix.data[start:end])
    value = table[:, group] - table[:, rival]
    found = [
        (kind, name_object(result.network.types[kind].names, kind, at), total)
        for kind, at, total in _sum_by_object(result, columns, value)
        if total
    ]
    return tuple(sorted(found, key=lambda part: -abs(part[2])))


def _sum_by_object(
    result: Result, columns: NDArray[np.int64], value: Floats
) -> Iterator[tuple[str, int, float]]:
    """The evidence of each object by type and position, summed where several relations lead to it."""
    parts = result.neighbourhood.parts
    for kind in dict.fromkeys(part.other for part in parts):
        inside = [(columns >= part.start) & (columns < part.stop) for part in parts if part.other == kind]
        starts = [part.start for part in parts if part.other == kind]
        at = np.concatenate([columns[own] - start for own, start in zip(inside, starts, strict=True)])
        objects, place = np.unique(at, return_inverse=True)
        sums = np.bincount(
            place, weights=np.concatenate([value[own] for own in inside]), minlength=objects.size
        )
        yield from zip([kind] * objects.size, objects.tolist(), sums.tolist(), strict=True)


def describe_links(result: Result, kind: str, position: int, group: int, rival: int) -> list[Told]:
    """Every link of an object; its pull is negative where it draws to the rival."""
    guidance = result.compiled.guidance.get(kind) if result.compiled is not None else None
    if guidance is None:
        return []
    labels = guidance.label_groups()
    implied = (*guidance.groups, *(() if labels is None else (labels,)))
    return [
        *_describe_pairs(result, kind, guidance.pairs, position, group, rival),
        *(
            told
            for groups in implied
            for told in _describe_group_links(result, kind, groups, position, group, rival)
        ),
        *_describe_categories(result, kind, _list_category_links(result, guidance), position, group, rival),
    ]


def _list_category_links(result: Result, guidance: Guidance) -> tuple[GroupLinks, ...]:
    """The categories as links, where the method takes them so; to others they are something else."""
    if guidance.seeds is None or registry.find_method(result.method).family != LINK_FAMILY:
        return ()
    return guidance.seed_groups()


def _describe_pairs(
    result: Result, kind: str, pairs: PairLinks, position: int, group: int, rival: int
) -> Iterator[Told]:
    names, labels = result.network.types[kind].names, result.labels[kind]
    for at in np.flatnonzero((pairs.left == position) | (pairs.right == position)).tolist():
        partner = int(pairs.left[at] + pairs.right[at] - position)
        how = "together with" if pairs.sign[at] > 0 else "apart from"
        side = int(pairs.sign[at]) * _side(int(labels[partner]), group, rival)
        sentence = f"belongs {how} {name_object(names, kind, partner)}, which is "
        yield (
            sentence + _describe_place(result, kind, int(labels[partner]), group),
            side * float(pairs.strength[at]),
        )


def _describe_group_links(
    result: Result, kind: str, groups: GroupLinks, position: int, group: int, rival: int
) -> Iterator[Told]:
    labels = result.labels[kind]
    for own in np.unique(groups.group[groups.member == position]).tolist():
        strangers = np.setdiff1d(groups.member[groups.group != own], [position])
        for strength, others, words in (
            (
                groups.together,
                _find_members(groups, own, position),
                "together with {} of the same group {!r}",
            ),
            (-groups.apart, strangers, "apart from {} of other groups than {!r}"),
        ):
            if strength and others.size:
                lead = _measure_lead(labels[others], group, rival)
                told = words.format(format_count(others.size, kind), groups.names[own])
                yield _make_sentence(told, labels[others], group), strength * lead if lead else 0.0


def _describe_categories(
    result: Result, kind: str, levels: tuple[GroupLinks, ...], position: int, group: int, rival: int
) -> Iterator[Told]:
    """One sentence for each category of an object; its levels, nested in each other, pull together."""
    labels = result.labels[kind]
    within = [np.unique(level.group[level.member == position]).tolist() for level in levels]
    for own in within[0] if within else ():
        fellows = _find_members(levels[0], own, position)
        pull = sum(
            level.together * _measure_lead(labels[_find_members(level, own, position)], group, rival)
            for level, categories in zip(levels, within, strict=True)
            if own in categories
        )
        if fellows.size:
            count = format_count(fellows.size, kind)
            told = f"together with {count} in the same category {levels[0].names[own]!r}"
            yield _make_sentence(told, labels[fellows], group), pull


def _find_members(groups: GroupLinks, own: int, position: int) -> NDArray[np.int64]:
    return np.setdiff1d(groups.member[groups.group == own], [position])


def _measure_lead(places: NDArray[np.int32], group: int, rival: int) -> int:
    """How many more are in the group than in its rival."""
    return _count_in(places, group) - _count_in(places, rival)


def _count_in(places: NDArray[np.int32], group: int) -> int:
    return int(np.sum(places == group)) if group >= 0 else 0


def _make_sentence(words: str, places: NDArray[np.int32], group: int) -> str:
    return f"belongs {words}; {_count_in(places, group):,} of them in this group"


def _side(place: int, group: int, rival: int) -> int:
    return 0 if place < 0 else int(place == group) - int(place == rival)


def _describe_place(result: Result, kind: str, place: int, group: int) -> str:
    if place < 0:
        return "in no group"
    return "in the same group" if place == group else f"in {result.names_of(kind)[place]!r}"
