"""Dividing the documents of a group by their words: found when it is said, done again from seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError
from colligate.kernels import make_kernels
from colligate.methods.spherical import make_tfidf_directions, spherical_kmeans

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Positions = NDArray[np.int64]
    Floats = NDArray[np.float64]


def halves(
    counts: csr_array,
    members: Positions,
    parts: int,
    tied: Positions | None = None,
    rivals: Mapping[int, Collection[int]] | None = None,
    staying: Collection[int] = (),
) -> list[Positions]:
    """The documents of each part of a group, the most typical first, by tf-idf among its own documents.

    Documents of one component of `tied` stay in one part, components that are `rivals` go to different ones
    where that is possible, and those that are `staying` are in the first. A part may be left empty by that.
    """
    if len(members) < 2 * parts:
        raise InputError(
            f"a group of {len(members)} documents cannot be split into {parts}; it needs {2 * parts}"
        )
    documents, _ = make_tfidf_directions(counts[members])
    labels = spherical_kmeans(make_kernels("fast"), documents, parts, np.random.default_rng(0))
    if len(np.unique(labels[labels >= 0])) < parts:
        raise InputError(f"the documents of this group do not differ enough to be split into {parts}")
    near = documents.cosines(make_kernels("fast"), documents.means(labels, parts))
    own = np.arange(len(members)) if tied is None else tied
    found = _whole(near, own, rivals or {}, staying)
    return [_nearest(near[:, part], found == part, members) for part in range(parts)]


def divided(counts: csr_array, members: Positions, found: Sequence[Positions]) -> NDArray[Any]:
    """For each member of a group, the part whose seeds it is most like."""
    documents, _ = make_tfidf_directions(counts[members])
    known = np.full(len(members), -1, dtype=np.int32)
    for part, positions in enumerate(found):
        known[np.isin(members, positions)] = part
    near = documents.cosines(make_kernels("fast"), documents.means(known, len(found)))
    return np.where(known >= 0, known, near.argmax(axis=1))


def _whole(
    near: Floats, tied: Positions, rivals: Mapping[int, Collection[int]], staying: Collection[int]
) -> Positions:
    """The part of every member: that which its component is nearest to as a whole."""
    numbers, at = np.unique(tied, return_inverse=True)
    score = np.zeros((len(numbers), near.shape[1]))
    np.add.at(score, at, near)
    score[np.isin(numbers, list(staying)), 0] = np.inf
    part = score.argmax(axis=1)
    place = {number: k for k, number in enumerate(numbers.tolist())}
    for k, number in enumerate(numbers.tolist()):
        for other in rivals.get(number, ()):
            if place.get(other, -1) > k and part[place[other]] == part[k]:
                _part_ways(score, part, k, place[other])
    found: Positions = part[at]
    return found


def _part_ways(score: Floats, part: NDArray[Any], one: int, other: int) -> None:
    """Of two components that are apart, put the one that loses the least by it into another part."""
    shared = int(part[one])
    rest = np.delete(np.arange(score.shape[1]), shared)
    loss = {k: score[k, shared] - score[k, rest].max() for k in (other, one)}
    mover = min(loss, key=lambda k: float(loss[k]))
    if np.isfinite(loss[mover]):
        part[mover] = rest[score[mover, rest].argmax()]


def _nearest(near: NDArray[Any], inside: NDArray[np.bool_], members: Positions) -> Positions:
    own = np.flatnonzero(inside)
    return members[own[np.lexsort((own, -near[own]))]]
