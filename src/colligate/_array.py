"""Array operations that several packages share: one-hot, unit lengths, softmax, intervals, information."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Iterable

FloatArray = NDArray[np.float64]
SOFTMAX_ROWS = 1024
SUM_ROWS, MAX_SUMS = 8192, 64
"""Sums over the rows of a matrix have parts of so many rows, or more where there would be more parts."""
Z = 1.959964
"""The 97.5% point of the normal distribution: intervals hold 95%."""
SPARSE_TYPES = "?bBhHiIlLqQfdgFDG"
"""The types of numbers that SciPy has sparse operations for, by their characters in NumPy."""


def check_sparse(value: Any) -> None:
    """Raise ValueError for a sparse matrix whose index arrays do not fit its shape.

    SciPy and the compiled kernels trust these arrays: a wrong one makes them read and write foreign memory.
    SciPy checks them when a matrix is made, but they can be changed afterwards, and its full check does not
    notice all that is wrong.
    """
    # the stubs of SciPy know no common attributes of sparse matrices
    matrix: Any = value if sparse.issparse(value) else None
    if matrix is None or matrix.ndim != 2 or matrix.format in ("lil", "dok"):
        return
    data = matrix.data
    n_dimensions = {"bsr": 3, "dia": 2}.get(matrix.format, 1)
    if not isinstance(data, np.ndarray) or data.ndim != n_dimensions or not data.dtype.isnative:
        raise ValueError(f"its entries must be an array of {n_dimensions} dimension(s)")
    if data.dtype.char not in SPARSE_TYPES:
        raise ValueError(f"its entries are {data.dtype}, which sparse matrices cannot have")
    if matrix.format == "coo":
        for axis, (name, places) in enumerate(zip(("row", "column"), (matrix.row, matrix.col), strict=True)):
            if places.shape != data.shape:
                raise ValueError(f"it has {len(data)} entries, but {len(places)} {name} numbers")
            _check_range(places, matrix.shape[axis], name)
    elif matrix.format == "dia":
        if matrix.offsets.shape != data.shape[:1]:
            raise ValueError(f"it has {len(data)} diagonals, but {len(matrix.offsets)} offsets")
    else:
        _check_compressed(matrix)


def _check_compressed(matrix: Any) -> None:
    """Check `indptr` and `indices` of a CSR, CSC or BSR matrix."""
    rows, columns = matrix.shape
    indptr, indices, n_entries = matrix.indptr, matrix.indices, len(matrix.data)
    if matrix.format == "bsr":
        height, width = matrix.data.shape[1:]
        if not height or not width or rows % height or columns % width:
            raise ValueError(f"its blocks of {height}×{width} do not fill {rows}×{columns}")
        rows, columns = rows // height, columns // width
    outer, inner, name = (columns, rows, "row") if matrix.format == "csc" else (rows, columns, "column")
    for places in (indptr, indices):
        if not isinstance(places, np.ndarray) or places.ndim != 1 or places.dtype.kind not in "iu":
            raise ValueError("indptr and indices must be lists of whole numbers")
    if indptr.dtype != indices.dtype or indptr.dtype not in (np.int32, np.int64):
        raise ValueError("indptr and indices must both be 32-bit or 64-bit integers of this machine")
    if len(indptr) != outer + 1 or indptr[0] != 0 or (indptr[1:] < indptr[:-1]).any():
        raise ValueError(f"indptr must have {outer + 1} numbers that begin with 0 and never fall")
    if not indptr[-1] <= min(len(indices), n_entries):
        raise ValueError(
            f"indptr ends at {indptr[-1]}, but there are {len(indices)} indices and {n_entries} entries"
        )
    _check_range(indices[: indptr[-1]], inner, name)


def _check_range(places: NDArray[Any], size: int, name: str) -> None:
    if places.size and (places.min() < 0 or places.max() >= size):
        raise ValueError(f"{name} numbers must be from 0 to {size - 1}")


def count_sum_rows(n_rows: int) -> int:
    """Return how many rows a part of a sum over so many rows has."""
    size = SUM_ROWS
    while n_rows > MAX_SUMS * size:
        size *= 2
    return size


def sum_edges(n_rows: int, size: int) -> NDArray[np.int64]:
    """Return where the parts of a sum over rows start, and where the last ends."""
    return np.append(np.arange(0, max(n_rows, 1), size), n_rows)


def add_parts(parts: Iterable[Any]) -> Any:
    """Add the parts of a sum over rows: neighbours first, then neighbours of these, and so on.

    The order of additions, and so the rounding, does not depend on who adds: a worker of a cluster may add
    the parts that it has, if these are 2, 4, 8 ... parts from a multiple of that number on.
    """
    waiting: list[tuple[int, Any]] = []
    for part in parts:
        level = 0
        while waiting and waiting[-1][0] == level:
            part = waiting.pop()[1] + part
            level += 1
        waiting.append((level, part))
    total = waiting.pop()[1]
    while waiting:
        total = waiting.pop()[1] + total
    return total


def one_hot(labels: NDArray[Any], n_clusters: int, weights: FloatArray | None = None) -> sparse.csr_array:
    """Return objects × clusters with 1, or the object's weight, in its cluster; label -1 is an empty row."""
    labels = np.asarray(labels)
    inside = labels >= 0
    indptr = np.concatenate([[0], np.cumsum(inside)])
    data = np.ones(indptr[-1]) if weights is None else weights[inside]
    return sparse.csr_array((data, labels[inside].astype(np.int64), indptr), shape=(len(labels), n_clusters))


