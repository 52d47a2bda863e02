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
) -> tuple[str, ...]:
    """A unique name for each group of documents: `space: orbit, nasa, launch`, or just the top words."""
    sizes = np.bincount(labels[labels >= 0], minlength=scores.shape[0])
    found = []
    for number, (columns, _) in enumerate(top_words(scores, WORDS_IN_NAME)):
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
    """The groups that knowledge names: more than half of a label or category sits there.

    Known labels come before categories; within each the larger share wins. A name is given once, and a
    group takes one name.
    """
    by_group: dict[int, str] = {}
    used: set[str] = set()
    for shares, names in _shares(labels, n_groups, counts, guidance):
        best = shares.argmax(axis=1)
        value = shares[np.arange(len(names)), best]
        for claim in np.lexsort((np.arange(len(names)), -value)):
            number, name = int(best[claim]), names[claim]
            if value[claim] > MOSTLY and number not in by_group and name not in used:
                by_group[number] = name
                used.add(name)
    return by_group


def _shares(
    labels: Labels, n_groups: int, counts: sparse.csr_array, guidance: Mapping[str, Guidance]
) -> Iterator[tuple[FloatArray, tuple[str, ...]]]:
    """Names × groups, one table per source of names: where the documents or words of a name sit."""
    documents, words = guidance.get("documents"), guidance.get("words")
    groups = indicator(labels, n_groups)
    if documents is not None and documents.labels is not None and documents.label_names:
        known = indicator(documents.labels, len(documents.label_names))
        yield _row_shares((known.T @ groups).toarray()), documents.label_names
    if documents is not None and documents.leanings is not None and documents.leanings.categories:
        leanings = documents.leanings
        yield _row_shares((leanings.matrix.T @ groups).toarray()), leanings.categories
    if words is not None and words.leanings is not None and words.leanings.categories:
        yield _word_shares(words.leanings, labels, n_groups, counts), words.leanings.categories


def _word_shares(leanings: Leanings, labels: Labels, n_groups: int, counts: sparse.csr_array) -> FloatArray:
    """Every word of a category counts alike, however frequent it is."""
    used = np.flatnonzero(np.diff(leanings.matrix.indptr))
    spread = _row_shares(group_counts(labels, n_groups, counts[:, used]).toarray().T)
    return _row_shares(np.asarray(leanings.matrix[used].T @ spread))


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
