"""Tables of links and label updates under links, on a pool of threads.

Listed links: the divergences of their objects, and what labels make of them.

Implied links: the divergences of each member to all members of its group, or set, in each cluster.

The divergence of objects i and j is ⟨yᵢ − yⱼ, sᵢ − sⱼ⟩. Summed over the members j that sit in cluster k it is
n·⟨yᵢ, sᵢ⟩ + Σ⟨yⱼ, sⱼ⟩ − ⟨yᵢ, Σsⱼ⟩ − ⟨sᵢ, Σyⱼ⟩: the sums stand for all the pairs. They are made for a few
clusters at a time, so that they stay in the cache, and dropped.

Moving objects with links one after the other, each by what its clusters cost at its turn.

What the clusters cost is known from the beginning of the round. Since then only few objects have moved, and
what a mover changes for another object is the energy of the links between the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

# mypy: disable-error-code="no-untyped-def"
import numba
import numpy as np

from colligate.kernels.interface import MAX_MOVES, MOVE_TOLERANCE
from colligate.kernels.links import LinkTables, cluster_counts, costs_by_cluster

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels.links import Floats, Ints, Labels, Links
    from colligate.kernels.numba.threads import ThreadPool

    Flags = NDArray[np.bool_]

# clusters at a time: their sums of s and of y for one column fill a cache line
BLOCK = 4
# every chunk of tasks has sums of its own
CHUNKS = 8


def link_tables(
    pool: ThreadPool, links: Links, labels: Labels, n_clusters: int, known: LinkTables | None
) -> LinkTables:
    """See `Kernels.link_tables`. Only what the changed objects touch is done again."""
    if known is None or known.n_clusters != n_clusters:
        known = _empty_tables(links, n_clusters)
    changed = labels != known.labels
    if not changed.any():
        return known
    found = LinkTables(
        labels.copy(),
        *(table.copy() for table in (known.pulled, known.broken, known.inside, known.everywhere)),
    )
    _update_pairs(pool, links, found, changed)
    if len(links.owner):
        _sum_groups(pool, links, found, changed)
        _sum_sets(pool, links, found, known.labels, changed)
    return found


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
    """One round from what the clusters cost; return the number of moves."""
    moves = move_objects(
        find_movable(total, labels, order, MOVE_TOLERANCE),
        (links.neighbours, links.neighbour_start, links.energy),
        _divergence_rows(links),
        (links.object_start, links.member_set, links.member_group),
        (links.together, links.apart, links.twice_d_max),
        links.n_columns,
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


def _update_pairs(pool: ThreadPool, links: Links, found: LinkTables, changed: Flags) -> None:
    """Do the listed links of changed objects and of their neighbours again."""
    pairs = links.neighbours, links.neighbour_start
    rows = find_touched(*pairs, changed)
    pool.map(
        lambda a, b: sum_neighbours(
            *pairs, links.energy, found.labels, rows, found.pulled, found.broken, a, b
        ),
        len(rows),
    )


def _sum_groups(pool: ThreadPool, links: Links, found: LinkTables, changed: Flags) -> None:
    """Do the groups of changed objects again, in the blocks of clusters where they have members."""
    stale = np.zeros(len(links.group_start) - 1, dtype=bool)
    stale[links.member_group[changed[links.owner]]] = True
    found.inside[stale[links.member_group]] = 0.0
    in_groups, _ = cluster_counts(links, found.labels, found.n_clusters)
    group, block = np.nonzero(_flag_blocks(in_groups > 0) & stale[:, None])
    tasks = np.stack([links.group_start[group], links.group_start[group + 1], block * BLOCK])
    _run_tasks(pool, links, found, tasks, found.inside)


def _sum_sets(pool: ThreadPool, links: Links, found: LinkTables, before: Labels, changed: Flags) -> None:
    """Do the sets with links apart again, in the blocks of clusters that objects left or entered."""
    moved = np.flatnonzero(changed[links.owner] & (links.apart[links.member_set] > 0))
    stale = np.zeros((len(links.apart), found.n_clusters), dtype=bool)
    for labels in (before, found.labels):
        own = labels[links.owner[moved]]
        stale[links.member_set[moved][own >= 0], own[own >= 0]] = True
    number, block = np.nonzero(_flag_blocks(stale))
    edges = links.group_start[links.set_start]
    tasks = np.stack([edges[number], edges[number + 1], block * BLOCK])
    _run_tasks(pool, links, found, tasks, found.everywhere)


def _flag_blocks(flags: Flags) -> Flags:
    """Which blocks of clusters have a flag."""
    return np.logical_or.reduceat(flags, np.arange(0, flags.shape[1], BLOCK), axis=1)


def _run_tasks(pool: ThreadPool, links: Links, found: LinkTables, tasks: Ints, result: Floats) -> None:
    """Sum divergences, task by task."""
    pool.map(
        lambda a, b: sum_divergences(
            _divergence_rows(links),
            links.n_columns,
            links.owner,
            found.labels,
            links.by_group,
            tasks,
            result,
            a,
            b,
        ),
        tasks.shape[1],
        chunks=CHUNKS,
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
    """Undo `spread`."""
    for t in range(indptr[i], indptr[i + 1]):
        dense_y[indices[t]] = 0.0
        dense_s[indices[t]] = 0.0


@numba.njit(nogil=True, cache=True)
def inner_products(j, y, s, indices, indptr, dense_y, dense_s):
    """⟨yᵢ, sⱼ⟩ + ⟨sᵢ, yⱼ⟩ for the object i in the dense rows."""
    found = 0.0
    for t in range(indptr[j], indptr[j + 1]):
        found += y[t] * dense_s[indices[t]] + s[t] * dense_y[indices[t]]
    return found


@numba.njit(nogil=True, cache=True)
def divergences(y, s, indices, indptr, self_term, n_columns, left, right, result, start, stop):
    """Write the symmetric divergences of pairs start to stop; those of one left object follow each other."""
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
    """Write what the neighbours of some rows pull towards each cluster, and the cost of broken links."""
    for r in range(start, stop):
        i = rows[r]
        own, total = labels[i], pulled[i]
        total[:] = 0.0
        cost = 0.0
        for t in range(neighbour_start[i], neighbour_start[i + 1]):
            k = labels[neighbours[t]]
            if k < 0:
                continue
            total[k] += energy[t]
            if own >= 0 and (k == own) == (energy[t] > 0.0):
                cost += abs(energy[t])
        broken[i] = cost


@numba.njit(nogil=True, cache=True)
def find_touched(neighbours, neighbour_start, changed):
    """The changed objects and their neighbours."""
    found = changed.copy()
    for i in range(len(changed)):
        if changed[i]:
            for t in range(neighbour_start[i], neighbour_start[i + 1]):
                found[neighbours[t]] = True
    return np.flatnonzero(found)


@numba.njit(nogil=True, cache=True)
def _sum_members(members, owner, labels, rows, first, sums, count, own):
    """Sum s, y, and ⟨y, s⟩ of the members in clusters first to first + BLOCK; return how many they are."""
    y, s, indices, indptr, self_term = rows
    count[:] = 0.0
    own[:] = 0.0
    for m in members:
        i = owner[m]
        b = labels[i] - first
        if labels[i] < 0 or b < 0 or b >= BLOCK:
            continue
        count[b] += 1.0
        own[b] += self_term[i]
        for t in range(indptr[i], indptr[i + 1]):
            sums[indices[t], b] += s[t]
            sums[indices[t], BLOCK + b] += y[t]
    return count.sum()


@numba.njit(nogil=True, cache=True)
def _write_divergences(members, owner, rows, first, sums, count, own, result):
    """Write each member's divergences to the members that were summed."""
    y, s, indices, indptr, self_term = rows
    last = min(first + BLOCK, result.shape[1])
    for m in members:
        i = owner[m]
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
            result[m, k] = count[b] * self_term[i] + own[b] - shared[b] if count[b] > 0.0 else 0.0


