"""From memberships to groups: every object where it belongs most, and no group left empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

# how large a column must be to be more than rounding
ALIVE = 1e-12
LEAST_SHARE = 1e-9


def shares(G: Floats) -> Floats:
    """Memberships with columns of unit length and rows that sum to 1: scaling a column changes nothing."""
    unit = G / np.maximum(np.sqrt(np.square(G).sum(axis=0)), ALIVE)
    return np.asarray(unit / np.maximum(unit.sum(axis=1, keepdims=True), 1e-300))


def log_shares(G: Floats) -> Floats:
    """Scores whose softmax are the shares."""
    return np.asarray(np.log(np.maximum(shares(G), LEAST_SHARE)))


def grouped(G: Floats, filled: NDArray[np.bool_]) -> Labels:
    """The group of the largest share, -1 for objects without entries.

    A group that is the largest share of none gets the object, of a group of several, that shares most in it.
    """
    own = shares(G)
    labels = np.where(filled, own.argmax(axis=1), -1).astype(np.int32)
    sizes = np.bincount(labels[filled], minlength=G.shape[1])
    for group in np.flatnonzero(sizes == 0).tolist():
        free = filled & (sizes[labels] > 1)
        if not free.any():
            break
        chosen = int(np.where(free, own[:, group], -1.0).argmax())
        sizes[labels[chosen]] -= 1
        sizes[group] += 1
        labels[chosen] = group
    return labels
