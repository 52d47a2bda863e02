"""The links of one type, compiled so that label updates need no list of implied pairs (docs: citcc).

A broken link costs weight·strength·KL_s (together) or weight·strength·(2·D_max − KL_s) (apart), where KL_s is
the symmetric divergence of its two objects (eq. 2). Objects are smoothed distributions
p_i = (1 − λ)·x_i + λ·b, with x_i the object's distribution over the columns and b that of all (eq. 3).
With y_i = (1 − λ)·x_i and s_i = log(1 + y_i/(λ·b)), both as sparse as x_i, KL_s is a sparse product:

    KL_s(i, j) = ⟨y_i − y_j, s_i − s_j⟩                                              (eq. 4)
    KL(p_i‖p_j) = u_i − v_j − ⟨y_i, s_j⟩,   u_i = ⟨y_i, s_i⟩ + v_i,   v_i = λ·⟨b, s_i⟩    (eq. 5)

A column that no object has (b = 0) occurs in no x_i and so in no sum. Implied pairs enter through sums over
groups (eq. 6, in the kernels). An object in no cluster breaks no link.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from colligate import kernels
from colligate.errors import NumericalError
from colligate.kernels import Links, SparseRows, add_groups, add_pairs
from colligate.shards.matrix import ShardedColumns, ShardedMatrix

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

# λ: half of an object's distribution is that of all objects, so that no divergence is infinite
SMOOTHING = 0.5


@dataclass(frozen=True, eq=False)
class LinkedPairs:
    """Listed links between linked objects, and the cost of each when it is broken."""

    left: SmallInts
    right: SmallInts
    together: NDArray[np.bool_]
    cost: Floats
    statement: Ints


@dataclass(frozen=True, eq=False)
class GroupMemberships:
    """Which object is in which group of which set, ordered by object; groups are numbered across all sets."""

    owner: SmallInts
    set: SmallInts
    group: SmallInts
    statement: Ints


@dataclass(frozen=True, eq=False)
class TypeLinks:
    """All links of one type. `where` are the linked objects; all other fields count positions in `where`."""

    where: Ints
    rows: SparseRows
    kernel: Links
    n_columns: int
    pairs: LinkedPairs
    members: GroupMemberships
    component: Ints
    kernels: Kernels
    # two: an update compares the labels before with those after it
    _cached: deque[LinkTables] = field(default_factory=lambda: deque(maxlen=2), repr=False)

    def tables(self, labels: Labels, n_clusters: int | None = None) -> LinkTables:
        """Return the link tables of labels; the last two are cached, and reused where labels are equal.

        Without a number of clusters, there are as many as the labels name.
        """
        for tables in self._cached:
            if n_clusters in (None, tables.n_clusters) and np.array_equal(tables.labels, labels):
                return tables
        if n_clusters is None:
            n_clusters = int(labels.max(initial=0)) + 1
        # the tables with the fewest changed labels have the fewest sums to compute again
        nearest = min(
            self._cached, key=lambda tables: np.count_nonzero(tables.labels != labels), default=None
        )
        return self._cache(self.kernels.link_tables(self.kernel, labels, n_clusters, nearest))

    def run_icm(self, labels: Labels, cost: Floats, order: Ints, max_rounds: int) -> Labels:
        """Run iterated conditional modes; `cost` (objects × clusters) is that without links."""
        if not np.isfinite(cost).all():
            raise NumericalError(
                "the scores of linked objects are not finite; this is a defect, please report it"
            )
        # the kernel works in place, but the labels of a state are never changed
        updated = labels.copy()
        tables = self.tables(labels, cost.shape[1])
        self._cache(self.kernels.run_icm(self.kernel, tables, cost, updated, order, max_rounds))
        return updated

    def _cache(self, tables: LinkTables) -> LinkTables:
        # a NaN or infinity survives in the sum, and no mask of the size of the table is needed
        if not all(np.isfinite(table.sum()) for table in (tables.pulled, tables.inside, tables.everywhere)):
            raise NumericalError("the costs of links are not finite; this is a defect, please report it")
        if not any(cached is tables for cached in self._cached):
            self._cached.append(tables)
        return tables

    def order(self, rng: np.random.Generator) -> Ints:
        """Draw an order of the linked objects in which those of one component follow each other.

        It depends on which objects are linked, not on whether the links are listed or implied.
        """
        rank = rng.permutation(len(self.where))
        first = np.full(self.component.max(initial=-1) + 1, len(rank))
        np.minimum.at(first, self.component, rank)
        # lexsort sorts by its last key first: components by their earliest member, then members by rank
        return np.lexsort((rank, first[self.component]))


def compile_links(view: TypeView, guidance: Guidance, weight: float, kernels: Kernels) -> TypeLinks | None:
    """Compile the links of one type; None if there are none. `weight` is the cost of one unit of strength."""

    def distributions(where: Ints) -> Links:
        return _distribution_links(smooth_sharded_rows(view, where) or _select_smoothed(view, where))

    return compile_row_links(view.kind, view.matrix(), guidance, weight, kernels, distributions)


def compile_row_links(
    kind: str,
    matrix: sparse.csr_array,
    guidance: Guidance,
    weight: float,
    kernels: Kernels,
    make_objects: Callable[[Ints], Links],
) -> TypeLinks | None:
    """Compile links between the rows of any matrix; `make_objects` gives their divergences, without links."""
    groups = tuple(g for g in guidance.groups if len(g.member) and (g.together or g.apart))
    if not len(guidance.pairs) and not groups:
        return None
    where = np.unique(
        np.concatenate([guidance.pairs.left, guidance.pairs.right, *(g.member for g in groups)])
    )
    position = np.full(guidance.size, -1, dtype=np.int32)
    position[where] = np.arange(len(where))
    objects = make_objects(where)
    members, sizes = _collect_memberships(groups, position)
    prices = weight * np.array([[g.together for g in groups], [g.apart for g in groups]], dtype=np.float64)
    kernel = add_groups(objects, members.owner, members.set, members.group, sizes, prices)
    pairs = _price_pairs(guidance.pairs, position, kernel, weight, kernels)
    # together lowers the cost of the partner's cluster, apart raises it
    kernel = add_pairs(kernel, pairs.left, pairs.right, np.where(pairs.together, -pairs.cost, pairs.cost))
    if not (np.isfinite(kernel.energy.sum()) and np.isfinite(prices).all()):
        raise NumericalError(f"the links of {kind} are not finite; this is a defect, please report it")
    rows, component = SparseRows.of(sparse.csr_array(matrix[where])), guidance.components()[where]
    return TypeLinks(where, rows, kernel, kernel.n_columns, pairs, members, component, kernels)


class LinkedRows(NamedTuple):
    """y and s of the linked objects, ⟨y_i, s_i⟩ of each, and a bound on every KL of all objects."""

    y: sparse.csr_array
    s: sparse.csr_array
    y_s: Floats
    d_max: float


def _select_smoothed(view: TypeView, where: Ints) -> LinkedRows:
    """Smooth all rows of a view, and select those of the linked objects."""
    x, smoothed = view.rows, smooth_rows(view)
    shape = (len(x), x.n_columns)
    y = sparse.csr_array((smoothed.y, x.indices, x.indptr), shape=shape)[where]
    s = sparse.csr_array((smoothed.s, x.indices, x.indptr), shape=shape)[where]
    return LinkedRows(y, s, smoothed.y_s[where], smoothed.d_max)


def _distribution_links(linked: LinkedRows) -> Links:
    """Return the smoothed rows of the linked objects over the columns that occur in them, without links."""
    y, n_linked = linked.y, linked.y.shape[0]
    # only the columns that occur: the kernel allocates dense sums for every column
    used, indices = np.unique(y.indices, return_inverse=True)
    return replace(
        Links.of_pairs(sparse.csr_array((n_linked, n_linked))),
        y=y.data,
        s=linked.s.data,
        indices=indices.astype(np.int32),
        indptr=y.indptr.astype(np.int64),
        self_term=linked.y_s,
        n_columns=len(used),
        twice_d_max=2.0 * linked.d_max,
    )


def _collect_memberships(
    groups: tuple[GroupLinks, ...], position: SmallInts
) -> tuple[GroupMemberships, Ints]:
    """Order all memberships by object and number the groups of all sets; also return the groups per set."""
    none = np.zeros(0, dtype=np.int64)
    sizes = np.array([int(g.group.max(initial=-1)) + 1 for g in groups], dtype=np.int64)
    first = np.cumsum(sizes) - sizes
    owner = np.concatenate([none, *(position[g.member] for g in groups)])
    number = np.repeat(np.arange(len(groups)), [len(g.member) for g in groups])
    group = np.concatenate([none, *(g.group for g in groups)]) + first[number]
    statement = np.concatenate([none, *(g.statement for g in groups)])
    # sorted by owner, as the kernel's index of memberships requires
    order = np.lexsort((group, owner))
    members = GroupMemberships(
        owner=owner[order].astype(np.int32),
        set=number[order].astype(np.int32),
        group=group[order].astype(np.int32),
        statement=statement[order],
    )
    return members, sizes


def _price_pairs(
    pairs: PairLinks, position: SmallInts, objects: Links, weight: float, kernels: Kernels
) -> LinkedPairs:
    """Compute the cost of each listed link when it is broken (eq. 2)."""
    left, right = position[pairs.left], position[pairs.right]
    together = pairs.sign > 0
    kl_s = kernels.divergences(objects, left, right)
    cost = weight * pairs.strength * np.where(together, kl_s, objects.twice_d_max - kl_s)
    return LinkedPairs(left, right, together, cost, pairs.statement)


@dataclass(frozen=True, eq=False)
class SmoothedRows:
    """y and s of all rows (entries in the order of the view), ⟨y_i, s_i⟩ per row, and a bound on every KL."""

    y: Floats
    s: Floats
    y_s: Floats
    d_max: float


def smooth_rows(view: TypeView, lam: float = SMOOTHING) -> SmoothedRows:
    """Smooth every row of a view; D_max = max u − min v bounds each KL in one pass over the entries."""
    x = view.rows
    scales = np.repeat([relation.scale for relation in view.relations], view.widths)
    entries = np.asarray(x.data * scales[x.indices], dtype=np.float64)
    row = np.repeat(np.arange(len(x)), np.diff(x.indptr))
    b = x.column_sums(scales)
    b /= max(b.sum(), 1e-300)
    row_sums = _sum_by(row, entries, len(x))
    y = (1.0 - lam) * entries / row_sums[row]  # eq. 3
    # log1p keeps precision where y is small against λ·b
    s = np.log1p(y / (lam * b[x.indices]))
    y_s = _sum_by(row, y * s, len(x))
    v = lam * _sum_by(row, b[x.indices] * s, len(x))
    if not (np.isfinite(y_s).all() and np.isfinite(v).all()):
        raise NumericalError(
            f"the divergences of {view.kind} are not finite; this is a defect, please report it"
        )
    return SmoothedRows(y, s, y_s, float((y_s + v).max() - v.min()) if len(v) else 0.0)  # eq. 5


def smooth_sharded_rows(view: TypeView, where: Ints, lam: float = SMOOTHING) -> LinkedRows | None:
    """Do as `_select_smoothed` for rows on workers, of which only the linked ones are collected; or None."""
    matrix = view.matrix()
    scale = view.relations[0].scale
    if isinstance(matrix, ShardedMatrix):
        b = view.rows.column_sums(np.full(matrix.shape[1], scale))
        b /= max(b.sum(), 1e-300)
        y_s, v = matrix.collect_rows(_sum_row_terms, scale, b, lam).T
        linked = sparse.csr_array(matrix[where])
        y, s = _smooth_entries(linked, scale, b, _scaled_row_sums(linked, scale), lam)
    elif isinstance(matrix, ShardedColumns):
        base = matrix.base
        b = base.collect_rows(_scaled_row_sums, scale)
        b /= max(b.sum(), 1e-300)
        row_sums = base.shards.sum(_sum_scaled_columns, scale)
        y_s, v = base.shards.sum(_sum_column_terms, scale, row_sums, lam, parts=(b,))
        linked = sparse.csr_array(matrix[where])
        y, s = _smooth_entries(linked, scale, b, row_sums[where], lam)
    else:
        return None
    if not (np.isfinite(y_s).all() and np.isfinite(v).all()):
        raise NumericalError(
            f"the divergences of {view.kind} are not finite; this is a defect, please report it"
        )
    d_max = float((y_s + v).max() - v.min()) if len(v) else 0.0  # eq. 5
    return LinkedRows(_with_entries(linked, y), _with_entries(linked, s), y_s[where], d_max)


def _with_entries(matrix: sparse.csr_array, data: Floats) -> sparse.csr_array:
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def _row_numbers(matrix: sparse.csr_array) -> Ints:
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def _scaled_row_sums(matrix: sparse.csr_array, scale: float) -> Floats:
    return _sum_by(_row_numbers(matrix), matrix.data.astype(np.float64) * scale, matrix.shape[0])


def _sum_scaled_columns(matrix: sparse.csr_array, scale: float) -> Floats:
    return _sum_by(matrix.indices, matrix.data.astype(np.float64) * scale, matrix.shape[1])


def _smooth_entries(
    matrix: sparse.csr_array, scale: float, b: Floats, row_sums: Floats, lam: float
) -> tuple[Floats, Floats]:
    """Return y (eq. 3) and s of all entries."""
    entries = matrix.data.astype(np.float64) * scale
    y = (1.0 - lam) * entries / row_sums[_row_numbers(matrix)]
    return y, np.log1p(y / (lam * b[matrix.indices]))


def _sum_row_terms(matrix: sparse.csr_array, scale: float, b: Floats, lam: float) -> Floats:
    """Return ⟨y_i, s_i⟩ and v_i of every row, side by side."""
    y, s = _smooth_entries(matrix, scale, b, _scaled_row_sums(matrix, scale), lam)
    row = _row_numbers(matrix)
    v = lam * _sum_by(row, b[matrix.indices] * s, matrix.shape[0])
    return np.column_stack([_sum_by(row, y * s, matrix.shape[0]), v])


def _sum_column_terms(
    matrix: sparse.csr_array, b: Floats, scale: float, column_sums: Floats, lam: float
) -> Floats:
    """Return what these rows add to ⟨y_i, s_i⟩ and v_i of every column, one below the other."""
    columns = sparse.csr_array(matrix.T.tocsr())
    # a column without entries here may have some elsewhere: its sum is not 0
    y, s = _smooth_entries(columns, scale, b, column_sums, lam)
    row = _row_numbers(columns)
    v = lam * _sum_by(row, b[columns.indices] * s, columns.shape[0])
    return np.stack([_sum_by(row, y * s, columns.shape[0]), v])


def _sum_by(key: NDArray[Any], values: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(key, weights=values, minlength=size), dtype=np.float64)


def link_cost(links: TypeLinks, labels: Labels) -> float:
    """Return the cost of all broken links."""
    tables = links.tables(labels)
    # the tables charge a broken link to each of its two objects
    both_ends = tables.broken.sum() + kernels.membership_costs(links.kernel, tables).sum()
    return float(both_ends) / 2.0


def costs_by_cluster(links: TypeLinks, labels: Labels, n_clusters: int) -> Floats:
    """Return linked objects × clusters: the cost of links in each cluster, up to a constant per object."""
    return kernels.costs_by_cluster(links.kernel, links.tables(labels, n_clusters))


def statement_costs(links: TypeLinks, labels: Labels, n_statements: int) -> Floats:
    """Return the cost of each statement: of its broken pair, or of all that its membership implies."""
    left, right = labels[links.pairs.left], labels[links.pairs.right]
    broken = np.asarray((left >= 0) & (right >= 0) & ((left != right) == links.pairs.together))
    costs = np.zeros(n_statements)
    np.add.at(costs, links.pairs.statement[broken], links.pairs.cost[broken])
    stated = links.members.statement >= 0
    by_member = kernels.membership_costs(links.kernel, links.tables(labels))
    np.add.at(costs, links.members.statement[stated], by_member[stated])
    return costs
