"""Adding listed pairs and memberships to the links of objects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from colligate.kernels.linked import Floats, Ints, Links, SmallInts


def with_pairs(links: Links, left: SmallInts, right: SmallInts, energy: Floats) -> Links:
    """Add listed pairs, symmetric."""
    n = len(links)
    ends = np.concatenate([left, right]), np.concatenate([right, left])
    entries = sparse.coo_array((np.concatenate([energy, energy]), ends), shape=(n, n))
    # a pair that is both together and apart has two prices, and their difference is neither
    entries.has_canonical_format = True
    matrix = entries.tocsr()
    return replace(
        links,
        neighbours=matrix.indices.astype(np.int32, copy=False),
        neighbour_start=matrix.indptr.astype(np.int64),
        energy=matrix.data,
    )


def with_groups(
    links: Links, owner: SmallInts, number: SmallInts, group: SmallInts, sizes: Ints, prices: Floats
) -> Links:
    """Add memberships, ordered by owner. Set z has `sizes[z]` groups; `prices` are together and apart."""
    by_group = np.argsort(group, kind="stable").astype(np.int32)
    in_set = owner.astype(np.int64) * len(sizes) + number
    _, place, counts = np.unique(in_set, return_inverse=True, return_counts=True)
    return replace(
        links,
        object_start=np.searchsorted(owner, np.arange(len(links) + 1)),
        owner=owner,
        member_set=number,
        member_group=group,
        others=(counts[place] - 1).astype(np.int32),
        by_group=by_group,
        group_start=np.searchsorted(group[by_group], np.arange(sizes.sum() + 1)),
        set_start=np.concatenate([[0], np.cumsum(sizes)]),
        together=prices[0],
        apart=prices[1],
    )
