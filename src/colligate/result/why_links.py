"""The links of one object in sentences, each with the strength by which it draws it to its group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.result.naming import object_name
from colligate.result.nouns import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.knowledge.guidance import GroupLinks, PairLinks
    from colligate.result.result import Result

    Told = tuple[str, float]


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
    ]


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
        fellows = np.setdiff1d(groups.member[groups.group == own], [position])
        strangers = np.setdiff1d(groups.member[groups.group != own], [position])
        for strength, others, words in (
            (groups.together, fellows, "belongs together with {} of the same group {!r}"),
            (-groups.apart, strangers, "belongs apart from {} of other groups than {!r}"),
        ):
            if strength and others.size:
                here, there = (int(np.sum(labels[others] == k)) if k >= 0 else 0 for k in (group, rival))
                sentence = words.format(counted(others.size, kind), groups.names[own])
                pull = strength * (here - there) if here != there else 0.0
                yield f"{sentence}; {here:,} of them in this group", pull


def _side(place: int, group: int, rival: int) -> int:
    return 0 if place < 0 else int(place == group) - int(place == rival)


def _place(result: Result, kind: str, place: int, group: int) -> str:
    if place < 0:
        return "in no group"
    return "in the same group" if place == group else f"in {result.names_of(kind)[place]!r}"
