"""The GPU back end: own CUDA kernels through CuPy (extra `gpu`).

A matrix is uploaded once and stays on the GPU as long as its arrays live; one that does not fit is streamed
in blocks of rows. Results are where the dense argument is: on the GPU for arrays of CuPy, else on the host.
All sums have a fixed order, or are sums of whole numbers, so that every run gives the same bits.

Links, single moves and divergences run on the CPU: they change labels one after the other, and each change
depends on the one before. So do tables that exceed the shared memory of a multiprocessor.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from colligate.kernels.arrays import is_on_device
from colligate.kernels.cuda import device, placement
from colligate.kernels.cuda.device import MOST_GROUPS, c_type, kernel
from colligate.kernels.cuda.matrix import BLOCK_COLUMNS, LONG_ROW, MIDDLE_ROW, MatrixCache, is_single
from colligate.kernels.interface import NEWTON_STEPS, TINY_GAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from colligate.kernels.cuda.matrix import Chunks, DeviceRows
    from colligate.kernels.interface import Dense, Kernels, SparseRows, SplitGradient, T
    from colligate.kernels.links import Floats, Ints, Labels, Links, LinkTables, SmallInts

__all__ = ["CudaKernels"]

ROWS_PER_WARP = 4
WARPS, MOST_WARPS = 8, 20
COPIES = 4
"""Copies of the sums of a chunk; as in `aggregate.cu`, like the rows of a warp."""
LABELS_IN_WORD = 6
COPIED_PARTS, MIN_PART = 8, 2**18
"""Labels travel to the host in so many parts of at least so many rows, while the next part is computed."""
STATIC_MEMORY = 16
"""Bytes of shared memory that `update_narrow` has beside what is counted for it."""
WIDEST = 512
"""Wider matrices are multiplied in slices of so many columns."""
NO_LABEL = 255
NULL = np.uintp(0)


class CudaKernels:
    """The kernels on the GPU; what is left to the CPU runs on `n_jobs` threads."""

    def __init__(self, n_jobs: int | None = None) -> None:
        device.check_device()
        self._n_jobs = n_jobs
        self._matrices = MatrixCache()

    @cached_property
    def _cpu(self) -> Kernels:
        from colligate.kernels.numba import FastKernels

        return FastKernels(self._n_jobs)

    @property
    def host(self) -> Kernels:
        """See `Kernels.host`."""
        return self._cpu

    def place(self, array: Any) -> Any:
        """See `Kernels.place`."""
        return placement.copy_to_device(array)

    def place_rows(self, array: Any, x: SparseRows) -> Any:
        """See `Kernels.place_rows`."""
        return placement.copy_to_device(array)

    def run_side_by_side(self, tasks: Iterable[Callable[[], T]], max_running: int) -> list[T]:
        """See `Kernels.run_side_by_side`; tasks on one GPU follow each other."""
        return [task() for task in tasks]

    # --- sums over column clusters ---

    def map_ranges(self, work: Callable[[int, int], T], edges: Ints) -> list[T]:
        """See `Kernels.map_ranges`; on the CPU."""
        return self._cpu.map_ranges(work, edges)

    def map_rows(self, work: Callable[[int, int], Any], n_rows: int) -> None:
        """See `Kernels.map_rows`; on the CPU."""
        self._cpu.map_rows(work, n_rows)

    def transpose(self, x: SparseRows) -> SparseRows:
        """See `Kernels.transpose`; on the CPU."""
        return self._cpu.transpose(x)

    def count_columns(self, x: SparseRows) -> Ints:
        """See `Kernels.count_columns`; on the CPU."""
        return self._cpu.count_columns(x)

    def tfidf(self, x: SparseRows, idf: Floats, dtype: Any) -> NDArray[Any]:
        """See `Kernels.tfidf`; on the CPU."""
        return self._cpu.tfidf(x, idf, dtype)

    def sum_log_ratios(self, x: SparseRows, log_columns: Floats) -> Floats:
        """See `Kernels.sum_log_ratios`; on the CPU."""
        return self._cpu.sum_log_ratios(x, log_columns)

    def block_sums(self, x: SparseRows, rows: Labels, columns: Labels, n_rows: int, n_columns: int) -> Floats:
        """See `Kernels.block_sums`."""
        if not _fits(n_rows, n_columns, wide=True):
            return self._cpu.block_sums(_host_rows(x), _host(rows), _host(columns), n_rows, n_columns)
        import cupy

        labels = _labels_on_device(rows)
        sums = cupy.zeros((n_rows, n_columns), dtype=np.int64)
        scale = 1.0
        for first, matrix in self._matrices.parts(x):
            self._sum(matrix, first, columns, None, (n_rows, n_columns), labels, sums)
            scale = matrix.fixed.scale
        return np.asarray(sums.get() / scale)

    def assign_rows(self, x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats]:
        """See `Kernels.assign_rows`."""
        n_columns, n_clusters = table.shape
        if not _fits(n_clusters, n_columns, wide=True):
            return self._cpu.assign_rows(_host_rows(x), _host(columns), _host(table))
        import cupy

        labels, best = cupy.empty(len(x), dtype=np.int32), cupy.empty(len(x))
        weights = placement.contiguous(table, np.float64)
        for first, matrix in self._matrices.parts(x):
            rows = slice(first, first + matrix.n_rows)
            self._update(
                matrix, columns, weights, n_clusters, n_columns, labels=labels[rows], best=best[rows]
            )
        return labels.get(), best.get()

    def assign_and_sum(self, x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats | None]:
        """See `Kernels.assign_and_sum`; the labels are read-only, since their copy on the GPU is kept."""
        n_columns, n_clusters = table.shape
        if not _fits(n_clusters, n_columns, wide=True):
            return self._cpu.assign_and_sum(_host_rows(x), _host(columns), _host(table))
        import cupy

        labels = cupy.empty(len(x), dtype=np.int32)
        host_copy = placement.HostCopy(labels)
        sums = cupy.zeros((n_clusters, n_columns), dtype=np.int64)
        weights = placement.contiguous(table, np.float64)
        any_gain = bool((_host(table) > 0).any())
        scale = 1.0
        for first, matrix in self._matrices.parts(x):
            size = n_clusters, n_columns
            self._sum(matrix, first, columns, weights, size, labels, sums, host_copy, any_gain=any_gain)
            scale = matrix.fixed.scale
        on_host = host_copy.finish()
        on_host.flags.writeable = False
        placement.remember(on_host, labels)
        return on_host, np.asarray(sums.get() / scale)

    def score_rows(self, x: SparseRows, columns: Labels, table: Floats) -> Floats:
        """See `Kernels.score_rows`."""
        n_columns, n_clusters = table.shape
        if not _fits(n_clusters, n_columns, wide=True):
            return self._cpu.score_rows(_host_rows(x), _host(columns), _host(table))
        scores = device.allocate((len(x), n_clusters), np.float64, "the scores")
        weights = placement.contiguous(table, np.float64)
        for first, matrix in self._matrices.parts(x):
            rows = slice(first, first + matrix.n_rows)
            self._update(matrix, columns, weights, n_clusters, n_columns, scores=scores[rows])
        return np.asarray(scores.get())

    def _update(
        self,
        matrix: DeviceRows,
        columns: Labels,
        table: Any | None,
        n_clusters: int,
        n_columns: int,
        *,
        labels: Any = NULL,
        best: Any = NULL,
        scores: Any = NULL,
        sums: Any = NULL,
    ) -> None:
        """Run `update_rows` on a matrix, after the sums of its long rows."""
        column_labels = _narrow_labels(columns, n_columns)
        wide = not matrix.fixed.narrow
        kind = f"<{c_type(matrix.values.dtype)}, {c_type(column_labels.dtype)}, {str(wide).lower()}>"
        slots, slot_sums = self._sum_long_rows(matrix, column_labels, n_columns, kind)
        table_size, has_sums = n_clusters * n_columns * 8, sums is not NULL
        per_warp = n_columns * ROWS_PER_WARP * (8 + 4 * (1 + wide))
        budget = device.shared_memory() - per_warp * WARPS
        shared_table = table is not None and table_size <= budget // 3
        shared_sums = has_sums and table_size * (1 + shared_table) <= budget // 2
        fixed = table_size * (shared_table + shared_sums)
        warps = max(1, min(WARPS, (device.shared_memory() - fixed) // per_warp))
        size = fixed + warps * per_warp
        function = kernel(f"update_rows{kind}")
        function.max_dynamic_shared_size_bytes = size
        batches = -(-matrix.n_rows // ROWS_PER_WARP)
        per_multiprocessor = max(1, min(48 // warps, device.shared_memory() // size))
        blocks = max(1, min(-(-batches // warps), device.n_multiprocessors() * per_multiprocessor))
        function(
            (blocks,),
            (32 * warps,),
            (
                matrix.values,
                matrix.columns,
                matrix.starts,
                np.int64(matrix.n_rows),
                column_labels,
                NULL if table is None else table,
                np.int32(n_columns),
                np.int32(n_clusters),
                np.float64(matrix.fixed.scale),
                slots,
                slot_sums,
                labels,
                best,
                scores,
                sums,
                np.int32(shared_table),
                np.int32(shared_sums),
            ),
            shared_mem=size,
        )

    def _sum(
        self,
        matrix: DeviceRows,
        first: int,
        columns: Labels,
        table: Any | None,
        size: tuple[int, int],
        labels: Any,
        sums: Any,
        host_copy: placement.HostCopy | None = None,
        *,
        any_gain: bool = False,
    ) -> None:
        """Add the block sums of a matrix from row `first` on; with a table its labels are found first.

        Labels go to their copy on the host as soon as they are found. `any_gain`: some numbers of the table
        are above 0.
        """
        n_clusters, n_columns = size
        fixed, rows = matrix.fixed, slice(first, first + matrix.n_rows)
        is_narrow = fixed.narrow and not fixed.signed and matrix.long_rows is None and n_columns < NO_LABEL
        if not is_narrow or n_clusters > 32 or any_gain:
            self._update(matrix, columns, table, n_clusters, n_columns, labels=labels[rows], sums=sums)
            if host_copy is not None:
                host_copy.copy(rows)
            return
        # the matrix units take 16 column clusters and 8 clusters at a time
        padded, tiles = -(-n_columns // 16) * 16, -(-n_clusters // 8)
        per_warp = 4 * ROWS_PER_WARP * padded
        # weights and sums
        shared = 32 * padded * tiles + 16 * -(-n_clusters * n_columns // 4)
        budget = device.shared_memory() - STATIC_MEMORY - shared
        warps = min(MOST_WARPS, (budget - matrix.n_columns) // per_warp)
        # with few warps on a multiprocessor it would wait for its memory
        is_cached = warps >= WARPS and matrix.n_columns <= BLOCK_COLUMNS
        if is_cached:
            shared += matrix.n_columns
        else:
            warps = max(1, min(MOST_WARPS, budget // per_warp))
        shared += warps * per_warp
        function = kernel(f"update_narrow<{'PackedEntries' if is_cached else 'PlainEntries'}>")
        function.max_dynamic_shared_size_bytes = shared
        per_multiprocessor = max(1, min(2, device.shared_memory() // shared))
        # so often that 32 bits are enough for the sums of a block
        flush = 2**31 // (ROWS_PER_WARP * warps * LONG_ROW * max(int(fixed.largest), 1))
        column_labels = _narrow_labels(columns, n_columns)
        for begin, end in _cut_rows(matrix.n_rows, 1 if host_copy is None else COPIED_PARTS):
            batches = -(-(end - begin) // ROWS_PER_WARP)
            blocks = max(1, min(-(-batches // warps), device.n_multiprocessors() * per_multiprocessor))
            rows = slice(first + begin, first + end)
            function(
                (blocks,),
                (32 * warps,),
                (
                    NULL if is_cached else matrix.values,
                    matrix.packed if is_cached else matrix.columns,
                    matrix.starts[begin : end + 1],
                    np.int64(end - begin),
                    column_labels,
                    np.int32(matrix.n_columns),
                    NULL if table is None else table,
                    np.int32(n_columns),
                    np.int32(n_clusters),
                    labels[rows],
                    sums,
                    np.int32(min(flush, 2**30)),
                ),
                shared_mem=shared,
            )
            if host_copy is not None:
                host_copy.copy(rows)

    def _sum_long_rows(self, matrix: DeviceRows, columns: Any, n_columns: int, kind: str) -> tuple[Any, Any]:
        """Return the slot of every row, and the sums of the rows with a slot over the column clusters."""
        if matrix.long_rows is None:
            return NULL, NULL
        if matrix.fixed.narrow and n_columns < 32 and len(matrix.values) > MIDDLE_ROW * matrix.n_rows:
            return self._sum_column_blocks(matrix, columns, n_columns)
        import cupy

        starts, ends, owner, slots = matrix.long_rows
        sums = cupy.zeros((int(owner[-1]) + 1, n_columns), dtype=np.int64)
        size = 4 * (n_columns | 1) * COPIES * WARPS * (1 if matrix.fixed.narrow else 2)
        function = kernel(f"sum_chunks{kind}")
        function.max_dynamic_shared_size_bytes = size
        per_multiprocessor = max(1, min(64 // WARPS, device.shared_memory() // max(size, 1)))
        blocks = max(1, min(-(-len(starts) // WARPS), device.n_multiprocessors() * per_multiprocessor))
        function(
            (blocks,),
            (32 * WARPS,),
            (
                matrix.values,
                matrix.columns,
                starts,
                ends,
                owner,
                np.int32(len(starts)),
                columns,
                np.int32(n_columns),
                np.float64(matrix.fixed.scale),
                sums,
            ),
            shared_mem=size,
        )
        return slots, sums

    def _sum_column_blocks(self, matrix: DeviceRows, columns: Any, n_columns: int) -> tuple[Any, Any]:
        """Do the same for all rows, with the labels of a block of columns in shared memory."""
        import cupy

        blocks = matrix.column_blocks
        n_blocks = len(blocks.block_starts) - 1
        # the labels of a block of columns, read four words at a time
        n_words, threads = 4 * -(-BLOCK_COLUMNS // (4 * LABELS_IN_WORD)), placement.THREADS
        words = cupy.empty(n_blocks * n_words, dtype=np.uint32)
        sizes = np.int64(len(columns)), np.int32(n_columns), np.int32(BLOCK_COLUMNS), np.int32(n_words)
        arguments = columns, *sizes, np.int64(len(words)), words
        kernel("pack_labels")((-(-len(words) // threads),), (threads,), arguments)
        sums = cupy.zeros((matrix.n_rows, n_columns), dtype=np.int64)
        warps = 32
        size = 4 * (n_words + ((n_columns + 1) | 1) * COPIES * warps)
        function = kernel("sum_column_blocks")
        function.max_dynamic_shared_size_bytes = size
        function(
            (device.n_multiprocessors(),),
            (32 * warps,),
            (
                matrix.packed,
                *blocks,
                np.int32(n_blocks),
                words,
                np.int32(n_words),
                np.int32(n_columns),
                sums,
            ),
            shared_mem=size,
        )
        return cupy.arange(matrix.n_rows, dtype=np.int32), sums

    # --- products ---

    def product(self, x: SparseRows, dense: Dense, *, placed: bool = False) -> Floats:
        """See `Kernels.product`."""
        single = is_single(x)
        out = None
        for columns, thin in _slices(dense, single=single):
            for first, matrix in self._matrices.parts(x):
                part = _multiply_part(matrix, thin)
                # the usual case is one part, which is the result
                if part.shape == (len(x), dense.shape[1]):
                    return _like(part, dense)
                if out is None:
                    out = device.allocate((len(x), dense.shape[1]), part.dtype, "the product")
                out[first : first + matrix.n_rows, columns] = part
        return _like(out, dense)

    def transposed_product(self, x: SparseRows, dense: Dense) -> Floats:
        """See `Kernels.transposed_product`; the sums are float64."""
        import cupy

        out = cupy.zeros((x.n_columns, dense.shape[1]))
        for columns, thin in _slices(dense, single=is_single(x)):
            for first, matrix in self._matrices.parts(x):
                values, rows, chunks = matrix.transposed
                part = thin.rows(first, first + matrix.n_rows)
                out[:, columns] += _multiply_chunks(values, rows, chunks, part)
        return _like(out, dense)

    def overlap(self, left: Dense, right: Dense) -> Floats:
        """See `Kernels.overlap`; the result is small and on the host."""
        pair = (placement.copy_to_device(each) for each in (left, right))
        return np.asarray(placement.overlap(*pair).get())

    def nearest(self, queries: Ints, rows: NDArray[np.float32], count: int) -> Ints:
        """See `Kernels.nearest`; once for a fit, so the CPU does it."""
        return self._cpu.nearest(queries, rows, count)

    def step(self, G: Floats, slope: SplitGradient, tolerance: float, floor: float, *, root: bool) -> Floats:
        """See `Kernels.step`."""
        if G.shape[1] > placement.WIDEST:
            on_host = type(slope)(**{name: _host(part) for name, part in vars(slope).items()})
            wide: Floats = self._cpu.step(_host(G), on_host, tolerance, floor, root=root)
            placed: Floats = placement.contiguous(wide) if is_on_device(G) else wide
            return placed
        import cupy

        n, width = G.shape
        present = placement.contiguous(G, np.float64)
        left, right, plus, minus = (
            cupy.asarray(each, dtype=np.float64)
            for each in (slope.left, slope.right, slope.plus, slope.minus)
        )
        b = present @ plus
        a = present @ minus if slope.minus.any() else cupy.zeros_like(b)
        further = [
            NULL if part is None else placement.contiguous(part, np.float64)
            for part in (slope.further_gain, slope.further_loss)
        ]
        arguments = present, left @ right, a, b, *further, np.float64(TINY_GAIN)
        least = placement.launch_columns("prepare_step", arguments, n, width)[0].max(axis=0).get()
        # a few numbers for each column: the host is faster with them
        multiplier = np.asarray(slope.lead, dtype=np.float64)
        for _ in range(NEWTON_STEPS):
            used = cupy.asarray(multiplier)
            sums = placement.launch_columns("sum_newton", (a, b, used), n, width, results=2)
            total, curve = sums.sum(axis=1).get()
            if np.all(np.abs(total - 1.0) <= tolerance):
                break
            # as on the CPU: below `least` the largest summand alone is above 1
            following = np.where(multiplier < least, least, multiplier + (total - 1.0) * total / curve)
            multiplier = np.maximum(following, least)
        result = cupy.empty_like(present)
        arguments = present, a, b, used, np.int32(root), result
        squares = placement.launch_columns("finish_step", arguments, n, width)[0].sum(axis=0)
        sizes = np.float64(floor), np.int64(n), np.int32(width)
        threads = placement.THREADS
        arguments = result, cupy.sqrt(squares), *sizes
        kernel("scale_columns")((-(-n * width // threads),), (threads,), arguments)
        return _like(result, G)

    # --- links and single moves, on the CPU ---

    def divergences(self, links: Links, left: SmallInts, right: SmallInts) -> Floats:
        """See `Kernels.divergences`."""
        return self._cpu.divergences(links, left, right)

    def link_tables(
        self, links: Links, labels: Labels, n_clusters: int, known: LinkTables | None = None
    ) -> LinkTables:
        """See `Kernels.link_tables`."""
        return self._cpu.link_tables(links, labels, n_clusters, known)

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
        return self._cpu.run_icm(links, known, cost, labels, order, max_rounds)

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
        return self._cpu.polish_rows(_host_rows(x), rows, columns, table, blocks, scale, order)


def _fits(n_clusters: int, n_columns: int, *, wide: bool) -> bool:
    """Return whether the sums of one warp's rows, and of a chunk for every warp, fit into shared memory."""
    per_warp = n_columns * ROWS_PER_WARP * (8 + 4 * (1 + wide))
    return max(per_warp, 4 * (n_columns | 1) * COPIES * WARPS * (1 + wide)) <= device.shared_memory()


