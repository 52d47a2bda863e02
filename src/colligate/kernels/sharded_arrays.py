"""Operations on documents × groups whose rows are on the workers of a cluster; see `kernels.arrays`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._array import count_sum_rows
from colligate.kernels import arrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.shards.arrays import ShardedArray

    Floats = NDArray[np.float64]


def add_product(x: ShardedArray, factor: float, left: Any, right: Floats) -> None:
    """Add factor·left·right to x, in place."""
    left = arrays.beside(left, x, keep=True)
    x.change(_add_product, factor, right, count_sum_rows(len(x)), parts=(left,))


def softmax(scores: ShardedArray) -> ShardedArray:
    """Return the softmax of every row."""
    return scores.map(arrays.softmax)


def weigh_rows(x: ShardedArray, weights: ShardedArray) -> tuple[ShardedArray, Floats]:
    """Return the rows times their weights, and the column sums of that."""
    size = count_sum_rows(len(x))
    sums = x.sum(_sum_weighted, size, parts=(weights,))
    return x.map(_weigh, size, parts=(weights,)), sums


def put_rows(x: ShardedArray, columns: ShardedArray) -> None:
    """Put rows into one column each, in place; those of column -1 stay."""
    x.change(_put_rows, parts=(columns,))


def is_finite(x: ShardedArray) -> bool:
    """Return whether all numbers are finite."""
    return bool(x.sum(_count_others) == 0)


def add_row(x: ShardedArray, row: Floats) -> None:
    """Add one row to every row, in place."""
    x.change(_add_row, row)


def sum_costs(shares: ShardedArray, scores: ShardedArray, weights: ShardedArray) -> float:
    """Return Σ weight·(q·log q − q·s)."""
    return float(shares.sum(arrays.sum_costs, count_sum_rows(len(shares)), parts=(scores, weights)))


# --- on the workers ---


def _add_product(rows: Floats, left: NDArray[np.float32], factor: float, right: Floats, size: int) -> Floats:
    arrays.add_product(rows, factor, left, right, size)
    return rows


def _sum_weighted(rows: Floats, weights: Floats, size: int) -> Floats:
    sums: Floats = arrays.weigh_rows(rows, weights, size)[1]
    return sums


def _weigh(rows: Floats, weights: Floats, size: int) -> Floats:
    weighted: Floats = arrays.weigh_rows(rows, weights, size)[0]
    return weighted


def _put_rows(rows: Floats, columns: NDArray[np.integer[Any]]) -> Floats:
    arrays.put_rows(rows, columns)
    return rows


def _count_others(rows: Floats) -> int:
    return int(rows.size - np.count_nonzero(np.isfinite(rows)))


def _add_row(rows: Floats, row: Floats) -> Floats:
    rows += row
    return rows
