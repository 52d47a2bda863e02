"""Arrays on the GPU: copies of arrays that never change, and operations on documents × groups."""

from __future__ import annotations

import weakref
from functools import cache
from typing import Any

import numpy as np

from colligate.kernels.cuda.device import c_type, kernel, n_multiprocessors

THREADS = 256
WIDEST = 1024
"""A block has at most so many threads, and so many columns can be summed by it."""
BLOCK_ROWS, DEPTH = 2**18, 512
_copies: dict[int, tuple[weakref.ref[Any], Any]] = {}


def copy_to_device(array: Any, *, keep: bool = False) -> Any:
    """Return an array on the GPU; with `keep` the copy is kept, and the array must not change."""
    import cupy

    if isinstance(array, cupy.ndarray):
        return array
    if not keep:
        return cupy.asarray(array)
    known = _copies.get(id(array))
    if known is None or known[0]() is not array:
        number = id(array)
        remember(array, cupy.asarray(array))
        known = _copies[number]
    return known[1]


def contiguous(array: Any, dtype: Any = None) -> Any:
    """Return an array on the GPU with its rows one after the other; no copy if it is so already."""
    import cupy

    return cupy.ascontiguousarray(cupy.asarray(array), dtype)


def remember(array: Any, copy: Any) -> None:
    """Remember that `copy` is the array on the GPU, as long as the array lives."""
    number = id(array)
    _copies[number] = (weakref.ref(array, lambda _: _copies.pop(number, None)), copy)


def remembered(array: Any) -> Any | None:
    """Return the copy of an array on the GPU, if there is one."""
    known = _copies.get(id(array))
    return known[1] if known is not None and known[0]() is array else None


@cache
def _copy_stream() -> Any:
    """Return the stream of all copies to the host that run beside the kernels."""
    import cupy

    return cupy.cuda.Stream(non_blocking=True)


class HostCopy:
    """A copy of an array of the GPU on the host, whose parts travel while later parts are computed."""

    def __init__(self, source: Any) -> None:
        import cupyx

        self._source = source
        # memory that transfers at full speed, and without waiting for it
        self._target = cupyx.empty_pinned(source.shape, source.dtype)
        self._stream = _copy_stream()

    def copy(self, rows: slice) -> None:
        """Copy a range, as soon as all work that was started before is done."""
        import cupy

        computed = cupy.cuda.Event(disable_timing=True)
        computed.record()
        self._stream.wait_event(computed)
        self._source[rows].get(out=self._target[rows], stream=self._stream, blocking=False)

    def finish(self) -> Any:
        """Wait for all parts; return the array on the host."""
        self._stream.synchronize()
        return self._target


