"""Documents as directions: (1 + log count)·idf, at unit length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


# entries at a time, since counting makes long integers of them
SOME = 2**18


def frequency(counts: csr_array) -> NDArray[np.int64]:
    """How many rows have each column."""
    found = np.zeros(counts.shape[1], dtype=np.int64)
    for start in range(0, len(counts.indices), SOME):
        found += np.bincount(counts.indices[start : start + SOME], minlength=len(found))
    return found


def inverse_frequency(counts: csr_array) -> Floats:
    """The idf of every word: 1 + log((1 + documents) / (1 + documents that have it))."""
    return np.asarray(np.log((1.0 + counts.shape[0]) / (1.0 + frequency(counts))) + 1.0)


def tfidf(counts: csr_array, idf: Floats | None = None) -> csr_array:
    """Rows of unit length; a row without entries stays zero. Without `idf` it is that of the counts."""
    idf = inverse_frequency(counts) if idf is None else idf
    data = counts.data.astype(np.float64)
    # entries below 1 are weights rather than counts: log(1 + x) would not reach their scale, x itself does
    above = data > 1.0
    np.log(data, out=data, where=above)
    np.add(data, 1.0, out=data, where=above)
    data *= idf[counts.indices]
    return unit_rows(csr_array((data, counts.indices, counts.indptr), shape=counts.shape))


def unit_rows(matrix: csr_array) -> csr_array:
    """The matrix with every row divided by its length.

    The arrays that say where the entries are belong to both: neither may be changed in place.
    """
    from sklearn.utils.extmath import row_norms

    length = row_norms(matrix)
    data = np.repeat(np.where(length > 0, length, 1.0), np.diff(matrix.indptr))
    np.divide(matrix.data, data, out=data)
    return csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)
