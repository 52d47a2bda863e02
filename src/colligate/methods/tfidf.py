"""Documents as directions: (1 + log count)·idf, at unit length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

    Floats = NDArray[np.float64]


def inverse_frequency(counts: sparse.csr_array) -> Floats:
    """The idf of every word: 1 + log((1 + documents) / (1 + documents that have it))."""
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    return np.asarray(np.log((1.0 + counts.shape[0]) / (1.0 + frequency)) + 1.0)


def tfidf(counts: sparse.csr_array, idf: Floats | None = None) -> sparse.csr_array:
    """Rows of unit length; a row without entries stays zero. Without `idf` it is that of the counts."""
    idf = inverse_frequency(counts) if idf is None else idf
    weighted = counts.astype(np.float64)
    # entries below 1 are weights rather than counts: log(1 + x) would not reach their scale, x itself does
    logged = np.where(weighted.data > 1.0, 1.0 + np.log(np.maximum(weighted.data, 1.0)), weighted.data)
    weighted.data = logged * idf[weighted.indices]
    return unit_rows(weighted)


def unit_rows(matrix: sparse.csr_array) -> sparse.csr_array:
    """The matrix with every row divided by its length."""
    length = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    scaled = matrix.copy()
    scaled.data = matrix.data / np.repeat(np.where(length > 0, length, 1.0), np.diff(matrix.indptr))
    return scaled
