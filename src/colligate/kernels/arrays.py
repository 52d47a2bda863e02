"""Operations on arrays of NumPy, of CuPy on a GPU, or with rows on workers, so that one method serves all.

NumPy's own functions take arrays on a GPU, too, as long as all arguments are in the same place. Here are
those that move arrays between the places, those for which CuPy has no fast form, and those that arrays on
workers need. Sums over rows have the same parts on one machine and on workers (`_array.add_parts`); functions
that add have `sum_rows`, the rows of a part, 0 to leave it to the number of rows.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._array import add_parts, count_sum_rows, sum_edges
from colligate.errors import DeviceError, Parameter
from colligate.shards.arrays import ShardedArray, place_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from colligate.kernels.interface import Kernels

TINY = 1e-300
# rows are computed in blocks of so many bytes, whose intermediate arrays stay in the cache
BLOCK_BYTES = 2**19
# a thread computes so many rows of a product at a time: BLAS computes 16 or 48 rows together, and with a
# multiple of these the numbers are those of one product of all rows
RANGE_ROWS = 2304


def cut_blocks(x: Any, start: int, stop: int) -> Iterator[slice]:
    """Yield blocks of rows of x that stay in the cache; on a GPU all rows."""
    size = max(1, stop - start if is_on_device(x) else BLOCK_BYTES // max(1, x.itemsize * x[:1].size))
    return (slice(first, min(first + size, stop)) for first in range(start, stop, size))


def map_rows(work: Callable[[int, int], Any], x: Any, kernels: Kernels | None) -> None:
    """Call `work(start, stop)` for ranges of the rows of x, on the threads of the kernels, if there are any.

    The work must do the same for any ranges. An array on a GPU is one range.
    """
    if kernels is None or is_on_device(x):
        work(0, len(x))
    else:
        kernels.map_rows(work, len(x))


def _cut_sums(x: Any, sum_rows: int) -> Iterator[slice]:
    """Yield the parts of a sum over rows."""
    edges = sum_edges(len(x), sum_rows or count_sum_rows(len(x)))
    return (slice(start, stop) for start, stop in pairwise(edges.tolist()))


def _operations(array: Any) -> Any:
    """Return the module with the operations on arrays of a GPU or of workers; None for those of NumPy."""
    if isinstance(array, ShardedArray):
        from colligate.kernels import sharded_arrays

        return sharded_arrays
    if is_on_device(array):
        from colligate.kernels.cuda import placement

        return placement
    return None


def add_product(
    x: Any, factor: float, left: Any, right: Any, sum_rows: int = 0, kernels: Kernels | None = None
) -> None:
    """Add factor·left·right to x, in place; the product is in single precision."""
    if isinstance(x, ShardedArray):
        _operations(x).add_product(x, factor, left, right)
        return
    left, right = beside(left, x, keep=True), beside(right, x).astype(np.float32)
    if is_on_device(x):
        x += factor * (left @ right).astype(np.float64)
        return

    def add_rows(start: int, stop: int) -> None:
        x[start:stop] += factor * (left[start:stop] @ right).astype(np.float64)

    # BLAS may round the last rows of a product otherwise: so products have the same rows everywhere, which
    # are parts of a sum, or parts of these
    edges = sum_edges(len(x), sum_rows or count_sum_rows(len(x)))
    cuts = [np.arange(start, stop, RANGE_ROWS) for start, stop in pairwise(edges.tolist())]
    edges = np.append(np.concatenate(cuts), len(x))
    if kernels is not None:
        kernels.map_ranges(add_rows, edges)
        return
    for start, stop in pairwise(edges.tolist()):
        add_rows(start, stop)


def is_on_device(array: Any) -> bool:
    """Return whether an array is on a GPU."""
    return not isinstance(array, np.ndarray) and hasattr(array, "__cuda_array_interface__")


def is_on_host(array: Any) -> bool:
    """Return whether an array is in the memory of this machine."""
    return not isinstance(array, ShardedArray) and not is_on_device(array)


@contextmanager
def refuse_full_device() -> Iterator[None]:
    """Turn the error of CuPy for a full GPU into one that says what to do."""
    try:
        yield
    except MemoryError as error:
        # the error of NumPy for the memory of the host is none of ours
        if not type(error).__module__.startswith("cupy"):
            raise
        raise DeviceError(
            f"the GPU has too little memory ({str(error).splitlines()[0].rstrip('.')}); end other programs "
            "that use it, choose fewer groups, or ",
            Parameter("device", "cpu"),
        ) from error


def to_host(array: Any) -> Any:
    """Return an array as one of NumPy."""
    if isinstance(array, ShardedArray):
        return array.collect()
    return array.get() if is_on_device(array) else array


def beside(array: Any, other: Any, *, keep: bool = False) -> Any:
    """Return an array where the other one is; with `keep` the copy is kept, so the array must not change.

    Beside an array on workers, it must have a row for each row of that one.
    """
    if isinstance(other, ShardedArray):
        return place_rows(array, other.source, keep=keep)
    if not is_on_device(other):
        return to_host(array)
    from colligate.kernels.cuda import placement

    return placement.copy_to_device(array, keep=keep)


def softmax(scores: Any, kernels: Kernels | None = None) -> Any:
    """Return the softmax of every row."""
    if is_on_host(scores):
        result = np.empty_like(scores)

        def compute(start: int, stop: int) -> None:
            for rows in cut_blocks(scores, start, stop):
                part = result[rows]
                np.subtract(scores[rows], scores[rows].max(axis=1, keepdims=True), out=part)
                np.exp(part, out=part)
                part /= part.sum(axis=1, keepdims=True)

        map_rows(compute, scores, kernels)
        return result
    return _operations(scores).softmax(scores)


def weigh_rows(x: Any, weights: Any, sum_rows: int = 0, kernels: Kernels | None = None) -> tuple[Any, Any]:
    """Return the rows times their weights, and the column sums of that, which are on the host."""
    if is_on_host(x):
        weighted = np.empty(x.shape)

        def weigh(start: int, stop: int) -> None:
            np.multiply(x[start:stop], weights[start:stop, None], out=weighted[start:stop])

        map_rows(weigh, x, kernels)
        sums = add_parts(weighted[part].sum(axis=0) for part in _cut_sums(weighted, sum_rows))
        return weighted, sums
    weighted, sums = _operations(x).weigh_rows(x, beside(weights, x, keep=True))
    return weighted, to_host(sums)


def put_rows(x: Any, columns: Any) -> None:
    """Put rows into one column each, in place: 1 there, and 0 elsewhere; those of column -1 stay."""
    if isinstance(x, ShardedArray):
        _operations(x).put_rows(x, beside(columns, x, keep=True))
        return
    rows = np.flatnonzero(columns >= 0)
    of_rows = beside(columns[rows], x)
    rows = beside(rows, x)
    x[rows] = 0.0
    x[rows, of_rows] = 1.0


def is_finite(x: Any) -> bool:
    """Return whether all numbers are finite."""
    if isinstance(x, ShardedArray):
        return bool(_operations(x).is_finite(x))
    return bool(np.all(np.isfinite(x)))


def sum_columns(x: Any) -> Any:
    """Return the sum of every column."""
    if not is_on_device(x):
        return x.sum(axis=0)
    from colligate.kernels.cuda import placement

    return placement.sum_columns(x)


def add_row(x: Any, row: Any, kernels: Kernels | None = None) -> None:
    """Add one row of the host to every row, in place."""
    if is_on_host(x):
        map_rows(lambda start, stop: np.add(x[start:stop], row, out=x[start:stop]), x, kernels)
        return
    _operations(x).add_row(x, row)


def sum_ranges(x: Any, bounds: Any, kernels: Kernels | None = None) -> Any:
    """Return the sum of every range of rows from bounds[r] to bounds[r + 1], on the host."""
    if not is_on_device(x):
        # a last range without rows starts at the end, where reduceat needs one more entry
        sums = np.zeros(len(x) + 1)

        def sum_rows(start: int, stop: int) -> None:
            x[start:stop].sum(axis=1, out=sums[start:stop])

        map_rows(sum_rows, x, kernels)
        return np.add.reduceat(sums, bounds[:-1])
    edges = zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    return np.array(
        [float(sum_columns(x[start:stop]).sum()) if stop > start else 0.0 for start, stop in edges]
    )


def sum_squares(x: Any) -> Any:
    """Return the sum of the squares of every column, on the host."""
    if not is_on_device(x):
        return np.einsum("ik,ik->k", x, x)
    return sum_columns(np.square(x)).get()


def sum_costs(
    shares: Any, scores: Any, weights: Any, sum_rows: int = 0, kernels: Kernels | None = None
) -> float:
    """Return Σ weight·(q·log q − q·s) over the shares q and scores s of all rows, with 0·log 0 = 0."""
    if is_on_host(shares):
        costs = np.empty(len(shares))

        def compute(start: int, stop: int) -> None:
            scratch = None
            for rows in cut_blocks(shares, start, stop):
                part = shares[rows]
                # new memory for every block would take longer than the logarithms; the first is the largest
                scratch = np.empty_like(part) if scratch is None else scratch
                log_shares = scratch[: len(part)]
                # faster than xlogy: 0 times the logarithm of a tiny number is 0
                np.log(np.maximum(part, TINY, out=log_shares), out=log_shares)
                log_shares -= scores[rows]
                np.einsum("dk,dk->d", part, log_shares, out=costs[rows])

        map_rows(compute, shares, kernels)
        return float(add_parts(weights[part] @ costs[part] for part in _cut_sums(costs, sum_rows)))
    return float(_operations(shares).sum_costs(shares, scores, beside(weights, shares, keep=True)))
