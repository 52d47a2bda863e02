"""What the knowledge changed: the grouping without it beside the grouping with it.

Who a group is from run to run: the best matching of the groups of one run with those of the run before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate.result.metrics import best_matching, contingency, normalised_mutual_information

if TYPE_CHECKING:
    from collections.abc import Sequence


Labels = NDArray[np.integer[Any]]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Changes:
    """Two groupings of the same documents, matched group by group.

    `flow[i, j]` counts the documents that went from group i to group j; the last row and column stand for
    documents in no group. `match[i]` is the group of now that stands for group i of before, or -1.
    `moved` marks the documents that are not where their old group went.
    """

    moved: NDArray[np.bool_]
    match: IntArray
    flow: IntArray
    agreement: float
    examples: IntArray


def compare_groupings(
    before: Labels,
    after: Labels,
    n_before: int,
    n_after: int,
    confidence: NDArray[np.float64] | None = None,
    limit: int = 10,
) -> Changes:
    """Compare two groupings; `examples` are the moved documents with the highest confidence, surest first."""
    old, new = np.where(before < 0, n_before, before), np.where(after < 0, n_after, after)
    cells = np.bincount(old.astype(np.int64) * (n_after + 1) + new, minlength=(n_before + 1) * (n_after + 1))
    flow = cells.reshape(n_before + 1, n_after + 1).astype(np.int64)
    match = np.full(n_before + 1, -1, dtype=np.int64)
    rows, columns = best_matching(flow[:-1, :-1])
    match[rows] = columns
    moved = np.where(before < 0, after >= 0, match[old] != after)
    sure = np.zeros(moved.size) if confidence is None else confidence
    where = np.flatnonzero(moved)
    examples = where[np.lexsort((where, -sure[where]))][:limit]
    agreement = normalised_mutual_information(contingency(before, after))
    return Changes(moved, match[:-1], flow, agreement, examples)


def assign_identities(labels: Labels, n_groups: int, unused: int = 0) -> tuple[int, ...]:
    """The lasting numbers of a run that comes after none: the largest group has the first unused one."""
    sizes = np.bincount(labels[labels >= 0], minlength=n_groups)
    found = np.empty(n_groups, dtype=np.int64)
    found[np.argsort(-sizes, kind="stable")] = unused + np.arange(n_groups)
    return tuple(found.tolist())


def match_identities(
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
