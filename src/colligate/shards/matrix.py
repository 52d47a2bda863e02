"""Sparse matrices whose entries stay on the workers of a cluster, in shards of consecutive rows.

A `ShardedMatrix` is a CSR matrix of SciPy without its entries: it has the shape, the lengths of the rows, and
sums. Code that is made for it (the kernels, and functions `by_rows`) sends functions to the shards. Any
other code that reads its entries gets them: they are collected then, once, as far as memory allows.

Shards begin at the parts of sums over rows (`_array.add_parts`), so that sums do not depend on the workers.
Workers that are lost cost the recomputation of their shards from the source.
"""

from __future__ import annotations

import hashlib
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.sparse import csr_array

from colligate._array import add_parts, count_sum_rows
from colligate.shards.shards import assemble

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from colligate.shards.shards import Shards

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

COUNT_BLOCK = 2**18
"""Entries counted at a time, since np.bincount makes 64-bit integers of them."""


class _LazyMatrix(csr_array):
    """A CSR matrix whose entries are collected when they are read; what SciPy makes of it is plain."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        # SciPy makes results by the class of an operand: these have their entries
        return super().__new__(cls) if args and args[0] is cls else csr_array(*args, **kwargs)

    def __init__(self, _: Any, shape: tuple[int, int], indptr: NDArray[Any], dtype: Any) -> None:
        self._shape, self._dtype = shape, np.dtype(dtype)
        # the stubs of SciPy know only its own ways to make a matrix
        vars(self).update(indptr=np.asarray(indptr, dtype=np.int64), maxprint=50)
        self._has_canonical_format = self._has_sorted_indices = True
        self._entries: csr_array | None = None

    def _collect(self) -> csr_array:
        raise NotImplementedError

    @property
    def is_collected(self) -> bool:
        """Whether the entries are on this machine."""
        return self._entries is not None

    def collected(self) -> csr_array:
        """Return a plain matrix with all entries."""
        if self._entries is None:
            self._entries = self._collect()
        return self._entries

    @property
    def data(self) -> Any:  # type: ignore[override]
        """The entries, which are collected."""
        return self.collected().data

    @property
    def indices(self) -> Any:  # type: ignore[override]
        """The columns of the entries, which are collected."""
        return self.collected().indices

    @property  # type: ignore[misc]
    def dtype(self) -> Any:
        """The type of the entries."""
        return self._dtype

    def __reduce__(self) -> Any:
        plain = self.collected()
        return csr_array, ((plain.data, plain.indices, plain.indptr), self.shape)


class ShardedMatrix(_LazyMatrix):
    """A matrix whose rows are in shards."""

    def __init__(self, _: Any, shards: Shards, n_columns: int, indptr: NDArray[Any], dtype: Any) -> None:
        super().__init__(_, (shards.n_rows, n_columns), indptr, dtype)
        self.shards = shards

    @classmethod
    def of(cls, shards: Shards, n_columns: int) -> ShardedMatrix:
        """Make a matrix of shards that hold CSR matrices."""
        lengths = shards.stack(_row_lengths)
        indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return cls(cls, shards, n_columns, indptr, np.result_type(*shards.apply(_dtype_of)))

    def _collect(self) -> csr_array:
        return csr_array(self.shards.stack(_itself))

    def map_rows(
        self, function: Callable[..., csr_array], *shared: Any, parts: Sequence[Any] = (), dtype: Any = None
    ) -> ShardedMatrix:
        """Return function(rows, *rows of the parts, *shared), with entries in the same places."""
        made = self.shards.map(function, *shared, parts=parts)
        return ShardedMatrix(
            ShardedMatrix, made, self.shape[1], self.indptr, self.dtype if dtype is None else dtype
        )

    def collect_rows(self, function: Callable[..., Any], *shared: Any) -> Any:
        """Collect what a function makes of the rows: one row of an array, or of a sparse matrix, for each."""
        return self.shards.stack(function, *shared)

    def select_rows(self, kept: NDArray[np.bool_]) -> ShardedMatrix:
        """Return the rows that are marked; the shards stay where they are."""
        if kept.all():
            return self
        number = np.concatenate([[0], np.cumsum(kept)])
        made = self.shards.map(_select_rows, parts=(kept,))
        made.edges = number[self.shards.edges].astype(np.int64)
        indptr = np.concatenate([[0], np.cumsum(np.diff(self.indptr)[kept])]).astype(np.int64)
        return ShardedMatrix(ShardedMatrix, made, self.shape[1], indptr, self.dtype)

    def append_rows(self, rows: csr_array) -> ShardedMatrix:
        """Return the matrix with further rows at the end."""
        shards, rows = self.shards, csr_array(rows, dtype=self.dtype)
        lengths = [*np.diff(shards.edges).tolist(), rows.shape[0]]
        longer = assemble(shards.client, [*shards.futures, rows], lengths, self.nnz + rows.nnz)
        indptr = np.concatenate([self.indptr, self.indptr[-1] + rows.indptr[1:].astype(np.int64)])
        return ShardedMatrix(ShardedMatrix, longer, self.shape[1], indptr, self.dtype)

    def append_columns(self, columns: csr_array) -> ShardedMatrix:
        """Return the matrix with further columns at the end."""
        made = self.shards.map(_append_columns, parts=(columns,))
        indptr = self.indptr + columns.indptr.astype(np.int64)
        return ShardedMatrix(ShardedMatrix, made, self.shape[1] + columns.shape[1], indptr, self.dtype)

    def rows_of(self, where: Ints) -> csr_array:
        """Collect some rows, in their order."""
        where = np.asarray(where, dtype=np.int64)
        number = np.searchsorted(self.shards.edges, where, side="right") - 1
        order = np.argsort(number, kind="stable")
        used = np.unique(number)
        if not len(where):
            return csr_array((0, self.shape[1]), dtype=self.dtype)
        pieces = self.shards.apply_some(
            (n, _take_rows, (where[order][number[order] == n] - self.shards.edges[n],)) for n in used.tolist()
        )
        stacked = csr_array(sparse.vstack(pieces, format="csr"))
        return csr_array(stacked[np.argsort(order, kind="stable")])

    def digest(self) -> bytes:
        """Hash all entries; the hash does not depend on the shards."""
        parts = self.shards.apply(_hash_rows, count_sum_rows(self.shape[0]))
        return b"".join(each for of_shard in parts for each in of_shard)

    @cached_property
    def _sums(self) -> dict[str, Any]:
        by_rows = self.shards.stack(_sum_rows)
        by_columns = self.shards.sum(_sum_columns, count_sum_rows(self.shape[0]))
        return {"rows": by_rows, "columns": by_columns[0], "frequency": by_columns[1].astype(np.int64)}

    @property
    def column_counts(self) -> Ints:
        """How many rows have each column."""
        counts: Ints = self._sums["frequency"]
        return counts

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Sum all entries, or every row (1) or column (0)."""
        if axis is None:
            return self._sums["rows"].sum()
        return self._sums["rows" if axis in (1, -1) else "columns"]

    def astype(self, dtype: Any, casting: str = "unsafe", copy: bool = True) -> Any:
        """Return the matrix with entries of another type."""
        return self.map_rows(_cast, np.dtype(dtype), dtype=dtype)

    def _matmul_dispatch(self, other: Any) -> Any:
        return self.shards.stack(_multiply, other)

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """Return the columns as rows; they stay in the shards of the rows."""
        return ShardedColumns(ShardedColumns, self)

    T = property(transpose)

    def tocsr(self, copy: bool = False) -> Any:
        """Return the matrix itself."""
        return self

    def __getitem__(self, key: Any) -> Any:
        """Return some rows, all columns, or what SciPy does with collected entries."""
        if isinstance(key, tuple) and len(key) == 2 and key == (slice(None), slice(0, self.shape[1])):
            return self
        if isinstance(key, np.ndarray | list) and np.ndim(key) == 1:
            rows = np.asarray(key)
            return self.rows_of(np.flatnonzero(rows) if rows.dtype == bool else rows)
        return self.collected()[key]


