"""The two leading directions of some documents about their mean, found the same way every time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

FloatArray = NDArray[np.float64]

BLOCK = 4
ITERATIONS = 8


def leading_directions(counts: sparse.csr_array) -> FloatArray:
    """Coordinates of each document along the two directions in which the documents differ most.

    Block power iteration from a fixed start: it cannot fail to converge, and the same documents give the same
    places. Documents are compared by the square roots of their word shares.
    """
    rows = _roots_of_shares(counts)
    count = rows.shape[0]
    if count < 3:
        return np.column_stack([np.arange(count, dtype=np.float64), np.zeros(count)])
    block = _start(count)
    for _ in range(ITERATIONS):
        block = np.linalg.qr(_centred_gram(rows, block))[0]
    values, vectors = np.linalg.eigh(block.T @ _centred_gram(rows, block))
    leading = [-1, -2] if len(values) > 1 else [-1, -1]
    return fix_signs(block @ vectors[:, leading])


def fix_signs(points: FloatArray) -> FloatArray:
    """Turn each column so that its entry of largest size is positive."""
    largest = np.abs(np.round(points, 9)).argmax(axis=0)
    return points * np.where(points[largest, np.arange(points.shape[1])] < 0, -1.0, 1.0)


def _roots_of_shares(counts: sparse.csr_array) -> sparse.csr_array:
    columns, indices = np.unique(counts.indices, return_inverse=True)
    lengths = np.repeat(np.asarray(counts.sum(axis=1, dtype=np.float64)), np.diff(counts.indptr))
    return sparse.csr_array(
        (np.sqrt(counts.data / lengths), indices.astype(np.int64), counts.indptr),
        shape=(counts.shape[0], max(columns.size, 1)),
    )


def _start(count: int) -> FloatArray:
    steps = np.outer(np.arange(1, count + 1), np.sqrt([2.0, 3.0, 5.0, 7.0])[: min(BLOCK, count - 1)])
    return steps % 1.0 - 0.5


def _centred_gram(rows: sparse.csr_array, block: FloatArray) -> FloatArray:
    product = rows @ (rows.T @ (block - block.mean(axis=0)))
    return np.asarray(product - product.mean(axis=0), dtype=np.float64)
