"""How uncertain each document is, and which documents to ask about.

Documents are selected greedily by facility location. The gain of document i is

    wᵢ · Σⱼ wⱼ · max(0, sᵢⱼ − cⱼ)

with wⱼ the uncertainty of document j, sᵢⱼ the similarity of i and j, and cⱼ the largest similarity of j to a
document that is answered or already selected. The factor wᵢ avoids questions whose answer is certain. Gains
only shrink while documents are selected, so an old gain is an upper bound. Where there are many documents,
candidates and covered documents are sampled with a fixed seed: O(non-zeros) for the embedding, then constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from colligate.methods.spherical import make_latent_directions
from colligate.result.groups import CHUNK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.network import Network
    from colligate.result import Result

    Floats = NDArray[np.float64]
    SmallFloats = NDArray[np.float32]
    Positions = NDArray[np.int64]
    Flags = NDArray[np.bool_]

# Up to this many answers a group, all documents count alike; then uncertainty takes over quadratically.
ANSWERS_PER_GROUP = 4.0
# The largest samples: documents to ask about, documents to cover, answered documents.
CANDIDATES, AUDIENCE, SPEAKERS = 2_000, 4_000, 2_000
# The power of the cosine. All documents are somewhat similar; only close ones predict each other.
SHARPNESS = 3
# A gain that fell by less than this share still counts as current.
CURRENT = 0.999
# The embedding costs more than the questions; it is kept for a result that has its basis, else a network.
_embeddings: WeakKeyDictionary[Network | Result, SmallFloats] = WeakKeyDictionary()


def margin_uncertainty(result: Result) -> Floats:
    """Return 1 minus the margin between the two largest memberships of each document; 0 in no group.

    Where the method has the agreement of several runs on documents, the margin is multiplied by it.
    """
    memberships = result.memberships[result.centre]
    if memberships.shape[1] < 2:
        return np.zeros(len(memberships))
    margin = np.empty(len(memberships))
    for start in range(0, len(margin), CHUNK):
        best = np.partition(memberships[start : start + CHUNK], -2, axis=1)[:, -2:]
        margin[start : start + CHUNK] = best[:, 1] - best[:, 0]
    if (agreement := result.model.get("agreement")) is not None:
        margin *= np.where(agreement >= 0, agreement, 1.0)
    return np.where(result.labels[result.centre] >= 0, 1.0 - margin, 0.0)


def exploration_weight(n_groups: int, n_answers: float) -> float:
    """Return the weight of a document that is not uncertain at all.

    A result can be certain and wrong. While there are few answers, whole groups may be wrong, so questions
    cover many documents. Later, uncertainty decides.
    """
    return float(min(1.0, (ANSWERS_PER_GROUP * n_groups / max(n_answers, 1.0)) ** 2))


@dataclass(frozen=True, eq=False)
class Selection:
    """Selected documents in order, and the gain of each, in documents."""

    documents: Positions
    gains: Floats


def select_documents(
    embedding: SmallFloats, weights: Floats, free: Flags, answered: Flags, count: int
) -> Selection:
    """Select `count` of the free documents. Ties go to the first."""
    candidates = sample_positions(np.flatnonzero(free), CANDIDATES)
    audience = sample_positions(np.flatnonzero(weights > 0), AUDIENCE)
    if not len(candidates) or not len(audience):
        return Selection(np.zeros(0, dtype=np.int64), np.zeros(0))
    scale = np.count_nonzero(weights > 0) / len(audience)
    weight = (weights[audience] * scale).astype(np.float32)
    speakers = sample_positions(np.flatnonzero(answered), SPEAKERS)
    if len(speakers):
        covered = np.asarray(similarity(embedding[audience], embedding[speakers]).max(axis=1))
    else:
        covered = np.zeros(len(audience), dtype=np.float32)
    similarities = similarity(embedding[candidates], embedding[audience])
    news = weights[candidates].astype(np.float32)
    order, gains = _select_greedily(similarities, covered, weight, news, min(count, len(candidates)))
    return Selection(candidates[order], np.array(gains))


def _select_greedily(
    similarities: SmallFloats, covered: SmallFloats, weight: SmallFloats, news: SmallFloats, count: int
) -> tuple[list[int], list[float]]:
    """Take the largest gain each time; an earlier gain is an upper bound of the present one."""
    bounds = news * (np.maximum(similarities - covered, 0.0) @ weight)
    order: list[int] = []
    gains: list[float] = []
    for _ in range(count):
        best = int(bounds.argmax())
        while (gain := _gain(similarities[best], covered, weight, news[best])) < bounds[best] * CURRENT:
            bounds[best] = gain
            best = int(bounds.argmax())
        order.append(best)
        gains.append(gain)
        bounds[best] = -1.0
        covered = np.maximum(covered, similarities[best])
    return order, gains


def _gain(similarities: SmallFloats, covered: SmallFloats, weight: SmallFloats, news: np.float32) -> float:
    return float(news * (np.maximum(similarities - covered, 0.0) @ weight))


def sample_positions(positions: Positions, limit: int) -> Positions:
    """Draw at most `limit` positions with a fixed seed, in order."""
    if len(positions) <= limit:
        return positions
    return np.sort(np.random.default_rng(0).choice(positions, limit, replace=False))


def embed_documents(result: Result) -> SmallFloats:
    """Return unit rows in the leading singular directions, one per document; zero for an empty one.

    A result of `colligate` has these directions, so that nothing needs to be decomposed again.
    """
    directions = result.directions
    owner: Network | Result = result.network if directions is None else result
    if owner not in _embeddings:
        unit: Any = directions
        if directions is None:
            unit = make_latent_directions(result.neighbourhood.matrix)[0].unit
        _embeddings[owner] = np.asarray(unit, dtype=np.float32)
    return _embeddings[owner]


def similarity(left: SmallFloats, right: SmallFloats) -> SmallFloats:
    """Return the cosines of unit rows, clipped to 0..1 and raised to `SHARPNESS`."""
    return np.asarray(np.clip(left @ right.T, 0.0, 1.0) ** SHARPNESS)
