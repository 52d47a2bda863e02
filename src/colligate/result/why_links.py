"""The links of one object in sentences, each with the strength by which it draws it to its group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate import registry
from colligate.knowledge.wording import counted
from colligate.result.naming import object_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.knowledge.guidance import GroupLinks, Guidance, PairLinks
    from colligate.result.result import Result

    Told = tuple[str, float]

# the family of the methods in whose objective objects of one category are linked
LINKING = "information"


def linked(result: Result, kind: str, position: int, group: int, rival: int) -> list[Told]:
    """Every link of an object; its pull is negative where it draws to the rival."""
    guidance = result.compiled.guidance.get(kind) if result.compiled is not None else None
    if guidance is None:
        return []
    labels = guidance.label_groups()
    implied = (*guidance.groups, *(() if labels is None else (labels,)))
    return [
        *_pair_links(result, kind, guidance.pairs, position, group, rival),
        *(told for groups in implied for told in _group_links(result, kind, groups, position, group, rival)),
        *_category_links(result, kind, _linked_categories(result, guidance), position, group, rival),
    ]


def _linked_categories(result: Result, guidance: Guidance) -> tuple[GroupLinks, ...]:
    """The categories as links, where the method takes them so; to others they are something else."""
    if guidance.leanings is None or registry.find(result.method).family != LINKING:
        return ()
    return guidance.leaning_groups()


def _pair_links(
    result: Result, kind: str, pairs: PairLinks, position: int, group: int, rival: int
) -> Iterator[Told]:
    names, labels = result.network.types[kind].names, result.labels[kind]
    for at in np.flatnonzero((pairs.left == position) | (pairs.right == position)).tolist():
        partner = int(pairs.left[at] + pairs.right[at] - position)
        how = "together with" if pairs.sign[at] > 0 else "apart from"
        side = int(pairs.sign[at]) * _side(int(labels[partner]), group, rival)
        sentence = f"belongs {how} {object_name(names, kind, partner)}, which is "
        yield sentence + _place(result, kind, int(labels[partner]), group), side * float(pairs.strength[at])


def _group_links(
    result: Result, kind: str, groups: GroupLinks, position: int, group: int, rival: int
) -> Iterator[Told]:
    labels = result.labels[kind]
    for own in np.unique(groups.group[groups.member == position]).tolist():
        strangers = np.setdiff1d(groups.member[groups.group != own], [position])
        for strength, others, words in (
            (groups.together, _fellows(groups, own, position), "together with {} of the same group {!r}"),
            (-groups.apart, strangers, "apart from {} of other groups than {!r}"),
        ):
            if strength and others.size:
                lead = _lead(labels[others], group, rival)
                told = words.format(counted(others.size, kind), groups.names[own])
                yield _told_of(told, labels[others], group), strength * lead if lead else 0.0


def _category_links(
    result: Result, kind: str, levels: tuple[GroupLinks, ...], position: int, group: int, rival: int
) -> Iterator[Told]:
    """One sentence for each category of an object; its levels, nested in each other, pull together."""
    labels = result.labels[kind]
    within = [np.unique(level.group[level.member == position]).tolist() for level in levels]
    for own in within[0] if within else ():
        fellows = _fellows(levels[0], own, position)
        pull = sum(
            level.together * _lead(labels[_fellows(level, own, position)], group, rival)
            for level, categories in zip(levels, within, strict=True)
            if own in categories
        )
        if fellows.size:
            told = (
                f"together with {counted(fellows.size, kind)} in the same category {levels[0].names[own]!r}"
            )
            yield _told_of(told, labels[fellows], group), pull


def _fellows(groups: GroupLinks, own: int, position: int) -> NDArray[np.int64]:
    return np.setdiff1d(groups.member[groups.group == own], [position])


def _lead(places: NDArray[np.int32], group: int, rival: int) -> int:
    """How many more are in the group than in its rival."""
    return _number_in(places, group) - _number_in(places, rival)


def _number_in(places: NDArray[np.int32], group: int) -> int:
    return int(np.sum(places == group)) if group >= 0 else 0


def _told_of(words: str, places: NDArray[np.int32], group: int) -> str:
    return f"belongs {words}; {_number_in(places, group):,} of them in this group"


def _side(place: int, group: int, rival: int) -> int:
    return 0 if place < 0 else int(place == group) - int(place == rival)


def _place(result: Result, kind: str, place: int, group: int) -> str:
    if place < 0:
        return "in no group"
    return "in the same group" if place == group else f"in {result.names_of(kind)[place]!r}"
