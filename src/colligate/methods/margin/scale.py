"""A scale of the features at which the hinges are at work, found without labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.margin.bundle import Point, minimise
from colligate.methods.margin.features import centred
from colligate.methods.margin.groups import first_groups
from colligate.methods.margin.risks import TargetRisk, margins

if TYPE_CHECKING:
    from colligate.kernels import Kernels
    from colligate.methods.margin.features import Features

SCALES = tuple(float(2.0 ** (half / 2)) for half in range(-2, 15))
ROUGHLY = 0.02
SAMPLE = 5000


def suitable_scale(kernels: Kernels, features: Features, n_groups: int, target_weight: float) -> float:
    """The least root-mean-square length of the rows at which half the documents reach a margin of 1.

    With short rows no document reaches its margin and none is let off, and the tolerance for outsiders is
    never used up; with long rows everything fits and the groups stay where they started. A sample of the
    documents, in preliminary groups, is enough to tell.
    """
    sample = features.rows[:: 1 + (len(features) - 1) // SAMPLE]
    features = centred(sample)
    length = features.length()
    weights = np.zeros((n_groups, features.width))
    if not length or len(features) < n_groups:
        return 1.0
    groups = first_groups(kernels, features, n_groups, np.random.default_rng(0))
    for scale in SCALES:
        rows = features.scaled(scale / length, 0.0)
        risks = [TargetRisk(rows, groups, target_weight)]
        found = minimise(risks, Point.of(weights, risks), ROUGHLY)
        if np.median(margins(found.scores[0])) >= 1.0:
            return scale
        weights = found.weights
    return SCALES[-1]
