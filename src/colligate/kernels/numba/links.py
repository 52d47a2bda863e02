"""Tables of links and label updates under links, on a pool of threads.

The divergence of objects i and j is ⟨yᵢ − yⱼ, sᵢ − sⱼ⟩. Summed over the members j in cluster k it is
n·⟨yᵢ, sᵢ⟩ + Σ⟨yⱼ, sⱼ⟩ − ⟨yᵢ, Σsⱼ⟩ − ⟨sᵢ, Σyⱼ⟩, so that sums replace all the pairs. They are made for a few
clusters at a time, so that they stay in the cache, and then dropped.

In a round of iterated conditional modes the costs of the clusters are known from its beginning. Few objects
move in a round, and a mover changes the costs of another object by the energy of the links between the two.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import TYPE_CHECKING

import numba
import numpy as np

from colligate.kernels.interface import MAX_MOVES, MOVE_TOLERANCE
from colligate.kernels.links import LinkTables, cluster_counts, costs_by_cluster

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels.links import Floats, Ints, Labels, Links
    from colligate.kernels.numba.threads import ThreadPool

    Flags = NDArray[np.bool_]

BLOCK = 4
"""Clusters at a time: their sums of s and of y for one column fill a cache line."""
MANY_LINKS = 4
"""With so many links of changed objects for every object, all rows are computed again."""
MAX_INT8 = 2**7
CHUNKS = 8
"""Each chunk of tasks allocates its own sums."""


def link_tables(
    pool: ThreadPool, links: Links, labels: Labels, n_clusters: int, known: LinkTables | None
) -> LinkTables:
    """See `Kernels.link_tables`. Only what the changed objects touch is computed again."""
    if known is None or known.n_clusters != n_clusters:
        # labels of -1 differ from all others, so every object counts as changed and everything is computed
        known = _empty_tables(links, n_clusters)
    changed = labels != known.labels
    if not changed.any():
        return known
    # copies: the caller may cache `known`, which stays valid for its labels
    tables = LinkTables(
        labels.copy(),
        *(table.copy() for table in (known.pulled, known.broken, known.inside, known.everywhere)),
    )
    _update_pairs(pool, links, tables, changed)
    if len(links.owner):
        _sum_groups(pool, links, tables, changed)
        _sum_sets(pool, links, tables, known.labels, changed)
    return tables


def run_icm(
    pool: ThreadPool,
    links: Links,
    known: LinkTables | None,
    cost: Floats,
    labels: Labels,
    order: Ints,
    max_rounds: int,
) -> LinkTables:
    """See `Kernels.run_icm`."""
    tables = link_tables(pool, links, labels, cost.shape[1], known)
    for _ in range(max_rounds):
        total = costs_by_cluster(links, tables)
        total += cost
        if not _run_round(links, total, labels, order):
            break
        tables = link_tables(pool, links, labels, cost.shape[1], tables)
    return tables


def _run_round(links: Links, total: Floats, labels: Labels, order: Ints) -> int:
    """Run one round from the costs of the clusters; return the number of moves."""
    moves = move_objects(
        find_movable(total, labels, order, MOVE_TOLERANCE),
        (links.neighbours, links.neighbour_start, links.energy),
        _divergence_rows(links),
        (links.object_start, links.member_set, links.member_group),
        (links.together, links.apart, links.twice_d_max),
        links.n_columns,
        # each candidate is compared with every mover so far; the bound keeps this from growing quadratically
        MAX_MOVES if len(links.owner) else len(links),
        total,
        labels,
        MOVE_TOLERANCE,
    )
    return int(moves)


def _divergence_rows(links: Links) -> tuple[Floats, Floats, NDArray[np.int32], Ints, Floats]:
    return links.y, links.s, links.indices, links.indptr, links.self_term


def _empty_tables(links: Links, n_clusters: int) -> LinkTables:
    n, n_members = len(links), len(links.owner)
    return LinkTables(
        labels=np.full(n, -1, dtype=np.int32),
        pulled=np.zeros((n, n_clusters)),
        broken=np.zeros(n),
        inside=np.zeros((n_members, n_clusters)),
        everywhere=np.zeros((n_members if np.any(links.apart > 0) else 0, n_clusters)),
    )


def _update_pairs(pool: ThreadPool, links: Links, tables: LinkTables, changed: Flags) -> None:
    """Compute the listed links of changed objects and of their neighbours again."""
    pairs = links.neighbours, links.neighbour_start
    n_links = int(np.diff(links.neighbour_start)[changed].sum())
    # with several links of changed objects for every object, nearly all are touched: finding out takes longer
    rows = np.arange(len(changed)) if n_links > MANY_LINKS * len(changed) else find_touched(*pairs, changed)
    # narrow labels of many objects stay in the cache of a core
    labels = tables.labels.astype(np.int8) if tables.n_clusters <= MAX_INT8 else tables.labels
    pool.map(
        lambda a, b: sum_neighbours(*pairs, links.energy, labels, rows, tables.pulled, tables.broken, a, b),
        len(rows),
    )


def _sum_groups(pool: ThreadPool, links: Links, tables: LinkTables, changed: Flags) -> None:
    """Compute the groups of changed objects again, in the blocks of clusters where they have members."""
    stale = np.zeros(len(links.group_start) - 1, dtype=bool)
    stale[links.member_group[changed[links.owner]]] = True
    # blocks that the group has left get no task below, so they must be zero already
    tables.inside[stale[links.member_group]] = 0.0
    in_groups, _ = cluster_counts(links, tables.labels, tables.n_clusters)
    group, block = np.nonzero(_flag_blocks(in_groups > 0) & stale[:, None])
    tasks = np.stack([links.group_start[group], links.group_start[group + 1], block * BLOCK])
    _run_tasks(pool, links, tables, tasks, tables.inside)


def _sum_sets(pool: ThreadPool, links: Links, tables: LinkTables, before: Labels, changed: Flags) -> None:
    """Compute the sets with cannot-links again, in the blocks of clusters that objects left or entered."""
    moved = np.flatnonzero(changed[links.owner] & (links.apart[links.member_set] > 0))
    stale = np.zeros((len(links.apart), tables.n_clusters), dtype=bool)
    for labels in (before, tables.labels):
        label = labels[links.owner[moved]]
        stale[links.member_set[moved][label >= 0], label[label >= 0]] = True
    number, block = np.nonzero(_flag_blocks(stale))
    edges = links.group_start[links.set_start]
    tasks = np.stack([edges[number], edges[number + 1], block * BLOCK])
    _run_tasks(pool, links, tables, tasks, tables.everywhere)


def _flag_blocks(flags: Flags) -> Flags:
    """Return which blocks of clusters have a flag."""
    return np.logical_or.reduceat(flags, np.arange(0, flags.shape[1], BLOCK), axis=1)


def _run_tasks(pool: ThreadPool, links: Links, tables: LinkTables, tasks: Ints, result: Floats) -> None:
    """Sum divergences, task by task."""
    pool.map(
        lambda a, b: sum_divergences(
            _divergence_rows(links),
            links.n_columns,
            links.owner,
            tables.labels,
            links.by_group,
            tasks,
            result,
            a,
            b,
        ),
        tasks.shape[1],
        chunks=CHUNKS,
        # a task is a whole group or set, so even two are work for two threads
        small=2,
    )


@numba.njit(nogil=True, cache=True)
def scatter_rows(i, y, s, indices, indptr, dense_y, dense_s):
    """Write the entries of object i into dense rows."""
    for t in range(indptr[i], indptr[i + 1]):
        dense_y[indices[t]] = y[t]
        dense_s[indices[t]] = s[t]


@numba.njit(nogil=True, cache=True)
def clear_rows(i, indices, indptr, dense_y, dense_s):
    """Undo `scatter_rows`."""
    for t in range(indptr[i], indptr[i + 1]):
        dense_y[indices[t]] = 0.0
        dense_s[indices[t]] = 0.0


@numba.njit(nogil=True, cache=True)
def inner_products(j, y, s, indices, indptr, dense_y, dense_s):
    """Return ⟨yᵢ, sⱼ⟩ + ⟨sᵢ, yⱼ⟩ for the object i in the dense rows."""
    total = 0.0
    for t in range(indptr[j], indptr[j + 1]):
        total += y[t] * dense_s[indices[t]] + s[t] * dense_y[indices[t]]
    return total


@numba.njit(nogil=True, cache=True)
def divergences(y, s, indices, indptr, self_term, n_columns, left, right, result, start, stop):
    """Write the symmetric divergences of pairs start to stop, which are sorted by their left object."""
    dense_y, dense_s = np.zeros(n_columns), np.zeros(n_columns)
    held = -1
    for p in range(start, stop):
        i, j = left[p], right[p]
        if i != held:
            if held >= 0:
                clear_rows(held, indices, indptr, dense_y, dense_s)
            scatter_rows(i, y, s, indices, indptr, dense_y, dense_s)
            held = i
        both = self_term[i] + self_term[j]
        result[p] = both - inner_products(j, y, s, indices, indptr, dense_y, dense_s)


@numba.njit(nogil=True, cache=True)
def sum_neighbours(neighbours, neighbour_start, energy, labels, rows, pulled, broken, start, stop):
    """Write the energies of the neighbours in each cluster, and the cost of broken links, of some rows."""
    for r in range(start, stop):
        i = rows[r]
        label, total = labels[i], pulled[i]
        total[:] = 0.0
        cost = 0.0
        for t in range(neighbour_start[i], neighbour_start[i + 1]):
            k, strength = labels[neighbours[t]], energy[t]
            if k < 0:
                continue
            total[k] += strength
            # above 0 is apart, broken within a cluster; below 0 is together, broken across two; the sign of
            # the strength is turned rather than branched on, since no processor could predict it
            cost += max(strength if k == label else -strength, 0.0)
        broken[i] = cost if label >= 0 else 0.0


@numba.njit(nogil=True, cache=True)
def find_touched(neighbours, neighbour_start, changed):
    """Return the changed objects and their neighbours."""
    is_touched = changed.copy()
    for i in range(len(changed)):
        if changed[i]:
            for t in range(neighbour_start[i], neighbour_start[i + 1]):
                is_touched[neighbours[t]] = True
    return np.flatnonzero(is_touched)


@numba.njit(nogil=True, cache=True)
def _sum_members(members, owner, labels, rows, first, sums, count, self_sums):
    """Sum s, y, and ⟨y, s⟩ of the members in clusters first to first + BLOCK; return how many they are."""
    y, s, indices, indptr, self_term = rows
    count[:] = 0.0
    self_sums[:] = 0.0
    for m in members:
        i = owner[m]
        b = labels[i] - first
        if labels[i] < 0 or b < 0 or b >= BLOCK:
            continue
        count[b] += 1.0
        self_sums[b] += self_term[i]
        for t in range(indptr[i], indptr[i + 1]):
            sums[indices[t], b] += s[t]
            sums[indices[t], BLOCK + b] += y[t]
    return count.sum()


@numba.njit(nogil=True, cache=True)
def _write_divergences(members, owner, rows, first, sums, count, self_sums, result):
    """Write each member's divergences to the members that were summed."""
    y, s, indices, indptr, self_term = rows
    last = min(first + BLOCK, result.shape[1])
    for m in members:
        i = owner[m]
        # unrolled for BLOCK = 4: four scalars stay in registers, an array of four does not
        a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
        for t in range(indptr[i], indptr[i + 1]):
            row = sums[indices[t]]
            a0 += y[t] * row[0] + s[t] * row[4]
            a1 += y[t] * row[1] + s[t] * row[5]
            a2 += y[t] * row[2] + s[t] * row[6]
            a3 += y[t] * row[3] + s[t] * row[7]
        shared = (a0, a1, a2, a3)
        for k in range(first, last):
            b = k - first
            result[m, k] = count[b] * self_term[i] + self_sums[b] - shared[b] if count[b] > 0.0 else 0.0


