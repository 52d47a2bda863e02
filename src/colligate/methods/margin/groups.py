"""Groups of documents in the margin methods: where they start, and how they follow the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.methods.spherical import spherical_kmeans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.loop import Labels
    from colligate.methods.margin.features import Features

    Floats = NDArray[np.float64]


def initialize_groups(
    kernels: Kernels,
    features: Features,
    n_groups: int,
    rng: np.random.Generator,
    known: Labels | None = None,
) -> Labels:
    """Return groups by spherical k-means, none empty; documents with a known group make the first centres."""
    objects = features.directions
    # a row exactly at the centre has no direction
    groups = fix_known(np.maximum(spherical_kmeans(kernels, objects, n_groups, rng, known), 0), known)
    cosines = objects.cosines(kernels, objects.means(groups, n_groups))[np.arange(len(groups)), groups]
    misfits = np.argsort(cosines, kind="stable")
    return fill_empty_groups(groups, n_groups, misfits if known is None else misfits[known[misfits] < 0])


def fix_known(groups: Labels, known: Labels | None) -> Labels:
    """Return the groups with known ones (≥ 0) in place."""
    return groups if known is None else np.where(known >= 0, known, groups).astype(np.int32)


def fill_empty_groups(groups: Labels, n_groups: int, misfits: NDArray[Any]) -> Labels:
    """Give every empty group the worst misfit of a group of several."""
    sizes = np.bincount(groups, minlength=n_groups)
    filled = groups.copy()
    # one pass over the misfits: a document that was passed over is not tried again
    candidates = iter(misfits.tolist())
    for empty in np.flatnonzero(sizes == 0).tolist():
        moved = next((document for document in candidates if sizes[filled[document]] > 1), None)
        if moved is None:
            break
        sizes[filled[moved]] -= 1
        filled[moved], sizes[empty] = empty, 1
    return filled


def assign_groups(scores: Floats, groups: Labels, losses: Floats, known: Labels | None = None) -> Labels:
    """Return u(d) = argmax_k w_k·x_d (m2dcu-0, eq. 1), but keep known groups, and no group loses all members.

    Moving a document to its best group cannot raise its loss, and neither can leaving it; so neither can any
    mixture. A group that would be empty keeps the member with the least loss.
    """
    best = fix_known(scores.argmax(axis=1).astype(np.int32), known)
    # a member that is kept back may empty the group that it would have joined
    while True:
        sizes = np.bincount(best, minlength=scores.shape[1])
        emptied = [group for group in np.unique(groups).tolist() if not sizes[group]]
        if not emptied:
            return best
        for group in emptied:
            members = np.flatnonzero(groups == group)
            best[members[losses[members].argmin()]] = group