@numba.njit(nogil=True, cache=True)
def _clear_sums(members, owner, labels, rows, first, sums):
    _, _, indices, indptr, _ = rows
    for m in members:
        i = owner[m]
        if labels[i] >= first and labels[i] < first + BLOCK:
            for t in range(indptr[i], indptr[i + 1]):
                sums[indices[t]] = 0.0


@numba.njit(nogil=True, cache=True)
def sum_divergences(rows, n_columns, owner, labels, by_group, tasks, result, start, stop):
    """Do tasks start to stop: memberships `by_group` from tasks[0] to tasks[1], clusters from tasks[2]."""
    sums = np.zeros((n_columns, 2 * BLOCK))
    count, own = np.empty(BLOCK), np.empty(BLOCK)
    for task in range(start, stop):
        members, first = by_group[tasks[0, task] : tasks[1, task]], tasks[2, task]
        if _sum_members(members, owner, labels, rows, first, sums, count, own) > 0.0:
            _write_divergences(members, owner, rows, first, sums, count, own, result)
            _clear_sums(members, owner, labels, rows, first, sums)
            continue
        for m in members:
            result[m, first : first + BLOCK] = 0.0


@numba.njit(nogil=True, cache=True)
def _find_cheapest(total, own, cheaper):
    """The cheapest cluster; the present one unless another is cheaper by more than rounding."""
    best = 0
    for k in range(1, len(total)):
        if total[k] < total[best]:
            best = k
    if own >= 0 and not total[best] < total[own] - cheaper * abs(total[own]):
        return own
    return best


