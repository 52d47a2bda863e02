"""Links to learn from and pairs to judge by, with no object in both: what was fitted cannot judge itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.knowledge import Guidance

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# of implied links, so many are drawn to judge by; listed ones all count
DRAWN_LINKS = 20_000


class Pairs(NamedTuple):
    """Linked pairs; `target` is 1 for together and 0 for apart."""

    left: Ints
    right: Ints
    target: Floats


class Split(NamedTuple):
    """Links to learn from, and pairs of other objects."""

    links: Guidance
    pairs: Pairs


def splits(links: Guidance) -> tuple[Split, ...]:
    """Either half of the linked objects judged by the other; all by all where that leaves a sign out."""
    rng = np.random.default_rng(0)
    first = rng.permutation(links.size) % 2 == 0
    halves = [_among(links, chosen) for chosen in (first, ~first)]
    found = tuple(Split(one, _pairs(other)) for one, other in (halves, reversed(halves)))
    if all(len(np.unique(split.pairs.target)) == 2 for split in found):
        return found
    return (Split(links, _pairs(links)),)


def _among(links: Guidance, chosen: NDArray[np.bool_]) -> Guidance:
    """The links between chosen objects."""
    pairs = links.pairs
    both = chosen[pairs.left] & chosen[pairs.right]
    listed = replace(
        pairs,
        left=pairs.left[both],
        right=pairs.right[both],
        sign=pairs.sign[both],
        strength=pairs.strength[both],
        statement=pairs.statement[both],
    )
    groups = []
    for each in links.groups:
        own = chosen[each.member]
        member, group, statement = each.member[own], each.group[own], each.statement[own]
        groups.append(replace(each, member=member, group=group, statement=statement))
    return replace(links, pairs=listed, groups=tuple(groups))


def _pairs(links: Guidance) -> Pairs:
    """All pairs that are listed, and some that are implied."""
    rng = np.random.default_rng(0)
    parts = [(links.pairs.left, links.pairs.right, links.pairs.sign > 0)]
    for groups in (each for each in links.groups if len(each)):
        first, second = rng.integers(len(groups), size=(2, DRAWN_LINKS))
        same = groups.group[first] == groups.group[second]
        used = (groups.member[first] != groups.member[second]) & np.where(
            same, groups.together > 0, groups.apart > 0
        )
        parts.append((groups.member[first[used]], groups.member[second[used]], same[used]))
    left, right, together = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Pairs(left, right, together.astype(np.float64))
