"""How sure memberships should be: as sure as the runs agree.

Scores in nats add up evidence that is not independent, so that their softmax is too sure. Runs that start
elsewhere say how much of it holds: scores are divided by the temperature at which the mean of the largest
memberships is the mean share of runs that agree with the result. No group changes by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# where there are no runs to ask
USUAL = 2.5
SOME = 20_000
HOTTEST = 64.0
STEPS = 30


def temperature(scores: Floats, stability: NDArray[np.float32]) -> float:
    """At least 1; documents in no group must be left out by the caller."""
    step = max(1, len(scores) // SOME)
    some = scores[::step] - scores[::step].max(axis=1, keepdims=True)
    wanted = float(stability[::step].mean()) if len(some) else 1.0
    low, high = 1.0, HOTTEST
    if not len(some) or _sureness(some, low) <= wanted:
        return low
    for _ in range(STEPS):
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if _sureness(some, middle) > wanted else (low, middle)
    return low


def _sureness(scores: Floats, at: float) -> float:
    """The mean of the largest memberships."""
    return float((1.0 / np.exp(scores / at).sum(axis=1)).mean())
