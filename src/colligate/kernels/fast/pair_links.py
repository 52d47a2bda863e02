"""Listed links: the divergences of their objects, and what labels make of them."""

# mypy: disable-error-code="no-untyped-def"

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def spread(i, y, s, indices, indptr, dense_y, dense_s):
    """Write the entries of object i into dense rows."""
    for t in range(indptr[i], indptr[i + 1]):
        dense_y[indices[t]] = y[t]
        dense_s[indices[t]] = s[t]


@numba.njit(nogil=True, cache=True)
def clear(i, indices, indptr, dense_y, dense_s):
    """Undo `spread`."""
    for t in range(indptr[i], indptr[i + 1]):
        dense_y[indices[t]] = 0.0
        dense_s[indices[t]] = 0.0


@numba.njit(nogil=True, cache=True)
def shared(j, y, s, indices, indptr, dense_y, dense_s):
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
                clear(held, indices, indptr, dense_y, dense_s)
            spread(i, y, s, indices, indptr, dense_y, dense_s)
            held = i
        both = self_term[i] + self_term[j]
        result[p] = both - shared(j, y, s, indices, indptr, dense_y, dense_s)


@numba.njit(nogil=True, cache=True)
def pull(neighbours, neighbour_start, energy, labels, rows, pulled, broken, start, stop):
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
def touched(neighbours, neighbour_start, changed):
    """The changed objects and their neighbours."""
    found = changed.copy()
    for i in range(len(changed)):
        if changed[i]:
            for t in range(neighbour_start[i], neighbour_start[i + 1]):
                found[neighbours[t]] = True
    return np.flatnonzero(found)
