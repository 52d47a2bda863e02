"""Multiplicative steps: Newton's method for the multipliers, over blocks of rows that fit the cache.

`interface.reference_step` shows what is computed.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from colligate.kernels.interface import NEWTON_STEPS, TINY_GAIN
from colligate.kernels.numba.products import block_rows

if TYPE_CHECKING:
    from colligate.kernels.interface import SplitGradient
    from colligate.kernels.links import Floats
    from colligate.kernels.numba.threads import ThreadPool

# the NumPy error model has no check for division by zero in the inner loop
OPTIONS: dict[str, Any] = {"nogil": True, "cache": True, "error_model": "numpy", "fastmath": {"contract"}}


@numba.njit(**OPTIONS)
def _add_terms(part, G, signed, further, first, last):
    """Add G·signed and a further part to rows first to last; either may be empty."""
    if len(signed):
        part += np.dot(G[first:last], signed)
    if len(further):
        part += further[first:last]


@numba.njit(**OPTIONS)
def evaluate_multiplier(
    G, left, right, plus, minus, further_gain, further_loss, multiplier, root, result, start, stop
):
    """Write x, or without `root` x²/G, of rows start to stop; return what the next multiplier is found from.

    By columns: the sum of x², that of x²/(b + λ), that of the squares of x²/G, and the largest a − b.
    """
    width = G.shape[1]
    sums, least = np.zeros((3, width)), np.full(width, -np.inf)
    size = block_rows(max(left.shape[1], width), width)
    c, gain, loss = np.empty((size, width)), np.zeros((size, width)), np.empty((size, width))
    for first in range(start, stop, size):
        last = min(first + size, stop)
        n = last - first
        np.dot(left[first:last], right, c[:n])
        np.dot(G[first:last], plus, loss[:n])
        gain[:n] = TINY_GAIN
        _add_terms(gain[:n], G, minus, further_gain, first, last)
        # `minus[:0]`: nothing to multiply, since `loss` already holds G·plus
        _add_terms(loss[:n], G, minus[:0], further_loss, first, last)
        for i in range(n):
            _update_row(G[first + i], c[i], gain[i], loss[i], multiplier, sums, least, result[first + i])
        if root:
            _take_roots(G[first:last], result[first:last])
    return sums[0], sums[1], sums[2], least


@numba.njit(**OPTIONS)
def _update_row(G, C, gain, loss, multiplier, sums, least, result):
    """Write x²/G of one row, and add to the sums of its columns."""
    total, slope, longer = sums[0], sums[1], sums[2]
    for k in range(len(G)):
        c = C[k]
        whole_gain = (c if c > 0.0 else 0.0) + gain[k]
        b = (loss[k] + (0.0 if c > 0.0 else -c)) / G[k]
        a = whole_gain * G[k]
        least[k] = a - b if a - b > least[k] else least[k]
        denominator = b + multiplier[k]
        # b + λ is below a only by rounding; the quotient then stays at 1
        inverse = 1.0 / (denominator if denominator > a else a)
        x = whole_gain * inverse
        total[k] += a * inverse
        slope[k] += a * inverse * inverse
        longer[k] += x * x
        result[k] = x


@numba.njit(**OPTIONS)
def _take_roots(G, result):
    """Turn x²/G into x."""
    for i in range(len(G)):
        for k in range(G.shape[1]):
            result[i, k] = np.sqrt(result[i, k] * G[i, k])


@numba.njit(**OPTIONS)
def scale_columns(result, scale, floor, start, stop):
    """Scale the columns of rows start to stop, nothing below the floor."""
    for i in range(start, stop):
        row = result[i]
        for k in range(len(scale)):
            x = row[k] * scale[k]
            row[k] = x if x > floor else floor


def step(
    pool: ThreadPool, G: Floats, slope: SplitGradient, tolerance: float, floor: float, *, root: bool
) -> Floats:
    """See `Kernels.step` and `reference_step`."""
    x, arrays, multiplier = np.empty_like(G), _gradient_arrays(slope), slope.lead
    for _ in range(NEWTON_STEPS):
        parts = pool.rows(
            lambda a, b, trial=multiplier: evaluate_multiplier(G, *arrays, trial, root, x, a, b),  # type: ignore[misc]
            len(G),
        )
        total, bend, longer = (np.sum([part[n] for part in parts], axis=0) for n in range(3))
        if np.all(np.abs(total - 1.0) <= tolerance):
            break
        least = np.max([part[3] for part in parts], axis=0)
        # below `least` the largest summand alone is above 1, and the sums are not those of the multiplier
        following = np.where(multiplier < least, least, multiplier + (total - 1.0) * total / bend)
        multiplier = np.maximum(following, least)
    scale = 1.0 / np.sqrt(total if root else longer)
    pool.rows(lambda a, b: scale_columns(x, scale, floor, a, b), len(G))
    return x


def _gradient_arrays(slope: SplitGradient) -> tuple[Floats, ...]:
    """Return the parts of a split gradient, with empty arrays for those that add nothing."""
    nothing = np.empty((0, slope.plus.shape[1]))
    minus = slope.minus if slope.minus.any() else nothing
    parts = (slope.left, slope.right, slope.plus, minus, slope.further_gain, slope.further_loss)
    return tuple(nothing if part is None else np.ascontiguousarray(part) for part in parts)
