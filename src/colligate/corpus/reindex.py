"""Moving the columns of a matrix of counts onto another list of words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def reindexed(counts: sparse.csr_array, words: Sequence[str], onto: Sequence[str]) -> sparse.csr_array:
    """Return `counts` over the words `onto`: words that are not there fall away, new ones have no counts."""
    if list(words) == list(onto):
        return counts
    column = {word: at for at, word in enumerate(onto)}
    target = np.fromiter((column.get(word, -1) for word in words), dtype=np.int64, count=len(words))
    return moved(counts, target, len(onto))


def moved(counts: sparse.csr_array, target: NDArray[Any], width: int) -> sparse.csr_array:
    """Move column j to `target[j]`, or drop it where that is -1; the result is sorted."""
    index = counts.indices.dtype
    columns = target.astype(index)[counts.indices]
    kept = columns >= 0
    before = np.concatenate(([0], np.cumsum(kept)))
    result = sparse.csr_array(
        (counts.data[kept], columns[kept], before[counts.indptr].astype(index)),
        shape=(counts.shape[0], width),
    )
    result.sort_indices()
    return result
