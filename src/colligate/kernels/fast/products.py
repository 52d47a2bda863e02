"""Products of a sparse matrix with a tall and thin one."""

# mypy: disable-error-code="no-untyped-def"

import numba
import numpy as np

PARTIAL_BYTES = 64 * 2**20


def chunks_for(size: int) -> int:
    """How many partial results of `size` numbers fit the memory set aside for them (1 to 8)."""
    return max(1, min(8, PARTIAL_BYTES // (8 * max(size, 1))))


@numba.njit(nogil=True, cache=True)
def product(data, indices, indptr, dense, result, start, stop):
    """Write rows start to stop of x @ dense."""
    width = dense.shape[1]
    for i in range(start, stop):
        row = result[i]
        row[:] = 0.0
        for t in range(indptr[i], indptr[i + 1]):
            value = data[t]
            source = dense[indices[t]]
            for k in range(width):
                row[k] += value * source[k]


@numba.njit(nogil=True, cache=True)
def transposed(data, indices, indptr, dense, n_columns, start, stop):
    """Scatter rows start to stop of x into xᵀ @ dense; gathering by columns is slower out of the cache."""
    width = dense.shape[1]
    result = np.zeros((n_columns, width))
    for i in range(start, stop):
        source = dense[i]
        for t in range(indptr[i], indptr[i + 1]):
            value = data[t]
            row = result[indices[t]]
            for k in range(width):
                row[k] += value * source[k]
    return result
