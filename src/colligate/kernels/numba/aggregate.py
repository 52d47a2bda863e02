"""Sums over column clusters, and label updates from these sums.

Rows are summed in blocks that fit the cache and multiplied with the table by one dense product, so that the
sums are never stored as a whole.
"""

# mypy: disable-error-code="no-untyped-def"

import numba
import numpy as np

BLOCK = 256


@numba.njit(nogil=True, cache=True)
def block_sums(data, indices, indptr, rows, columns, n_rows, n_columns, start, stop):
    """Sum the entries of rows start to stop over (row cluster, column cluster)."""
    sums = np.zeros((n_rows, n_columns))
    for i in range(start, stop):
        k = rows[i]
        if k < 0:
            continue
        for t in range(indptr[i], indptr[i + 1]):
            label = columns[indices[t]]
            if label >= 0:
                sums[k, label] += data[t]
    return sums


@numba.njit(nogil=True, cache=True)
def _aggregate(data, indices, indptr, columns, first, last, block):
    block[:] = 0.0
    for i in range(first, last):
        for t in range(indptr[i], indptr[i + 1]):
            label = columns[indices[t]]
            if label >= 0:
                block[i - first, label] += data[t]


@numba.njit(nogil=True, cache=True)
def score(data, indices, indptr, columns, table, scores, start, stop):
    """Write the scores of rows start to stop."""
    block = np.empty((BLOCK, table.shape[0]))
    for first in range(start, stop, BLOCK):
        last = min(first + BLOCK, stop)
        _aggregate(data, indices, indptr, columns, first, last, block)
        # the last block ends with rows of zeros, which are cut off after the product
        scores[first:last] = np.dot(block, table)[: last - first]


@numba.njit(nogil=True, cache=True)
def assign(data, indices, indptr, columns, table, labels, best, start, stop):
    """Write the best cluster and its score for rows start to stop; ties go to the lower number."""
    block = np.empty((BLOCK, table.shape[0]))
    n_clusters = table.shape[1]
    for first in range(start, stop, BLOCK):
        last = min(first + BLOCK, stop)
        _aggregate(data, indices, indptr, columns, first, last, block)
        scores = np.dot(block, table)
        for i in range(first, last):
            top = 0
            for k in range(1, n_clusters):
                if scores[i - first, k] > scores[i - first, top]:
                    top = k
            labels[i] = top if indptr[i + 1] > indptr[i] else -1
            best[i] = scores[i - first, top]
