"""The default back end: Numba kernels on chunks of rows, run by a pool of threads.

Chunks and the order of their sums do not depend on the number of threads, so the results do not either.
"""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._array import add_parts, count_sum_rows, sum_edges
from colligate.kernels.interface import SparseRows, cut_entries, cut_rows
from colligate.kernels.numba import aggregate, entries, polish, products, updates
from colligate.kernels.numba import links as link_kernels
from colligate.kernels.numba.threads import CHUNKS, MIN_PARALLEL, ThreadPool
from colligate.kernels.numba.vectors import LANES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from colligate.kernels.interface import Dense, Kernels, SplitGradient, T
    from colligate.kernels.links import Floats, Ints, Labels, Links, LinkTables, SmallInts

__all__ = ["FastKernels"]

SAMPLE_SIZE = 4096
"""So many entries are sampled to find how they spread over the columns."""

RANGES_PER_THREAD = 4
"""So many ranges of rows has each thread, since one of them may be slower than the others."""
PART_BYTES = 2**19
"""The parts of a sum over rows, for a range of columns, stay in the cache of a core."""
ENTRY_COST = 4
"""An entry takes as long as so many numbers of the row's sums and scores."""
MAX_CHUNKS, CHUNK_ENTRIES = 128, 2**18
"""Large matrices have more than `CHUNKS` chunks of equal work, of at least so many entries each."""
MAX_UINT16 = 2**16
MAX_NARROW = 4096
"""Overlaps with more entries, and those in single precision, are computed by BLAS, chunk by chunk."""
MAX_SCORES, MAX_QUERIES = 2**23, 64
"""The scores and the rows of a block of a search for neighbours."""


