"""The small quadratic programme behind cutting planes, by a primal-dual interior-point method.

min ½·xᵀGx − cᵀx   with x ≥ 0 and, for each block b of the variables, Σ_b x ≤ cap_b

G is a Gram matrix, often singular. The answer is feasible and comes with a proof of how good it is: no
feasible point lies lower by more than its gap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg.lapack import dgetrf, dgetrs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MAX_STEPS = 60
# how close a step may go to the border of what is feasible
STEP_SHARE = 0.995


@dataclass(frozen=True, eq=False)
class QuadraticProgram:
    """One programme: `gram` is G, `linear` is c; `block[j]` is the block of variable j, `cap` the bounds."""

    gram: Floats
    linear: Floats
    block: NDArray[np.int64]
    cap: Floats

    def value(self, x: Floats) -> float:
        """½·xᵀGx − cᵀx."""
        return float(0.5 * x @ self.gram @ x - self.linear @ x)

    def gap(self, x: Floats) -> float:
        """The most by which a feasible point can lie below a feasible x.

        The programme is convex, so it lies above its tangent at x, whose lowest point is at a corner.
        """
        slope = self.gram @ x - self.linear
        lowest = np.zeros(len(self.cap))
        np.minimum.at(lowest, self.block, slope)
        return float(slope @ x - self.cap @ lowest)

    def sums(self, x: Floats) -> Floats:
        """Σ_b x of every block."""
        return np.asarray(np.bincount(self.block, weights=x, minlength=len(self.cap)), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Point:
    """x with the room left in every block, and the multipliers of x ≥ 0 and of the caps."""

    x: Floats
    room: Floats
    floor: Floats
    price: Floats

    def complementarity(self) -> float:
        pairs = len(self.x) + len(self.room)
        return float(self.x @ self.floor + self.room @ self.price) / pairs

    def moved(self, step: _Point, length: float) -> _Point:
        return _Point(
            self.x + length * step.x,
            self.room + length * step.room,
            self.floor + length * step.floor,
            self.price + length * step.price,
        )

    def longest(self, step: _Point) -> float:
        """How far a step may go, at most 1, until one of the numbers is zero."""
        now = np.concatenate([self.x, self.room, self.floor, self.price])
        change = np.concatenate([step.x, step.room, step.floor, step.price])
        falling = change < 0
        return float(min(1.0, np.min(-now[falling] / change[falling], initial=np.inf)))


def solve(programme: QuadraticProgram, tolerance: float) -> Floats:
    """A feasible x whose gap is at most `tolerance`, or as small as rounding allows."""
    point = _beginning(programme)
    best = project_feasible(programme, point.x)
    smallest = programme.gap(best)
    for _ in range(MAX_STEPS):
        if smallest <= tolerance:
            break
        point = _advanced(programme, point)
        found = project_feasible(programme, point.x)
        gap = programme.gap(found)
        if gap < smallest:
            best, smallest = found, gap
        elif point.complementarity() <= 1e-3 * max(tolerance, 1e-300):
            break
    return best


def project_feasible(programme: QuadraticProgram, x: Floats) -> Floats:
    """The same x without the rounding that leads out of its bounds."""
    x = np.maximum(x, 0.0)
    sums = programme.sums(x)
    shrink = np.where(sums > programme.cap, programme.cap / np.where(sums > 0, sums, 1.0), 1.0)
    return np.asarray(x * shrink[programme.block])


def _beginning(programme: QuadraticProgram) -> _Point:
    counts = np.bincount(programme.block, minlength=len(programme.cap))
    share = programme.cap / (2.0 * np.maximum(counts, 1))
    x = share[programme.block]
    slope = programme.gram @ x - programme.linear
    price = np.full(len(programme.cap), 1e-3 * (1.0 + np.abs(slope).max(initial=0.0)))
    np.maximum.at(price, programme.block, -slope * 1.1)
    floor = np.maximum(slope + price[programme.block], 1e-3 * price[programme.block])
    return _Point(x, programme.cap - programme.sums(x), floor, price)


def _advanced(programme: QuadraticProgram, point: _Point) -> _Point:
    """One step after Mehrotra: look how far the plain step leads, then aim for that much less slackness."""
    x, room, floor, price = point.x, point.room, point.floor, point.price
    block = programme.block
    factor, pivots, _ = dgetrf(_matrix(programme, point), overwrite_a=True)
    stationary = programme.gram @ x - programme.linear - floor + price[block]
    full = programme.sums(x) + room - programme.cap

    def step(bottom: Floats, top: Floats) -> _Point:
        right = np.concatenate([bottom / x - stationary, -full - top / price])
        found, _ = dgetrs(factor, pivots, right, overwrite_b=True)
        dx, dprice = found[: len(x)], found[len(x) :]
        return _Point(dx, (top - room * dprice) / price, (bottom - floor * dx) / x, dprice)

    plain = step(-x * floor, -room * price)
    now = point.complementarity()
    ahead = point.moved(plain, point.longest(plain)).complementarity()
    aim = now * (ahead / now) ** 3
    chosen = step(aim - x * floor - plain.x * plain.floor, aim - room * price - plain.room * plain.price)
    return point.moved(chosen, STEP_SHARE * point.longest(chosen))


def _matrix(programme: QuadraticProgram, point: _Point) -> Floats:
    """What a step solves, with the prices as unknowns of their own: rooms close to zero do no harm."""
    n_variables, n_blocks = len(point.x), len(point.price)
    matrix = np.zeros((n_variables + n_blocks, n_variables + n_blocks), order="F")
    matrix[:n_variables, :n_variables] = programme.gram
    variables, prices = np.arange(n_variables), np.arange(n_variables, n_variables + n_blocks)
    matrix[variables, variables] += point.floor / point.x
    matrix[variables, prices[programme.block]] = 1.0
    matrix[prices[programme.block], variables] = 1.0
    matrix[prices, prices] = -point.room / point.price
    return matrix
