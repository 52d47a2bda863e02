"""The links of one type, compiled so that label updates and energies need no list of implied pairs.

A broken link costs weight·strength·KLs (together) or weight·strength·(2·D_max − KLs) (apart), KLs the
symmetric divergence of its two objects. Implied pairs enter through sums over groups (see
`kernels.fast.group_links`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from colligate.errors import NumericalError
from colligate.kernels import Links, Rows, with_groups, with_pairs
from colligate.methods.information.divergence import Divergences, divergences

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from colligate.kernels import Kernels, LinkTables
    from colligate.knowledge import GroupLinks, Guidance, PairLinks
    from colligate.methods.information.sides import Side
    from colligate.methods.state import Labels

    Ints = NDArray[np.int64]
    SmallInts = NDArray[np.int32]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinkedPairs:
    """Listed links between linked objects, with what each costs when it is broken."""

    left: SmallInts
    right: SmallInts
    together: NDArray[np.bool_]
    cost: Floats
    statement: Ints


@dataclass(frozen=True, eq=False)
class GroupMembers:
    """Who is in which group of which set, ordered by object; groups are numbered through all sets."""

    owner: SmallInts
    set: SmallInts
    group: SmallInts
    statement: Ints


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
    kernels: Kernels
    _known: deque[LinkTables] = field(default_factory=lambda: deque(maxlen=2), repr=False)

    def tables(self, labels: Labels, n_clusters: int | None = None) -> LinkTables:
        """What labels make of the links; the last two are remembered, and what they share with new labels.

        Without a number of clusters, there are as many as the labels name.
        """
        for known in self._known:
            if n_clusters in (None, known.n_clusters) and np.array_equal(known.labels, labels):
                return known
        if n_clusters is None:
            n_clusters = int(labels.max(initial=0)) + 1
        nearest = min(self._known, key=lambda known: np.count_nonzero(known.labels != labels), default=None)
        return self._keep(self.kernels.link_tables(self.kernel, labels, n_clusters, nearest))

    def settled(self, labels: Labels, cost: Floats, order: Ints, max_rounds: int) -> Labels:
        """The labels after iterated conditional modes; `cost` (objects × clusters) is that before links."""
        if not np.isfinite(cost).all():
            raise NumericalError(
                "the scores of linked objects are not finite; this is a defect, please report it"
            )
        found = labels.copy()
        tables = self.tables(labels, cost.shape[1])
        self._keep(self.kernels.settle(self.kernel, tables, cost, found, order, max_rounds))
        return found

    def _keep(self, tables: LinkTables) -> LinkTables:
        if not all(np.isfinite(table.sum()) for table in (tables.pulled, tables.inside, tables.everywhere)):
            raise NumericalError("the costs of links are not finite; this is a defect, please report it")
        if not any(known is tables for known in self._known):
            self._known.append(tables)
        return tables

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

    def smoothed(where: Ints) -> Links:
        return _objects(side, where, divergences(side))

    return compiled_links(side.kind, side.matrix(), guidance, weight, kernels, smoothed)


def compiled_links(
    kind: str,
    matrix: sparse.csr_array,
    guidance: Guidance,
    weight: float,
    kernels: Kernels,
    objects: Callable[[Ints], Links],
) -> SideLinks | None:
    """The same for the rows of any matrix; `objects` tells how far the linked ones are from each other."""
    groups = tuple(g for g in guidance.groups if len(g.member) and (g.together or g.apart))
    if not len(guidance.pairs) and not groups:
        return None
    where = np.unique(
        np.concatenate([guidance.pairs.left, guidance.pairs.right, *(g.member for g in groups)])
    )
    position = np.full(guidance.size, -1, dtype=np.int32)
    position[where] = np.arange(len(where))
    bare = objects(where)
    members, sizes = _memberships(groups, position)
    prices = weight * np.array([[g.together for g in groups], [g.apart for g in groups]], dtype=np.float64)
    kernel = with_groups(bare, members.owner, members.set, members.group, sizes, prices)
    pairs = _pairs(guidance.pairs, position, kernel, weight, kernels)
    # together lowers the cost of the partner's cluster, apart raises it
    kernel = with_pairs(kernel, pairs.left, pairs.right, np.where(pairs.together, -pairs.cost, pairs.cost))
    if not (np.isfinite(kernel.energy.sum()) and np.isfinite(prices).all()):
        raise NumericalError(f"the links of {kind} are not finite; this is a defect, please report it")
    rows, component = Rows.of(sparse.csr_array(matrix[where])), guidance.components()[where]
    return SideLinks(where, rows, kernel, kernel.n_columns, pairs, members, component, kernels)


def _objects(side: Side, where: Ints, smoothed: Divergences) -> Links:
    """The smoothed rows of the linked objects over the columns that occur in them; no links yet."""
    x = side.rows
    shape = (len(x), x.n_columns)
    y = sparse.csr_array((smoothed.y, x.indices, x.indptr), shape=shape)[where]
    s = sparse.csr_array((smoothed.s, x.indices, x.indptr), shape=shape)[where]
    used, indices = np.unique(y.indices, return_inverse=True)
    return replace(
        Links.of_pairs(sparse.csr_array((len(where), len(where)))),
        y=y.data,
        s=s.data,
        indices=indices.astype(np.int32),
        indptr=y.indptr.astype(np.int64),
        self_term=smoothed.self_term[where],
        n_columns=len(used),
        twice_d_max=2.0 * smoothed.d_max,
    )


def _memberships(groups: tuple[GroupLinks, ...], position: SmallInts) -> tuple[GroupMembers, Ints]:
    """Order all memberships by object, and number the groups of all sets; also how many each set has."""
    none = np.zeros(0, dtype=np.int64)
    sizes = np.array([int(g.group.max(initial=-1)) + 1 for g in groups], dtype=np.int64)
    first = np.cumsum(sizes) - sizes
    owner = np.concatenate([none, *(position[g.member] for g in groups)])
    number = np.repeat(np.arange(len(groups)), [len(g.member) for g in groups])
    group = np.concatenate([none, *(g.group for g in groups)]) + first[number]
    statement = np.concatenate([none, *(g.statement for g in groups)])
    order = np.lexsort((group, owner))
    members = GroupMembers(
        owner=owner[order].astype(np.int32),
        set=number[order].astype(np.int32),
        group=group[order].astype(np.int32),
        statement=statement[order],
    )
    return members, sizes


def _pairs(
    pairs: PairLinks, position: SmallInts, objects: Links, weight: float, kernels: Kernels
) -> LinkedPairs:
    """What each listed link costs when it is broken."""
    left, right = position[pairs.left], position[pairs.right]
    together = pairs.sign > 0
    apartness = kernels.divergences(objects, left, right)
    cost = weight * pairs.strength * np.where(together, apartness, objects.twice_d_max - apartness)
    return LinkedPairs(left, right, together, cost, pairs.statement)
