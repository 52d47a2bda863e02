"""Strengths as nested levels: what reaches a level also reaches those below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MOST_LEVELS = 8
"""Every level lists its entries again, so this bounds the memory and time that the levels take."""


def nested(strengths: NDArray[Any]) -> Iterator[tuple[NDArray[np.int64], float]]:
    """The entries that reach each level, with the level's step from the one below, lowest first.

    The steps that an entry reaches add up to its strength, rounded down to the nearest level.
    """
    levels = _levels(strengths)
    for level, step in zip(levels, np.diff(levels, prepend=0.0), strict=True):
        yield np.flatnonzero(strengths >= level).astype(np.int64), float(step)


def _levels(strengths: NDArray[Any]) -> NDArray[np.float64]:
    """All strengths that occur where these are few; else some of them, the lowest first, evenly by rank."""
    occurring = np.unique(strengths).astype(np.float64)
    if len(occurring) <= MOST_LEVELS:
        return occurring
    return occurring[np.arange(MOST_LEVELS) * len(occurring) // MOST_LEVELS]