@numba.njit(nogil=True, cache=True)
def find_movable(total, labels, order, cheaper):
    """The objects that would rather be elsewhere, in order."""
    found = np.empty(len(order), dtype=np.int64)
    n = 0
    for i in order:
        if _find_cheapest(total[i], labels[i], cheaper) != labels[i]:
            found[n] = i
            n += 1
    return found[:n]


@numba.njit(nogil=True, cache=True)
def _apply_pair_moves(i, neighbours, neighbour_start, energy, before, labels, total):
    """Let the costs of object i follow its neighbours that have moved."""
    for t in range(neighbour_start[i], neighbour_start[i + 1]):
        j = neighbours[t]
        if labels[j] != before[j]:
            _shift_cost(total, before[j], labels[j], energy[t])


@numba.njit(nogil=True, cache=True)
def _shift_cost(total, source, target, energy):
    if source >= 0:
        total[source] -= energy
    total[target] += energy


@numba.njit(nogil=True, cache=True)
def _implied_energy(i, j, members, weights):
    """What the implied links of two objects cost in one cluster: factor · divergence + constant."""
    object_start, member_set, member_group = members
    together, apart, twice_d_max = weights
    factor, constant = 0.0, 0.0
    for m in range(object_start[i], object_start[i + 1]):
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
    """Let the costs of object i follow the movers that it has implied links to."""
    y, s, indices, indptr, self_term = rows
    dense_y, dense_s = dense
    scatter_rows(i, y, s, indices, indptr, dense_y, dense_s)
    for j in movers:
        factor, constant = _implied_energy(i, j, members, weights)
        if factor != 0.0:
            both = self_term[i] + self_term[j]
            divergence = both - inner_products(j, y, s, indices, indptr, dense_y, dense_s)
            _shift_cost(total, before[j], labels[j], factor * divergence + constant)
    clear_rows(i, indices, indptr, dense_y, dense_s)


@numba.njit(nogil=True, cache=True)
def move_objects(candidates, pairs, rows, members, weights, n_columns, most, total, labels, cheaper):
    """Move candidates whose cheapest cluster is another at their turn, `most` at most; return how many."""
    neighbours, neighbour_start, energy = pairs
    object_start = members[0]
    before = labels.copy()
    movers = np.empty(min(most, len(candidates)), dtype=np.int64)
    dense = np.zeros(n_columns), np.zeros(n_columns)
    n = 0
    for i in candidates:
        if n == len(movers):
            break
        own_total = total[i]
        _apply_pair_moves(i, neighbours, neighbour_start, energy, before, labels, own_total)
        if n and object_start[i + 1] > object_start[i]:
            _apply_group_moves(i, movers[:n], rows, members, weights, before, labels, dense, own_total)
        best = _find_cheapest(own_total, labels[i], cheaper)
        if best != labels[i]:
            labels[i] = best
            movers[n] = i
            n += 1
    return n
