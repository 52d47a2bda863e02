"""The groups that knowledge names, by the votes of what it labels and of what leans to its categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from colligate.result.group_words import indicator

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scipy import sparse

    from colligate.knowledge.guidance import Guidance, Leanings

MOSTLY = 0.5
# Votes are sums of fractions: two that are equal may differ by a hair, and one voter be a hair less than one.
ROUNDING = 1e-9
SINGLE = 1.5

Labels = NDArray[np.int32]
FloatArray = NDArray[np.float64]


def claimed_names(
    labels: Labels,
    n_groups: int,
    tables: Mapping[str, sparse.csr_array],
    own: Guidance | None,
    others: Mapping[str, Guidance],
) -> dict[int, str]:
    """The groups that knowledge names: at least half of a name's voters sit there, and more than elsewhere.

    The voters of a name are the documents labelled with it, and the documents, words and objects of any type
    of its category: `own` is the guidance of what is grouped, `others` that of the other types, of which
    `tables` say how often each group has them. Where names meet in a group, the one with the largest share of
    its voters there wins (a label, of equals); a name with a single voter comes after all others. A group
    takes one name.
    """
    ballots = [*_own_ballots(labels, n_groups, own), *_other_ballots(tables, others)]
    names, votes = _votes(ballots, n_groups)
    if not names:
        return {}
    voters, shares = votes.sum(axis=1), _row_shares(votes)
    best, share = shares.argmax(axis=1), shares.max(axis=1)
    clear = np.sum(shares >= share[:, None] - ROUNDING, axis=1) == 1
    by_group: dict[int, str] = {}
    for claim in np.lexsort((np.arange(len(names)), -share, voters < SINGLE)).tolist():
        if clear[claim] and share[claim] >= MOSTLY - ROUNDING:
            by_group.setdefault(int(best[claim]), names[claim])
    return by_group


def _votes(
    ballots: list[tuple[FloatArray, tuple[str, ...]]], n_groups: int
) -> tuple[tuple[str, ...], FloatArray]:
    """All names, and names × groups: how many voters of each name sit where."""
    place: dict[str, int] = {}
    for name in (name for _, names in ballots for name in names):
        place.setdefault(name, len(place))
    votes = np.zeros((len(place), n_groups))
    for part, names in ballots:
        votes[[place[name] for name in names]] += part
    return tuple(place), votes


def _own_ballots(
    labels: Labels, n_groups: int, own: Guidance | None
) -> Iterator[tuple[FloatArray, tuple[str, ...]]]:
    """The votes by labels and by categories of what is grouped."""
    groups = indicator(labels, n_groups)
    if own is not None and own.labels is not None:
        known = indicator(own.labels, len(own.label_names))
        yield (known.T @ groups).toarray(), own.label_names
    if own is not None and own.leanings is not None:
        yield ((own.leanings.matrix > 0).T @ groups).toarray(), own.leanings.categories


def _other_ballots(
    tables: Mapping[str, sparse.csr_array], others: Mapping[str, Guidance]
) -> Iterator[tuple[FloatArray, tuple[str, ...]]]:
    """The votes by categories of the other types."""
    for kind, guidance in others.items():
        if guidance.leanings is not None and kind in tables:
            yield _spread_votes(guidance.leanings, tables[kind]), guidance.leanings.categories


def _spread_votes(leanings: Leanings, table: sparse.csr_array) -> FloatArray:
    """Every word has one vote, however frequent it is, spread over the groups as its occurrences are."""
    used = np.flatnonzero(np.diff(leanings.matrix.indptr))
    spread = _row_shares(table[:, used].toarray().T)
    return np.asarray((leanings.matrix[used] > 0).T @ spread, dtype=np.float64)


def _row_shares(table: FloatArray) -> FloatArray:
    total = table.sum(axis=1, keepdims=True)
    return np.asarray(table / np.where(total > 0, total, 1.0), dtype=np.float64)
