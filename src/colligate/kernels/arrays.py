"""Operations on arrays of NumPy, or of CuPy on a GPU, so that one method serves both.

NumPy's own functions take both kinds of arrays, as long as all arguments are in the same place. Here are
those that move arrays between the places, and those for which CuPy has no fast form.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import softmax as scipy_softmax

from colligate.errors import DeviceError, Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator

TINY = 1e-300


def is_on_device(array: Any) -> bool:
    """Return whether an array is on a GPU."""
    return not isinstance(array, np.ndarray) and hasattr(array, "__cuda_array_interface__")


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
    return array.get() if is_on_device(array) else array


def beside(array: Any, other: Any, *, keep: bool = False) -> Any:
    """Return an array where the other one is; with `keep` the copy is kept, so the array must not change."""
    if not is_on_device(other):
        return to_host(array)
    from colligate.kernels.cuda import placement

    return placement.copy_to_device(array, keep=keep)


def softmax(scores: Any) -> Any:
    """Return the softmax of every row."""
    if not is_on_device(scores):
        return scipy_softmax(scores, axis=1)
    from colligate.kernels.cuda import placement

    return placement.softmax(scores)


def weigh_rows(x: Any, weights: Any) -> tuple[Any, Any]:
    """Return the rows times their weights, and the column sums of that, which are on the host."""
    if not is_on_device(x):
        weighted = np.ascontiguousarray(x * weights[:, None])
        return weighted, weighted.sum(axis=0)
    from colligate.kernels.cuda import placement

    weighted, sums = placement.weigh_rows(x, beside(weights, x, keep=True))
    return weighted, sums.get()


def sum_columns(x: Any) -> Any:
    """Return the sum of every column."""
    if not is_on_device(x):
        return x.sum(axis=0)
    from colligate.kernels.cuda import placement

    return placement.sum_columns(x)


def add_row(x: Any, row: Any) -> None:
    """Add one row of the host to every row, in place."""
    if not is_on_device(x):
        x += row
        return
    from colligate.kernels.cuda import placement

    placement.add_row(x, row)


def sum_ranges(x: Any, bounds: Any) -> Any:
    """Return the sum of every range of rows from bounds[r] to bounds[r + 1], on the host."""
    if not is_on_device(x):
        # a last range without rows starts at the end, where reduceat needs one more entry
        return np.add.reduceat(np.append(x.sum(axis=1), 0.0), bounds[:-1])
    edges = zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    return np.array(
        [float(sum_columns(x[start:stop]).sum()) if stop > start else 0.0 for start, stop in edges]
    )


def sum_squares(x: Any) -> Any:
    """Return the sum of the squares of every column, on the host."""
    if not is_on_device(x):
        return np.einsum("ik,ik->k", x, x)
    return sum_columns(np.square(x)).get()


def sum_costs(shares: Any, scores: Any, weights: Any) -> float:
    """Return Σ weight·(q·log q − q·s) over the shares q and scores s of all rows, with 0·log 0 = 0."""
    if not is_on_device(shares):
        # faster than xlogy: 0 times the logarithm of a tiny number is 0
        log_shares = np.log(np.maximum(shares, TINY))
        return float(weights @ np.einsum("dk,dk->d", shares, log_shares - scores))
    from colligate.kernels.cuda import placement

    return placement.sum_costs(shares, scores, beside(weights, shares, keep=True))
