"""The links of one type, compiled so that label updates and energies need no list of implied pairs.

A broken link costs weight·strength·KLs (together) or weight·strength·(2·D_max − KLs) (apart), KLs the
symmetric divergence of its two objects. Implied pairs enter through sums over groups (see
`kernels.fast.link_moves`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.kernels import Links, Rows
from colligate.methods.information.divergence import Divergences, divergences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.knowledge import GroupLinks, Guidance, PairLinks
    from colligate.methods.information.sides import Side

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinkedPairs:
    """Listed links between linked objects, with what each costs when it is broken."""

    left: Ints
    right: Ints
    together: NDArray[np.bool_]
    cost: Floats
    statement: Ints


@dataclass(frozen=True, eq=False)
class GroupMembers:
    """Who is in which group of which set, ordered by object; groups and slots number through all sets."""

    owner: Ints
    set: Ints
    group: Ints
    statement: Ints
    n_sets: int
    n_groups: int
    n_slots: int


@dataclass(frozen=True, eq=False)
class SideLinks:
    """All links of one type. `where` are the linked objects; everything else counts positions in `where`."""

    where: Ints
    rows: Rows
    kernel: Links
    n_columns: int
    pairs: LinkedPairs
    members: GroupMembers
    component: Ints

    def order(self, rng: np.random.Generator) -> Ints:
        """A seeded order of the linked objects in which those tied together follow each other.

        It depends on which objects are tied, not on whether the ties are listed or implied.
        """
        rank = rng.permutation(len(self.where))
        first = np.full(self.component.max(initial=-1) + 1, len(rank))
        np.minimum.at(first, self.component, rank)
        return np.lexsort((rank, first[self.component]))


def make_links(side: Side, guidance: Guidance, weight: float, kernels: Kernels) -> SideLinks | None:
    """Compile the links of one type; None if there are none. `weight` is what one unit of strength costs."""
    groups = tuple(g for g in guidance.groups if len(g.member) and (g.together or g.apart))
    if not len(guidance.pairs) and not groups:
        return None
    where = np.unique(
        np.concatenate([guidance.pairs.left, guidance.pairs.right, *(g.member for g in groups)])
    )
    position = np.full(guidance.size, -1, dtype=np.int64)
    position[where] = np.arange(len(where))
    smoothed = divergences(side)
    bare, n_columns = _objects(side, where, smoothed)
    members, slots, member_start = _memberships(groups, position, bare, n_columns)
    apart = weight * np.array([g.apart for g in groups], dtype=np.float64)
    kernel = replace(
        bare,
        object_start=np.searchsorted(members.owner, np.arange(len(where) + 1)),
        member_set=members.set,
        member_group=members.group,
        member_start=member_start,
        slots=slots,
        together=weight * np.array([g.together for g in groups], dtype=np.float64),
        apart=apart,
        all_start=n_columns * (np.cumsum(apart > 0) - 1),
    )
    pairs = _pairs(guidance.pairs, position, kernel, weight, kernels)
    rows = Rows.of(sparse.csr_array(side.matrix()[where]))
    component = guidance.components()[where]
    return SideLinks(where, rows, _with_energies(kernel, pairs), n_columns, pairs, members, component)


def _objects(side: Side, where: Ints, smoothed: Divergences) -> tuple[Links, int]:
    """The smoothed rows of the linked objects over the columns that occur in them; no links yet."""
    x = side.rows
    shape = (len(x), x.n_columns)
    y = sparse.csr_array((smoothed.y, x.indices, x.indptr), shape=shape)[where]
    s = sparse.csr_array((smoothed.s, x.indices, x.indptr), shape=shape)[where]
    used, indices = np.unique(y.indices, return_inverse=True)
    links = replace(
        Links.of_pairs(sparse.csr_array((len(where), len(where)))),
        y=y.data,
        s=s.data,
        indices=indices.astype(np.int64),
        indptr=y.indptr.astype(np.int64),
        self_term=smoothed.self_term[where],
        twice_d_max=2.0 * smoothed.d_max,
    )
    return links, len(used)


def _memberships(
    groups: tuple[GroupLinks, ...], position: Ints, objects: Links, n_columns: int
) -> tuple[GroupMembers, Ints, Ints]:
    """Order all memberships by object, and number the groups and the (group, column) slots of all sets."""
    none = np.zeros(0, dtype=np.int64)
    sizes = np.array([int(g.group.max(initial=-1)) + 1 for g in groups], dtype=np.int64)
    first = np.cumsum(sizes) - sizes
    owner = np.concatenate([none, *(position[g.member] for g in groups)])
    number = np.repeat(np.arange(len(groups)), [len(g.member) for g in groups])
    group = np.concatenate([none, *(g.group for g in groups)]) + first[number]
    statement = np.concatenate([none, *(g.statement for g in groups)])
    order = np.lexsort((group, owner))
    owner, number, group = owner[order], number[order], group[order]
    length = np.diff(objects.indptr)[owner]
    start = np.cumsum(length) - length
    entry = np.arange(length.sum()) - np.repeat(start - objects.indptr[owner], length)
    key = np.repeat(group, length) * n_columns + objects.indices[entry]
    distinct, slots = np.unique(key, return_inverse=True)
    members = GroupMembers(
        owner, number, group, statement[order], len(groups), int(sizes.sum()), len(distinct)
    )
    return members, slots.astype(np.int64), start


def _pairs(pairs: PairLinks, position: Ints, objects: Links, weight: float, kernels: Kernels) -> LinkedPairs:
    left, right = position[pairs.left], position[pairs.right]
    together = pairs.sign > 0
    apartness = kernels.divergences(objects, left, right)
    cost = weight * pairs.strength * np.where(together, apartness, objects.twice_d_max - apartness)
    return LinkedPairs(left, right, together, cost, pairs.statement)


def _with_energies(links: Links, pairs: LinkedPairs) -> Links:
    """Add the listed pairs, symmetric: together lowers the cost of the partner's cluster, apart raises it."""
    n = len(links)
    energy = np.where(pairs.together, -pairs.cost, pairs.cost)
    ends = np.concatenate([pairs.left, pairs.right]), np.concatenate([pairs.right, pairs.left])
    matrix = sparse.coo_array((np.concatenate([energy, energy]), ends), shape=(n, n)).tocsr()
    return replace(
        links,
        neighbours=matrix.indices.astype(np.int64),
        neighbour_start=matrix.indptr.astype(np.int64),
        energy=matrix.data,
    )
