"""How doubtful each document is, and how much the others count too.

Choosing documents that speak for the most that is doubtful and that nothing known speaks for yet.

The gain of document i is wᵢ·Σⱼ wⱼ max(0, sᵢⱼ − cⱼ): wⱼ is the doubt of document j, sᵢⱼ the likeness of both,
and cⱼ the largest likeness of j to a document that is known or already chosen. The answer about a document
that nobody doubts is no news, whomever it speaks for; that is what wᵢ is for. Gains only shrink while
documents are chosen (facility location), and the largest is taken each time. Candidates and those they speak
for are drawn, by a fixed seed, where there are many: O(non-zeros) for the space, and then a constant.

The space in which documents speak for each other: the leading directions of all that describes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from colligate.methods.spherical import make_latent_directions
from colligate.result.confidence import CHUNK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.network import Network
    from colligate.result import Result

    Floats = NDArray[np.float64]
    Positions = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    SmallFloats = NDArray[np.float32]

ENOUGH = 4.0
"""Answers for each group until which all documents count alike; then doubt takes over, by the square."""
CANDIDATES, AUDIENCE, SPEAKERS = 2_000, 4_000, 2_000
SHARPNESS = 3
"""The power of the cosine: documents that are somewhat alike, as all are, say little of each other."""
# runs of one network share it, and it costs more than all questions about them
_found: WeakKeyDictionary[Network, SmallFloats] = WeakKeyDictionary()


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


def space_of(network: Network) -> SmallFloats:
    """Unit rows, one for each object of the centre; zero for one that nothing describes."""
    if network not in _found:
        documents, _ = make_latent_directions(network.neighbourhood(network.centre).matrix)
        _found[network] = np.asarray(documents.unit, dtype=np.float32)
    return _found[network]


def likeness(some: SmallFloats, others: SmallFloats) -> SmallFloats:
    """How much documents speak for others, from 0 to 1: a power of their cosine."""
    return np.asarray(np.clip(some @ others.T, 0.0, 1.0) ** SHARPNESS)
