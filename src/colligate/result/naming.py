"""A short name for every group: what the user calls it where knowledge says so, else its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from colligate.result.group_words import group_counts, indicator, strongest_members, top_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scipy import sparse

    from colligate.knowledge.guidance import Guidance, Leanings

WORDS_IN_NAME = 3
MOSTLY = 0.5
# Votes are sums of fractions: two that are equal may differ by a hair, and one voter be a hair less than one.
ROUNDING = 1e-9
SINGLE = 1.5

Labels = NDArray[np.int32]
FloatArray = NDArray[np.float64]


def object_name(names: Sequence[str] | range, kind: str, position: int) -> str:
    """The name of an object; `word 7` for objects that are only known by position."""
    return f"{kind.removesuffix('s')} {position}" if isinstance(names, range) else names[position]


def group_names(
    labels: Labels,
    scores: sparse.csr_array,
    words: Sequence[str] | range,
    claims: Mapping[int, str] | None = None,
    *,
    counts: sparse.csr_array,
) -> tuple[str, ...]:
    """A unique name for each group of documents: `space: orbit, nasa, launch`, or just the top words.

    A group that no word tells apart, such as one of all documents, is named by its most frequent words.
    """
    sizes = np.bincount(labels[labels >= 0], minlength=scores.shape[0])
    best = [columns for columns, _ in top_words(scores, WORDS_IN_NAME)]
    if any(size and not columns.size for size, columns in zip(sizes, best, strict=True)):
        frequent = top_words(group_counts(labels, scores.shape[0], counts), WORDS_IN_NAME)
        best = [own if own.size else often for own, (often, _) in zip(best, frequent, strict=True)]
    found = []
    for number, columns in enumerate(best):
        own = ", ".join(object_name(words, "words", int(column)) for column in columns)
        own = own if own else ("no words" if sizes[number] else "empty")
        claim = (claims or {}).get(number)
        found.append(own if claim is None else f"{claim}: {own}")
    return _unique(found)


def word_group_names(
    labels: Labels, n_groups: int, weights: FloatArray, words: Sequence[str] | range
) -> tuple[str, ...]:
    """A unique name for each group of words: its three words that say most about the document groups."""
    members = strongest_members(labels, n_groups, weights, WORDS_IN_NAME)
    return _unique(
        ", ".join(object_name(words, "words", int(word)) for word in part) or "empty" for part in members
    )


def claimed_names(
    labels: Labels, n_groups: int, counts: sparse.csr_array, guidance: Mapping[str, Guidance]
) -> dict[int, str]:
    """The groups that knowledge names: at least half of a name's voters sit there, and more than elsewhere.

    The voters of a name are the documents labelled with it and the words and documents of its category.
    Where names meet in a group, the one with the largest share of its voters there wins (a label, of
    equals); a name with a single voter comes after all others. A group takes one name.
    """
    names, votes = _votes(labels, n_groups, counts, guidance)
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
    labels: Labels, n_groups: int, counts: sparse.csr_array, guidance: Mapping[str, Guidance]
) -> tuple[tuple[str, ...], FloatArray]:
    """All names, and names × groups: how many voters of each name sit where."""
    ballots = list(_ballots(labels, n_groups, counts, guidance))
    place: dict[str, int] = {}
    for name in (name for _, names in ballots for name in names):
        place.setdefault(name, len(place))
    votes = np.zeros((len(place), n_groups))
    for part, names in ballots:
        votes[[place[name] for name in names]] += part
    return tuple(place), votes


def _ballots(
    labels: Labels, n_groups: int, counts: sparse.csr_array, guidance: Mapping[str, Guidance]
) -> Iterator[tuple[FloatArray, tuple[str, ...]]]:
    """The votes by labels, by categories of documents and by categories of words."""
    documents, words = guidance.get("documents"), guidance.get("words")
    groups = indicator(labels, n_groups)
    if documents is not None and documents.labels is not None:
        known = indicator(documents.labels, len(documents.label_names))
        yield (known.T @ groups).toarray(), documents.label_names
    if documents is not None and documents.leanings is not None:
        leanings = documents.leanings
        yield ((leanings.matrix > 0).T @ groups).toarray(), leanings.categories
    if words is not None and words.leanings is not None:
        yield _word_votes(words.leanings, labels, n_groups, counts), words.leanings.categories


def _word_votes(leanings: Leanings, labels: Labels, n_groups: int, counts: sparse.csr_array) -> FloatArray:
    """Every word has one vote, however frequent it is, spread over the groups as its occurrences are."""
    used = np.flatnonzero(np.diff(leanings.matrix.indptr))
    spread = _row_shares(group_counts(labels, n_groups, counts[:, used]).toarray().T)
    return np.asarray((leanings.matrix[used] > 0).T @ spread, dtype=np.float64)


def _row_shares(table: FloatArray) -> FloatArray:
    total = table.sum(axis=1, keepdims=True)
    return np.asarray(table / np.where(total > 0, total, 1.0), dtype=np.float64)


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    used: set[str] = set()
    found = []
    for number, name in enumerate(names):
        unique = name if name not in used else f"{name} ({number})"
        used.add(unique)
        found.append(unique)
    return tuple(found)
