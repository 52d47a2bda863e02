"""The slope of a function of non-negative memberships, in two parts, and a step down it by factors.

A function of tall and thin G ≥ 0, with half its gradient written as loss − gain, neither ever negative, lies
below Σ b·x² − 2·a·log x + constant with a = gain·G and b = loss/G, and touches it at G: docs/methods/tnmf.md
has the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from colligate.kernels.linked import Floats

# what a step adds to every gain, so that a column without any can still be brought to unit length
SMALL = 1e-250
NEWTON_STEPS = 50


@dataclass(frozen=True, eq=False)
class Slope:
    """gain = C⁺ + G·minus + further_gain and loss = C⁻ + G·plus + further_loss, with C = left·right.

    C is as large as G and is not formed. So are the further parts, which are None where there are none.
    `lead` holds Σ (gain − loss)·G by columns: what λ is, below, where G no longer changes.
    """

    left: Floats
    right: Floats
    plus: Floats
    minus: Floats
    lead: Floats
    further_gain: Floats | None = None
    further_loss: Floats | None = None

    def parts(self, G: Floats) -> tuple[Floats, Floats]:
        """Gain and loss at G."""
        C = self.left @ self.right
        gain = np.maximum(C, 0.0) + G @ self.minus
        loss = np.maximum(-C, 0.0) + G @ self.plus
        if self.further_gain is not None:
            gain += self.further_gain
        if self.further_loss is not None:
            loss += self.further_loss
        return gain, loss


def plain_step(G: Floats, slope: Slope, tolerance: float, floor: float, *, root: bool) -> Floats:
    """`Kernels.step` as its definition reads.

    x² = a/(b + λ_k), and λ_k is where these add up to 1. The reciprocal of their sum is concave in λ:
    Newton's method on it lands below the solution and then comes ever closer. It starts from `lead`, or from
    where the largest of the summands alone is 1, if that is more.
    """
    gain, loss = slope.parts(G)
    gain += SMALL
    a, b = gain * G, loss / G
    least = (a - b).max(axis=0)
    multiplier = np.maximum(least, slope.lead)
    for _ in range(NEWTON_STEPS):
        # never below a, but for rounding
        room = np.maximum(b + multiplier, a)
        squares = a / room
        total = squares.sum(axis=0)
        if np.all(np.abs(total - 1.0) <= tolerance):
            break
        multiplier = np.maximum(multiplier + (total - 1.0) * total / (squares / room).sum(axis=0), least)
    found = np.sqrt(squares) if root else squares / G
    return np.asarray(np.maximum(found / np.sqrt(np.square(found).sum(axis=0)), floor))
