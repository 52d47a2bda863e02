"""Passes over the entries of a sparse matrix: tf-idf, counts and sums, and the transposed matrix."""

# mypy: disable-error-code="no-untyped-def"

import math

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def count(indices, counts, start, stop):
    """Count the entries start to stop of every column."""
    for t in range(start, stop):
        counts[indices[t]] += 1


@numba.njit(nogil=True, cache=True)
def scatter(data, indices, indptr, places, result, rows, start, stop):
    """Write the entries of rows start to stop, and their rows, to the next place of their columns."""
    for i in range(start, stop):
        for t in range(indptr[i], indptr[i + 1]):
            place = places[indices[t]]
            result[place], rows[place] = data[t], i
            places[indices[t]] = place + 1


@numba.njit(nogil=True, cache=True)
def tfidf(data, indices, indptr, idf, result):
    """Write (1 + log entry)·idf of all rows, each at unit length."""
    for i in range(len(indptr) - 1):
        squares = 0.0
        for t in range(indptr[i], indptr[i + 1]):
            value = np.float64(data[t])
            # entries below 1 are weights rather than counts: they are taken as they are
            weight = math.log(value) + 1.0 if value > 1.0 else value
            value = weight * idf[indices[t]]
            squares += value * value
            result[t] = value
        length = math.sqrt(squares)
        if length > 0.0:
            for t in range(indptr[i], indptr[i + 1]):
                result[t] /= length


@numba.njit(nogil=True, cache=True)
def sum_log_ratios(data, indices, indptr, log_columns, sums, start, stop):
    """Sum entry·(log entry − log_columns) over rows start to stop."""
    for i in range(start, stop):
        total = 0.0
        for t in range(indptr[i], indptr[i + 1]):
            value = np.float64(data[t])
            # most counts are 1
            log = math.log(value) if value > 0.0 and value != 1.0 else 0.0
            total += value * (log - log_columns[indices[t]])
        sums[i] = total
