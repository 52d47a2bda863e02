"""The links of one type, compiled so that label updates and energies need no list of implied pairs.

A broken link costs weight·strength·KLs (together) or weight·strength·(2·D_max − KLs) (apart), KLs the
symmetric divergence of its two objects. Implied pairs enter through sums over groups (see
`kernels.fast.group_links`).

Objects as smoothed distributions, in the form that makes their symmetric divergence a sparse product.

p_i = (1 − λ)·x_i + λ·b, with x_i the object's own distribution over the columns and b that of all objects.
With s_i = log(1 + (1 − λ)·x_i / (λ·b)) and y_i = (1 − λ)·x_i, both as sparse as x_i,

    KL(p_i‖p_j) + KL(p_j‖p_i) = ⟨y_i − y_j, s_i − s_j⟩,   KL(p_i‖p_j) = u_i − v_j − ⟨y_i, s_j⟩,
    u_i = ⟨y_i, s_i⟩ + v_i,   v_i = λ·⟨b, s_i⟩.

A column that no object has (b = 0) occurs in no x_i and so in no sum.

What links cost: in all, per object and cluster, per statement. An object in no cluster breaks no link.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate import kernels
from colligate.errors import NumericalError
from colligate.kernels import Links, SparseRows, add_groups, add_pairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from colligate.kernels import Kernels, LinkTables
    from colligate.knowledge import GroupLinks, Guidance, PairLinks
    from colligate.methods.information.problem import TypeView
    from colligate.methods.loop import Labels

    Ints = NDArray[np.int64]
    SmallInts = NDArray[np.int32]
    Floats = NDArray[np.float64]


SMOOTHING = 0.5


@dataclass(frozen=True, eq=False)
class LinkedPairs:
    """Listed links between linked objects, with what each costs when it is broken."""

    left: SmallInts
    right: SmallInts
    together: NDArray[np.bool_]
    cost: Floats
    statement: Ints


@dataclass(frozen=True, eq=False)
class GroupMemberships:
    """Who is in which group of which set, ordered by object; groups are numbered through all sets."""

    owner: SmallInts
    set: SmallInts
    group: SmallInts
    statement: Ints


@dataclass(frozen=True, eq=False)
class SideLinks:
    """All links of one type. `where` are the linked objects; everything else counts positions in `where`."""

    where: Ints
    rows: SparseRows
    kernel: Links
    n_columns: int
    pairs: LinkedPairs
    members: GroupMemberships
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
        self._keep(self.kernels.run_icm(self.kernel, tables, cost, found, order, max_rounds))
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


def compile_links(side: TypeView, guidance: Guidance, weight: float, kernels: Kernels) -> SideLinks | None:
    """Compile the links of one type; None if there are none. `weight` is what one unit of strength costs."""

    def smoothed(where: Ints) -> Links:
        return _objects(side, where, smooth_rows(side))

    return compile_row_links(side.kind, side.matrix(), guidance, weight, kernels, smoothed)


def compile_row_links(
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
    kernel = add_groups(bare, members.owner, members.set, members.group, sizes, prices)
    pairs = _pairs(guidance.pairs, position, kernel, weight, kernels)
    # together lowers the cost of the partner's cluster, apart raises it
    kernel = add_pairs(kernel, pairs.left, pairs.right, np.where(pairs.together, -pairs.cost, pairs.cost))
    if not (np.isfinite(kernel.energy.sum()) and np.isfinite(prices).all()):
        raise NumericalError(f"the links of {kind} are not finite; this is a defect, please report it")
    rows, component = SparseRows.of(sparse.csr_array(matrix[where])), guidance.components()[where]
    return SideLinks(where, rows, kernel, kernel.n_columns, pairs, members, component, kernels)


def _objects(side: TypeView, where: Ints, smoothed: SmoothedRows) -> Links:
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


def _memberships(groups: tuple[GroupLinks, ...], position: SmallInts) -> tuple[GroupMemberships, Ints]:
    """Order all memberships by object, and number the groups of all sets; also how many each set has."""
    none = np.zeros(0, dtype=np.int64)
    sizes = np.array([int(g.group.max(initial=-1)) + 1 for g in groups], dtype=np.int64)
    first = np.cumsum(sizes) - sizes
    owner = np.concatenate([none, *(position[g.member] for g in groups)])
    number = np.repeat(np.arange(len(groups)), [len(g.member) for g in groups])
    group = np.concatenate([none, *(g.group for g in groups)]) + first[number]
    statement = np.concatenate([none, *(g.statement for g in groups)])
    order = np.lexsort((group, owner))
    members = GroupMemberships(
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


@dataclass(frozen=True, eq=False)
class SmoothedRows:
    """y and s of all rows (entries in the order of the side's), ⟨y, s⟩ per row, and a bound on every KL."""

    y: NDArray[np.float64]
    s: NDArray[np.float64]
    self_term: NDArray[np.float64]
    d_max: float


def smooth_rows(side: TypeView, smoothing: float = SMOOTHING) -> SmoothedRows:
    """Smooth every row of a side. D_max = max u − min v bounds each KL in one pass over the entries."""
    x = side.rows
    owner = np.repeat(np.arange(len(x)), np.diff(x.indptr))
    entries = _scaled_entries(side)
    b = _summed(x.indices, entries, x.n_columns)
    b /= max(b.sum(), 1e-300)
    row_sums = _summed(owner, entries, len(x))
    y = (1.0 - smoothing) * entries / row_sums[owner]
    s = np.log1p(y / (smoothing * b[x.indices]))
    self_term = _summed(owner, y * s, len(x))
    v = smoothing * _summed(owner, b[x.indices] * s, len(x))
    if not (np.isfinite(self_term).all() and np.isfinite(v).all()):
        raise NumericalError(
            f"the divergences of {side.kind} are not finite; this is a defect, please report it"
        )
    return SmoothedRows(y, s, self_term, float((self_term + v).max() - v.min()) if len(v) else 0.0)


def _summed(where: NDArray[Any], weights: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    return np.asarray(np.bincount(where, weights=weights, minlength=size), dtype=np.float64)


def _scaled_entries(side: TypeView) -> NDArray[np.float64]:
    """The entries with every relation at its own scale."""
    scales = np.repeat([piece.scale for piece in side.pieces], side.widths)
    return np.asarray(side.rows.data * scales[side.rows.indices], dtype=np.float64)


def link_cost(links: SideLinks, labels: Labels) -> float:
    """The cost of all broken links."""
    tables = links.tables(labels)
    both_ends = tables.broken.sum() + kernels.membership_costs(links.kernel, tables).sum()
    return float(both_ends) / 2.0


def costs_by_cluster(links: SideLinks, labels: Labels, n_clusters: int) -> Floats:
    """What each cluster would cost each linked object, up to a constant per object."""
    return kernels.costs_by_cluster(links.kernel, links.tables(labels, n_clusters))


def statement_costs(links: SideLinks, labels: Labels, n_statements: int) -> Floats:
    """What each statement costs: its broken pair, or all broken pairs that its membership implies."""
    broken = _broken(links, labels)
    costs = np.zeros(n_statements)
    np.add.at(costs, links.pairs.statement[broken], links.pairs.cost[broken])
    said = links.members.statement >= 0
    by_member = kernels.membership_costs(links.kernel, links.tables(labels))
    np.add.at(costs, links.members.statement[said], by_member[said])
    return costs


def _broken(links: SideLinks, labels: Labels) -> NDArray[np.bool_]:
    """Which listed links are broken."""
    left, right = labels[links.pairs.left], labels[links.pairs.right]
    return np.asarray((left >= 0) & (right >= 0) & ((left != right) == links.pairs.together))