class FastKernels:
    """The kernels on `n_jobs` threads (None or -1: all cores)."""

    def __init__(self, n_jobs: int | None = None) -> None:
        self._pool = ThreadPool(n_jobs)

    @property
    def host(self) -> Kernels:
        """See `Kernels.host`."""
        return self

    def place(self, array: Any) -> Any:
        """See `Kernels.place`."""
        return array

    def place_rows(self, array: Any, x: SparseRows) -> Any:
        """See `Kernels.place_rows`."""
        return array

    def run_side_by_side(self, tasks: Iterable[Callable[[], T]], max_running: int) -> list[T]:
        """See `Kernels.run_side_by_side`."""
        return self._pool.run_side_by_side(tasks, max_running)

    def map_ranges(self, work: Callable[[int, int], T], edges: Ints) -> list[T]:
        """See `Kernels.map_ranges`."""
        return self._pool.between(work, edges)

    def map_rows(self, work: Callable[[int, int], Any], n_rows: int) -> None:
        """See `Kernels.map_rows`."""
        # no more ranges than needed: after every operation of NumPy, a thread waits for Python's lock
        n_ranges = 1 if self._pool.n_jobs == 1 else RANGES_PER_THREAD * self._pool.n_jobs
        self._pool.between(work, sum_edges(n_rows, max(MIN_PARALLEL, -(-n_rows // n_ranges))))

    def transpose(self, x: SparseRows) -> SparseRows:
        """See `Kernels.transpose`."""
        edges = self._count_edges(x)
        places = np.zeros((len(edges) - 1, x.n_columns), dtype=np.int64)
        self._count(x, edges, places)
        ends = np.cumsum(places, axis=0)
        indptr = np.concatenate([[0], np.cumsum(ends[-1])])
        # where the entries of each range of rows begin in each column
        places = ends - places + indptr[:-1]
        data, rows = np.empty_like(x.data), np.empty_like(x.indices)

        def scatter(number: int, _: int) -> None:
            first, last = edges[number], edges[number + 1]
            entries.scatter(x.data, x.indices, x.indptr, places[number], data, rows, first, last)

        self._pool.between(scatter, np.arange(len(edges)))
        return SparseRows(data, rows, indptr, len(x))

    def count_columns(self, x: SparseRows) -> Ints:
        """See `Kernels.count_columns`."""
        edges = self._count_edges(x)
        counts = np.zeros((len(edges) - 1, x.n_columns), dtype=np.int64)
        self._count(x, edges, counts)
        return np.asarray(counts.sum(axis=0))

    def _count(self, x: SparseRows, edges: Ints, counts: Ints) -> None:
        """Count the entries of every column in every range of rows."""

        def count(number: int, _: int) -> None:
            first, last = x.indptr[edges[number]], x.indptr[edges[number + 1]]
            entries.count(x.indices, counts[number], first, last)

        self._pool.between(count, np.arange(len(edges)))

    def _count_edges(self, x: SparseRows) -> Ints:
        """Return ranges of rows, as many as have fewer counters than there are entries."""
        n_ranges = min(self._pool.n_jobs, len(x.indices) // max(1, x.n_columns))
        return cut_rows(x.indptr, max(1, n_ranges))

    def tfidf(self, x: SparseRows, idf: Floats, dtype: Any) -> NDArray[Any]:
        """See `Kernels.tfidf`."""
        result = np.empty(len(x.data), dtype=dtype)
        # another type of index, or an array that cannot be written to, would compile the kernel again
        idf = np.require(idf, np.float64, ["C", "W"])

        def weigh(start: int, stop: int) -> None:
            rows = x.between(start, stop)
            # in double precision, whatever the result is
            part = np.empty(len(rows.data))
            entries.tfidf(rows.data, rows.indices.astype(np.int32, copy=False), rows.indptr, idf, part)
            result[x.indptr[start] : x.indptr[stop]] = part

        self._pool.between(weigh, cut_entries(x.indptr))
        return result

    def sum_log_ratios(self, x: SparseRows, log_columns: Floats) -> Floats:
        """See `Kernels.sum_log_ratios`."""
        sums = np.empty(len(x))
        self._pool.between(
            lambda a, b: entries.sum_log_ratios(x.data, x.indices, x.indptr, log_columns, sums, a, b),
            cut_entries(x.indptr),
        )
        return sums

    def block_sums(self, x: SparseRows, rows: Labels, columns: Labels, n_rows: int, n_columns: int) -> Floats:
        """See `Kernels.block_sums`."""
        parts = self._pool.between(
            lambda a, b: aggregate.block_sums(
                x.data, x.indices, x.indptr, rows, columns, n_rows, n_columns, a, b
            ),
            _balance_rows(x, 0),
        )
        return sum(parts, start=np.zeros((n_rows, n_columns)))

    def assign_rows(self, x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats]:
        """See `Kernels.assign_rows`."""
        labels, best, _ = self._assign(x, columns, table)
        return labels, best

    def assign_and_sum(self, x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats | None]:
        """See `Kernels.assign_and_sum`."""
        labels, _, parts = self._assign(x, columns, table)
        width, n_clusters = table.shape
        return labels, sum((part[:, :width] for part in parts), start=np.zeros((n_clusters, width)))

    def _assign(
        self, x: SparseRows, columns: Labels, table: Floats
    ) -> tuple[Labels, Floats, list[NDArray[np.float64]]]:
        """Return labels and scores, and the sums over both clusters of every chunk of rows."""
        labels, best = np.empty(len(x), dtype=np.int32), np.empty(len(x))
        unsigned, padded = _pad_labels(columns, table)
        parts = self._pool.between(
            lambda a, b: aggregate.assign(x.data, x.indices, x.indptr, unsigned, padded, labels, best, a, b),
            # the last block of a chunk takes as long as a full one
            _balance_rows(x, sum(table.shape), aggregate.BLOCK),
        )
        return labels, best, parts

    def score_rows(self, x: SparseRows, columns: Labels, table: Floats) -> Floats:
        """See `Kernels.score_rows`."""
        scores = np.empty((len(x), table.shape[1]))
        unsigned, padded = _pad_labels(columns, table)
        self._pool.between(
            lambda a, b: aggregate.score(x.data, x.indices, x.indptr, unsigned, padded, scores, a, b),
            # the last block of a chunk takes as long as a full one
            _balance_rows(x, sum(table.shape), aggregate.BLOCK),
        )
        return scores

    def product(self, x: SparseRows, dense: Dense, *, placed: bool = False) -> Floats:
        """See `Kernels.product`."""
        width, dense = dense.shape[1], _pad_columns(dense)
        result = np.zeros((len(x), dense.shape[1]))
        self._pool.between(
            lambda a, b: products.add_product(x.data, x.indices, x.indptr, dense, result, a, b),
            self._row_edges(x),
        )
        return np.ascontiguousarray(result[:, :width])

    def transposed_product(self, x: SparseRows, dense: Dense) -> Floats:
        """See `Kernels.transposed_product`."""
        width, dense = dense.shape[1], _pad_columns(dense)
        result = np.zeros((x.n_columns, dense.shape[1]))
        edges, size = x.sum_edges.tolist(), x.block_rows

        def add_rows(start: int, stop: int, first: int, last: int, part: Floats) -> None:
            """Add rows first to last to the part of the columns start to stop."""
            if not x.blocks:
                starts = x.indptr[first : last + 1]
                products.transposed(x.data, x.indices, starts, dense[first:last], part, start, stop)
                return
            for number in range(first // size, -(-last // size)):
                block = x.blocks[number]
                rows = dense[number * size : (number + 1) * size]
                products.add_product(
                    block.data, block.indices, block.indptr[start : stop + 1], rows, part, 0, stop - start
                )

        def sum_columns(start: int, stop: int) -> None:
            def sum_part(first: int, last: int) -> Floats:
                # the first part, which is nearly always the only one, needs no copy
                part = result[start:stop] if first == 0 else np.zeros_like(result[start:stop])
                add_rows(start, stop, first, last, part)
                return part

            total = add_parts(map(sum_part, edges[:-1], edges[1:]))
            if len(edges) > 2:
                result[start:stop] = total

        # a thread owns a range of columns, which are rows of the result: no two write to the same place
        self._pool.between(sum_columns, self._column_edges(x, result.shape[1] if len(edges) > 2 else 0))
        return np.ascontiguousarray(result[:, :width])

    def _row_edges(self, x: SparseRows) -> Ints:
        """Return ranges of rows with about as many entries, some for each thread; no sum depends on them."""
        if len(x) < MIN_PARALLEL or self._pool.n_jobs == 1:
            return np.array([0, len(x)])
        return x.cut(RANGES_PER_THREAD * self._pool.n_jobs)

    def _column_edges(self, x: SparseRows, width: int) -> Ints:
        """Return ranges of columns with about as many entries, one per thread; no sum depends on them.

        With blocks by columns, ranges are shorter where each column has several parts of so many numbers.
        """
        size = max(1, PART_BYTES // (8 * width)) if x.blocks and width else x.n_columns
        edges = np.append(np.arange(0, max(x.n_columns, 1), max(size, 1)), x.n_columns)
        if len(x) < MIN_PARALLEL or self._pool.n_jobs == 1:
            return edges
        # frequent words make ranges of equal width unequal work; a sample of the entries balances them
        sample = np.sort(x.indices[:: max(1, len(x.indices) // SAMPLE_SIZE)])
        inner = sample[np.linspace(0, len(sample), self._pool.n_jobs + 1).astype(np.int64)[1:-1]]
        # a very frequent column can be more than one edge
        return np.unique(np.concatenate([edges, inner])).astype(np.int64)

    def overlap(self, left: Dense, right: Dense, sum_rows: int = 0) -> Floats:
        """See `Kernels.overlap`; a part of the sum has `sum_rows` rows, or those of `count_sum_rows`."""
        left, right = np.ascontiguousarray(left), np.ascontiguousarray(right)
        by_blas = left.dtype == np.float32 or left.shape[1] * right.shape[1] > MAX_NARROW
        edges = sum_edges(len(left), sum_rows or count_sum_rows(len(left)))
        chunks = [start + self._pool.row_edges(stop - start) for start, stop in pairwise(edges.tolist())]
        # blocks of the kernel would be only a few rows of wide matrices
        products_of_chunks = iter(
            self._pool.between(
                lambda a, b: left[a:b].T @ right[a:b] if by_blas else products.overlap(left, right, a, b),
                np.concatenate([[0], *(of_part[1:] for of_part in chunks)]),
            )
        )

        def sum_part(of_part: Ints) -> Floats:
            result = np.zeros((left.shape[1], right.shape[1]))
            for product in islice(products_of_chunks, len(of_part) - 1):
                result += product
            return result

        total: Floats = add_parts(map(sum_part, chunks))
        return total

    def nearest(self, queries: Ints, rows: NDArray[np.float32], count: int) -> Ints:
        """See `Kernels.nearest`."""
        nearest = np.empty((len(queries), count), dtype=np.int64)

        def search(start: int, stop: int) -> None:
            scores = rows[queries[start:stop]] @ rows.T
            products.select_largest(scores, queries[start:stop], nearest[start:stop])

        # blocks whose scores fit into memory: those of all pairs would be as many as there are pairs
        size = min(max(MAX_SCORES // max(1, len(rows)), 8), MAX_QUERIES)
        self._pool.between(search, np.append(np.arange(0, len(queries), size), len(queries)))
        nearest.sort(axis=1)
        return nearest

    def step(self, G: Floats, slope: SplitGradient, tolerance: float, floor: float, *, root: bool) -> Floats:
        """See `Kernels.step`."""
        return updates.step(self._pool, G, slope, tolerance, floor, root=root)

    def divergences(self, links: Links, left: SmallInts, right: SmallInts) -> Floats:
        """See `Kernels.divergences`."""
        result = np.empty(len(left))
        rows = links.y, links.s, links.indices, links.indptr, links.self_term
        self._pool.map(
            lambda a, b: link_kernels.divergences(*rows, links.n_columns, left, right, result, a, b),
            len(left),
        )
        return result

    def link_tables(
        self, links: Links, labels: Labels, n_clusters: int, known: LinkTables | None = None
    ) -> LinkTables:
        """See `Kernels.link_tables`."""
        return link_kernels.link_tables(self._pool, links, labels, n_clusters, known)

    def run_icm(
        self,
        links: Links,
        known: LinkTables | None,
        cost: Floats,
        labels: Labels,
        order: Ints,
        max_rounds: int,
    ) -> LinkTables:
        """See `Kernels.run_icm`."""
        return link_kernels.run_icm(self._pool, links, known, cost, labels, order, max_rounds)

    def polish_rows(
        self,
        x: SparseRows,
        rows: Labels,
        columns: Labels,
        table: Floats,
        blocks: Ints,
        scale: Floats,
        order: Ints,
    ) -> int:
        """See `Kernels.polish_rows`."""
        # on one thread: every move changes the tables that the next move is judged by
        return int(polish.move_rows(x.data, x.indices, x.indptr, rows, columns, table, blocks, scale, order))


def _balance_rows(x: SparseRows, cost_of_row: int, multiple: int = 1) -> Ints:
    """Return the edges of chunks of rows with about equal work, which do not depend on the threads.

    Frequent words have most of the entries: chunks of equally many rows would leave most threads idle. Chunks
    start at a multiple of some rows.
    """
    if len(x) < MIN_PARALLEL:
        return np.array([0, len(x)])
    n_chunks = max(CHUNKS, min(MAX_CHUNKS, len(x.indices) // CHUNK_ENTRIES))
    edges = x.cut(n_chunks, cost_of_row // ENTRY_COST)
    rounded = (edges[:-1] + multiple // 2) // multiple * multiple
    return np.unique(np.append(np.minimum(rounded, len(x)), len(x)))


def _pad_columns(dense: Dense) -> Dense:
    """Return a matrix whose rows are contiguous and have as many numbers as a vector at least."""
    missing = max(0, LANES - dense.shape[1])
    return np.ascontiguousarray(np.pad(dense, ((0, 0), (0, missing))) if missing else dense)


def _pad_labels(columns: Labels, table: Floats) -> tuple[NDArray[Any], Floats]:
    """Return labels that are narrow and never negative, and the table with a row of zeros for no cluster."""
    width = len(table)
    unsigned = columns.astype(np.uint16 if width < MAX_UINT16 else np.uint32)
    if columns.min(initial=0) < 0:
        unsigned[columns < 0] = width
    return unsigned, np.pad(table, ((0, 1), (0, 0)))
