"""The arithmetic of the two faces of guidance, for listed pairs and for groups whose pairs are never listed.

With M the objects × groups incidence, c = M·1 the entries of each object, t and a the together and apart
strengths, the implied links act as  t·(M·Mᵀ − diag c)  and  a·(c·cᵀ − M·Mᵀ − diag(c² − c)):  two thin
products instead of pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

FloatArray = NDArray[np.float64]


def one_hot(labels: NDArray[Any], n_clusters: int) -> sparse.csr_array:
    """Objects × clusters with a 1 where an object is; the rows of objects in no cluster are empty."""
    labels = np.asarray(labels)
    inside = labels >= 0
    start = np.concatenate([[0], np.cumsum(inside)])
    return sparse.csr_array(
        (np.ones(start[-1]), labels[inside].astype(np.int64), start), shape=(len(labels), n_clusters)
    )


def symmetric(left: NDArray[Any], right: NDArray[Any], strength: FloatArray, size: int) -> sparse.csr_array:
    """The symmetric matrix of listed pairs."""
    rows, columns = np.concatenate([left, right]), np.concatenate([right, left])
    entries = np.concatenate([strength, strength])
    return sparse.csr_array(sparse.coo_array((entries, (rows, columns)), shape=(size, size)))


def incidence(member: NDArray[Any], group: NDArray[Any], shape: tuple[int, int]) -> sparse.csr_array:
    """Objects × groups with a 1 where an object is a member."""
    return sparse.csr_array(sparse.coo_array((np.ones(len(member)), (member, group)), shape=shape))


def add_group_pull(
    score: FloatArray, M: sparse.csr_array, together: float, apart: float, placed: sparse.csr_array
) -> None:
    """Add to `score` what the implied links say, by counts per (group, cluster)."""
    counts = M.T @ placed
    score += (together + apart) * (M @ counts).toarray()
    entries = _entries(M)
    if apart:
        score -= apart * np.outer(entries, counts.sum(axis=0))
    own = np.flatnonzero(np.diff(placed.indptr))
    c = entries[own]
    score[own, placed.indices] -= (together + apart) * c - apart * c**2


def add_group_split(
    gain: FloatArray, loss: FloatArray, M: sparse.csr_array, together: float, apart: float, G: FloatArray
) -> None:
    """Add to `gain` and `loss` what the implied links say, by sums per group.

    The sums contain the object itself, which is taken off again; rounding may leave a hair below zero, and
    multiplicative updates need non-negative parts, so the parts are cut at 0.
    """
    sums = M.T @ G
    through_groups = M @ sums
    c = _entries(M)[:, None]
    if together:
        gain += together * np.maximum(through_groups - c * G, 0)
    if apart:
        loss += apart * np.maximum(c * sums.sum(axis=0) - through_groups - c * (c - 1) * G, 0)


def _entries(M: sparse.csr_array) -> FloatArray:
    return np.diff(M.indptr).astype(np.float64)
