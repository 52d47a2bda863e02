"""Planes below the risk of the documents, and CPM3C: cutting planes outside, CCCP inside (docs: cpm3c).

A cut is a choice of documents and groups whose shortfalls are summed (paper, eq. 20). Its plane depends on
the groups of the documents: when some documents move, only they change the plane.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.margin.bundle import WorkingSet
from colligate.methods.margin.groups import assign_groups
from colligate.methods.margin.risks import (
    hinge_losses,
    make_target_plane,
    signed_counts,
    violated_margins,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.loop import Labels
    from colligate.methods.margin.features import Features
    from colligate.methods.margin.risks import BalanceRisk, TargetRisk

    Floats = NDArray[np.float64]

# guards: a run needs some tens of cuts, and CCCP a few steps per cut
MAX_CUTS = 100
MAX_STEPS = 20
# CCCP ends when the value over the cuts falls by less than this share
CCCP_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False)
class Planes:
    """Cuts as `choices` (packed bits, one row each), with their `slopes` and `offsets` for `groups`."""

    groups: Labels
    choices: NDArray[np.uint8]
    slopes: Floats
    offsets: Floats

    @classmethod
    def none(cls, groups: Labels, shape: tuple[int, ...]) -> Planes:
        """Return no planes, for slopes of a shape (groups × features)."""
        bits = (len(groups) * shape[0] + 7) // 8
        return cls(groups, np.zeros((0, bits), dtype=np.uint8), np.zeros((0, *shape)), np.zeros(0))

    def __len__(self) -> int:
        return len(self.offsets)

    def unpack_choices(self) -> NDArray[np.bool_]:
        """Return cuts × documents × groups: the shortfalls that each cut sums."""
        shape = (len(self.groups), self.slopes.shape[1])
        bits = np.unpackbits(self.choices, axis=1, count=shape[0] * shape[1])
        return bits.astype(np.bool_).reshape(-1, *shape)

    def add(self, features: Features, choice: NDArray[np.bool_]) -> Planes:
        """Return the planes with that of one more cut."""
        slope, offset = make_target_plane(features, choice, self.groups)
        return replace(
            self,
            choices=np.concatenate([self.choices, np.packbits(choice.ravel())[None]]),
            slopes=np.concatenate([self.slopes, slope[None]]),
            offsets=np.append(self.offsets, offset),
        )

    def regroup(self, features: Features, groups: Labels) -> Planes:
        """Return the planes of the same cuts for other groups."""
        moved = np.flatnonzero(groups != self.groups)
        if not len(moved) or not len(self):
            return replace(self, groups=groups)
        size = len(groups) * self.slopes.shape[1]
        # the cuts one after the other as documents × groups, so that one product turns all planes
        choices = np.concatenate(list(self.unpack_choices()[:, moved]), axis=0)
        repeated = [np.tile(each[moved], len(self)) for each in (self.groups, groups)]
        old, new = (signed_counts(choices, each)[0].reshape(len(self), len(moved), -1) for each in repeated)
        turned = np.concatenate(list((new - old) / size), axis=1)
        counted = [-np.minimum(table, 0.0).sum(axis=(1, 2)) for table in (old, new)]
        return replace(
            self,
            groups=groups,
            slopes=self.slopes + features.part(moved).sums(turned).reshape(self.slopes.shape),
            offsets=self.offsets + (counted[1] - counted[0]) / size,
        )


@dataclass(frozen=True, eq=False)
class CuttingPlaneState:
    """W, and the planes for its groups."""

    W: Floats
    planes: Planes


def add_cut(state: CuttingPlaneState, risk: TargetRisk, precision: float) -> CuttingPlaneState | None:
    """Add the most violated cut; None if no cut is violated by more than `precision`."""
    scores = risk.features.scores(state.W)
    planes = state.planes
    heights = planes.offsets + np.tensordot(planes.slopes, state.W, axes=2)
    # a risk is never below 0, which is a plane too
    highest = float(heights.max(initial=0.0))
    if len(heights) >= MAX_CUTS or (len(heights) and risk.value(scores) <= highest + precision):
        return None
    return replace(state, planes=planes.add(risk.features, violated_margins(scores, planes.groups)))


def run_cccp(
    state: CuttingPlaneState,
    risk: TargetRisk,
    balance: BalanceRisk | None,
    precision: float,
    known: Labels | None = None,
) -> CuttingPlaneState:
    """Run CCCP over the cuts: the best W for the planes, then the planes of its groups; known groups stay."""
    previous = np.inf
    for _ in range(MAX_STEPS):
        state, value = _step_cccp(state, risk, balance, precision, known)
        if previous - value <= CCCP_TOLERANCE * value:
            break
        previous = value
    return state


def _step_cccp(
    state: CuttingPlaneState,
    risk: TargetRisk,
    balance: BalanceRisk | None,
    precision: float,
    known: Labels | None,
) -> tuple[CuttingPlaneState, float]:
    planes, groups = state.planes, state.planes.groups
    cuts = WorkingSet(np.array([risk.weight] if balance is None else [risk.weight, balance.weight]))
    for slope, offset in zip(planes.slopes, planes.offsets.tolist(), strict=True):
        cuts.add(0, slope, offset)
    for plane in () if balance is None else balance.planes(len(state.W)):
        cuts.add(1, *plane)
    W, value = cuts.solve_dual(state.W.shape, 0.1 * precision * risk.weight)
    scores = risk.features.scores(W)
    following = assign_groups(scores, groups, hinge_losses(scores, groups), known)
    return CuttingPlaneState(W, planes.regroup(risk.features, following)), value
