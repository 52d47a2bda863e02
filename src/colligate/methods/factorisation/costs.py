"""What each statement of knowledge costs at some memberships: the penalties, shared out among statements.

A listed link has its own cost. The cost of an implied link is halved between the memberships that imply it,
the cost of an anchored object split evenly among the categories it was told. The costs of all statements add
up to the penalty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.factorisation.penalty import Anchor, LinkPenalty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.knowledge import GroupLinks
    from colligate.methods.factorisation.penalty import Penalty

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


def statement_costs(penalty: Penalty, G: Floats, n_statements: int) -> Floats:
    """The cost of each statement behind a penalty."""
    costs = np.zeros(n_statements)
    for statement, cost in _shares(penalty, G):
        said = statement >= 0
        np.add.at(costs, statement[said], cost[said])
    return costs


def _shares(penalty: Penalty, G: Floats) -> Iterator[tuple[Ints, Floats]]:
    for part in penalty.asked:
        if isinstance(part, Anchor):
            yield _of_anchors(part, G)
        elif isinstance(part, LinkPenalty):
            yield from _of_links(part, G)


def _of_anchors(part: Anchor, G: Floats) -> tuple[Ints, Floats]:
    whole = part.weight * np.square(G[part.known] - part.target).sum(axis=1)
    told = np.bincount(part.owner, minlength=len(part.known))
    return part.statement, (whole / told)[part.owner]


def _of_links(part: LinkPenalty, G: Floats) -> Iterator[tuple[Ints, Floats]]:
    pairs, scale = part.guidance.pairs, part.scale.ravel()
    left, right = G[pairs.left], G[pairs.right]
    differ, shared = np.square(left - right).sum(axis=1), 2.0 * (left * right).sum(axis=1)
    strength = part.weight * pairs.strength * scale[pairs.left] * scale[pairs.right]
    yield pairs.statement, strength * np.where(pairs.sign > 0, differ, shared)
    for links in part.guidance.groups:
        yield links.statement, part.weight * _of_members(links, scale, G)


def _of_members(links: GroupLinks, scale: Floats, G: Floats) -> Floats:
    """Half of what each membership's implied links cost, by sums over groups.

    Over the members j of a group, Σ scale_j·‖g_i − g_j‖² needs the sums of scale, scale·g and scale·‖g‖²
    alone; the links apart need the sums of scale·g over all other groups.
    """
    member, group, n_groups = links.member, links.group, len(links.names)
    own, weight = G[member], scale[member]
    length = np.square(own).sum(axis=1)
    mass, lengths = (np.bincount(group, values, n_groups) for values in (weight, weight * length))
    sums = np.zeros((n_groups, G.shape[1]))
    np.add.at(sums, group, weight[:, None] * own)
    inside = (own * sums[group]).sum(axis=1)
    differ = length * mass[group] - 2.0 * inside + lengths[group]
    others = np.bincount(member, minlength=len(G))[member] - 1.0
    shared = own @ sums.sum(axis=0) - inside - others * weight * length
    return np.asarray(weight * (0.5 * links.together * differ + links.apart * shared))
