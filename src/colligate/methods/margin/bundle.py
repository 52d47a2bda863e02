"""Cutting planes for min ½‖W‖² + Σ_b weight_b·R_b(W), one view per risk.

Each round solves the dual over the cuts, moves the best W towards the answer as far as that helps, and cuts a
little beyond it (after Franc and Sonnenburg, 2008), so that the best W never gets worse. The answers alone
would do (Table 7 of the paper), but take many more rounds.

The cuts found so far, with a Gram matrix that grows by one row per cut.

A cut says that a risk lies above a plane: R_b(W) ≥ offset + ⟨slope, W⟩, b the risk's number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.margin.qp import QuadraticProgram, solve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from colligate.methods.margin.risks import Risk

    Floats = NDArray[np.float64]

MAX_ROUNDS = 300
CUT_SHARE = 0.1
LINE_STEPS = 3
GOLDEN = (5.0**0.5 - 1.0) / 2.0
# a cut that the last so many answers did without is forgotten
PATIENCE = 10


@dataclass(frozen=True, eq=False)
class Solution:
    """W, what each risk sees of it, its objective, and a value that no W lies below."""

    weights: Floats
    scores: tuple[Floats, ...]
    objective: float
    bound: float

    @property
    def gap(self) -> float:
        """How far the objective may be above the least one."""
        return self.objective - self.bound


@dataclass(frozen=True, eq=False)
class Point:
    """W and what each risk sees of it."""

    weights: Floats
    scores: tuple[Floats, ...]

    @classmethod
    def of(cls, weights: Floats, risks: Sequence[Risk]) -> Point:
        """W as the risks see it."""
        return cls(weights, tuple(risk.scores(weights) for risk in risks))

    def towards(self, other: Point, share: float) -> Point:
        """A point on the way to another."""
        mixed = zip(self.scores, other.scores, strict=True)
        return Point(
            self.weights + share * (other.weights - self.weights),
            tuple(own + share * (theirs - own) for own, theirs in mixed),
        )

    def objective(self, risks: Sequence[Risk]) -> float:
        """½‖W‖² + Σ_b weight_b·R_b(W)."""
        risked = sum(risk.weight * risk.value(seen) for risk, seen in zip(risks, self.scores, strict=True))
        return 0.5 * float(np.vdot(self.weights, self.weights)) + risked


def minimise(
    risks: Sequence[Risk],
    start: Point,
    tolerance: float,
    share: float = 0.0,
    cuts: WorkingSet | None = None,
) -> Solution:
    """The least objective from a starting point, to within `tolerance` times itself.

    With a `share` it also ends where no more than this share of what was gained can still be gained. `cuts`
    that are known already are made use of, and take in those that are found.
    """
    cuts = empty_working_set(risks) if cuts is None else cuts
    best, first = start, start.objective(risks)
    value, bound = first, 0.0
    if not len(cuts):
        _cut(cuts, risks, best)
    for _ in range(MAX_ROUNDS):
        exact = 0.1 * max(tolerance * value, 0.1 * (value - bound))
        weights, low = cuts.lowest(best.weights.shape, max(exact, 1e-300))
        bound = max(bound, low)
        if value - bound <= max(tolerance * value, share * (first - value)):
            break
        answer = Point.of(weights, risks)
        best, value = _descended(best, value, answer, risks)
        _cut(cuts, risks, best.towards(answer, CUT_SHARE))
    return Solution(best.weights, best.scores, value, bound)


def empty_working_set(risks: Sequence[Risk]) -> WorkingSet:
    """Where a bundle begins that knows nothing of its risks."""
    return WorkingSet(np.array([risk.weight for risk in risks]))


def _cut(cuts: WorkingSet, risks: Sequence[Risk], point: Point) -> None:
    for owner, (risk, seen) in enumerate(zip(risks, point.scores, strict=True)):
        cuts.add(owner, *risk.cut(seen))


def _descended(best: Point, value: float, answer: Point, risks: Sequence[Risk]) -> tuple[Point, float]:
    """The lowest point found on the way from the best W to the answer, by golden section."""
    height = _along(best, answer, risks)
    low, high = 0.0, 1.0
    inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)]
    values = [height(share) for share in inner]
    for _ in range(LINE_STEPS):
        if values[0] <= values[1]:
            high, inner[1], values[1] = inner[1], inner[0], values[0]
            inner[0] = high - GOLDEN * (high - low)
            values[0] = height(inner[0])
        else:
            low, inner[0], values[0] = inner[0], inner[1], values[1]
            inner[1] = low + GOLDEN * (high - low)
            values[1] = height(inner[1])
    lowest = int(np.argmin(values))
    if values[lowest] >= value:
        return best, value
    return best.towards(answer, inner[lowest]), values[lowest]


def _along(best: Point, answer: Point, risks: Sequence[Risk]) -> Callable[[float], float]:
    """The objective by how far one has gone from the best W to the answer."""
    step = answer.weights - best.weights
    here = 0.5 * float(np.vdot(best.weights, best.weights))
    slope, bend = float(np.vdot(best.weights, step)), float(np.vdot(step, step))
    lines = [risk.along(*pair) for risk, *pair in zip(risks, best.scores, answer.scores, strict=True)]

    def height(share: float) -> float:
        risked = sum(risk.weight * line(share) for risk, line in zip(risks, lines, strict=True))
        return here + share * slope + 0.5 * share * share * bend + risked

    return height


@dataclass(eq=False)
class StoredCut:
    """A cut, the number of its risk, and for how many answers it was of no use."""

    owner: int
    slope: Floats
    offset: float
    choice: NDArray[np.bool_] | None = None
    idle: int = 0


@dataclass(eq=False)
class WorkingSet:
    """The cuts, and the W with the lowest ½‖W‖² + Σ_b cap_b·(the highest cut of b, or 0)."""

    cap: Floats
    cuts: list[StoredCut] = field(default_factory=list)
    gram: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def __len__(self) -> int:
        return len(self.cuts)

    def add(self, owner: int, slope: Floats, offset: float, choice: NDArray[np.bool_] | None = None) -> None:
        """Take in a cut of one risk."""
        n_cuts = len(self.cuts)
        gram = np.empty((n_cuts + 1, n_cuts + 1))
        gram[:n_cuts, :n_cuts] = self.gram
        gram[:n_cuts, n_cuts] = gram[n_cuts, :n_cuts] = [np.vdot(slope, cut.slope) for cut in self.cuts]
        gram[n_cuts, n_cuts] = np.vdot(slope, slope)
        self.gram = gram
        self.cuts.append(StoredCut(owner, slope, offset, choice))

    def lowest(self, shape: tuple[int, ...], tolerance: float) -> tuple[Floats, float]:
        """The W of the cuts, and a value that no W at all can lie below."""
        owners = np.array([cut.owner for cut in self.cuts], dtype=np.int64)
        offsets = np.array([cut.offset for cut in self.cuts], dtype=np.float64)
        programme = QuadraticProgram(self.gram, offsets, owners, self.cap)
        shares = solve(programme, tolerance)
        weights = np.zeros(shape)
        for share, cut in zip(shares.tolist(), self.cuts, strict=True):
            weights -= share * cut.slope
        self._forget(shares > 1e-9 * self.cap[owners])
        return weights, -programme.value(shares)

    def _forget(self, used: NDArray[np.bool_]) -> None:
        for now, cut in zip(used.tolist(), self.cuts, strict=True):
            cut.idle = 0 if now else cut.idle + 1
        keep = [place for place, cut in enumerate(self.cuts) if cut.idle < PATIENCE]
        if len(keep) < len(self.cuts):
            self.gram = self.gram[np.ix_(keep, keep)]
            self.cuts = [self.cuts[place] for place in keep]
