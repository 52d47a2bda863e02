"""A step of memberships: what its columns are multiplied with, found by Newton's method over the passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.kernels.fast import steps
from colligate.kernels.slope import NEWTON_STEPS

if TYPE_CHECKING:
    from colligate.kernels.fast.threads import Pool
    from colligate.kernels.linked import Floats
    from colligate.kernels.slope import Slope


def step(pool: Pool, G: Floats, slope: Slope, tolerance: float, floor: float, *, root: bool) -> Floats:
    """See `Kernels.step` and, for what is computed, `plain_step`."""
    found, given, multiplier = np.empty_like(G), _arrays(slope), slope.lead
    for _ in range(NEWTON_STEPS):
        found_parts = pool.rows(
            lambda a, b, at=multiplier: steps.trial(G, *given, at, root, found, a, b),  # type: ignore[misc]
            len(G),
        )
        total, bend, longer = (np.sum([part[n] for part in found_parts], axis=0) for n in range(3))
        if np.all(np.abs(total - 1.0) <= tolerance):
            break
        least = np.max([part[3] for part in found_parts], axis=0)
        # where the largest summand alone is 1 already, the sums are not those of the multiplier
        following = np.where(multiplier < least, least, multiplier + (total - 1.0) * total / bend)
        multiplier = np.maximum(following, least)
    scale = 1.0 / np.sqrt(total if root else longer)
    pool.rows(lambda a, b: steps.scaled(found, scale, floor, a, b), len(G))
    return found


def _arrays(slope: Slope) -> tuple[Floats, ...]:
    """The parts of a slope, with empty arrays for those that add nothing."""
    nothing = np.empty((0, slope.plus.shape[1]))
    minus = slope.minus if slope.minus.any() else nothing
    parts = (slope.left, slope.right, slope.plus, minus, slope.further_gain, slope.further_loss)
    return tuple(nothing if part is None else np.ascontiguousarray(part) for part in parts)
