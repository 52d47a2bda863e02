"""Sums over column clusters, and label updates from these sums.

Rows are summed in blocks that fit the cache and multiplied with the table by one dense product, so that the
sums are never stored as a whole. Column labels are unsigned here: no cluster is the number after the last,
and the table has a row of zeros for it, so that the inner loop has no branch.
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
def aggregate(data, indices, indptr, columns, first, last, block):
    """Sum rows first to last over the column clusters; entries without one are in the last column."""
    block[:] = 0.0
    for i in range(first, last):
        row = block[i - first]
        for t in range(indptr[i], indptr[i + 1]):
            row[columns[indices[t]]] += data[t]


@numba.njit(nogil=True, cache=True)
def score(data, indices, indptr, columns, table, scores, start, stop):
    """Write the scores of rows start to stop."""
    block = np.empty((BLOCK, table.shape[0]))
    for first in range(start, stop, BLOCK):
        last = min(first + BLOCK, stop)
        aggregate(data, indices, indptr, columns, first, last, block)
        # the last block ends with rows of zeros, which are cut off after the product
        scores[first:last] = np.dot(block, table)[: last - first]


@numba.njit(nogil=True, cache=True)
def assign(data, indices, indptr, columns, table, labels, best, start, stop):
    """Write the best cluster and its score for rows start to stop; ties go to the lower number.

    Returns the sums over (row cluster, column cluster) of the new labels: the block in the cache has them.
    """
    width, n_clusters = table.shape
    block, scores = np.empty((BLOCK, width)), np.empty((BLOCK, n_clusters))
    sums = np.zeros((n_clusters, width))
    for first in range(start, stop, BLOCK):
        last = min(first + BLOCK, stop)
        aggregate(data, indices, indptr, columns, first, last, block)
        np.dot(block, table, scores)
        for i in range(last - first):
            row = scores[i]
            top, largest = 0, row[0]
            for k in range(1, n_clusters):
                if row[k] > largest:
                    top, largest = k, row[k]
            best[first + i] = largest
            is_filled = indptr[first + i + 1] > indptr[first + i]
            labels[first + i] = top if is_filled else -1
            total, masses = sums[top], block[i]
            for label in range(width):
                total[label] += masses[label]
    return sums