def _column_blocks(n_rows: int, width: int) -> tuple[int, int]:
    """Return blocks and threads for a kernel whose threads stay in their column."""
    per_block = max(1, THREADS // width)
    return max(1, min(8 * n_multiprocessors(), -(-n_rows // per_block))), width * per_block


def launch_columns(name: str, arguments: tuple[Any, ...], n_rows: int, width: int, results: int = 1) -> Any:
    """Run a kernel that writes sums of columns by blocks; return results × blocks × columns."""
    import cupy

    blocks, threads = _column_blocks(n_rows, width)
    parts = cupy.empty((results, blocks, width), dtype=np.float64)
    sizes = np.int64(n_rows), np.int32(width), parts
    kernel(name)((blocks,), (threads,), (*arguments, *sizes), shared_mem=8 * threads)
    return parts


def softmax(scores: Any) -> Any:
    """Return the softmax of every row."""
    import cupy

    scores = contiguous(scores)
    n, width = scores.shape
    out = cupy.empty_like(scores)
    arguments = scores, out, np.int64(n), np.int32(width)
    # eight threads take one row
    kernel(f"softmax_rows<{c_type(scores.dtype)}>")((-(-8 * n // THREADS),), (THREADS,), arguments)
    return out


def add_row(x: Any, row: Any) -> None:
    """Add one row to every row, in place."""
    if x.shape[1] > WIDEST or not x.flags.c_contiguous:
        x += contiguous(row)
        return
    blocks, threads = _column_blocks(*x.shape)
    arguments = x, contiguous(row, np.float64), np.int64(len(x)), np.int32(x.shape[1])
    kernel(f"add_row<{c_type(x.dtype)}>")((blocks,), (threads,), arguments)


def sum_columns(x: Any) -> Any:
    """Return the sum of every column in float64, as an array of the GPU."""

    x = contiguous(x)
    if x.shape[1] > WIDEST:
        return x.sum(axis=0, dtype=np.float64)
    null = np.uintp(0)
    name = f"sum_columns<{c_type(x.dtype)}>"
    return launch_columns(name, (x, null, null), *x.shape)[0].sum(axis=0)


def weigh_rows(x: Any, weights: Any) -> tuple[Any, Any]:
    """Return the rows times their weights, and the column sums of that."""
    import cupy

    x = contiguous(x)
    if x.shape[1] > WIDEST:
        weighted = (x * weights[:, None]).astype(x.dtype)
        return weighted, weighted.sum(axis=0, dtype=np.float64)
    out = cupy.empty_like(x)
    arguments = x, contiguous(weights, np.float64), out
    return out, launch_columns(f"sum_columns<{c_type(x.dtype)}>", arguments, *x.shape)[0].sum(axis=0)


def sum_costs(shares: Any, scores: Any, weights: Any) -> float:
    """Return Σ weight·(q·log q − q·s) over all shares q and scores s."""

    shares = contiguous(shares)
    scores = contiguous(scores, shares.dtype)
    weights = contiguous(weights, np.float64)
    n, width = shares.shape
    total = 0.0
    # a block has one thread for each column, so more columns than that are taken in turn
    for first in range(0, width, WIDEST):
        q, s = (contiguous(each[:, first : first + WIDEST]) for each in (shares, scores))
        parts = launch_columns(f"sum_costs<{c_type(q.dtype)}>", (q, s, weights), n, q.shape[1])
        total += float(parts.sum())
    return total


def overlap(left: Any, right: Any) -> Any:
    """Return leftᵀ·right of tall matrices in float64: sums of blocks of rows, added in their order."""
    import cupy

    left, right = contiguous(left), contiguous(right)
    n, n_left, n_right = len(left), left.shape[1], right.shape[1]
    if n_left * n_right > 4 * THREADS or not n:
        return _overlap_wide(left, right)
    rows = 64 if n_left + n_right <= 64 else 8
    blocks = max(1, min(8 * n_multiprocessors(), -(-n // rows)))
    parts = cupy.empty((blocks, n_left * n_right))
    sizes = np.int64(n), np.int32(n_left), np.int32(n_right), np.int32(rows)
    name = f"overlap_rows<{c_type(left.dtype)}, {c_type(right.dtype)}>"
    shared = 8 * rows * (n_left + n_right)
    kernel(name)((blocks,), (THREADS,), (left, right, *sizes, parts), shared_mem=shared)
    return sum_columns(parts).reshape(n_left, n_right)


def _overlap_wide(left: Any, right: Any) -> Any:
    """Return leftᵀ·right by products of the library, block of rows by block of rows."""
    import cupy

    total = cupy.zeros((left.shape[1], right.shape[1]))
    for start in range(0, len(left), BLOCK_ROWS):
        a, b = (each[start : start + BLOCK_ROWS].astype(np.float64, copy=False) for each in (left, right))
        # a batch of many short products keeps all multiprocessors busy; one tall product would not
        whole = len(a) // DEPTH * DEPTH
        if whole:
            batch = cupy.matmul(
                a[:whole].reshape(-1, DEPTH, a.shape[1]).transpose(0, 2, 1),
                b[:whole].reshape(-1, DEPTH, b.shape[1]),
            )
            total += batch.sum(axis=0)
        total += a[whole:].T @ b[whole:]
    return total
