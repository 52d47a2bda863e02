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
    """Groups by spherical k-means, none of them empty; documents whose group is `known` make centres."""
    objects = features.directions
    # a row at the very centre has no direction
    groups = fix_known(np.maximum(spherical_kmeans(kernels, objects, n_groups, rng, known), 0), known)
    own = objects.cosines(kernels, objects.means(groups, n_groups))[np.arange(len(groups)), groups]
    misfits = np.argsort(own, kind="stable")
    return fill_empty_groups(groups, n_groups, misfits if known is None else misfits[known[misfits] < 0])


def fix_known(groups: Labels, known: Labels | None) -> Labels:
    """Groups with those that are known (≥ 0) in their places."""
    return groups if known is None else np.where(known >= 0, known, groups).astype(np.int32)


def fill_empty_groups(groups: Labels, n_groups: int, misfits: NDArray[Any]) -> Labels:
    """Every empty group gets the worst misfit that another group can spare."""
    sizes = np.bincount(groups, minlength=n_groups)
    found = groups.copy()
    candidates = iter(misfits.tolist())
    for empty in np.flatnonzero(sizes == 0).tolist():
        taken = next((one for one in candidates if sizes[found[one]] > 1), None)
        if taken is None:
            break
        sizes[found[taken]] -= 1
        found[taken], sizes[empty] = empty, 1
    return found


def assign_groups(scores: Floats, groups: Labels, losses: Floats, known: Labels | None = None) -> Labels:
    """Each document in its best group, unless another is known, except that no group loses all its members.

    Moving a document to its best group cannot raise its loss, and leaving it cannot either; so neither can
    any mixture of both. A group that would be empty keeps the member that loses the least by staying.
    """
    found = fix_known(scores.argmax(axis=1).astype(np.int32), known)
    while True:
        sizes = np.bincount(found, minlength=scores.shape[1])
        gone = [group for group in np.unique(groups).tolist() if not sizes[group]]
        if not gone:
            return found
        for group in gone:
            members = np.flatnonzero(groups == group)
            found[members[losses[members].argmin()]] = group