class ShardedColumns(_LazyMatrix):
    """The columns of a sharded matrix, as rows."""

    def __init__(self, _: Any, base: ShardedMatrix) -> None:
        indptr = np.concatenate([[0], np.cumsum(base.column_counts)]).astype(np.int64)
        super().__init__(_, (base.shape[1], base.shape[0]), indptr, base.dtype)
        self.base = base

    def _collect(self) -> csr_array:
        return csr_array(self.base.collected().T.tocsr())

    def rows_of(self, where: Ints) -> csr_array:
        """Collect some rows, that is, some columns of the matrix."""
        return csr_array(self.base.shards.stack(_take_columns, np.asarray(where)).T.tocsr())

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """Sum all entries, or every row (1) or column (0)."""
        return self.base.sum(None if axis is None else 1 - axis % 2)

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """Return the matrix."""
        return self.base

    T = property(transpose)

    def tocsr(self, copy: bool = False) -> Any:
        """Return the columns themselves."""
        return self

    def __getitem__(self, key: Any) -> Any:
        """Return some rows, or what SciPy does with collected entries."""
        if isinstance(key, np.ndarray | list) and np.ndim(key) == 1:
            rows = np.asarray(key)
            return self.rows_of(np.flatnonzero(rows) if rows.dtype == bool else rows)
        return self.collected()[key]