@numba.njit(nogil=True, cache=True)
def _clear_sums(members, owner, labels, rows, first, sums):
    _, _, indices, indptr, _ = rows
    for m in members:
        i = owner[m]
        if labels[i] >= first and labels[i] < first + BLOCK:
            # only the rows that were filled: clearing all columns would cost more than a small group
            for t in range(indptr[i], indptr[i + 1]):
                sums[indices[t]] = 0.0


@numba.njit(nogil=True, cache=True)
def sum_divergences(rows, n_columns, owner, labels, by_group, tasks, result, start, stop):
    """Do tasks start to stop: memberships `by_group` from tasks[0] to tasks[1], clusters from tasks[2]."""
    sums = np.zeros((n_columns, 2 * BLOCK))
    count, self_sums = np.empty(BLOCK), np.empty(BLOCK)
    for task in range(start, stop):
        members, first = by_group[tasks[0, task] : tasks[1, task]], tasks[2, task]
        if _sum_members(members, owner, labels, rows, first, sums, count, self_sums) > 0.0:
            _write_divergences(members, owner, rows, first, sums, count, self_sums, result)
            _clear_sums(members, owner, labels, rows, first, sums)
            continue
        # the objects have left this block of clusters since the last tables; their old sums must go
        for m in members:
            result[m, first : first + BLOCK] = 0.0


