"""Values on the workers of a cluster, one for a range of consecutive rows, and functions that go to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
from scipy import sparse
from scipy.sparse import csr_array

from colligate._array import add_parts, count_sum_rows
from colligate.shards.client import LostWorkersError, ask_cluster, describe_workers, gather, wait_for_worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

MAX_ATTEMPTS, MAX_KILLED = 12, 2
"""So often is one step computed again when workers are lost, and when it is the step that ends them."""
INLINE_BYTES = 2**22
"""Arguments of all shards together up to this size travel with the tasks; larger ones are sent once."""
SHARDS_PER_WORKER = 2
SHARE_OF_MEMORY, ENTRY_BYTES = 32, 8
"""A shard has at most this part of the memory of a worker: with its copies, and those of other steps, it
needs several times that."""
FEW_SHARDS = 4
"""The sums of so few shards are added here, without further tasks."""


class Shards:
    """Values on workers, one for the rows from each edge to the next; made when they are needed first.

    `make` returns the futures. It is called again if they are lost beyond what Dask computes again itself.
    """

    def __init__(
        self, client: Any, edges: Ints, make: Callable[[], list[Any]], sources: Sequence[Shards] = ()
    ) -> None:
        self.client, self.edges = client, edges
        self._make, self._sources = make, tuple(sources)
        self._futures: list[Any] | None = None

    def __len__(self) -> int:
        return len(self.edges) - 1

    @property
    def n_rows(self) -> int:
        """The number of rows of all shards."""
        return int(self.edges[-1])

    @property
    def futures(self) -> list[Any]:
        """The values on the workers, in the order of the rows."""
        if self._futures is None:
            self._futures = self._make()
        return self._futures

    def map(self, function: Callable[..., Any], *shared: Any, parts: Sequence[Any] = ()) -> Shards:
        """Return the values of function(value, *rows of the parts, *shared), made on the workers.

        The parts are arrays, or other values on workers with the same edges.
        """
        sources = (self, *(part for part in parts if isinstance(part, Shards)))
        return Shards(self.client, self.edges, lambda: self._submit(function, shared, parts), sources)

    def apply(self, function: Callable[..., Any], *shared: Any, parts: Sequence[Any] = ()) -> list[Any]:
        """Collect what `map` makes."""
        made = self.map(function, *shared, parts=parts)
        return list(made._attempt(lambda: gather(self.client, made.futures)))

    def apply_some(self, calls: Iterable[tuple[int, Callable[..., Any], tuple[Any, ...]]]) -> list[Any]:
        """Collect function(value, *arguments) of some shards, which are called by their numbers."""
        calls = list(calls)

        def collect_some() -> Any:
            futures = self.futures
            return gather(
                self.client,
                [
                    self.client.submit(function, futures[number], *arguments, pure=False)
                    for number, function, arguments in calls
                ],
            )

        return list(self._attempt(collect_some))

    def stack(self, function: Callable[..., Any], *shared: Any, parts: Sequence[Any] = ()) -> Any:
        """Collect what `map` makes of every row, as one array or sparse matrix."""
        values = self.apply(function, *shared, parts=parts)
        if sparse.issparse(values[0]):
            return csr_array(sparse.vstack(values, format="csr"))
        return np.concatenate(values)

    def sum(self, function: Callable[..., Any], *shared: Any, parts: Sequence[Any] = ()) -> Any:
        """Add what `map` makes on the workers, in the order of `add_parts`."""

        made = self.map(function, *shared, parts=parts)

        def add() -> Any:
            level = made.futures
            if len(level) <= FEW_SHARDS:
                return add_parts(gather(self.client, level))
            while len(level) > 1:
                pairs = [level[start : start + 2] for start in range(0, len(level), 2)]
                level = [
                    self.client.submit(_add, *pair, pure=False) if len(pair) == 2 else pair[0]
                    for pair in pairs
                ]
            return gather(self.client, level)[0]

        total = made._attempt(add)
        # what was received may be read-only and not aligned, for which BLAS has other sums
        return np.array(total) if isinstance(total, np.ndarray) else total

    def _submit(
        self, function: Callable[..., Any], shared: tuple[Any, ...], parts: Sequence[Any]
    ) -> list[Any]:
        spans = zip(self.edges[:-1].tolist(), self.edges[1:].tolist(), strict=True)
        if shared and len(self) * sum(getattr(value, "nbytes", 0) for value in shared) > INLINE_BYTES:
            # large tables go to every worker once
            shared = (self.client.scatter(_Shared(shared), broadcast=True, hash=False),)
        name = getattr(function, "__name__", type(function).__name__).strip("_<>")
        return [
            self.client.submit(
                _call,
                function,
                len(parts),
                value,
                *(part.futures[number] if isinstance(part, Shards) else part[start:stop] for part in parts),
                *shared,
                pure=False,
                key=f"{name}-{number}-{_unique()}",
            )
            for number, (value, (start, stop)) in enumerate(zip(self.futures, spans, strict=True))
        ]

    def _attempt(self, compute: Callable[[], Any]) -> Any:
        """Compute, and compute again where workers were lost with what Dask cannot make again."""
        from distributed import KilledWorker

        n_killed = 0
        for _ in range(MAX_ATTEMPTS):
            try:
                with ask_cluster(self.client):
                    return compute()
            except LostWorkersError as error:
                n_killed += isinstance(error.__cause__, KilledWorker)
                if n_killed == MAX_KILLED:
                    break
                wait_for_worker(self.client)
                self.reset()
        raise LostWorkersError

    def reset(self) -> bool:
        """Forget futures that are lost or wait for lost ones, so that they are made again; say if so."""
        # every source is reset, not only those up to the first lost one
        is_source_lost = max([source.reset() for source in self._sources], default=False)
        states = {future.status for future in self._futures or ()}
        is_lost = bool(states - {"finished", "pending"}) or (is_source_lost and "pending" in states)
        if is_lost:
            self._futures = None
        # without futures there is nothing that others could still wait for
        return self._futures is None


class _Shared(tuple[Any, ...]):
    """Arguments of all shards in one value, as Dask sends a tuple element by element."""

    __slots__ = ()


def _unique() -> str:
    return uuid4().hex


def _call(function: Callable[..., Any], n_parts: int, value: Any, *arguments: Any) -> Any:
    parts, shared = arguments[:n_parts], arguments[n_parts:]
    if len(shared) == 1 and isinstance(shared[0], _Shared):
        shared = tuple(shared[0])
    return function(value, *map(_align, (*parts, *shared)))


def _align(value: Any) -> Any:
    """Return an array whose numbers are aligned: for others NumPy has sums that round otherwise."""
    return np.require(value, requirements="A") if isinstance(value, np.ndarray) else value


def _add(left: Any, right: Any) -> Any:
    return left + right


def assemble(client: Any, sources: Sequence[Any], lengths: Sequence[int], n_entries: int) -> Shards:
    """Return shards of the matrices of sources (or their futures), at edges that suit sums and workers.

    All matrices together have `n_entries` entries.
    """
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    edges = choose_edges(int(starts[-1]), n_entries, *describe_workers(client))
    calls = []
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        used = [n for n in range(len(sources)) if starts[n] < last and starts[n + 1] > first]
        used = used or [max(len(sources) - 1, 0)]
        spans = [
            (max(first - int(starts[n]), 0), min(last, int(starts[n + 1])) - int(starts[n])) for n in used
        ]
        calls.append((used, spans))

    def make() -> list[Any]:
        return [
            client.submit(
                _join_rows, spans, *(sources[n] for n in used), pure=False, key=f"shard-{number}-{_unique()}"
            )
            for number, (used, spans) in enumerate(calls)
        ]

    return Shards(client, edges, make)


def choose_edges(n_rows: int, n_entries: int, n_workers: int, memory: float = np.inf) -> Ints:
    """Return where shards start and the last ends: at parts of sums, 1, 2, 4 ... of them to a shard.

    Shards are as large as possible with some for every worker, and a part of the memory (in bytes) of each.
    """
    size = count_sum_rows(n_rows)
    limit = memory / SHARE_OF_MEMORY / ENTRY_BYTES * n_rows / max(n_entries, 1)
    while n_rows > 2 * size * SHARDS_PER_WORKER * n_workers and 2 * size <= limit:
        size *= 2
    return np.append(np.arange(0, max(n_rows, 1), size), n_rows).astype(np.int64)


def _join_rows(spans: list[tuple[int, int]], *matrices: csr_array) -> csr_array:
    pieces = [matrix[start:stop] for (start, stop), matrix in zip(spans, matrices, strict=True)]
    joined = pieces[0] if len(pieces) == 1 else sparse.vstack(pieces, format="csr")
    return csr_array(joined)
