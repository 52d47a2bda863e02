"""The documents that stand for a group: near its middle, long enough to read, and not the same text twice."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Sequence

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

ENOUGH_WORDS = 20
NEAR_DUPLICATE = 0.9
CANDIDATES_PER_PLACE = 20


def representatives(
    labels: NDArray[np.integer[Any]],
    n_groups: int,
    confidence: FloatArray,
    counts: sparse.csr_array,
    texts: Sequence[str] | None = None,
    limit: int = 5,
) -> list[IntArray]:
    """The positions of the documents that stand for each group, best first.

    A document stands for its group by its confidence times the cosine of its words (logarithms of counts, by
    idf) to the group's mean; documents with enough words come before the others. A document nearly the same
    as one already chosen is passed over, so fewer than `limit` may come back.
    """
    order, starts = _by_group(labels, n_groups)
    lengths = np.asarray(counts.sum(axis=1, dtype=np.float64))
    standing = confidence * _closeness(labels, n_groups, counts)
    chosen = []
    for start, end in itertools.pairwise(starts):
        members = order[start:end]
        ranked = members[_rank(standing[members], lengths[members])][: limit * CANDIDATES_PER_PLACE]
        chosen.append(_distinct(ranked, counts, texts, limit))
    return chosen


def _by_group(labels: NDArray[np.integer[Any]], n_groups: int) -> tuple[IntArray, IntArray]:
    order = np.argsort(labels, kind="stable")
    return order, np.searchsorted(labels[order], np.arange(n_groups + 1))


def _closeness(labels: NDArray[np.integer[Any]], n_groups: int, counts: sparse.csr_array) -> FloatArray:
    """The cosine of each document to the mean of its group; 0 for a document in none."""
    unit = counts.astype(np.float64)
    idf = np.log(counts.shape[0] / np.maximum(np.bincount(counts.indices, minlength=counts.shape[1]), 1))
    unit.data = np.log1p(unit.data) * idf[unit.indices]
    norms = np.sqrt(np.asarray(unit.multiply(unit).sum(axis=1)))
    unit.data /= np.repeat(np.where(norms > 0, norms, 1.0), np.diff(unit.indptr))
    inside = np.flatnonzero(labels >= 0)
    shape = (n_groups, labels.size)
    means = (sparse.csr_array((np.ones(inside.size), (labels[inside], inside)), shape=shape) @ unit).toarray()
    means /= np.maximum(np.sqrt((means**2).sum(axis=1, keepdims=True)), 1e-300)
    owner = np.repeat(np.maximum(labels, 0), np.diff(unit.indptr))
    row = np.repeat(np.arange(labels.size), np.diff(unit.indptr))
    found = np.bincount(row, weights=unit.data * means[owner, unit.indices], minlength=labels.size)
    return np.where(labels >= 0, found, 0.0)


def _rank(standing: FloatArray, lengths: FloatArray) -> IntArray:
    if lengths.size == 0:
        return np.zeros(0, dtype=np.int64)
    short = lengths < min(ENOUGH_WORDS, max(float(np.median(lengths)), 1.0))
    return np.lexsort((np.arange(lengths.size), -np.round(standing, 9), short))


def _distinct(
    ranked: IntArray, counts: sparse.csr_array, texts: Sequence[str] | None, limit: int
) -> IntArray:
    rows = counts[ranked].astype(np.float64)
    norms = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)))
    alike = (rows @ rows.T).toarray() >= NEAR_DUPLICATE * np.outer(norms, norms)
    kept: list[int] = []
    seen: set[str] = set()
    for place, document in enumerate(ranked):
        text = " ".join(texts[int(document)].split()) if texts is not None else str(document)
        if text in seen or alike[place, kept].any():
            continue
        seen.add(text)
        kept.append(place)
        if len(kept) == limit:
            break
    return ranked[kept]
