"""The mutual information of the two sides of a table of counts, dense or sparse, in nats."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

FloatArray = NDArray[np.float64]


def mutual_information(counts: FloatArray | sparse.csr_array) -> float:
    """What the rows tell about the columns: Σ p(i, j)·log(p(i, j)/(p(i)·p(j))); 0 of an empty table."""
    return float(mutual_information_by_row(counts).sum())


def mutual_information_by_row(counts: FloatArray | sparse.csr_array) -> FloatArray:
    """What each row adds to the information: p(i)·KL(p(·|i) ‖ p(·)); 0 of an empty row."""
    rows, columns = (np.asarray(counts.sum(axis=axis, dtype=np.float64)) for axis in (1, 0))
    total = rows.sum()
    if total <= 0:
        return np.zeros(rows.size)
    told = _row_divergences(counts, _log_or_zero(columns)) + rows * (np.log(total) - _log_or_zero(rows))
    # a divergence is never negative; rounding may carry it a hair below
    return np.asarray(np.maximum(told / total, 0.0))


def _row_divergences(counts: FloatArray | sparse.csr_array, log_columns: FloatArray) -> FloatArray:
    """By row Σ_j c·(log c − log of the column's sum)."""
    if isinstance(counts, np.ndarray):
        return np.asarray((counts * (_log_or_zero(counts) - log_columns)).sum(axis=1))
    table = counts.tocsr().astype(np.float64)
    told = table.data * (_log_or_zero(table.data) - log_columns[table.indices])
    return np.asarray(sparse.csr_array((told, table.indices, table.indptr), table.shape).sum(axis=1))


def _log_or_zero(values: FloatArray) -> FloatArray:
    """The logarithm, with 0 for that of 0, which is only ever multiplied by 0."""
    return np.log(values, where=values > 0, out=np.zeros(values.shape))
