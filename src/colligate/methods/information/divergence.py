"""Objects as smoothed distributions, in the form that makes their symmetric divergence a sparse product.

p_i = (1 − λ)·x_i + λ·b, with x_i the object's own distribution over the columns and b that of all objects.
With s_i = log(1 + (1 − λ)·x_i / (λ·b)) and y_i = (1 − λ)·x_i, both as sparse as x_i,

    KL(p_i‖p_j) + KL(p_j‖p_i) = ⟨y_i − y_j, s_i − s_j⟩,   KL(p_i‖p_j) = u_i − v_j − ⟨y_i, s_j⟩,
    u_i = ⟨y_i, s_i⟩ + v_i,   v_i = λ·⟨b, s_i⟩.

A column that no object has (b = 0) occurs in no x_i and so in no sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import NumericalError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.information.sides import Side

SMOOTHING = 0.5


@dataclass(frozen=True, eq=False)
class Divergences:
    """y and s of all rows (entries in the order of the side's), ⟨y, s⟩ per row, and a bound on every KL."""

    y: NDArray[np.float64]
    s: NDArray[np.float64]
    self_term: NDArray[np.float64]
    d_max: float


def divergences(side: Side, smoothing: float = SMOOTHING) -> Divergences:
    """Smooth every row of a side. D_max = max u − min v bounds each KL in one pass over the entries."""
    x = side.rows
    owner = np.repeat(np.arange(len(x)), np.diff(x.indptr))
    entries = _scaled_entries(side)
    b = _summed(x.indices, entries, x.n_columns)
    b /= max(b.sum(), 1e-300)
    row_sums = _summed(owner, entries, len(x))
    y = (1.0 - smoothing) * entries / row_sums[owner]
    s = np.log1p(y / (smoothing * b[x.indices]))
    self_term = _summed(owner, y * s, len(x))
    v = smoothing * _summed(owner, b[x.indices] * s, len(x))
    if not (np.isfinite(self_term).all() and np.isfinite(v).all()):
        raise NumericalError(
            f"the divergences of {side.kind} are not finite; this is a defect, please report it"
        )
    return Divergences(y, s, self_term, float((self_term + v).max() - v.min()) if len(v) else 0.0)


def _summed(where: NDArray[Any], weights: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    return np.asarray(np.bincount(where, weights=weights, minlength=size), dtype=np.float64)


def _scaled_entries(side: Side) -> NDArray[np.float64]:
    """The entries with every relation at its own scale."""
    scales = np.repeat([piece.scale for piece in side.pieces], side.widths)
    return np.asarray(side.rows.data * scales[side.rows.indices], dtype=np.float64)
