"""leftᵀ·right of tall and thin matrices, by blocks of rows."""

# mypy: disable-error-code="no-untyped-def"

import numba
import numpy as np

# a dense product of fewer multiplications stays on the thread that asks for it, in any build of BLAS
ALONE = 2**18


@numba.njit(nogil=True, cache=True)
def block_rows(inner, width):
    """How many rows a dense product may have to be small enough."""
    return max(8, min(256, ALONE // max(1, inner * width)))


@numba.njit(nogil=True, cache=True)
def overlap(left, right, start, stop):
    """The part of rows start to stop."""
    result = np.zeros((left.shape[1], right.shape[1]))
    part = np.empty_like(result)
    size = block_rows(left.shape[1], right.shape[1])
    for first in range(start, stop, size):
        last = min(first + size, stop)
        np.dot(left[first:last].T, right[first:last], part)
        result += part
    return result