def collect(matrix: csr_array) -> csr_array:
    """Return a matrix with its entries on this machine."""
    return matrix.collected() if isinstance(matrix, _LazyMatrix) else matrix


def count_columns(matrix: csr_array) -> Ints:
    """Count the rows that have each column."""
    if isinstance(matrix, ShardedMatrix):
        return matrix.column_counts
    counts = np.zeros(matrix.shape[1], dtype=np.int64)
    for start in range(0, len(matrix.indices), COUNT_BLOCK):
        counts += np.bincount(matrix.indices[start : start + COUNT_BLOCK], minlength=len(counts))
    return counts


def sum_row_products(matrix: csr_array) -> Floats:
    """Return XᵀX of a matrix with few columns, as an array."""
    size = count_sum_rows(matrix.shape[0])
    if isinstance(matrix, ShardedMatrix):
        products: Floats = matrix.shards.sum(_multiply_transposed, size)
        return products
    return _multiply_transposed(matrix, size)


def append_columns(matrix: csr_array, columns: csr_array) -> csr_array:
    """Return a matrix with further columns at the end."""
    if isinstance(matrix, ShardedMatrix):
        return matrix.append_columns(columns) if columns.shape[1] else matrix
    return csr_array(sparse.hstack([matrix, columns], format="csr"))


def append_rows(matrix: csr_array, rows: csr_array) -> csr_array:
    """Return a matrix with further rows at the end."""
    if isinstance(matrix, ShardedMatrix):
        return matrix.append_rows(rows)
    return csr_array(sparse.vstack([matrix, rows], format="csr"))


def cut_columns(matrix: csr_array, start: int, stop: int) -> csr_array:
    """Return some columns of a matrix; all of them are the matrix itself."""
    if (start, stop) == (0, matrix.shape[1]):
        return matrix
    return csr_array(matrix[:, start:stop])


def by_rows(*results: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function of a matrix, which treats its rows one by one, work on shards, too.

    `results` are "matrix" for a CSR matrix with entries in the same places, which stays on the workers, or
    "array" for an array with one row for each row of the matrix, which is collected; several for a tuple.
    The matrix is the first argument, or the second one of a method.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*arguments: Any, **options: Any) -> Any:
            place = next((n for n in (0, 1) if n < len(arguments) and _is_sharded(arguments[n])), None)
            if place is None:
                return function(*arguments, **options)
            matrix, rest = arguments[place], (*arguments[:place], *arguments[place + 1 :])
            work = _RowWork(function, place, options)
            values = matrix.shards.map(work, *rest)
            made = [
                _make_result(matrix, values, None if len(results) == 1 else number, kind)
                for number, kind in enumerate(results)
            ]
            return made[0] if len(made) == 1 else tuple(made)

        return call

    return decorate


