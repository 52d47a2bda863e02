"""The quadratic programme behind cutting planes (m2dcu-0, eq. 2), by a primal-dual interior-point method.

    min ½·xᵀGx − cᵀx   with x ≥ 0 and, for each block b of the variables, Σ_b x ≤ cap_b

G is a Gram matrix, often singular. The answer is feasible and has a certificate of optimality: no feasible
point lies lower by more than its gap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg.lapack import dgetrf, dgetrs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# a guard: a dozen steps are usual
MAX_STEPS = 60
# share of the longest feasible step: the standard choice, strictly inside the feasible set
STEP_SHARE = 0.995


@dataclass(frozen=True, eq=False)
class QuadraticProgram:
    """One programme: G, c, the block of each variable, and the cap of each block."""

    G: Floats
    c: Floats
    block: NDArray[np.int64]
    cap: Floats

    def value(self, x: Floats) -> float:
        """Return ½·xᵀGx − cᵀx."""
        return float(0.5 * x @ self.G @ x - self.c @ x)

    def gap(self, x: Floats) -> float:
        """Return the most by which a feasible point can lie below a feasible x.

        The programme is convex, so it lies above its tangent at x, which is lowest at a corner.
        """
        slope = self.G @ x - self.c
        # 0 is the corner at which nothing of a block is used
        lowest = np.zeros(len(self.cap))
        np.minimum.at(lowest, self.block, slope)
        return float(slope @ x - self.cap @ lowest)

    def sums(self, x: Floats) -> Floats:
        """Return Σ_b x of every block."""
        return np.asarray(np.bincount(self.block, weights=x, minlength=len(self.cap)), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Point:
    """x with the room left in every block (slack), and the multipliers of x ≥ 0 (floor) and caps (price)."""

    x: Floats
    room: Floats
    floor: Floats
    price: Floats

    def complementarity(self) -> float:
        pairs = len(self.x) + len(self.room)
        return float(self.x @ self.floor + self.room @ self.price) / pairs

    def move(self, step: _Point, length: float) -> _Point:
        return _Point(
            self.x + length * step.x,
            self.room + length * step.room,
            self.floor + length * step.floor,
            self.price + length * step.price,
        )

    def longest(self, step: _Point) -> float:
        """Return the largest length, at most 1, of a step before one of the numbers is negative."""
        now = np.concatenate([self.x, self.room, self.floor, self.price])
        change = np.concatenate([step.x, step.room, step.floor, step.price])
        falling = change < 0
        return float(min(1.0, np.min(-now[falling] / change[falling], initial=np.inf)))


def solve(programme: QuadraticProgram, tolerance: float) -> Floats:
    """Return a feasible x whose gap is at most `tolerance`, or as small as rounding allows."""
    point = _starting_point(programme)
    best = project_feasible(programme, point.x)
    smallest = programme.gap(best)
    for _ in range(MAX_STEPS):
        if smallest <= tolerance:
            break
        point = _step(programme, point)
        # every iterate is made feasible, since only then its gap is a certificate
        candidate = project_feasible(programme, point.x)
        gap = programme.gap(candidate)
        if gap < smallest:
            best, smallest = candidate, gap
        # the interior point is far more exact than asked for: what is left of the gap is rounding
        elif point.complementarity() <= 1e-3 * max(tolerance, 1e-300):
            break
    return best


def project_feasible(programme: QuadraticProgram, x: Floats) -> Floats:
    """Return x within its bounds, which rounding may have left."""
    x = np.maximum(x, 0.0)
    sums = programme.sums(x)
    # the whole block shrinks, which keeps the proportions of its variables
    shrink = np.where(sums > programme.cap, programme.cap / np.where(sums > 0, sums, 1.0), 1.0)
    return np.asarray(x * shrink[programme.block])


def _starting_point(programme: QuadraticProgram) -> _Point:
    counts = np.bincount(programme.block, minlength=len(programme.cap))
    # half of every cap is strictly inside: an interior-point method cannot start at a bound
    share = programme.cap / (2.0 * np.maximum(counts, 1))
    x = share[programme.block]
    slope = programme.G @ x - programme.c
    price = np.full(len(programme.cap), 1e-3 * (1.0 + np.abs(slope).max(initial=0.0)))
    # more than -slope, so that every multiplier of x ≥ 0 below is positive
    np.maximum.at(price, programme.block, -slope * 1.1)
    floor = np.maximum(slope + price[programme.block], 1e-3 * price[programme.block])
    return _Point(x, programme.cap - programme.sums(x), floor, price)


def _step(programme: QuadraticProgram, point: _Point) -> _Point:
    """Take one step of Mehrotra's predictor-corrector method."""
    x, room, floor, price = point.x, point.room, point.floor, point.price
    block = programme.block
    # one factorisation serves both the predictor and the corrector
    factor, pivots, _ = dgetrf(_matrix(programme, point), overwrite_a=True)
    stationary = programme.G @ x - programme.c - floor + price[block]
    full = programme.sums(x) + room - programme.cap

    def step(bottom: Floats, top: Floats) -> _Point:
        right = np.concatenate([bottom / x - stationary, -full - top / price])
        solution, _ = dgetrs(factor, pivots, right, overwrite_b=True)
        dx, dprice = solution[: len(x)], solution[len(x) :]
        return _Point(dx, (top - room * dprice) / price, (bottom - floor * dx) / x, dprice)

    predictor = step(-x * floor, -room * price)
    current = point.complementarity()
    ahead = point.move(predictor, point.longest(predictor)).complementarity()
    # Mehrotra's rule: the better the predictor does, the closer the aim is to complementarity
    aim = current * (ahead / current) ** 3
    corrector = step(
        aim - x * floor - predictor.x * predictor.floor, aim - room * price - predictor.room * predictor.price
    )
    return point.move(corrector, STEP_SHARE * point.longest(corrector))


def _matrix(programme: QuadraticProgram, point: _Point) -> Floats:
    """Return the matrix of a step, with the prices as unknowns, so that rooms near zero do no harm."""
    n_variables, n_blocks = len(point.x), len(point.price)
    matrix = np.zeros((n_variables + n_blocks, n_variables + n_blocks), order="F")
    matrix[:n_variables, :n_variables] = programme.G
    variables, prices = np.arange(n_variables), np.arange(n_variables, n_variables + n_blocks)
    matrix[variables, variables] += point.floor / point.x
    matrix[variables, prices[programme.block]] = 1.0
    matrix[prices[programme.block], variables] = 1.0
    matrix[prices, prices] = -point.room / point.price
    return matrix
