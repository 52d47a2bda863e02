"""Planes below the risk of the documents, which follow the documents from group to group.

A cut is a choice of documents and groups whose shortfalls are summed (equation 20). Its plane depends on the
groups the documents are in; when some move, they turn the plane, and the others need not be looked at.

Maximum-margin clustering with cutting planes outside and CCCP inside, as CPM3C has it.

The planes of all cuts depend on the groups the documents are in, so that every step of CCCP turns them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.margin.bundle import WorkingSet
from colligate.methods.margin.groups import assign_groups
from colligate.methods.margin.risks import hinge_losses, make_target_plane, signed_counts, violated_margins

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.loop import Labels
    from colligate.methods.margin.features import Features
    from colligate.methods.margin.risks import BalanceRisk, TargetRisk

    Floats = NDArray[np.float64]

MAX_CUTS = 100
MAX_STEPS = 20
# CCCP ends when the value of the cuts falls by less than this share
CCCP_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False)
class Planes:
    """`choices` of cuts as packed bits, one row each, with their `slopes` and `offsets` for `groups`."""

    groups: Labels
    choices: NDArray[np.uint8]
    slopes: Floats
    offsets: Floats

    @classmethod
    def none(cls, groups: Labels, shape: tuple[int, ...]) -> Planes:
        """No planes yet, of slopes of a shape (groups × features)."""
        bits = (len(groups) * shape[0] + 7) // 8
        return cls(groups, np.zeros((0, bits), dtype=np.uint8), np.zeros((0, *shape)), np.zeros(0))

    def __len__(self) -> int:
        return len(self.offsets)

    def unpacked(self) -> NDArray[np.bool_]:
        """Cuts × documents × groups: the shortfalls that each cut sums."""
        shape = (len(self.groups), self.slopes.shape[1])
        bits = np.unpackbits(self.choices, axis=1, count=shape[0] * shape[1])
        return bits.astype(np.bool_).reshape(-1, *shape)

    def drawn(self, features: Features, choice: NDArray[np.bool_]) -> Planes:
        """The same with the plane of one more cut."""
        slope, offset = make_target_plane(features, choice, self.groups)
        return replace(
            self,
            choices=np.concatenate([self.choices, np.packbits(choice.ravel())[None]]),
            slopes=np.concatenate([self.slopes, slope[None]]),
            offsets=np.append(self.offsets, offset),
        )

    def regrouped(self, features: Features, groups: Labels) -> Planes:
        """The planes of the same cuts for other groups."""
        moved = np.flatnonzero(groups != self.groups)
        if not len(moved) or not len(self):
            return replace(self, groups=groups)
        size = len(groups) * self.slopes.shape[1]
        # documents × (cuts one after the other), so that one product turns all planes
        choices = np.concatenate(list(self.unpacked()[:, moved]), axis=0)
        repeated = [np.tile(own[moved], len(self)) for own in (self.groups, groups)]
        old, new = (signed_counts(choices, own)[0].reshape(len(self), len(moved), -1) for own in repeated)
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
    """Where the cutting planes stand: W, and the planes for the groups it gives."""

    weights: Floats
    planes: Planes


def add_cut(stand: CuttingPlaneState, risk: TargetRisk, precision: float) -> CuttingPlaneState | None:
    """The stand with its most violated cut; None if no cut is violated by more than `precision`."""
    scores = risk.features.scores(stand.weights)
    planes = stand.planes
    heights = planes.offsets + np.tensordot(planes.slopes, stand.weights, axes=2)
    highest = float(heights.max(initial=0.0))
    if len(heights) >= MAX_CUTS or (len(heights) and risk.value(scores) <= highest + precision):
        return None
    return replace(stand, planes=planes.drawn(risk.features, violated_margins(scores, planes.groups)))


def run_cccp(
    stand: CuttingPlaneState,
    risk: TargetRisk,
    balance: BalanceRisk | None,
    precision: float,
    known: Labels | None = None,
) -> CuttingPlaneState:
    """CCCP over the cuts there are: the best W for the planes, then the planes of its groups.

    Documents whose group is `known` stay in it.
    """
    previous = np.inf
    for _ in range(MAX_STEPS):
        stand, value = _step(stand, risk, balance, precision, known)
        if previous - value <= CCCP_TOLERANCE * value:
            break
        previous = value
    return stand


def _step(
    stand: CuttingPlaneState,
    risk: TargetRisk,
    balance: BalanceRisk | None,
    precision: float,
    known: Labels | None,
) -> tuple[CuttingPlaneState, float]:
    known_planes, groups = stand.planes, stand.planes.groups
    cuts = WorkingSet(np.array([risk.weight] if balance is None else [risk.weight, balance.weight]))
    for slope, offset in zip(known_planes.slopes, known_planes.offsets.tolist(), strict=True):
        cuts.add(0, slope, offset)
    for plane in () if balance is None else balance.planes(len(stand.weights)):
        cuts.add(1, *plane)
    weights, value = cuts.lowest(stand.weights.shape, 0.1 * precision * risk.weight)
    scores = risk.features.scores(weights)
    following = assign_groups(scores, groups, hinge_losses(scores, groups), known)
    return CuttingPlaneState(weights, known_planes.regrouped(risk.features, following)), value