@numba.njit(nogil=True, cache=True)
def _find_cheapest(total, present, tolerance):
    """Return the cheapest cluster; the present one unless another is cheaper by more than rounding."""
    best = 0
    for k in range(1, len(total)):
        if total[k] < total[best]:
            best = k
    if present >= 0 and not total[best] < total[present] - tolerance * abs(total[present]):
        return present
    return best


@numba.njit(nogil=True, cache=True)
def find_movable(total, labels, order, tolerance):
    """Return the objects that have a cheaper cluster, in order."""
    movable = np.empty(len(order), dtype=np.int64)
    n = 0
    for i in order:
        if _find_cheapest(total[i], labels[i], tolerance) != labels[i]:
            movable[n] = i
            n += 1
    return movable[:n]


@numba.njit(nogil=True, cache=True)
def _apply_pair_moves(i, neighbours, neighbour_start, energy, before, labels, total):
    """Update the costs of object i for its neighbours that have moved."""
    for t in range(neighbour_start[i], neighbour_start[i + 1]):
        j = neighbours[t]
        # only movers of this round differ from `before`; `total` already has all earlier moves
        if labels[j] != before[j]:
            _shift_cost(total, before[j], labels[j], energy[t])


@numba.njit(nogil=True, cache=True)
def _shift_cost(total, source, target, energy):
    if source >= 0:
        total[source] -= energy
    total[target] += energy


