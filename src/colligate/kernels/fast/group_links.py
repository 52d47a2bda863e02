"""Implied links: the divergences of each member to all members of its group, or set, in each cluster.

The divergence of objects i and j is ⟨yᵢ − yⱼ, sᵢ − sⱼ⟩. Summed over the members j that sit in cluster k it is
n·⟨yᵢ, sᵢ⟩ + Σ⟨yⱼ, sⱼ⟩ − ⟨yᵢ, Σsⱼ⟩ − ⟨sᵢ, Σyⱼ⟩: the sums stand for all the pairs. They are made for a few
clusters at a time, so that they stay in the cache, and dropped.
"""

# mypy: disable-error-code="no-untyped-def"

import numba
import numpy as np

# clusters at a time: their sums of s and of y for one column fill a cache line
BLOCK = 4
# every chunk of tasks has sums of its own
CHUNKS = 8


@numba.njit(nogil=True, cache=True)
def _gather(members, owner, labels, rows, first, sums, count, own):
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
def _write(members, owner, rows, first, sums, count, own, result):
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
def _clear(members, owner, labels, rows, first, sums):
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
        if _gather(members, owner, labels, rows, first, sums, count, own) > 0.0:
            _write(members, owner, rows, first, sums, count, own, result)
            _clear(members, owner, labels, rows, first, sums)
            continue
        for m in members:
            result[m, first : first + BLOCK] = 0.0
