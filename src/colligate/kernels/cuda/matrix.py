"""Sparse matrices on the GPU: by rows, and transposed in blocks of rows.

The transposed copy is cut into blocks of `BLOCK_ROWS` rows, and within a block sorted by column. While a
block is worked on, the rows of the thin matrix that it needs stay in the cache of the GPU. Long rows and
columns are cut into chunks, so that all warps have about as much work.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from colligate.kernels.cuda import device, placement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.kernels.interface import SparseRows

BLOCK_ROWS, BLOCK_COLUMNS = 2**18, 2**18
"""The place of a column in its block is the lower part of a packed entry: COLUMN_BITS in `entries.cuh`."""
CHUNK = 2048
LONG_ROW, MIDDLE_ROW = 2048, 256
"""If any row has more than LONG_ROW entries, all above MIDDLE_ROW are summed in chunks."""
SINGLE_PRECISION = 2**28
"""From so many entries on, values are float32; sums stay in float64 or in whole numbers."""
NARROW = 2**13
"""Whole entries below this are summed as 32-bit numbers: a chunk of them stays below 2²⁴. With its sign, one
fits into a packed entry."""
FIXED_BITS = 52
"""The sum of all entries has so many bits as a whole number, so that every sum is exact as a float64, too."""
PASS = 2**27
"""So many entries are looked at in one step, to bound temporary arrays."""


@dataclass(frozen=True, eq=False)
class Chunks:
    """Ranges of entries, one after the other; `order` lists them by `owner`, from `owners` on."""

    starts: Any
    owner: Any
    order: Any
    owners: Any


class ColumnBlocks(NamedTuple):
    """Ranges of entries by start (64 bits), size and row; those of block b are from block_starts[b] on."""

    chunks: Any
    block_starts: Any


@dataclass(frozen=True, eq=False)
class FixedPoint:
    """Entries as whole numbers of 1/scale; `narrow` if 32 bits are enough for a chunk.

    `largest` is the largest size of an entry, and `signed` tells that some are negative.
    """

    scale: float
    narrow: bool
    largest: float
    signed: bool

    @classmethod
    def of(cls, data: Any) -> FixedPoint:
        """Choose the scale by the entries, of NumPy or of CuPy: the sum of all fits into FIXED_BITS bits."""
        total, largest, whole, signed = 0.0, 0.0, True, False
        for start in range(0, len(data), PASS):
            part = data[start : start + PASS]
            size = abs(part)
            total += float(size.sum(dtype=np.float64))
            largest, signed = max(largest, float(size.max())), signed or bool((part < 0).any())
            whole = whole and bool((part == np.rint(part)).all())
        if whole and largest < NARROW:
            return cls(1.0, narrow=True, largest=largest, signed=signed)
        bits = FIXED_BITS - int(np.ceil(np.log2(max(total, 1e-300))))
        return cls(2.0**bits, narrow=False, largest=largest, signed=signed)


class DeviceRows:
    """A sparse matrix on the GPU, with the further layouts that an operation asked for."""

    def __init__(self, values: Any, columns: Any, starts: Any, n_columns: int, fixed: FixedPoint) -> None:
        self.values, self.columns, self.starts = values, columns, starts
        self.n_columns, self.fixed = n_columns, fixed
        self.n_rows = len(starts) - 1

    @cached_property
    def long_rows(self) -> tuple[Any, Any, Any, Any] | None:
        """The chunks of long rows: starts, ends, slot of each, and the slot of every row (-1: none)."""
        import cupy

        lengths = cupy.diff(self.starts)
        if self.n_rows == 0 or int(lengths.max()) <= LONG_ROW:
            return None
        rows = cupy.flatnonzero(lengths > MIDDLE_ROW)
        slots = cupy.full(self.n_rows, -1, dtype=np.int32)
        slots[rows] = cupy.arange(len(rows), dtype=np.int32)
        begins, ends = self.starts[rows], self.starts[rows + 1]
        owner, starts = _cut(begins, ends - begins)
        return starts, cupy.minimum(starts + CHUNK, ends[owner]), owner.astype(np.int32), slots

    @cached_property
    def packed(self) -> Any:
        """Every entry in 32 bits: the value above the place of the column; for narrow entries."""
        import cupy

        entries = cupy.empty(len(self.values), dtype=np.int32)
        if n := len(entries):
            arguments, threads = (self.values, self.columns, np.int64(n), entries), placement.THREADS
            device.kernel("pack_entries")((-(-n // threads),), (threads,), arguments)
        return entries

    @cached_property
    def column_blocks(self) -> ColumnBlocks:
        """The entries of every row cut where a block of columns ends, block after block."""
        import cupy

        bounds = [self.starts[:-1][cupy.diff(self.starts) > 0]]
        for start in range(0, len(self.columns), PASS):
            blocks = self.columns[max(start - 1, 0) : start + PASS] // BLOCK_COLUMNS
            bounds.append(cupy.flatnonzero(blocks[1:] != blocks[:-1]) + max(start - 1, 0) + 1)
        begins = cupy.unique(cupy.concatenate(bounds))
        lengths = cupy.diff(cupy.concatenate([begins, cupy.asarray([len(self.columns)])]))
        owner, starts = _cut(begins, lengths)
        sizes = cupy.minimum((begins + lengths)[owner] - starts, CHUNK).astype(np.int32)
        rows = (cupy.searchsorted(self.starts, starts, side="right") - 1).astype(np.int32)
        block = self.columns[starts] // BLOCK_COLUMNS
        order = cupy.argsort(block)
        n_blocks = -(-self.n_columns // BLOCK_COLUMNS)
        ends = cupy.searchsorted(block[order], cupy.arange(n_blocks + 1), side="left")
        chunks = cupy.empty((len(starts), 4), dtype=np.int32)
        chunks[:, :2] = starts[order].view(np.int32).reshape(-1, 2)
        chunks[:, 2], chunks[:, 3] = sizes[order], rows[order]
        return ColumnBlocks(chunks, ends.astype(np.int64))

    @cached_property
    def row_chunks(self) -> Chunks | None:
        """All rows cut into chunks, for products; None if no row is long."""
        import cupy

        if self.long_rows is None:
            return None
        lengths = cupy.diff(self.starts)
        filled = cupy.flatnonzero(lengths)
        owner, starts = _cut(self.starts[filled], lengths[filled])
        return _list_chunks(starts, filled[owner], len(self.values), self.n_rows)

    @cached_property
    def transposed(self) -> tuple[Any, Any, Chunks]:
        """The values and row numbers of the transposed copy, and its chunks."""
        import cupy

        values, rows = cupy.empty_like(self.values), cupy.empty_like(self.columns)
        edges = [*range(0, self.n_rows, BLOCK_ROWS), self.n_rows]
        bounds = self.starts[cupy.asarray(edges)].get().tolist()
        starts, owners = [], []
        for first, last, begin, end in zip(edges[:-1], edges[1:], bounds[:-1], bounds[1:], strict=True):
            if begin == end:
                continue
            columns = self.columns[begin:end]
            # CuPy sorts stably: the rows of a column stay in order
            order = cupy.argsort(columns)
            values[begin:end] = self.values[begin:end][order]
            inside = cupy.searchsorted(self.starts[first + 1 : last + 1], order + begin, side="right")
            rows[begin:end] = inside + first
            counts = cupy.bincount(columns, minlength=self.n_columns)
            filled = cupy.flatnonzero(counts)
            counts = counts[filled]
            owner, chunk_starts = _cut(begin + cupy.cumsum(counts) - counts, counts)
            starts.append(chunk_starts)
            owners.append(filled[owner])
        if not starts:
            starts, owners = [cupy.zeros(0, np.int64)], [cupy.zeros(0, np.int64)]
        chunks = _list_chunks(cupy.concatenate(starts), cupy.concatenate(owners), len(values), self.n_columns)
        return values, rows, chunks


def _cut(begins: Any, lengths: Any) -> tuple[Any, Any]:
    """Cut ranges of entries into chunks; return the range and the start of each chunk."""
    import cupy

    counts = (lengths + CHUNK - 1) // CHUNK
    ends = cupy.cumsum(counts)
    number = cupy.arange(int(ends[-1]) if len(ends) else 0, dtype=np.int64)
    owner = cupy.searchsorted(ends, number, side="right")
    return owner, begins[owner] + (number - (ends - counts)[owner]) * CHUNK


def _list_chunks(starts: Any, owner: Any, n_entries: int, n_owners: int) -> Chunks:
    """List chunks by owner; they follow one another, so each ends where the next one starts."""
    import cupy

    order = cupy.argsort(owner)
    owners = cupy.searchsorted(owner[order], cupy.arange(n_owners + 1), side="left")
    ends = cupy.asarray([n_entries], dtype=np.int64)
    return Chunks(
        cupy.concatenate([starts.astype(np.int64), ends]),
        owner,
        order.astype(np.int32),
        owners.astype(np.int64),
    )


class MatrixCache:
    """Uploads every matrix once, as long as its arrays live; one that does not fit is streamed."""

    def __init__(self) -> None:
        self._matrices: dict[tuple[int, int], tuple[weakref.ref[Any], DeviceRows]] = {}
        self._scales: dict[int, tuple[weakref.ref[Any], FixedPoint]] = {}

    def parts(self, x: SparseRows) -> Iterator[tuple[int, DeviceRows]]:
        """Yield the matrix on the GPU, with its first row; in several blocks of rows if it does not fit."""
        key = id(x.data), id(x.indices)
        known = self._matrices.get(key)
        if known is not None and known[0]() is x.data:
            yield 0, known[1]
            return
        fixed = self._fixed_point(x)
        # both layouts, and what sorting takes; packed entries
        needed = len(x.data) * (4 * (_value_type(x).itemsize + 4) + 4 * fixed.narrow)
        if needed > device.free_memory():
            self.clear()
        if needed <= device.free_memory():
            matrix = _upload(x, 0, len(x), fixed)
            self._matrices = {k: entry for k, entry in self._matrices.items() if entry[0]() is not None}
            self._matrices[key] = (weakref.ref(x.data), matrix)
            yield 0, matrix
            return
        n_parts = int(np.ceil(needed / max(device.free_memory() // 2, 1)))
        if n_parts > len(x):
            raise device.refuse_size(needed // len(x), "a row of the matrix")
        starts = np.asarray(x.indptr)
        # about as many entries in each block
        edges = np.searchsorted(starts, np.linspace(0, starts[-1], n_parts + 1)[1:-1]).tolist()
        edges = sorted({0, *edges, len(x)})
        for first, last in pairwise(edges):
            yield first, _upload(x, first, last, fixed)

    def clear(self) -> None:
        """Drop all matrices, and give their memory back."""
        import cupy

        self._matrices.clear()
        cupy.get_default_memory_pool().free_all_blocks()

    def _fixed_point(self, x: SparseRows) -> FixedPoint:
        """Return the scale of a matrix, which is the same for all of its blocks."""
        known = self._scales.get(id(x.data))
        if known is None or known[0]() is not x.data:
            self._scales = {key: entry for key, entry in self._scales.items() if entry[0]() is not None}
            known = self._scales[id(x.data)] = (weakref.ref(x.data), FixedPoint.of(x.data))
        return known[1]


def is_single(x: SparseRows) -> bool:
    """Return whether products with a matrix are in single precision."""
    return len(x.data) >= SINGLE_PRECISION


def _value_type(x: SparseRows) -> np.dtype[Any]:
    is_short = is_single(x) or x.data.dtype == np.float32
    return np.dtype(np.float32 if is_short else np.float64)


def _upload(x: SparseRows, first: int, last: int, fixed: FixedPoint) -> DeviceRows:
    import cupy

    starts = cupy.asarray(x.indptr[first : last + 1], dtype=np.int64)
    begin, end = int(x.indptr[first]), int(x.indptr[last])
    # small whole numbers are exact as float32, too
    values = cupy.asarray(x.data[begin:end], dtype=np.float32 if fixed.narrow else _value_type(x))
    columns = cupy.asarray(x.indices[begin:end], dtype=np.int32)
    return DeviceRows(values, columns, starts - begin if begin else starts, x.n_columns, fixed)