@numba.njit(nogil=True, cache=True)
def _implied_energy(i, j, members, weights):
    """Return the energy of two objects' implied links in one cluster: factor · divergence + constant."""
    object_start, member_set, member_group = members
    together, apart, twice_d_max = weights
    factor, constant = 0.0, 0.0
    for m in range(object_start[i], object_start[i + 1]):
        # two objects can share several sets, together in one and apart in another: the energies add up
        for other in range(object_start[j], object_start[j + 1]):
            z = member_set[m]
            if member_set[other] != z:
                continue
            if member_group[other] == member_group[m]:
                factor -= together[z]
            else:
                factor -= apart[z]
                constant += apart[z] * twice_d_max
    return factor, constant


@numba.njit(nogil=True, cache=True)
def _apply_group_moves(i, movers, rows, members, weights, before, labels, dense, total):
    """Update the costs of object i for the movers that it has implied links to."""
    y, s, indices, indptr, self_term = rows
    dense_y, dense_s = dense
    scatter_rows(i, y, s, indices, indptr, dense_y, dense_s)
    for j in movers:
        factor, constant = _implied_energy(i, j, members, weights)
        # prices are not negative, so 0 means no link, and the divergence, the costly part, is not needed
        if factor != 0.0:
            both = self_term[i] + self_term[j]
            divergence = both - inner_products(j, y, s, indices, indptr, dense_y, dense_s)
            _shift_cost(total, before[j], labels[j], factor * divergence + constant)
    clear_rows(i, indices, indptr, dense_y, dense_s)


@numba.njit(nogil=True, cache=True)
def move_objects(candidates, pairs, rows, members, weights, n_columns, max_moves, total, labels, tolerance):
    """Move at most `max_moves` candidates, each to its cheapest cluster at its turn; return their number."""
    neighbours, neighbour_start, energy = pairs
    object_start = members[0]
    before = labels.copy()
    movers = np.empty(min(max_moves, len(candidates)), dtype=np.int64)
    dense = np.zeros(n_columns), np.zeros(n_columns)
    n = 0
    for i in candidates:
        if n == len(movers):
            break
        costs = total[i]
        _apply_pair_moves(i, neighbours, neighbour_start, energy, before, labels, costs)
        if n and object_start[i + 1] > object_start[i]:
            _apply_group_moves(i, movers[:n], rows, members, weights, before, labels, dense, costs)
        best = _find_cheapest(costs, labels[i], tolerance)
        if best != labels[i]:
            labels[i] = best
            movers[n] = i
            n += 1
    return n
