"""Products of sparse and dense matrices with tall and thin dense ones."""

# an intrinsic is called without the typing context that its definition begins with
# mypy: disable-error-code="no-untyped-def,call-arg,unreachable"

from typing import Any

import numba
import numpy as np

from colligate.kernels.numba.vectors import LANES, MAX_VECTORS, add_tile

# fused multiply-add only: reordered sums would make results depend on the width of the vector unit
OPTIONS: dict[str, Any] = {"nogil": True, "cache": True, "fastmath": {"contract"}}
MAX_SERIAL_PRODUCT = 2**18
"""A dense product of fewer multiplications stays on its thread, in any build of BLAS."""


@numba.njit(**OPTIONS)
def add_product(data, indices, indptr, dense, result, start, stop):
    """Add rows start to stop of x @ dense, whose sums stay in registers; at least `LANES` columns.

    With x and the dense matrix in single precision, four products are summed in it, and these in double.
    """
    n_vectors = (dense.shape[1] + LANES - 1) // LANES
    n_tiles = (n_vectors + MAX_VECTORS - 1) // MAX_VECTORS
    for i in range(start, stop):
        row, first, last = result[i], indptr[i], indptr[i + 1]
        if first == last:
            continue
        vector = 0
        for tile in range(n_tiles):
            # tiles of about equal size: the last one has two vectors where they overlap, so that no number
            # of another tile is added twice
            size = (n_vectors - vector + n_tiles - tile - 1) // (n_tiles - tile)
            column = vector * LANES
            if size == 4:
                add_tile(data, indices, first, last, dense, column, row, 4)
            elif size == 3:
                add_tile(data, indices, first, last, dense, column, row, 3)
            elif size == 2:
                add_tile(data, indices, first, last, dense, column, row, 2)
            else:
                add_tile(data, indices, first, last, dense, column, row, 1)
            vector += size


@numba.njit(**OPTIONS)
def _find_column(indices, start, stop, column):
    """Return the first entry of an ascending row that is not before a column."""
    while start < stop:
        middle = (start + stop) // 2
        if indices[middle] < column:
            start = middle + 1
        else:
            stop = middle
    return start


@numba.njit(**OPTIONS)
def transposed(data, indices, indptr, dense, result, start, stop):
    """Add rows start to stop of xᵀ @ dense to a result of these rows, each in the order of the rows of x."""
    width = dense.shape[1]
    for i in range(len(dense)):
        source = dense[i]
        # every thread passes over all rows, but reads only the entries of its columns
        t = _find_column(indices, indptr[i], indptr[i + 1], start)
        end = _find_column(indices, t, indptr[i + 1], stop)
        while t < end:
            value, row = data[t], result[indices[t] - start]
            for k in range(width):
                row[k] += value * source[k]
            t += 1


@numba.njit(nogil=True, cache=True)
def block_rows(inner, width):
    """Return how many rows a dense product may have to stay on its thread."""
    # larger products may start threads of BLAS inside those of the pool, which compete for the cores
    return max(8, min(256, MAX_SERIAL_PRODUCT // max(1, inner * width)))


@numba.njit(nogil=True, cache=True)
def overlap(left, right, start, stop):
    """Return leftᵀ·right of rows start to stop."""
    result = np.zeros((left.shape[1], right.shape[1]))
    part = np.empty_like(result)
    size = block_rows(left.shape[1], right.shape[1])
    for first in range(start, stop, size):
        last = min(first + size, stop)
        np.dot(left[first:last].T, right[first:last], part)
        result += part
    return result


@numba.njit(nogil=True, cache=True)
def select_largest(scores, queries, result):
    """Write the columns with the largest scores of each row, the largest first; see `Kernels.nearest`."""
    n, count = scores.shape[1], result.shape[1]
    for i in range(len(scores)):
        row, columns = scores[i], result[i]
        size, j = 0, queries[i]
        for _ in range(n - 1):
            j = j + 1 if j + 1 < n else 0
            # `columns` descends by score; most scores are below the last one, and are done with here
            if size == count and row[j] <= row[columns[count - 1]]:
                continue
            place = size if size < count else count - 1
            while place > 0 and row[columns[place - 1]] < row[j]:
                columns[place] = columns[place - 1]
                place -= 1
            columns[place] = j
            size = min(size + 1, count)
