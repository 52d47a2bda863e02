"""Choosing documents that speak for the most that is doubtful and that nothing known speaks for yet.

The gain of document i is wᵢ·Σⱼ wⱼ max(0, sᵢⱼ − cⱼ): wⱼ is the doubt of document j, sᵢⱼ the likeness of both,
and cⱼ the largest likeness of j to a document that is known or already chosen. The answer about a document
that nobody doubts is no news, whomever it speaks for; that is what wᵢ is for. Gains only shrink while
documents are chosen (facility location), and the largest is taken each time. Candidates and those they speak
for are drawn, by a fixed seed, where there are many: O(non-zeros) for the space, and then a constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate.questions.space import likeness

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Positions = NDArray[np.int64]
    Flags = NDArray[np.bool_]

CANDIDATES, AUDIENCE, SPEAKERS = 2_000, 4_000, 2_000


@dataclass(frozen=True, eq=False)
class Chosen:
    """Documents in the order in which they were chosen, and the gain of each, in documents."""

    documents: Positions
    gains: Floats


def choose(space: NDArray[np.float32], weights: Floats, free: Flags, spoken: Flags, count: int) -> Chosen:
    """Choose `count` of the free documents; those `spoken` of are known. Ties go to the first."""
    candidates = _drawn(np.flatnonzero(free), CANDIDATES)
    audience = _drawn(np.flatnonzero(weights > 0), AUDIENCE)
    if not len(candidates) or not len(audience):
        return Chosen(np.zeros(0, dtype=np.int64), np.zeros(0))
    scale = np.count_nonzero(weights > 0) / len(audience)
    weight = (weights[audience] * scale).astype(np.float32)
    spoken_for = _covered(space, audience, _drawn(np.flatnonzero(spoken), SPEAKERS))
    found = likeness(space[candidates], space[audience])
    news = weights[candidates].astype(np.float32)
    chosen, gains = _greedy(found, spoken_for, weight, news, min(count, len(candidates)))
    return Chosen(candidates[chosen], np.array(gains))


def _greedy(
    found: NDArray[np.float32],
    spoken_for: NDArray[np.float32],
    weight: NDArray[np.float32],
    news: NDArray[np.float32],
    count: int,
) -> tuple[list[int], list[float]]:
    """Take the largest gain each time; a gain that was found before is an upper bound of what it is now."""
    bounds = news * (np.maximum(found - spoken_for, 0.0) @ weight)
    chosen: list[int] = []
    gains: list[float] = []
    for _ in range(count):
        best = int(bounds.argmax())
        while (now := _gain(found[best], spoken_for, weight, news[best])) < bounds[best] * 0.999:
            bounds[best] = now
            best = int(bounds.argmax())
        chosen.append(best)
        gains.append(now)
        bounds[best] = -1.0
        spoken_for = np.maximum(spoken_for, found[best])
    return chosen, gains


def _gain(
    found: NDArray[np.float32],
    spoken_for: NDArray[np.float32],
    weight: NDArray[np.float32],
    news: np.float32,
) -> float:
    return float(news * (np.maximum(found - spoken_for, 0.0) @ weight))


def _covered(space: NDArray[np.float32], audience: Positions, speakers: Positions) -> NDArray[np.float32]:
    if not len(speakers):
        return np.zeros(len(audience), dtype=np.float32)
    return np.asarray(likeness(space[audience], space[speakers]).max(axis=1))


def _drawn(positions: Positions, most: int) -> Positions:
    if len(positions) <= most:
        return positions
    return np.sort(np.random.default_rng(0).choice(positions, most, replace=False))
