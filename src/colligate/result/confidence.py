"""How sure a result is of each document: its membership in its own group, and which group comes next."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Labels = NDArray[np.integer[Any]]

CHUNK = 65_536
# rows at a time, where what is made of them would else be several times as large as the result
FEW = 1024


def confidence(labels: Labels, memberships: NDArray[np.floating[Any]]) -> FloatArray:
    """The membership of each object in its own group; 0 for objects in no group."""
    own = memberships[np.arange(labels.size), np.maximum(labels, 0)].astype(np.float64)
    return np.where(labels >= 0, own, 0.0)


def runner_up(labels: Labels, memberships: NDArray[np.floating[Any]]) -> NDArray[np.int32]:
    """The group each object would be in otherwise; -1 where no other group has any membership."""
    found = np.full(labels.size, -1, dtype=np.int32)
    if memberships.shape[1] < 2:
        return found
    for start in range(0, labels.size, CHUNK):
        part = labels[start : start + CHUNK]
        others = np.array(memberships[start : start + CHUNK])
        others[np.arange(part.size), np.maximum(part, 0)] = 0
        best = others.argmax(axis=1)
        some = (part >= 0) & (others[np.arange(part.size), best] > 0)
        found[start : start + CHUNK] = np.where(some, best, -1)
    return found


def soft_memberships(scores: FloatArray) -> NDArray[np.float32]:
    """Turn scores (higher is better) into memberships that sum to 1: the softmax of each row."""
    from scipy.special import softmax

    found = np.empty(scores.shape, dtype=np.float32)
    for start in range(0, len(scores), FEW):
        found[start : start + FEW] = softmax(scores[start : start + FEW], axis=1)
    return found


def group_confidence(labels: Labels, n_groups: int, values: FloatArray) -> FloatArray:
    """The mean confidence of each group; 0 for an empty one."""
    inside = labels >= 0
    sizes = np.bincount(labels[inside], minlength=n_groups)
    sums = np.bincount(labels[inside], weights=values[inside], minlength=n_groups)
    return np.asarray(sums / np.maximum(sizes, 1), dtype=np.float64)
