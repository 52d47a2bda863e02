"""Two groupings of the same documents, compared: what the knowledge changed, and which group is which.

Groups are matched one to one so that matched groups share as many documents as possible (Hungarian method).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate.result.metrics import best_matching, contingency, normalised_mutual_information

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


Labels = NDArray[np.integer[Any]]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Changes:
    """Two groupings of the same documents, matched group by group.

    Attributes
    ----------
    moved : array of bool
        The documents that are not in the group that their old group was matched with.
    match : array of int
        The new group of each old one; -1 for none.
    flow : array of int
        Old × new groups: numbers of documents. The last row and column count documents in no group.
    agreement : float
        The NMI of the two groupings.
    examples : array of int
        Documents that moved, those with the highest confidence first.
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
    """Compare two groupings, with at most `limit` example documents."""
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


def match_identities(
    before: Labels,
    identities: Sequence[int],
    after: Labels,
    n_groups: int,
    unused: int,
    bound: Mapping[int, int] | None = None,
) -> tuple[int, ...]:
    """Number the groups of a run like the groups of the run before that they match.

    A group that shares no document with its match, or whose match has no number (-1), gets a new number from
    `unused` on. The groups of `bound` have the numbers there.
    """
    bound = bound or {}
    both = (before >= 0) & (after >= 0)
    cells = before[both].astype(np.int64) * n_groups + after[both]
    shared = np.bincount(cells, minlength=len(identities) * n_groups).reshape(len(identities), n_groups)
    shared[np.isin(identities, list(bound.values()))] = 0
    shared[:, list(bound)] = 0
    matched = np.full(n_groups, -1, dtype=np.int64)
    matched[list(bound)] = list(bound.values())
    for old, new in zip(*best_matching(shared), strict=True):
        if shared[old, new]:
            matched[new] = identities[old]
    new = np.flatnonzero(matched < 0)
    matched[new] = unused + np.arange(len(new))
    return tuple(matched.tolist())
