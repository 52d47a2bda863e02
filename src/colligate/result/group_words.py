"""The words, or objects of another type, that tell a group apart.

The score of word w in group k is p(w|k) · log(p(w|k) / p(w)): the word's share of the divergence of the
group from the whole. It favours words that are both frequent in the group and rare elsewhere.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colligate._array import one_hot

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def group_counts(
    labels: NDArray[np.integer[Any]], n_groups: int, counts: sparse.csr_array
) -> sparse.csr_array:
    """Groups × words: how often each word occurs in the documents of each group."""
    table = sparse.csr_array(one_hot(labels, n_groups).T @ counts.astype(np.float64))
    table.sort_indices()
    return table


def scores_of(table: sparse.csr_array, overall: FloatArray) -> sparse.csr_array:
    """Groups × words: the score of every word that occurs in the group; `overall` counts all documents."""
    sizes = np.asarray(table.sum(axis=1))
    inside = table.data / np.repeat(sizes, np.diff(table.indptr))
    everywhere = overall[table.indices] / overall.sum()
    return sparse.csr_array((inside * np.log(inside / everywhere), table.indices, table.indptr), table.shape)


def weights_of(scores: sparse.csr_array, table: sparse.csr_array) -> FloatArray:
    """Each word's share of the mutual information between groups and words: what it says about the groups."""
    sizes = np.asarray(table.sum(axis=1))
    return np.asarray(scores.T @ (sizes / max(sizes.sum(), np.finfo(np.float64).tiny)))


def top_words(scores: sparse.csr_array, limit: int) -> list[tuple[IntArray, FloatArray]]:
    """Columns and scores of the best words of each group, best first; only words with a positive score."""
    found = []
    for start, end in zip(scores.indptr[:-1], scores.indptr[1:], strict=True):
        columns, values = scores.indices[start:end].astype(np.int64), scores.data[start:end]
        best = _largest(values, columns, limit)
        found.append((columns[best], values[best]))
    return found


def typical_group(scores: sparse.csr_array) -> tuple[IntArray, FloatArray]:
    """For each word the group where it scores highest, and that score; -1 and 0 for words never used."""
    rows = np.repeat(np.arange(scores.shape[0]), np.diff(scores.indptr))
    order = np.lexsort((rows, -scores.data, scores.indices))
    words, first = np.unique(scores.indices[order], return_index=True)
    group, score = np.full(scores.shape[1], -1, dtype=np.int64), np.zeros(scores.shape[1])
    group[words], score[words] = rows[order][first], scores.data[order][first]
    return group, score


def strongest_members(
    labels: NDArray[np.integer[Any]], n_groups: int, weights: FloatArray, limit: int
) -> list[IntArray]:
    """The members of each group with the largest weights, largest first."""
    order = np.lexsort((np.arange(labels.size), -weights, labels))
    starts = np.searchsorted(labels[order], np.arange(n_groups + 1))
    return [order[start : min(end, start + limit)] for start, end in itertools.pairwise(starts)]


def _largest(values: FloatArray, columns: IntArray, limit: int) -> IntArray:
    positive = np.flatnonzero(values > 0)
    if positive.size > limit:
        cut = np.partition(values[positive], positive.size - limit)[positive.size - limit]
        positive = positive[values[positive] >= cut]
    return positive[np.lexsort((columns[positive], -values[positive]))][:limit]
