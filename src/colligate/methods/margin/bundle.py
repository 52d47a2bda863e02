"""Cutting planes (a bundle method) for min ½‖W‖² + Σ_b C_b·R_b(W), with one set of planes per risk.

Each round solves the dual over the cuts (m2dcu-0, eq. 2), moves the best W towards the answer as far as that
helps, and cuts a little beyond it (after Franc and Sonnenburg, 2008), so that the best W never gets worse.
Cutting at the answers (Table 7 of the paper) works too, but takes many more rounds. A cut says that a risk
lies above a plane: R_b(W) ≥ offset + ⟨slope, W⟩.
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

# a guard: the gap closes after some tens of rounds
MAX_ROUNDS = 300
# share of the way from the best W to the answer at which the next cut is made (Franc and Sonnenburg)
CUT_SHARE = 0.1
# golden-section steps of the line search: a rough minimum is enough
LINE_STEPS = 3
GOLDEN = (5.0**0.5 - 1.0) / 2.0
# a cut that was inactive in so many answers is removed
PATIENCE = 10


@dataclass(frozen=True, eq=False)
class Solution:
    """W, the scores of each risk, the objective, and a lower bound on the objective of any W."""

    W: Floats
    scores: tuple[Floats, ...]
    objective: float
    bound: float

    @property
    def gap(self) -> float:
        """How far the objective may be above the minimum."""
        return self.objective - self.bound


@dataclass(frozen=True, eq=False)
class Point:
    """W and the scores of each risk."""

    W: Floats
    scores: tuple[Floats, ...]

    @classmethod
    def of(cls, W: Floats, risks: Sequence[Risk]) -> Point:
        """Compute the scores of W."""
        return cls(W, tuple(risk.scores(W) for risk in risks))

    def towards(self, other: Point, share: float) -> Point:
        """Return the point at a share of the way to another."""
        pairs = zip(self.scores, other.scores, strict=True)
        return Point(
            self.W + share * (other.W - self.W),
            tuple(start + share * (end - start) for start, end in pairs),
        )

    def objective(self, risks: Sequence[Risk]) -> float:
        """Return ½‖W‖² + Σ_b C_b·R_b(W)."""
        risk_sum = sum(
            risk.weight * risk.value(scores) for risk, scores in zip(risks, self.scores, strict=True)
        )
        return 0.5 * float(np.vdot(self.W, self.W)) + risk_sum


def minimise(
    risks: Sequence[Risk],
    start: Point,
    tolerance: float,
    share: float = 0.0,
    cuts: WorkingSet | None = None,
) -> Solution:
    """Minimise the objective from a starting point, to within `tolerance` times itself.

    With a `share` it also ends when at most this share of the gain so far can still be gained. It uses `cuts`
    and adds the new ones to them.
    """
    cuts = empty_working_set(risks) if cuts is None else cuts
    best, first = start, start.objective(risks)
    # norm and risks are never negative, so 0 bounds the objective from below
    value, bound = first, 0.0
    if not len(cuts):
        _add_cuts(cuts, risks, best)
    for _ in range(MAX_ROUNDS):
        # the dual needs to be only a tenth as exact as the gap is wide, which saves steps in early rounds
        precision = 0.1 * max(tolerance * value, 0.1 * (value - bound))
        W, dual = cuts.solve_dual(best.W.shape, max(precision, 1e-300))
        # the dual falls when idle cuts are removed, but every earlier bound still holds
        bound = max(bound, dual)
        if value - bound <= max(tolerance * value, share * (first - value)):
            break
        answer, previous = Point.of(W, risks), value
        best, value = _search_line(best, value, answer, risks)
        is_new = _add_cuts(cuts, risks, best.towards(answer, CUT_SHARE))
        # no lower point, and only cuts that are there: all later rounds would be the same (equal documents)
        if value == previous and not is_new:
            break
    return Solution(best.W, best.scores, value, bound)


def _add_cuts(cuts: WorkingSet, risks: Sequence[Risk], point: Point) -> bool:
    """Add the cuts at a point, and return whether one of them is not in the set yet."""
    is_new = False
    for owner, (risk, scores) in enumerate(zip(risks, point.scores, strict=True)):
        cut = risk.cut(scores)
        is_new = is_new or not cuts.contains(owner, cut.slope, cut.offset)
        cuts.add(owner, *cut)
    return is_new


def _search_line(best: Point, value: float, answer: Point, risks: Sequence[Risk]) -> tuple[Point, float]:
    """Return the lowest point between the best W and the answer, by golden section, and its objective."""
    height = _objective_along(best, answer, risks)
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


def _objective_along(best: Point, answer: Point, risks: Sequence[Risk]) -> Callable[[float], float]:
    """Return the objective as a function of the share of the way from the best W to the answer."""
    # ½‖W‖² is a parabola along the line, so that the search forms no W
    step = answer.W - best.W
    start = 0.5 * float(np.vdot(best.W, best.W))
    slope, bend = float(np.vdot(best.W, step)), float(np.vdot(step, step))
    lines = [risk.along(*pair) for risk, *pair in zip(risks, best.scores, answer.scores, strict=True)]

    def height(share: float) -> float:
        risk_sum = sum(risk.weight * line(share) for risk, line in zip(risks, lines, strict=True))
        return start + share * slope + 0.5 * share * share * bend + risk_sum

    return height


@dataclass(eq=False)
class StoredCut:
    """A cut, the number of its risk, and in how many answers in a row it was inactive."""

    owner: int
    slope: Floats
    offset: float
    choice: NDArray[np.bool_] | None = None
    idle: int = 0


@dataclass(eq=False)
class WorkingSet:
    """The cuts and the Gram matrix of their slopes, which grows by one row per cut."""

    cap: Floats
    cuts: list[StoredCut] = field(default_factory=list)
    gram: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def __len__(self) -> int:
        return len(self.cuts)

    def add(self, owner: int, slope: Floats, offset: float, choice: NDArray[np.bool_] | None = None) -> None:
        """Add a cut of one risk."""
        n_cuts = len(self.cuts)
        gram = np.empty((n_cuts + 1, n_cuts + 1))
        gram[:n_cuts, :n_cuts] = self.gram
        gram[:n_cuts, n_cuts] = gram[n_cuts, :n_cuts] = [np.vdot(slope, cut.slope) for cut in self.cuts]
        gram[n_cuts, n_cuts] = np.vdot(slope, slope)
        self.gram = gram
        self.cuts.append(StoredCut(owner, slope, offset, choice))

    def contains(self, owner: int, slope: Floats, offset: float) -> bool:
        """Whether the set has this cut; the latest ones are compared first."""
        return any(
            cut.owner == owner and cut.offset == offset and np.array_equal(cut.slope, slope)
            for cut in reversed(self.cuts)
        )

    def solve_dual(self, shape: tuple[int, ...], tolerance: float) -> tuple[Floats, float]:
        """Return the W that minimises ½‖W‖² + Σ_b C_b·(highest cut of b, or 0), and a bound on any W."""
        owners = np.array([cut.owner for cut in self.cuts], dtype=np.int64)
        offsets = np.array([cut.offset for cut in self.cuts], dtype=np.float64)
        program = QuadraticProgram(self.gram, offsets, owners, self.cap)
        x = solve(program, tolerance)
        W = np.zeros(shape)
        for share, cut in zip(x.tolist(), self.cuts, strict=True):
            W -= share * cut.slope
        # relative to the cap of the risk, since a multiplier is between 0 and that
        self._remove_idle(x > 1e-9 * self.cap[owners])
        return W, -program.value(x)

    def _remove_idle(self, active: NDArray[np.bool_]) -> None:
        for is_active, cut in zip(active.tolist(), self.cuts, strict=True):
            cut.idle = 0 if is_active else cut.idle + 1
        kept = [number for number, cut in enumerate(self.cuts) if cut.idle < PATIENCE]
        if len(kept) < len(self.cuts):
            self.gram = self.gram[np.ix_(kept, kept)]
            self.cuts = [self.cuts[number] for number in kept]


def empty_working_set(risks: Sequence[Risk]) -> WorkingSet:
    """Return a working set without cuts."""
    return WorkingSet(np.array([risk.weight for risk in risks]))
