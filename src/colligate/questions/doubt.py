"""How doubtful each document is, and how much the others count too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.result.confidence import CHUNK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.result import Result

    Floats = NDArray[np.float64]

ENOUGH = 4.0
"""Answers for each group until which all documents count alike; then doubt takes over, by the square."""


def doubts(result: Result) -> Floats:
    """For each document 1 less the margin of its first over its second membership; 0 in no group.

    Where the method tells how stable a document is over several runs, the margin counts by that share.
    """
    memberships = result.memberships[result.centre]
    if memberships.shape[1] < 2:
        return np.zeros(len(memberships))
    margin = np.empty(len(memberships))
    for start in range(0, len(margin), CHUNK):
        best = np.partition(memberships[start : start + CHUNK], -2, axis=1)[:, -2:]
        margin[start : start + CHUNK] = best[:, 1] - best[:, 0]
    if result.stability is not None:
        margin *= np.nan_to_num(result.stability, nan=1.0)
    return np.where(result.labels[result.centre] >= 0, 1.0 - margin, 0.0)


def breadth(n_groups: int, n_answers: float) -> float:
    """How much a document counts that is not doubtful at all.

    A result can be sure and wrong: as long as few answers are there, whole groups may be mistaken, and what
    speaks for many documents is asked. Later the doubts can be trusted.
    """
    return float(min(1.0, (ENOUGH * n_groups / max(n_answers, 1.0)) ** 2))
