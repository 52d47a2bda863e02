"""Who a group is from run to run: the best matching of the groups of one run with those of the run before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.result.metrics import best_matching

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Labels = NDArray[np.integer[Any]]


def first_identities(labels: Labels, n_groups: int, unused: int = 0) -> tuple[int, ...]:
    """The lasting numbers of a run that comes after none: the largest group has the first unused one."""
    sizes = np.bincount(labels[labels >= 0], minlength=n_groups)
    found = np.empty(n_groups, dtype=np.int64)
    found[np.argsort(-sizes, kind="stable")] = unused + np.arange(n_groups)
    return tuple(found.tolist())


def next_identities(
    before: Labels, identities: Sequence[int], after: Labels, n_groups: int, unused: int
) -> tuple[int, ...]:
    """The lasting numbers of the groups of a run, given those of the run before.

    A group is new if it shares no document with the one it was matched to, or if that one had no number yet
    (-1); new ones count from `unused`.
    """
    both = (before >= 0) & (after >= 0)
    cells = before[both].astype(np.int64) * n_groups + after[both]
    shared = np.bincount(cells, minlength=len(identities) * n_groups).reshape(len(identities), n_groups)
    found = np.full(n_groups, -1, dtype=np.int64)
    for old, new in zip(*best_matching(shared), strict=True):
        if shared[old, new]:
            found[new] = identities[old]
    new = np.flatnonzero(found < 0)
    found[new] = unused + np.arange(len(new))
    return tuple(found.tolist())
