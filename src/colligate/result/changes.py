"""What the knowledge changed: the grouping without it beside the grouping with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from colligate.result.metrics import best_matching, contingency, normalised_mutual_information

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


def changes(
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
