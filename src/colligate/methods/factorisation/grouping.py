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
# what differs from unit length by less is of it, as the columns of the updates are
UNIT = 1e-12


def shares(G: Floats) -> Floats:
    """Memberships with columns of unit length and rows that sum to 1: scaling a column changes nothing."""
    found = G / _lengths(G)
    found /= np.maximum(found.sum(axis=1, keepdims=True), 1e-300)
    return np.asarray(found)


def _lengths(G: Floats) -> Floats:
    return np.asarray(np.maximum(np.sqrt(np.einsum("ik,ik->k", G, G)), ALIVE))


def log_shares(G: Floats) -> Floats:
    """Scores whose softmax are the shares."""
    found = shares(G)
    return np.asarray(np.log(np.maximum(found, LEAST_SHARE, out=found), out=found))


def grouped(G: Floats, filled: NDArray[np.bool_]) -> Labels:
    """The group of the largest share, -1 for objects without entries.

    A group that is the largest share of none gets the object, of a group of several, that shares most in it.
    """
    length = _lengths(G)
    labels = np.where(filled, _largest(G, length), -1).astype(np.int32)
    sizes = np.bincount(labels[filled], minlength=G.shape[1])
    for group in np.flatnonzero(sizes == 0).tolist():
        free = filled & (sizes[labels] > 1)
        if not free.any():
            break
        own = G[:, group] / np.maximum(G @ (1.0 / length), 1e-300)
        chosen = int(np.where(free, own, -1.0).argmax())
        sizes[labels[chosen]] -= 1
        sizes[group] += 1
        labels[chosen] = group
    return labels


def _largest(G: Floats, length: Floats) -> NDArray[np.int64]:
    """The column that is largest in each row, at unit length."""
    unit = G if np.all(np.abs(length - 1.0) < UNIT) else G / length
    return np.asarray(unit.argmax(axis=1))
