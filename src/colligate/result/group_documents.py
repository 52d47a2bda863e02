"""The documents that stand for a group: sure of it, long enough to read, and not the same text twice."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scipy import sparse

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

    Documents with enough words come first, then the surest; among equally sure ones those of ordinary length.
    A document nearly the same as one already chosen is passed over, so fewer than `limit` may come back.
    """
    order, starts = _by_group(labels, n_groups)
    lengths = np.asarray(counts.sum(axis=1, dtype=np.float64))
    chosen = []
    for start, end in itertools.pairwise(starts):
        members = order[start:end]
        ranked = members[_rank(confidence[members], lengths[members])][: limit * CANDIDATES_PER_PLACE]
        chosen.append(_distinct(ranked, counts, texts, limit))
    return chosen


def _by_group(labels: NDArray[np.integer[Any]], n_groups: int) -> tuple[IntArray, IntArray]:
    order = np.argsort(labels, kind="stable")
    return order, np.searchsorted(labels[order], np.arange(n_groups + 1))


def _rank(confidence: FloatArray, lengths: FloatArray) -> IntArray:
    if lengths.size == 0:
        return np.zeros(0, dtype=np.int64)
    median = max(float(np.median(lengths)), 1.0)
    short = lengths < min(ENOUGH_WORDS, median)
    unusual = np.abs(np.log(np.maximum(lengths, 0.5) / median))
    return np.lexsort((np.arange(lengths.size), unusual, -np.round(confidence, 3), short))


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
