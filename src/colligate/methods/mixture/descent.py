"""Sweeps of the mixture, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.methods.mixture.position import Position, evaluated, improved

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.mixture.terms import Terms


def descended(
    problem: MixtureProblem, terms: Terms, q: NDArray[np.float64], sweeps: int, tolerance: float
) -> Position:
    """The position after some sweeps, or where the objective hardly falls any more."""
    at = evaluated(problem, terms, q)
    for _ in range(sweeps):
        following = evaluated(problem, terms, improved(problem, terms, at))
        done = at.value - following.value <= tolerance * abs(at.value)
        at = following
        if done:
            break
    return at