def _is_sharded(value: Any) -> bool:
    return isinstance(value, ShardedMatrix)


class _RowWork:
    """A function of a matrix at some place of its arguments, as workers call it."""

    def __init__(self, function: Callable[..., Any], place: int, options: dict[str, Any]) -> None:
        self.name = (function.__module__, function.__qualname__)
        self.place, self.options = place, options
        self.__name__ = function.__name__

    def __call__(self, matrix: csr_array, *rest: Any) -> Any:
        from importlib import import_module

        # found by its name: the undecorated function cannot be pickled
        function: Any = import_module(self.name[0])
        for part in self.name[1].split("."):
            function = getattr(function, part)
        return function(*rest[: self.place], matrix, *rest[self.place :], **self.options)


def _make_result(matrix: ShardedMatrix, values: Shards, number: int | None, kind: str) -> Any:
    if kind == "array":
        return values.stack(_itself if number is None else _pick, *(() if number is None else (number,)))
    picked = values if number is None else values.map(_pick, number)
    return ShardedMatrix(ShardedMatrix, picked, matrix.shape[1], matrix.indptr, np.float64)


# --- on the workers ---


def _itself(value: Any) -> Any:
    return value


def _pick(values: tuple[Any, ...], number: int) -> Any:
    return values[number]


def _dtype_of(rows: csr_array) -> Any:
    return rows.dtype


def _row_lengths(rows: csr_array) -> Ints:
    return np.diff(rows.indptr).astype(np.int64)


def _sum_rows(rows: csr_array) -> Floats:
    return np.asarray(rows.sum(axis=1, dtype=np.float64)).ravel()


def _sum_columns(rows: csr_array, size: int) -> Floats:
    """Sum the columns, and count the entries of each."""

    def sum_part(start: int) -> Floats:
        entries = slice(rows.indptr[start], rows.indptr[min(start + size, rows.shape[0])])
        columns = rows.indices[entries]
        sums = np.bincount(columns, rows.data[entries], rows.shape[1])
        return np.stack([sums, np.bincount(columns, minlength=rows.shape[1])])

    total: Floats = add_parts(map(sum_part, range(0, max(rows.shape[0], 1), size)))
    return total


def _multiply_transposed(rows: csr_array, size: int) -> Floats:
    def multiply_part(start: int) -> Floats:
        part = rows if size >= rows.shape[0] else rows[start : start + size]
        return np.asarray((part.T @ part).toarray())

    total: Floats = add_parts(map(multiply_part, range(0, max(rows.shape[0], 1), size)))
    return total


def _hash_rows(rows: csr_array, size: int) -> list[bytes]:
    hashes = []
    for start in range(0, rows.shape[0], size):
        part = rows[start : start + size]
        digest = hashlib.sha256()
        for values in (part.data.astype(np.float64), part.indices.astype(np.int64), np.diff(part.indptr)):
            digest.update(np.ascontiguousarray(values).astype(values.dtype.str).tobytes())
        hashes.append(digest.digest())
    return hashes


def _cast(rows: csr_array, dtype: Any) -> csr_array:
    return csr_array((rows.data.astype(dtype, copy=False), rows.indices, rows.indptr), shape=rows.shape)


def _select_rows(rows: csr_array, kept: NDArray[np.bool_]) -> csr_array:
    return csr_array(rows[np.flatnonzero(kept)])


def _take_rows(rows: csr_array, where: Ints) -> csr_array:
    return csr_array(rows[where])


def _take_columns(rows: csr_array, where: Ints) -> csr_array:
    return csr_array(rows[:, where])


def _append_columns(rows: csr_array, columns: csr_array) -> csr_array:
    return csr_array(sparse.hstack([rows, columns], format="csr"))


def _multiply(rows: csr_array, other: Any) -> Any:
    product: Any = rows @ other
    return product if isinstance(product, np.ndarray) else product.tocsr()
