"""The groups of new documents, by the scores of the method that made the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate import registry
from colligate.result.confidence import CHUNK, soft_memberships
from colligate.result.new_documents import as_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from scipy import sparse

    from colligate.result.result import Result


def predict(result: Result, new: Any) -> NDArray[np.int32]:
    """The group of each new document; -1 for outsiders and for documents without any known object."""
    matrix = _seen(result, as_rows(result, new))
    labels = np.full(matrix.shape[0], -1, dtype=np.int32)
    for rows, scores in _scores(result, matrix):
        best = scores.argmax(axis=1)
        # scores beyond the groups are those of being in none of them
        labels[rows] = np.where(best < result.n_groups(), best, -1)
    return labels


def predict_memberships(result: Result, new: Any) -> NDArray[np.float32]:
    """The membership of each new document in each group; a row of zeros without a known word."""
    matrix = _seen(result, as_rows(result, new))
    memberships = np.zeros((matrix.shape[0], result.n_groups()), dtype=np.float32)
    for rows, scores in _scores(result, matrix):
        memberships[rows] = soft_memberships(scores)[:, : result.n_groups()]
    return memberships


def _seen(result: Result, matrix: sparse.csr_array) -> sparse.csr_array:
    """The entries without those that cannot speak for any group.

    These are words that no document of the result had, and relations that had no weight while others had.
    """
    silent = np.bincount(result.around.matrix.indices, minlength=matrix.shape[1]) == 0
    weights = [result.network.relations[part.relation].weight for part in result.around.parts]
    for part, weight in zip(result.around.parts, weights, strict=True):
        if weight == 0 and any(other != 0 for other in weights):
            silent[part.start : part.stop] = True
    if not silent[matrix.indices].any():
        return matrix
    known = matrix.copy()
    known.data = np.where(silent[matrix.indices], 0, matrix.data)
    known.eliminate_zeros()
    return known


def _scores(
    result: Result, matrix: sparse.csr_array
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Scores of the rows that hold a known word, a bounded number of rows at a time."""
    scores = registry.find(result.method).scores
    known = np.flatnonzero(np.diff(matrix.indptr))
    for start in range(0, known.size, CHUNK):
        rows = known[start : start + CHUNK]
        part = matrix if rows.size == matrix.shape[0] else matrix[rows]
        yield rows, scores(result.model, part)
