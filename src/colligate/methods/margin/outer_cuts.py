"""Maximum-margin clustering with cutting planes outside and CCCP inside, as CPM3C has it.

The planes of all cuts depend on the groups the documents are in, so that every step of CCCP turns them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.margin.groups import next_groups
from colligate.methods.margin.risks import short_of, target_losses
from colligate.methods.margin.working_set import WorkingSet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.margin.planes import Planes
    from colligate.methods.margin.risks import BalanceRisk, TargetRisk
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

MOST_CUTS = 100
MOST_STEPS = 20
# CCCP ends when the value of the cuts falls by less than this share
STANDING = 1e-3


@dataclass(frozen=True, eq=False)
class Stand:
    """Where the cutting planes stand: W, and the planes for the groups it gives."""

    weights: Floats
    planes: Planes


def add_cut(stand: Stand, risk: TargetRisk, precision: float) -> Stand | None:
    """The stand with its most violated cut; None if no cut is violated by more than `precision`."""
    scores = risk.features.scores(stand.weights)
    planes = stand.planes
    heights = planes.offsets + np.tensordot(planes.slopes, stand.weights, axes=2)
    highest = float(heights.max(initial=0.0))
    if len(heights) >= MOST_CUTS or (len(heights) and risk.value(scores) <= highest + precision):
        return None
    return replace(stand, planes=planes.drawn(risk.features, short_of(scores, planes.groups)))


def settled(
    stand: Stand, risk: TargetRisk, balance: BalanceRisk | None, precision: float, known: Labels | None = None
) -> Stand:
    """CCCP over the cuts there are: the best W for the planes, then the planes of its groups.

    Documents whose group is `known` stay in it.
    """
    previous = np.inf
    for _ in range(MOST_STEPS):
        stand, value = _step(stand, risk, balance, precision, known)
        if previous - value <= STANDING * value:
            break
        previous = value
    return stand


def _step(
    stand: Stand, risk: TargetRisk, balance: BalanceRisk | None, precision: float, known: Labels | None
) -> tuple[Stand, float]:
    known_planes, groups = stand.planes, stand.planes.groups
    cuts = WorkingSet(np.array([risk.weight] if balance is None else [risk.weight, balance.weight]))
    for slope, offset in zip(known_planes.slopes, known_planes.offsets.tolist(), strict=True):
        cuts.add(0, slope, offset)
    for plane in () if balance is None else balance.planes(len(stand.weights)):
        cuts.add(1, *plane)
    weights, value = cuts.lowest(stand.weights.shape, 0.1 * precision * risk.weight)
    scores = risk.features.scores(weights)
    following = next_groups(scores, groups, target_losses(scores, groups), known)
    return Stand(weights, known_planes.regrouped(risk.features, following)), value
