"""Turning what a user hands in into the one matrix form used inside: CSR, float, finite, non-negative."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from colligate.errors import MatrixError


def checked_matrix(matrix: Any) -> sparse.csr_array:
    """Return `matrix` as a canonical CSR array of floats, or say what is wrong with it and where.

    Entries must be finite and not negative. Explicit zeros and duplicate entries are folded away in a copy;
    the caller's matrix is never changed.
    """
    found = sparse.csr_array(matrix)
    if found.ndim != 2:
        raise MatrixError(f"a matrix of documents × words is needed; got {found.ndim} dimension(s)")
    if not np.issubdtype(found.dtype, np.floating):
        found = found.astype(np.float32 if _exact_in_float32(found.data) else np.float64)
    _refuse_bad_entries(found)
    if found.has_canonical_format and np.all(found.data > 0):
        return found
    found = found.copy()
    found.sum_duplicates()
    found.eliminate_zeros()
    return found


def _exact_in_float32(data: np.ndarray[Any, Any]) -> bool:
    return data.size == 0 or bool(np.abs(data).max() < 2**24)


def _refuse_bad_entries(matrix: sparse.csr_array) -> None:
    for what, bad in (
        ("NaN", np.isnan(matrix.data)),
        ("Infinity (inf)", np.isinf(matrix.data)),
        ("Negative values", matrix.data < 0),
    ):
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            row = int(np.searchsorted(matrix.indptr, at, side="right")) - 1
            raise MatrixError(
                f"{what} in data: row {row}, column {matrix.indices[at]} "
                f"({int(bad.sum())} such entries); counts must be finite and not negative"
            )
