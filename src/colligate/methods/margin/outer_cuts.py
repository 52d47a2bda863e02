"""Maximum-margin clustering with cutting planes outside and CCCP inside, as CPM3C has it.

A cut is a choice of documents and groups whose shortfalls are summed (equation 20). Its plane depends on the
groups the documents are in, so that every step of CCCP draws all planes anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.margin.groups import next_groups
from colligate.methods.margin.risks import short_of, target_losses, target_plane
from colligate.methods.margin.working_set import WorkingSet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.margin.risks import BalanceRisk, TargetRisk
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

MOST_CUTS = 100
MOST_STEPS = 20
# CCCP ends when the value of the cuts falls by less than this share
STANDING = 1e-3


@dataclass(frozen=True, eq=False)
class Stand:
    """Where the cutting planes stand: W, the groups it gives, and the cuts as packed bits, one row each."""

    weights: Floats
    groups: Labels
    cuts: NDArray[np.uint8]

    def choices(self) -> NDArray[np.bool_]:
        """Cuts × documents × groups: the shortfalls that each cut sums."""
        shape = (len(self.groups), self.weights.shape[0])
        bits = np.unpackbits(self.cuts, axis=1, count=shape[0] * shape[1])
        return bits.astype(np.bool_).reshape(-1, *shape)


def add_cut(stand: Stand, risk: TargetRisk, precision: float) -> Stand | None:
    """The stand with its most violated cut; None if no cut is violated by more than `precision`."""
    scores = risk.features.scores(stand.weights)
    planes = [target_plane(risk.features, choice, stand.groups) for choice in stand.choices()]
    heights = [offset + float(np.vdot(slope, stand.weights)) for slope, offset in planes]
    if len(heights) >= MOST_CUTS or (heights and risk.value(scores) <= max(0.0, *heights) + precision):
        return None
    bits = np.packbits(short_of(scores, stand.groups).ravel())
    return replace(stand, cuts=np.concatenate([stand.cuts, bits[None]]))


def settled(stand: Stand, risk: TargetRisk, balance: BalanceRisk | None, precision: float) -> Stand:
    """CCCP over the cuts there are: the best W for the planes, then the planes of its groups."""
    previous = np.inf
    for _ in range(MOST_STEPS):
        stand, value = _step(stand, risk, balance, precision)
        if previous - value <= STANDING * value:
            break
        previous = value
    return stand


def _step(
    stand: Stand, risk: TargetRisk, balance: BalanceRisk | None, precision: float
) -> tuple[Stand, float]:
    known = WorkingSet(np.array([risk.weight] if balance is None else [risk.weight, balance.weight]))
    for choice in stand.choices():
        known.add(0, *target_plane(risk.features, choice, stand.groups))
    for plane in () if balance is None else balance.planes(len(stand.weights)):
        known.add(1, *plane)
    weights, value = known.lowest(stand.weights.shape, 0.1 * precision * risk.weight)
    scores = risk.features.scores(weights)
    groups = next_groups(scores, stand.groups, target_losses(scores, stand.groups))
    return replace(stand, weights=weights, groups=groups), value
