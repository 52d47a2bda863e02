"""Turning what a user hands in into the one matrix form used inside: CSR, float, finite, non-negative."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from colligate.errors import MatrixError

_DEFAULT = "documents × words"


# sums of squares and of products with logarithms stay far within what a float holds
LARGEST = 1e100


def checked_matrix(matrix: Any, name: str = _DEFAULT) -> sparse.csr_array:
    """Return `matrix` as a canonical CSR array of floats, or say what is wrong with it and where.

    Entries must be finite and not negative. Explicit zeros and duplicate entries are folded away in a copy;
    the caller's matrix is never changed. `name` is the relation, for messages.
    """
    found = _csr(matrix, name)
    if found.dtype not in (np.float32, np.float64):
        found = found.astype(np.float32 if _exact_in_float32(found.data) else np.float64)
    _refuse_bad_entries(found, name)
    if found.has_canonical_format and np.all(found.data > 0):
        return found
    found = found.copy()
    found.sum_duplicates()
    found.eliminate_zeros()
    return found


def _csr(matrix: Any, name: str) -> sparse.csr_array:
    try:
        found = sparse.csr_array(matrix)
        if found.ndim == 2:
            # indices beyond the shape would have the compiled kernels read foreign memory
            found.check_format(full_check=True)
    except (TypeError, ValueError) as error:
        raise MatrixError(f"a matrix of {name} is needed ({error})") from error
    if found.ndim != 2:
        raise MatrixError(f"a matrix of {name} is needed; got {found.ndim} dimension(s)")
    if found.dtype.kind not in "biuf":
        raise MatrixError(f"the matrix of {name} must hold numbers; got {found.dtype}")
    return found


def _exact_in_float32(data: np.ndarray[Any, Any]) -> bool:
    return data.dtype.kind != "f" and (data.size == 0 or bool(np.abs(data).max() < 2**24))


def _refuse_bad_entries(matrix: sparse.csr_array, name: str) -> None:
    for what, bad in (
        ("NaN", np.isnan(matrix.data)),
        ("Infinity (inf)", np.isinf(matrix.data)),
        ("Numbers above 1e100", matrix.data > np.float64(LARGEST)),
        ("Numbers below 1e-100", (matrix.data > 0) & (matrix.data < np.float64(1.0 / LARGEST))),
        ("Negative values", matrix.data < 0),
    ):
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            row = int(np.searchsorted(matrix.indptr, at, side="right")) - 1
            raise MatrixError(
                f"{what} in data: row {row}, column {matrix.indices[at]} "
                f"({int(bad.sum())} in all) of {name}; entries must be finite, not negative, "
                "and of a size that can be summed"
            )