def _cut_rows(n_rows: int, n_parts: int) -> list[tuple[int, int]]:
    """Cut rows into parts of about equal size, which are not too small."""
    n_parts = max(1, min(n_parts, n_rows // MIN_PART))
    edges = [n_rows * part // n_parts for part in range(n_parts + 1)]
    return list(pairwise(edges))


def _narrow_labels(labels: Labels, n_clusters: int) -> Any:
    """Return labels on the GPU, as bytes where they fit, so that more of them are in the cache."""
    on_device = _labels_on_device(labels)
    # -1 becomes NO_LABEL
    return on_device if n_clusters >= NO_LABEL else on_device.astype(np.uint8)


def _labels_on_device(labels: Labels) -> Any:
    known = placement.remembered(labels)
    return placement.contiguous(labels if known is None else known, np.int32)


class ThinMatrix(NamedTuple):
    """A thin matrix as the kernels read it: packed, or with rows that are a multiple of four numbers."""

    data: Any
    width: int
    is_packed: bool

    @classmethod
    def of(cls, dense: Any, *, single: bool) -> ThinMatrix:
        """Copy an array to the GPU; for products in single precision it is packed."""
        import cupy

        n, width = dense.shape
        if not single:
            padded = placement.contiguous(dense, np.float64)
            if width % 4:
                padded = cupy.zeros((n, width + -width % 4))
                padded[:, :width] = placement.contiguous(dense)
            return cls(padded, width, is_packed=False)
        rows, n_groups = placement.contiguous(dense), -(-width // 5)
        packed = cupy.empty((n, 4 * n_groups), dtype=np.uint32)
        if n * n_groups:
            sizes = np.int64(n), np.int32(width), np.int64(width), np.int32(n_groups)
            blocks = -(-n * n_groups // placement.THREADS)
            function = kernel(f"pack_rows<{c_type(rows.dtype)}>")
            function((blocks,), (placement.THREADS,), (rows, packed, *sizes))
        return cls(packed, width, is_packed=True)

    def rows(self, first: int, last: int) -> ThinMatrix:
        """Return a range of rows."""
        return self._replace(data=self.data[first:last])


def _slices(dense: Any, *, single: bool) -> Iterator[tuple[slice, ThinMatrix]]:
    """Yield slices of columns with the thin matrix of each."""
    for first in range(0, dense.shape[1], WIDEST):
        columns = slice(first, min(first + WIDEST, dense.shape[1]))
        yield columns, ThinMatrix.of(dense[:, columns], single=single)


def _multiply(values: Any, columns: Any, starts: Any, thin: ThinMatrix) -> Any:
    """Multiply a sparse matrix with a thin one."""
    n, stride = len(starts) - 1, thin.data.shape[1]
    kind = np.float32 if thin.is_packed else np.float64
    out = device.allocate((n, thin.width), kind, "the product")
    if n and thin.width:
        if thin.is_packed:
            # in groups of 16 bytes, of which a block takes 32
            n_groups, tile = stride // 4, 32
            name, stride = f"multiply_packed<{n_groups if n_groups <= MOST_GROUPS else 0}>", n_groups
        else:
            name, tile = f"multiply_rows<{c_type(values.dtype)}>", 128
        sizes = np.int32(thin.width), np.int32(stride)
        arguments = values, columns, starts, np.int64(n), thin.data, out, *sizes
        kernel(name)((-(-n // WARPS), -(-stride // tile)), (32 * WARPS,), arguments)
    return out


def _multiply_part(matrix: DeviceRows, thin: ThinMatrix) -> Any:
    """Multiply one part of a matrix, which has long rows or not."""
    if matrix.row_chunks is None:
        return _multiply(matrix.values, matrix.columns, matrix.starts, thin)
    result = _multiply_chunks(matrix.values, matrix.columns, matrix.row_chunks, thin)
    return result.astype(np.float32) if thin.is_packed else result


def _multiply_chunks(values: Any, columns: Any, chunks: Chunks, thin: ThinMatrix) -> Any:
    """Multiply chunk by chunk, and add the chunks of every owner in their order, in float64."""
    import cupy

    width, n_owners = thin.width, len(chunks.owners) - 1
    parts = _multiply(values, columns, chunks.starts, thin)
    out = cupy.zeros((n_owners, width))
    if n_owners and width:
        threads = width * max(1, placement.THREADS // width)
        arguments = parts, chunks.order, chunks.owners, out, np.int32(width)
        kernel(f"add_chunks<{c_type(parts.dtype)}>")(
            (n_owners,), (threads,), arguments, shared_mem=8 * threads
        )
    return out


def _like(result: Any, argument: Any) -> Floats:
    """Return a result of the GPU where the argument is."""
    placed: Floats = result.get() if isinstance(argument, np.ndarray) else result
    return placed


def _host(array: Any) -> Any:
    return array if array is None or isinstance(array, np.ndarray) else array.get()


def _host_rows(x: SparseRows) -> SparseRows:
    return type(x)(_host(x.data), _host(x.indices), _host(x.indptr), x.n_columns)