def unit_rows(matrix: sparse.csr_array) -> sparse.csr_array:
    """Divide each row by its length; a zero row stays zero.

    The result shares `indices` and `indptr` with the matrix: neither may be changed in place.
    """
    from sklearn.utils.extmath import row_norms

    length = row_norms(matrix)
    data = np.repeat(np.where(length > 0, length, 1.0), np.diff(matrix.indptr))
    np.divide(matrix.data, data, out=data)
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def unit_dense_rows(rows: NDArray[Any]) -> FloatArray:
    """Divide each row of a dense matrix by its length; a zero row stays zero."""
    length = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    return np.asarray(rows / np.where(length > 0, length, 1.0), dtype=np.float64)


def unit_columns(matrix: NDArray[Any]) -> FloatArray:
    """Divide each column of a dense matrix by its length; a zero column stays zero."""
    dense = np.ascontiguousarray(matrix, dtype=np.float64)
    length = np.sqrt(np.einsum("ik,ik->k", dense, dense))
    dense /= np.where(length > 0, length, 1.0)
    return dense


def softmax_rows(scores: FloatArray) -> NDArray[np.float32]:
    """Return the softmax of each row in single precision: scores (higher is better) as memberships."""
    from scipy.special import softmax

    memberships = np.empty(scores.shape, dtype=np.float32)
    # In blocks: the double-precision softmax of all rows would take several times the memory of the result.
    for start in range(0, len(scores), SOFTMAX_ROWS):
        rows = slice(start, start + SOFTMAX_ROWS)
        memberships[rows] = softmax(scores[rows], axis=1)
    return memberships


def log_or_zero(values: FloatArray) -> FloatArray:
    """Return the logarithm, with 0 for log 0, so that x · log x is 0 where x is 0.

    `scipy.special.xlogy` differs from this in the last bit, and with it the labels near a tie.
    """
    return np.log(values, where=values > 0, out=np.zeros(values.shape))


def mutual_information(counts: FloatArray | sparse.csr_array) -> float:
    """Return Σ p(i, j) · log(p(i, j) / (p(i) · p(j))) of a table of counts, in nats; 0 for an empty table."""
    return float(mutual_information_by_row(counts).sum())


def mutual_information_by_row(counts: FloatArray | sparse.csr_array) -> FloatArray:
    """Return what each row adds to the mutual information: p(i) · KL(p(·|i) ‖ p(·)); 0 for an empty row."""
    rows, columns = (np.asarray(counts.sum(axis=axis, dtype=np.float64)) for axis in (1, 0))
    return divide_information(_sum_log_ratios(counts, log_or_zero(columns)), rows)


def divide_information(log_ratios: FloatArray, rows: FloatArray) -> FloatArray:
    """Return what each row adds to the mutual information, of Σ c·log(c / column sum) and the sum of rows."""
    total = rows.sum()
    if total <= 0:
        return np.zeros(rows.size)
    nats = log_ratios + rows * (np.log(total) - log_or_zero(rows))
    # a divergence is never negative; rounding may carry it slightly below zero
    return np.asarray(np.maximum(nats / total, 0.0))


def _sum_log_ratios(counts: FloatArray | sparse.csr_array, log_columns: FloatArray) -> FloatArray:
    """Sum c · (log c − log of the column sum) over each row."""
    if isinstance(counts, np.ndarray):
        return np.asarray((counts * (log_or_zero(counts) - log_columns)).sum(axis=1))
    if hasattr(counts, "collect_rows"):
        # the rows are on the workers of a cluster
        return np.asarray(counts.collect_rows(_sum_log_ratios, log_columns))
    table = counts.tocsr().astype(np.float64)
    nats = table.data * (log_or_zero(table.data) - log_columns[table.indices])
    return np.asarray(sparse.csr_array((nats, table.indices, table.indptr), table.shape).sum(axis=1))


def find_interval(counts: NDArray[np.int64], totals: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
    """Return the 95% intervals of shares (Wilson's score); NaN of no documents."""
    n = np.where(totals > 0, totals, np.nan).astype(np.float64)
    share = counts / n
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * np.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
