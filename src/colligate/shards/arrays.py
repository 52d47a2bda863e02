"""Dense arrays whose rows are on the workers of a cluster, beside the rows of a sharded matrix."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.shards.shards import Shards

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Step:
    """A function of the rows of a shard, which may change them; its arguments are `parts`, then `shared`."""

    function: Callable[..., Any]
    parts: tuple[Any, ...]
    shared: tuple[Any, ...]


class ShardedArray:
    """An array whose rows are on workers, made by steps from the values of shards.

    The steps run when a result is needed, several in one task. `keep` keeps what they make.
    """

    def __init__(
        self, source: Shards, shape: tuple[int, ...], dtype: Any, steps: tuple[Step, ...] = ()
    ) -> None:
        self.source, self._steps = source, steps
        self.shape, self.dtype = shape, np.dtype(dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def keep(self) -> Shards:
        """Keep on the workers what the steps make, so that they run once; return it."""
        if self._steps:
            parts, shared = self._arguments()
            self.source, self._steps = self.source.map(_run_steps, *shared, parts=parts), ()
        return self.source

    def _arguments(self) -> tuple[list[Any], list[Any]]:
        """Return the parts and the shared arguments of all steps; the last one says which step has which."""
        parts = [part for step in self._steps for part in step.parts]
        shared = [value for step in self._steps for value in step.shared]
        plan = tuple((step.function, len(step.parts), len(step.shared)) for step in self._steps)
        return [part.keep() if isinstance(part, ShardedArray) else part for part in parts], [*shared, plan]

    def map(self, function: Callable[..., Any], *shared: Any, parts: tuple[Any, ...] = ()) -> ShardedArray:
        """Return the array of function(rows, *rows of the parts, *shared)."""
        return ShardedArray(
            self.source, self.shape, self.dtype, (*self._steps, Step(function, parts, shared))
        )

    def change(self, function: Callable[..., Any], *shared: Any, parts: tuple[Any, ...] = ()) -> None:
        """Become what `map` returns."""
        self._steps = (*self._steps, Step(function, parts, shared))

    def stack(self, function: Callable[..., Any], *shared: Any, parts: tuple[Any, ...] = ()) -> Any:
        """Collect what a function makes of every row."""
        mapped = self.map(function, *shared, parts=parts)
        of_steps, of_all = mapped._arguments()
        return self.source.stack(_run_steps, *of_all, parts=of_steps)

    def sum(self, function: Callable[..., Any], *shared: Any, parts: tuple[Any, ...] = ()) -> Any:
        """Add what a function makes of every shard, in the order of `add_parts`."""
        mapped = self.map(function, *shared, parts=parts)
        of_steps, of_all = mapped._arguments()
        return self.source.sum(_run_steps, *of_all, parts=of_steps)

    def collect(self) -> NDArray[Any]:
        """Return the array on this machine."""
        collected: NDArray[Any] = self.keep().stack(_return_rows)
        return collected

    def astype(self, dtype: Any, copy: bool = True) -> ShardedArray:
        """Return the array with another type of numbers."""
        if self.dtype == dtype and not copy:
            return self
        cast = self.map(_cast, np.dtype(dtype))
        cast.dtype = np.dtype(dtype)
        return cast

    def argmax(self, axis: int) -> NDArray[np.int32]:
        """Collect the column of the largest number of every row."""
        return np.asarray(self.stack(_find_largest))

    def max(self, axis: int) -> NDArray[Any]:
        """Collect the largest number of every row."""
        return np.asarray(self.stack(_take_largest))

    def __iadd__(self, other: Any) -> ShardedArray:
        self.change(_add, parts=(other,))
        return self

    def __setitem__(self, where: ShardedArray, value: float) -> None:
        """Set the entries that another array marks."""
        self.change(_set_marked, value, parts=(where,))


def place_rows(array: Any, shards: Shards, *, keep: bool = False) -> ShardedArray:
    """Put the rows of an array beside those of shards; with `keep` once, and the array must not change."""
    values = _keep_rows(array, shards) if keep else _scatter_rows(lambda: array, shards)
    return ShardedArray(values, array.shape, array.dtype)


_KEPT: dict[int, tuple[weakref.ref[Any], Shards]] = {}
"""Arrays that are on the workers already, by their id."""


def _keep_rows(array: Any, shards: Shards) -> Shards:
    number = id(array)
    known = _KEPT.get(number)
    if (
        known is None
        or known[0]() is not array
        or known[1].client is not shards.client
        or not np.array_equal(known[1].edges, shards.edges)
    ):
        reference = weakref.ref(array, lambda _: _KEPT.pop(number, None))
        known = _KEPT[number] = reference, _scatter_rows(reference, shards)
    kept = known[1]

    # the array is needed to place the rows again if they are lost, so those who use them hold it
    def find_futures(array: Any = array) -> list[Any]:
        return kept.futures

    return Shards(shards.client, shards.edges, find_futures, (kept,))


def _scatter_rows(find_array: Callable[[], Any], shards: Shards) -> Shards:
    client, edges = shards.client, shards.edges

    def scatter() -> list[Any]:
        array = find_array()
        # copies: workers in this process would share the memory of the array, and hold it
        pieces = [array[start:stop].copy() for start, stop in pairwise(edges.tolist())]
        return list(client.scatter(pieces, hash=False))

    return Shards(client, edges, scatter)


# --- on the workers ---


def _run_steps(rows: Any, *arguments: Any) -> Any:
    """Run steps one after the other; arguments are the parts of all, what all shards share, and the plan."""
    *values, plan = arguments
    n_parts = sum(number for _, number, _ in plan)
    parts, shared = iter(values[:n_parts]), iter(values[n_parts:])
    # steps may change their rows, and those of a shard stay as they are
    current = np.array(rows) if isinstance(rows, np.ndarray) else rows
    for function, n_of_parts, n_of_shared in plan:
        of_step = [next(parts) for _ in range(n_of_parts)] + [next(shared) for _ in range(n_of_shared)]
        current = function(current, *of_step)
    return current


def _return_rows(rows: Any) -> Any:
    return rows


def _cast(rows: NDArray[Any], dtype: Any) -> NDArray[Any]:
    return rows.astype(dtype, copy=False)


def _find_largest(rows: NDArray[Any]) -> NDArray[np.int32]:
    largest: NDArray[np.int32] = rows.argmax(axis=1).astype(np.int32)
    return largest


def _take_largest(rows: NDArray[Any]) -> NDArray[Any]:
    largest: NDArray[Any] = rows.max(axis=1)
    return largest


def _add(rows: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    rows += other
    return rows


def _set_marked(rows: NDArray[Any], where: NDArray[np.bool_], value: float) -> NDArray[Any]:
    rows[where] = value
    return rows
