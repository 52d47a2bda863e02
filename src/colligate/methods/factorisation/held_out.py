"""Links to learn from and pairs to judge by, with no object in both: what was fitted cannot judge itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.knowledge import Guidance

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

FOLDS = 5
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
    """Each part of the linked objects judged by the others; all by all where that leaves a sign out."""
    part = _parts(links)
    found = [Split(_among(links, part != n), _pairs(_among(links, part == n))) for n in range(FOLDS)]
    if len(np.unique(np.concatenate([split.pairs.target for split in found]))) < 2:
        return (Split(links, _pairs(links)),)
    return tuple(split for split in found if len(split.pairs.target))


def _parts(links: Guidance) -> Ints:
    """Which part each object is in.

    Objects that chains of listed links connect stay in one part, so that no link is lost between two, unless
    they are too many or there are groups.
    """
    rng, pairs, size = np.random.default_rng(0), links.pairs, links.size
    graph = coo_array((np.ones(len(pairs)), (pairs.left, pairs.right)), shape=(size, size))
    n_chains, chain = connected_components(graph, directed=False)
    members = np.bincount(chain)
    if links.groups or FOLDS * members.max() > members[members > 1].sum():
        return np.asarray(rng.permutation(size) % FOLDS)
    return np.asarray((rng.permutation(n_chains) % FOLDS)[chain])


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
