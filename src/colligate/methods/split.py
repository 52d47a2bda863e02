"""Division of one group: spherical k-means on its documents, which keeps linked documents in one part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError
from colligate.kernels import make_kernels
from colligate.methods.spherical import make_tfidf_directions, spherical_kmeans

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Rows = NDArray[np.int64]
    Floats = NDArray[np.float64]


def split_cluster(
    counts: csr_array,
    members: Rows,
    n_parts: int,
    component: Rows | None = None,
    rivals: Mapping[int, Collection[int]] | None = None,
    staying: Collection[int] = (),
) -> list[Rows]:
    """Divide the documents of a group by spherical k-means on their tf-idf; the most typical come first.

    The largest part is the first. Documents of one component stay in one part, components that are `rivals`
    go to different parts where that is possible, and components that are `staying` go to the first. A part
    may become empty that way.
    """
    if len(members) < 2 * n_parts:
        raise InputError(
            f"a group of {len(members)} documents cannot be split into {n_parts} parts; at least "
            f"{2 * n_parts} documents are needed"
        )
    documents, _ = make_tfidf_directions(counts[members])
    # a fixed seed: the same group is always split the same way
    labels = spherical_kmeans(make_kernels("fast"), documents, n_parts, np.random.default_rng(0))
    if len(np.unique(labels[labels >= 0])) < n_parts:
        raise InputError(
            f"the documents of this group are too similar to be split into {n_parts} parts; choose fewer "
            "parts"
        )
    similarity = documents.cosines(make_kernels("fast"), documents.means(labels, n_parts))
    # the first part keeps the number and the name of the group, so it is the largest
    sizes = np.bincount(labels[labels >= 0], minlength=n_parts)
    similarity = similarity[:, np.argsort(-sizes, kind="stable")]
    tied = np.arange(len(members)) if component is None else component
    part = _assign_components(similarity, tied, rivals or {}, staying)
    return [_sort_by_similarity(similarity[:, k], part == k, members) for k in range(n_parts)]


def _assign_components(
    similarity: Floats, component: Rows, rivals: Mapping[int, Collection[int]], staying: Collection[int]
) -> Rows:
    """Assign each member to the part that its component as a whole is most similar to."""
    numbers, index = np.unique(component, return_inverse=True)
    score = np.zeros((len(numbers), similarity.shape[1]))
    np.add.at(score, index, similarity)
    # infinite, so that nothing below can move these components
    score[np.isin(numbers, list(staying)), 0] = np.inf
    part = score.argmax(axis=1)
    row_of = {number: row for row, number in enumerate(numbers.tolist())}
    for row, number in enumerate(numbers.tolist()):
        for rival in rivals.get(number, ()):
            # each pair once; a rival that is not in the group has no row
            if row_of.get(rival, -1) > row and part[row_of[rival]] == part[row]:
                separate(score, part, row, row_of[rival])
    return np.asarray(part[index])


def separate(score: Floats, part: NDArray[Any], first: int, second: int) -> None:
    """Move one of two rival components, the one that loses less similarity, into another part."""
    shared = int(part[first])
    rest = np.delete(np.arange(score.shape[1]), shared)
    loss = {row: score[row, shared] - score[row, rest].max() for row in (second, first)}
    mover = min(loss, key=lambda row: float(loss[row]))
    # both must stay in the first part, so they cannot be separated
    if np.isfinite(loss[mover]):
        part[mover] = rest[score[mover, rest].argmax()]


def _sort_by_similarity(similarity: NDArray[Any], inside: NDArray[np.bool_], members: Rows) -> Rows:
    rows = np.flatnonzero(inside)
    return members[rows[np.lexsort((rows, -similarity[rows]))]]
