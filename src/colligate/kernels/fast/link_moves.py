"""Moving objects with links one after the other, each by what its clusters cost at its turn.

What the clusters cost is known from the beginning of the round. Since then only few objects have moved, and
what a mover changes for another object is the energy of the links between the two.
"""

# mypy: disable-error-code="no-untyped-def"

import numba
import numpy as np

from colligate.kernels.fast.pair_links import clear, shared, spread


@numba.njit(nogil=True, cache=True)
def _best(total, own, cheaper):
    """The cheapest cluster; the present one unless another is cheaper by more than rounding."""
    best = 0
    for k in range(1, len(total)):
        if total[k] < total[best]:
            best = k
    if own >= 0 and not total[best] < total[own] - cheaper * abs(total[own]):
        return own
    return best


@numba.njit(nogil=True, cache=True)
def restless(total, labels, order, cheaper):
    """The objects that would rather be elsewhere, in order."""
    found = np.empty(len(order), dtype=np.int64)
    n = 0
    for i in order:
        if _best(total[i], labels[i], cheaper) != labels[i]:
            found[n] = i
            n += 1
    return found[:n]


@numba.njit(nogil=True, cache=True)
def _follow_pairs(i, neighbours, neighbour_start, energy, before, labels, total):
    """Let the costs of object i follow its neighbours that have moved."""
    for t in range(neighbour_start[i], neighbour_start[i + 1]):
        j = neighbours[t]
        if labels[j] != before[j]:
            _shift(total, before[j], labels[j], energy[t])


@numba.njit(nogil=True, cache=True)
def _shift(total, source, target, energy):
    if source >= 0:
        total[source] -= energy
    total[target] += energy


@numba.njit(nogil=True, cache=True)
def _implied(i, j, members, weights):
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
def _follow_groups(i, movers, rows, members, weights, before, labels, dense, total):
    """Let the costs of object i follow the movers that it has implied links to."""
    y, s, indices, indptr, self_term = rows
    dense_y, dense_s = dense
    spread(i, y, s, indices, indptr, dense_y, dense_s)
    for j in movers:
        factor, constant = _implied(i, j, members, weights)
        if factor != 0.0:
            both = self_term[i] + self_term[j]
            divergence = both - shared(j, y, s, indices, indptr, dense_y, dense_s)
            _shift(total, before[j], labels[j], factor * divergence + constant)
    clear(i, indices, indptr, dense_y, dense_s)


@numba.njit(nogil=True, cache=True)
def move(candidates, pairs, rows, members, weights, n_columns, most, total, labels, cheaper):
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
        _follow_pairs(i, neighbours, neighbour_start, energy, before, labels, own_total)
        if n and object_start[i + 1] > object_start[i]:
            _follow_groups(i, movers[:n], rows, members, weights, before, labels, dense, own_total)
        best = _best(own_total, labels[i], cheaper)
        if best != labels[i]:
            labels[i] = best
            movers[n] = i
            n += 1
    return n
