"""Label updates under links: one object after the other, implied pairs through sums over groups.

The divergence of objects i and j is ⟨yᵢ − yⱼ, sᵢ − sⱼ⟩. Summed over the members j of a group that sit in
cluster k it is n·⟨yᵢ, sᵢ⟩ + Σ⟨yⱼ, sⱼ⟩ − ⟨yᵢ, Σsⱼ⟩ − ⟨sᵢ, Σyⱼ⟩: the sums stand for all the pairs.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import TYPE_CHECKING

import numba
import numpy as np

if TYPE_CHECKING:
    from colligate.kernels.interface import Floats, GroupSums, Ints, Labels, Links


@numba.njit(nogil=True, cache=True)
def divergences(y, s, indices, indptr, self_term, left, right, result, start, stop):
    """Write the symmetric divergences of pairs start to stop by merging their sorted entries."""
    for p in range(start, stop):
        i, j = left[p], right[p]
        a, b = indptr[i], indptr[j]
        shared = 0.0
        while a < indptr[i + 1] and b < indptr[j + 1]:
            if indices[a] == indices[b]:
                shared += y[a] * s[b] + y[b] * s[a]
                a += 1
                b += 1
            elif indices[a] < indices[b]:
                a += 1
            else:
                b += 1
        result[p] = self_term[i] + self_term[j] - shared


def settle(links: Links, sums: GroupSums, cost: Floats, labels: Labels, order: Ints, max_sweeps: int) -> int:
    """See `Kernels.settle`."""
    total = np.empty(cost.shape[1])
    for sweep in range(1, max_sweeps + 1):
        if not _sweep(links, sums, cost, labels, order, total):
            return sweep
    return max_sweeps


def _sweep(links: Links, sums: GroupSums, cost: Floats, labels: Labels, order: Ints, total: Floats) -> bool:
    pairs = links.neighbours, links.neighbour_start, links.energy
    if not len(links.member_set):
        return bool(_sweep_pairs(*pairs, cost, labels, order, total))
    changed = _sweep_all(
        pairs,
        (links.y, links.s, links.indices, links.indptr, links.self_term),
        (links.object_start, links.member_set, links.member_group, links.member_start, links.slots),
        (links.together, links.apart, links.all_start, links.twice_d_max),
        (sums.s, sums.y, sums.count, sums.self_term),
        (sums.all_s, sums.all_y, sums.all_count, sums.all_self_term),
        cost,
        labels,
        order,
        total,
    )
    return bool(changed)


@numba.njit(nogil=True, cache=True)
def _add_pairs(i, neighbours, start, energy, labels, total):
    for t in range(start[i], start[i + 1]):
        k = labels[neighbours[t]]
        if k >= 0:
            total[k] += energy[t]


@numba.njit(nogil=True, cache=True)
def _choose(total, own):
    """The cheapest cluster; the present one unless another is cheaper."""
    best = own if own >= 0 else 0
    for k in range(len(total)):
        if total[k] < total[best]:
            best = k
    return best


@numba.njit(nogil=True, cache=True)
def _sweep_pairs(neighbours, start, energy, cost, labels, order, total):
    changed = False
    for i in order:
        total[:] = cost[i]
        _add_pairs(i, neighbours, start, energy, labels, total)
        best = _choose(total, labels[i])
        if best != labels[i]:
            labels[i] = best
            changed = True
    return changed


@numba.njit(nogil=True, cache=True)
def _add_group(i, rows, first_slot, slots, group_sums, group, factor, constant, total):
    """Add factor · (Σ divergence to the group's members in k) + constant · their number, for every k."""
    y, s, _, indptr, self_term = rows
    sum_s, sum_y, count, sum_self = group_sums
    for k in range(len(total)):
        n = count[group, k]
        total[k] += factor * (n * self_term[i] + sum_self[group, k]) + constant * n
    for t in range(indptr[i], indptr[i + 1]):
        slot = slots[first_slot + t - indptr[i]]
        left, right = factor * y[t], factor * s[t]
        row_s, row_y = sum_s[slot], sum_y[slot]
        for k in range(len(total)):
            total[k] -= left * row_s[k] + right * row_y[k]


@numba.njit(nogil=True, cache=True)
def _add_all(i, rows, first_row, all_sums, z, factor, constant, total):
    """The same over the members of every group of set z, whose columns begin at `first_row` of the sums."""
    y, s, indices, indptr, self_term = rows
    sum_s, sum_y, count, sum_self = all_sums
    for k in range(len(total)):
        n = count[z, k]
        total[k] += factor * (n * self_term[i] + sum_self[z, k]) + constant * n
    for t in range(indptr[i], indptr[i + 1]):
        left, right = factor * y[t], factor * s[t]
        row_s, row_y = sum_s[first_row + indices[t]], sum_y[first_row + indices[t]]
        for k in range(len(total)):
            total[k] -= left * row_s[k] + right * row_y[k]


@numba.njit(nogil=True, cache=True)
def _shift(i, rows, first_slot, slots, group_sums, group, k, sign):
    """Add (sign 1) or remove (sign -1) object i in cluster k of its group's sums."""
    y, s, _, indptr, self_term = rows
    sum_s, sum_y, count, sum_self = group_sums
    count[group, k] += sign
    sum_self[group, k] += sign * self_term[i]
    for t in range(indptr[i], indptr[i + 1]):
        slot = slots[first_slot + t - indptr[i]]
        sum_s[slot, k] += sign * s[t]
        sum_y[slot, k] += sign * y[t]


@numba.njit(nogil=True, cache=True)
def _shift_all(i, rows, first_row, all_sums, z, k, sign):
    """The same in the sums over all groups of set z."""
    y, s, indices, indptr, self_term = rows
    sum_s, sum_y, count, sum_self = all_sums
    count[z, k] += sign
    sum_self[z, k] += sign * self_term[i]
    for t in range(indptr[i], indptr[i + 1]):
        sum_s[first_row + indices[t], k] += sign * s[t]
        sum_y[first_row + indices[t], k] += sign * y[t]


@numba.njit(nogil=True, cache=True)
def _memberships_in(z, member_set, object_start, i):
    found = 0
    for m in range(object_start[i], object_start[i + 1]):
        if member_set[m] == z:
            found += 1
    return found


@numba.njit(nogil=True, cache=True)
def _add_groups(i, own, rows, members, weights, group_sums, all_sums, total):
    """Add what the implied links of object i cost in every cluster."""
    object_start, member_set, member_group, member_start, slots = members
    together, apart, all_start, twice_d_max = weights
    for m in range(object_start[i], object_start[i + 1]):
        z, g = member_set[m], member_group[m]
        # together: −w·divergence inside the group; apart: w·(2·D_max − divergence) to all but the group
        factor, constant = apart[z] - together[z], apart[z] * twice_d_max
        _add_group(i, rows, member_start[m], slots, group_sums, g, factor, -constant, total)
        if apart[z] != 0.0:
            _add_all(i, rows, all_start[z], all_sums, z, -apart[z], constant, total)
            # the object itself is counted there through its other groups of the set
            if own >= 0:
                total[own] -= constant * (_memberships_in(z, member_set, object_start, i) - 1)


@numba.njit(nogil=True, cache=True)
def _follow(i, k, sign, rows, members, weights, group_sums, all_sums):
    """Let all sums follow object i into (sign 1) or out of (sign -1) cluster k."""
    object_start, member_set, member_group, member_start, slots = members
    _, apart, all_start, _ = weights
    for m in range(object_start[i], object_start[i + 1]):
        z = member_set[m]
        _shift(i, rows, member_start[m], slots, group_sums, member_group[m], k, sign)
        if apart[z] != 0.0:
            _shift_all(i, rows, all_start[z], all_sums, z, k, sign)


@numba.njit(nogil=True, cache=True)
def _sweep_all(pairs, rows, members, weights, group_sums, all_sums, cost, labels, order, total):
    neighbours, start, energy = pairs
    changed = False
    for i in order:
        own = labels[i]
        total[:] = cost[i]
        _add_pairs(i, neighbours, start, energy, labels, total)
        _add_groups(i, own, rows, members, weights, group_sums, all_sums, total)
        best = _choose(total, own)
        if best != own:
            if own >= 0:
                _follow(i, own, -1.0, rows, members, weights, group_sums, all_sums)
            _follow(i, best, 1.0, rows, members, weights, group_sums, all_sums)
            labels[i] = best
            changed = True
    return changed
