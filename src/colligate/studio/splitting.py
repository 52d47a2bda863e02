"""Dividing the documents of a group by their words: found when it is said, done again from seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError
from colligate.kernels import kernels
from colligate.methods.directions import spherical_labels, word_directions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Positions = NDArray[np.int64]


def seeds(counts: csr_array, members: Positions, parts: int, limit: int) -> list[Positions]:
    """The documents that stand for each part of a group, by tf-idf among its own documents."""
    if len(members) < 2 * parts:
        raise InputError(
            f"a group of {len(members)} documents cannot be split into {parts}; it needs {2 * parts}"
        )
    documents, _ = word_directions(counts[members])
    labels = spherical_labels(kernels("fast"), documents, parts, np.random.default_rng(0))
    if len(np.unique(labels[labels >= 0])) < parts:
        raise InputError(f"the documents of this group do not differ enough to be split into {parts}")
    near = documents.cosines(kernels("fast"), documents.means(labels, parts))
    return [_nearest(near[:, part], labels == part, members, limit) for part in range(parts)]


def divided(counts: csr_array, members: Positions, found: Sequence[Positions]) -> NDArray[Any]:
    """For each member of a group, the part whose seeds it is most like."""
    documents, _ = word_directions(counts[members])
    known = np.full(len(members), -1, dtype=np.int32)
    for part, positions in enumerate(found):
        known[np.isin(members, positions)] = part
    near = documents.cosines(kernels("fast"), documents.means(known, len(found)))
    return np.where(known >= 0, known, near.argmax(axis=1))


def _nearest(near: NDArray[Any], inside: NDArray[np.bool_], members: Positions, limit: int) -> Positions:
    own = np.flatnonzero(inside)
    return members[own[np.lexsort((own, -near[own]))][:limit]]
