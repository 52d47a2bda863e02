"""The back end for matrices whose rows are on the workers of a Dask cluster.

Tables go to the workers, and what they compute of their rows comes back: labels, scores, or sums. Scores
and arrays that are placed beside the rows may stay there. All else is done as on one machine, and with the
same numbers: rows are computed one by one, and sums over rows have the same parts, added in the same order
(`_array.add_parts`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._array import add_parts, count_sum_rows
from colligate.kernels.interface import SparseRows
from colligate.kernels.numba import FastKernels, aggregate
from colligate.shards.arrays import ShardedArray, place_rows
from colligate.shards.matrix import ShardedMatrix, count_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scipy.sparse import csr_array

    from colligate.kernels.interface import Dense, Kernels, T
    from colligate.kernels.links import Floats, Ints, Labels
    from colligate.shards.matrix import ShardedColumns
    from colligate.shards.shards import Shards

__all__ = ["ShardedColumnRows", "ShardedKernels", "ShardedRows", "make_sharded_rows"]


class _RemoteRows(SparseRows):
    """Rows whose entries are on workers; they are collected if they are read."""

    def __init__(self, matrix: ShardedMatrix | ShardedColumns) -> None:
        fields = {"_matrix": matrix, "indptr": matrix.indptr, "n_columns": int(matrix.shape[1])}
        for name, value in fields.items():
            # the class is a frozen dataclass
            object.__setattr__(self, name, value)

    _matrix: Any

    @property
    def data(self) -> Any:
        """The entries, which are collected."""
        return self._matrix.data

    @property
    def indices(self) -> Any:
        """The columns of the entries, which are collected."""
        return self._matrix.indices

    def matrix(self) -> csr_array:
        """Return the matrix, without its entries."""
        matrix: csr_array = self._matrix
        return matrix


class ShardedRows(_RemoteRows):
    """The rows of a sharded matrix."""

    shards: Shards

    def __init__(self, matrix: ShardedMatrix, *, blocks: bool = False) -> None:
        super().__init__(matrix)
        made = matrix.shards.map(_make_rows, count_sum_rows(matrix.shape[0]), blocks)
        object.__setattr__(self, "shards", made)

    def with_blocks(self, kernels: Kernels | None = None) -> ShardedRows:
        """Return the rows with a copy by columns on the workers."""
        return ShardedRows(self._matrix, blocks=True)

    def row_sums(self) -> Floats:
        """Sum every row."""
        sums: Floats = self.shards.stack(_row_sums)
        return sums

    def column_sums(self, weights: Floats | None = None) -> Floats:
        """Sum every column, with its entries times the weight of the column if there are weights."""
        sums: Floats = self.shards.sum(_column_sums, weights)
        return sums


class ShardedColumnRows(_RemoteRows):
    """The columns of a sharded matrix, as rows."""

    def __init__(self, matrix: ShardedColumns) -> None:
        super().__init__(matrix)
        object.__setattr__(self, "base", matrix.base)

    base: ShardedMatrix

    def sum_by_columns(self, columns: Labels, n_clusters: int) -> SparseRows:
        """Return the sums of every row over clusters of columns, one entry for each."""
        table = self.base.shards.sum(_sum_by_label, n_clusters, parts=(columns,))
        n = len(self)
        indices = np.tile(np.arange(n_clusters, dtype=np.int32), n)
        indptr = np.arange(n + 1, dtype=np.int64) * n_clusters
        return SparseRows(np.ascontiguousarray(table).ravel(), indices, indptr, n_clusters)


def make_sharded_rows(matrix: ShardedMatrix | ShardedColumns) -> ShardedRows | ShardedColumnRows:
    """Return the rows of a matrix on workers."""
    return ShardedRows(matrix) if isinstance(matrix, ShardedMatrix) else ShardedColumnRows(matrix)


class ShardedKernels(FastKernels):
    """The kernels of one machine, with those of sparse matrices on the workers where the matrix is there."""

    def place_rows(self, array: Any, x: SparseRows) -> Any:
        """See `Kernels.place_rows`."""
        if isinstance(array, ShardedArray):
            array.keep()
            return array
        return place_rows(array, x.shards) if isinstance(x, ShardedRows) else array

    def run_side_by_side(self, tasks: Iterable[Callable[[], T]], max_running: int) -> list[T]:
        """See `Kernels.run_side_by_side`; the workers run one operation at a time."""
        return [task() for task in tasks]

    def transpose(self, x: SparseRows) -> SparseRows:
        """See `Kernels.transpose`; the entries stay in the shards of their rows."""
        return SparseRows.of(x.matrix().T.tocsr()) if isinstance(x, ShardedRows) else super().transpose(x)

    def count_columns(self, x: SparseRows) -> Ints:
        """See `Kernels.count_columns`."""
        return count_columns(x.matrix()) if isinstance(x, ShardedRows) else super().count_columns(x)

    def sum_log_ratios(self, x: SparseRows, log_columns: Floats) -> Floats:
        """See `Kernels.sum_log_ratios`."""
        if isinstance(x, ShardedRows):
            sums: Floats = x.shards.stack(_sum_log_ratios, log_columns)
            return sums
        return super().sum_log_ratios(x, log_columns)

    def block_sums(self, x: SparseRows, rows: Labels, columns: Labels, n_rows: int, n_columns: int) -> Floats:
        """See `Kernels.block_sums`."""
        if not isinstance(x, ShardedRows):
            return super().block_sums(x, rows, columns, n_rows, n_columns)
        return np.array(add_parts(x.shards.apply(_block_sums, columns, n_rows, n_columns, parts=(rows,))))

    def assign_rows(self, x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats]:
        """See `Kernels.assign_rows`."""
        if isinstance(x, ShardedRows):
            parts = x.shards.apply(_assign_rows, columns, table)
            labels, best = (np.concatenate(each) for each in zip(*parts, strict=True))
            return labels, best
        if isinstance(x, ShardedColumnRows):
            return self._assign_columns(x, x.sum_by_columns(columns, len(table)), table)
        return super().assign_rows(x, columns, table)

    def _assign_columns(self, x: SparseRows, sums: SparseRows, table: Floats) -> tuple[Labels, Floats]:
        labels, best = super().assign_rows(sums, np.arange(len(table), dtype=np.int32), table)
        labels[np.diff(x.indptr) == 0] = -1
        return labels, best

    def assign_and_sum(self, x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats | None]:
        """See `Kernels.assign_and_sum`."""
        if isinstance(x, ShardedRows):
            parts = x.shards.apply(_assign_and_sum, columns, table)
            tables = np.array(add_parts([sums for _, sums in parts]))
            return np.concatenate([labels for labels, _ in parts]), tables
        if isinstance(x, ShardedColumnRows):
            by_column = x.sum_by_columns(columns, len(table))
            assigned, _ = self._assign_columns(x, by_column, table)
            every = np.arange(len(table), dtype=np.int32)
            return assigned, super().block_sums(by_column, assigned, every, table.shape[1], len(table))
        return super().assign_and_sum(x, columns, table)

    def score_rows(self, x: SparseRows, columns: Labels, table: Floats) -> Floats:
        """See `Kernels.score_rows`."""
        if isinstance(x, ShardedRows):
            scores: Floats = x.shards.stack(_score_rows, columns, table)
            return scores
        if isinstance(x, ShardedColumnRows):
            sums = x.sum_by_columns(columns, len(table))
            return super().score_rows(sums, np.arange(len(table), dtype=np.int32), table)
        return super().score_rows(x, columns, table)

    def product(self, x: SparseRows, dense: Dense, *, placed: bool = False) -> Any:
        """See `Kernels.product`."""
        if isinstance(x, ShardedRows):
            if placed:
                return ShardedArray(x.shards, (len(x), dense.shape[1]), np.float64).map(_product, dense)
            result: Floats = x.shards.stack(_product, dense)
            return result
        if isinstance(x, ShardedColumnRows):
            return self.transposed_product(ShardedRows(x.base), dense)
        return super().product(x, dense)

    def transposed_product(self, x: SparseRows, dense: Any) -> Floats:
        """See `Kernels.transposed_product`."""
        if isinstance(x, ShardedRows):
            part = dense.keep() if isinstance(dense, ShardedArray) else np.ascontiguousarray(dense)
            result: Floats = x.shards.sum(_transposed_product, parts=(part,))
            return result
        return super().transposed_product(x, dense)

    def overlap(self, left: Any, right: Any, sum_rows: int = 0) -> Floats:
        """See `Kernels.overlap`."""
        if isinstance(left, ShardedArray):
            result: Floats = left.sum(_overlap, sum_rows or count_sum_rows(len(left)), parts=(right,))
            return result
        return super().overlap(left, right, sum_rows)


# --- on the workers ---


@cache
def _kernels() -> FastKernels:
    # a worker of Dask runs as many tasks at a time as it has threads
    return FastKernels(1)


def _make_rows(rows: csr_array, sum_rows: int, blocks: bool) -> SparseRows:
    x = SparseRows.of(rows)
    x = SparseRows(x.data, x.indices, x.indptr, x.n_columns, sum_rows=sum_rows)
    return x.with_blocks() if blocks else x


def _row_sums(x: SparseRows) -> Floats:
    return x.row_sums()


def _column_sums(x: SparseRows, weights: Floats | None) -> Floats:
    return x.column_sums(weights)


def _sum_by_label(rows: csr_array, labels: Labels, n_clusters: int) -> Floats:
    """Sum every column over the labels of the rows, columns × labels."""
    x, every = SparseRows.of(rows), np.arange(rows.shape[1], dtype=np.int32)
    sums: Floats = aggregate.block_sums(
        x.data, x.indices, x.indptr, labels, every, n_clusters, len(every), 0, len(x)
    )
    return sums.T


def _sum_log_ratios(x: SparseRows, log_columns: Floats) -> Floats:
    return _kernels().sum_log_ratios(x, log_columns)


def _block_sums(x: SparseRows, rows: Labels, columns: Labels, n_rows: int, n_columns: int) -> Floats:
    return _kernels().block_sums(x, rows, columns, n_rows, n_columns)


def _assign_rows(x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats]:
    return _kernels().assign_rows(x, columns, table)


def _assign_and_sum(x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats]:
    labels, _ = _kernels().assign_rows(x, columns, table)
    return labels, _kernels().block_sums(x, labels, columns, table.shape[1], len(table))


def _score_rows(x: SparseRows, columns: Labels, table: Floats) -> Floats:
    return _kernels().score_rows(x, columns, table)


def _product(x: SparseRows, dense: Dense) -> Floats:
    return _kernels().product(x, dense)


def _overlap(left: Dense, right: Dense, sum_rows: int) -> Floats:
    return _kernels().overlap(left, right, sum_rows)


def _transposed_product(x: SparseRows, dense: Dense) -> Floats:
    return _kernels().transposed_product(x, dense)
