"""The interface of a back end: arrays in, arrays out, no validation.

Multiplicative updates write half the gradient of a function of G ≥ 0 as loss − gain, neither ever negative.
The function lies below Σ b·x² − 2·a·log x + constant with a = gain·G and b = loss/G, and touches it at G; the
proof is in docs/methods/tnmf.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from scipy.sparse import csr_array

from colligate._array import SUM_ROWS, add_parts, count_sum_rows, sum_edges
from colligate.shards.matrix import ShardedColumns, ShardedMatrix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from colligate.kernels.links import Floats, Ints, Labels, Links, LinkTables, SmallInts

    Dense = NDArray[np.floating[Any]]

T = TypeVar("T")

MAX_MOVES = 250
"""A round of `Kernels.run_icm` ends after so many moves of objects with implied links."""
MOVE_TOLERANCE = 1e-12
"""An object moves if another cluster is cheaper by more than this share of its present cost."""
TINY_GAIN = 1e-250
"""Added to every gain in a step, so that a column without any can still be brought to unit length."""
NEWTON_STEPS = 50
RANGE_ENTRIES, MAX_RANGES = 2**17, 128
"""A thread computes at least so many entries at a time, and a matrix has at most so many ranges of rows."""
COLUMN_BLOCK = SUM_ROWS
"""Rows of a block that is kept by columns: a dense factor of so many rows stays in the cache of a core."""


def cut_rows(indptr: NDArray[Any], n_ranges: int, cost_of_row: int = 0) -> Ints:
    """Return the edges of at most so many ranges of rows with about equal work.

    A row costs its entries, and `cost_of_row`.
    """
    n_rows = len(indptr) - 1
    total = int(indptr[-1]) - int(indptr[0]) + cost_of_row * n_rows
    targets = int(indptr[0]) + np.linspace(0, total, n_ranges + 1)[1:-1]
    # binary search for all edges at once: sums of the work of every row would take longer than the search
    low, high = np.zeros(len(targets), dtype=np.int64), np.full(len(targets), n_rows)
    while np.any(low < high):
        middle = (low + high) // 2
        is_before = indptr[middle] + cost_of_row * middle < targets
        low, high = np.where(is_before, middle + 1, low), np.where(is_before, high, middle)
    return np.unique(np.concatenate([[0], low, [n_rows]])).astype(np.int64)


def cut_entries(indptr: NDArray[Any]) -> Ints:
    """Return the edges of ranges of rows whose entries fit a cache, whatever the number of threads."""
    n_entries = int(indptr[-1])
    return cut_rows(indptr, max(1, n_entries // max(RANGE_ENTRIES, n_entries // MAX_RANGES)))


@dataclass(frozen=True, eq=False)
class SparseRows:
    """A sparse matrix by rows: `data` (float32 or float64), `indices` (int32 or int64), `indptr` (int64).

    The column numbers of every row ascend. `blocks` has, where it is made, each `COLUMN_BLOCK` rows once
    more, transposed, for `transposed_product`. Sums over rows have parts of `sum_rows` rows, which are added
    by `add_parts`; 0 leaves their size to the number of rows. `known_cuts` are for `cut`.
    """

    data: NDArray[Any]
    indices: NDArray[Any]
    indptr: Ints
    n_columns: int
    blocks: tuple[SparseRows, ...] = ()
    sum_rows: int = 0
    known_cuts: dict[tuple[int, int], Ints] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, matrix: csr_array) -> SparseRows:
        """Share the arrays of a CSR matrix; one whose rows are not sorted is copied.

        A matrix whose rows are on the workers of a cluster has its own form of rows.
        """
        if isinstance(matrix, ShardedMatrix | ShardedColumns):
            from colligate.kernels.sharded import make_sharded_rows

            return make_sharded_rows(matrix)
        # `transposed_product` finds columns by binary search, so the column numbers of a row must ascend
        matrix = matrix if matrix.has_sorted_indices else matrix.sorted_indices()
        # one integer type for indptr: a second one would compile every Numba kernel again
        return cls(matrix.data, matrix.indices, matrix.indptr.astype(np.int64), int(matrix.shape[1]))

    def with_blocks(self, kernels: Kernels | None = None) -> SparseRows:
        """Return the matrix with a copy by columns, for many transposed products.

        Blocks are made on the threads of the kernels, if there are any.
        """
        edges = np.append(np.arange(0, len(self), self.block_rows), len(self))
        if kernels is None:
            return replace(self, blocks=tuple(map(self._transpose_block, edges[:-1].tolist())))
        blocks = kernels.map_ranges(lambda first, _: self._transpose_block(first), edges)
        return replace(self, blocks=tuple(blocks))

    def _transpose_block(self, first: int) -> SparseRows:
        indptr = self.indptr[first : first + self.block_rows + 1]
        entries = slice(indptr[0], indptr[-1])
        shape = (len(indptr) - 1, self.n_columns)
        rows = csr_array((self.data[entries], self.indices[entries], indptr - indptr[0]), shape=shape)
        columns = rows.tocsc()
        # the type of the row numbers of all blocks: another one would compile the kernel again
        indices = columns.indices.astype(self.indices.dtype, copy=False)
        return SparseRows(columns.data, indices, columns.indptr.astype(np.int64), shape[0])

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def cut(self, n_ranges: int, cost_of_row: int = 0) -> Ints:
        """Do as `cut_rows`, and keep the edges: every sweep asks for them again."""
        key = n_ranges, cost_of_row
        if key not in self.known_cuts:
            self.known_cuts[key] = cut_rows(self.indptr, n_ranges, cost_of_row)
        return self.known_cuts[key]

    def between(self, start: int, stop: int) -> SparseRows:
        """Return some rows, which share the entries."""
        indptr = self.indptr[start : stop + 1]
        entries = slice(indptr[0], indptr[-1])
        return SparseRows(self.data[entries], self.indices[entries], indptr - indptr[0], self.n_columns)

    @property
    def sum_edges(self) -> Ints:
        """Where the parts of sums over the rows start, and where the last ends."""
        return sum_edges(len(self), self.sum_rows or count_sum_rows(len(self)))

    @property
    def block_rows(self) -> int:
        """The rows of a block: a part of a sum consists of whole blocks."""
        return min(COLUMN_BLOCK, self.sum_rows or count_sum_rows(len(self)))

    def row_sums(self) -> Floats:
        """Sum every row."""
        # reduceat gives an empty row the first entry of the next one, hence the factor
        has_entry = np.diff(self.indptr) > 0
        return np.asarray(np.add.reduceat(np.append(self.data, 0.0), self.indptr[:-1]) * has_entry)

    def column_sums(self, weights: Floats | None = None) -> Floats:
        """Sum every column, with its entries times the weight of the column if there are weights."""

        def sum_part(start: int, stop: int) -> Floats:
            entries = slice(self.indptr[start], self.indptr[stop])
            columns, data = self.indices[entries], self.data[entries]
            values = data if weights is None else np.asarray(data * weights[columns], dtype=np.float64)
            return np.asarray(np.bincount(columns, values, self.n_columns), dtype=np.float64)

        edges = self.sum_edges
        total: Floats = add_parts(map(sum_part, edges[:-1].tolist(), edges[1:].tolist()))
        return total

    def matrix(self) -> csr_array:
        """Return the rows as a SciPy matrix that shares their entries."""
        # SciPy would copy the indices if `indptr` were of another type
        fits = self.indptr[-1] <= np.iinfo(self.indices.dtype).max
        indptr = self.indptr.astype(self.indices.dtype) if fits else self.indptr
        matrix = csr_array((self.data, self.indices, indptr), shape=(len(self), self.n_columns))
        matrix.has_sorted_indices = True
        return matrix


class Kernels(Protocol):
    """The operations. Labels are int32, with -1 for no cluster; sums are taken in float64.

    Arrays are those of NumPy, of CuPy on a GPU, or have rows on workers (`ShardedArray`); large results are
    where the dense argument is.
    """

    @property
    def host(self) -> Kernels:
        """The kernels on the CPU: what they compute does not depend on the device."""
        ...

    def place(self, array: Any) -> Any:
        """Return an array where the back end computes; on the CPU it is the array itself."""
        ...

    def place_rows(self, array: Any, x: SparseRows) -> Any:
        """Return an array, which has a row for each row of x, where these rows are."""
        ...

    def run_side_by_side(self, tasks: Iterable[Callable[[], T]], max_running: int) -> list[T]:
        """Run tasks that do not depend on each other, and return their results in order.

        The tasks use these kernels. On several threads of the CPU, up to `max_running` run side by side. The
        iterable is read in the thread of the caller, each task not long before a thread is free for it: so
        it can draw random numbers in order, report progress, and end the tasks by an exception.
        """
        ...

    def map_ranges(self, work: Callable[[int, int], T], edges: Ints) -> list[T]:
        """Call `work(start, stop)` for the range between each two edges; return the results in order.

        On several threads of the CPU, ranges are worked on side by side.
        """
        ...

    def map_rows(self, work: Callable[[int, int], Any], n_rows: int) -> None:
        """Call `work(start, stop)`, which does the same for any ranges, for few ranges of all rows."""
        ...

    def transpose(self, x: SparseRows) -> SparseRows:
        """Return the columns as rows, each in the order of the rows of x."""
        ...

    def count_columns(self, x: SparseRows) -> Ints:
        """Count the entries of every column."""
        ...

    def tfidf(self, x: SparseRows, idf: Floats, dtype: Any) -> NDArray[Any]:
        """Return (1 + log entry)·idf, or entry·idf below 1, of every entry, with rows at unit length."""
        ...

    def sum_log_ratios(self, x: SparseRows, log_columns: Floats) -> Floats:
        """Sum entry·(log entry − log_columns) over every row."""
        ...

    def block_sums(self, x: SparseRows, rows: Labels, columns: Labels, n_rows: int, n_columns: int) -> Floats:
        """Sum the entries over (row cluster, column cluster)."""
        ...

    def assign_rows(self, x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats]:
        """Return for each row the cluster k with the largest Σ_l T[row, l]·table[l, k], and that score.

        T sums a row's entries over the column clusters and is never stored. A row without entries gets -1.
        """
        ...

    def assign_and_sum(self, x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats | None]:
        """Return the labels of `assign_rows`, and the `block_sums` of them and the columns.

        The sums are None where they would need another pass over the matrix. The labels must not be changed.
        """
        ...

    def score_rows(self, x: SparseRows, columns: Labels, table: Floats) -> Floats:
        """Compute the scores of `assign_rows` for every row and cluster."""
        ...

    def product(self, x: SparseRows, dense: Dense, *, placed: bool = False) -> Floats:
        """Multiply the sparse matrix with a tall and thin one; float32 in both halves the time.

        With `placed`, the result is where `place_rows` puts arrays.
        """
        ...

    def transposed_product(self, x: SparseRows, dense: Dense) -> Floats:
        """Multiply the transposed sparse matrix with a tall and thin one."""
        ...

    def overlap(self, left: Dense, right: Dense) -> Floats:
        """Multiply a tall and thin matrix, transposed, with another of its type."""
        ...

    def nearest(self, queries: Ints, rows: NDArray[np.float32], count: int) -> Ints:
        """Return for each query, the number of a row, the `count` other rows with the largest inner product.

        Their numbers ascend. Of equals, those count that come first after the query, as if the last row were
        followed by the first: so the neighbours of rows that are equally far from all are not the same.
        """
        ...

    def step(self, G: Floats, slope: SplitGradient, tolerance: float, floor: float, *, root: bool) -> Floats:
        """Take a multiplicative step from G, whose columns have unit length, along a split gradient.

        With `root`, to the minimum x of the function that touches at G (see the module) among columns of unit
        length; without, to x²/G, which is a longer step. The squares of x add up to 1 within `tolerance`.
        Columns are then brought to unit length, and no entry is below `floor`.
        """
        ...

    def divergences(self, links: Links, left: SmallInts, right: SmallInts) -> Floats:
        """Compute the symmetric divergence of each listed pair of objects."""
        ...

    def link_tables(
        self, links: Links, labels: Labels, n_clusters: int, known: LinkTables | None = None
    ) -> LinkTables:
        """Compute the tables of links for labels; with `known` only where the labels differ from its own."""
        ...

    def run_icm(
        self,
        links: Links,
        known: LinkTables | None,
        cost: Floats,
        labels: Labels,
        order: Ints,
        max_rounds: int,
    ) -> LinkTables:
        """Run iterated conditional modes on the labels, in place, until no object moves; return the tables.

        `cost` has the cost of each cluster for each object without links; `known` is as in `link_tables`. A
        round finds all objects with a cheaper cluster, and then moves them in `order`, each to the cluster
        that is the cheapest at its turn. So every move lowers the energy by more than rounding, and objects
        that stay need one pass over the tables. With implied links a round ends after `MAX_MOVES` moves.
        """
        ...

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
        """Move single rows, in `order`, where that raises the kept information; return the number of moves.

        `table` has the masses per (row cluster, column cluster) and is updated with `rows`. Relation r has
        its columns blocks[r] to blocks[r + 1] and the weight scale[r]. The last row of a cluster stays.
        """
        ...


@dataclass(frozen=True, eq=False)
class SplitGradient:
    """gain = C⁺ + G·minus + further_gain and loss = C⁻ + G·plus + further_loss, with C = left·right.

    C has the shape of G and is not formed as a whole. The further parts have that shape too, or are None.
    `lead` has Σ (gain − loss)·G by columns, which is the multiplier λ where G no longer changes.
    """

    left: Floats
    right: Floats
    plus: Floats
    minus: Floats
    lead: Floats
    further_gain: Floats | None = None
    further_loss: Floats | None = None

    def parts(self, G: Floats) -> tuple[Floats, Floats]:
        """Return gain and loss at G."""
        C = self.left @ self.right
        gain = np.maximum(C, 0.0) + G @ self.minus
        loss = np.maximum(-C, 0.0) + G @ self.plus
        if self.further_gain is not None:
            gain += self.further_gain
        if self.further_loss is not None:
            loss += self.further_loss
        return gain, loss


def reference_step(G: Floats, slope: SplitGradient, tolerance: float, floor: float, *, root: bool) -> Floats:
    """Compute `Kernels.step` by its definition.

    x² = a/(b + λ_k), and the multiplier λ_k is such that these add up to 1. The reciprocal of their sum is
    concave in λ, so Newton's method on it lands below the solution and then approaches it from below. It
    starts from `lead`, or from where the largest summand alone is 1, if that is more.
    """
    gain, loss = slope.parts(G)
    gain += TINY_GAIN
    a, b = gain * G, loss / G
    least = (a - b).max(axis=0)
    multiplier = np.maximum(least, slope.lead)
    for _ in range(NEWTON_STEPS):
        # below a only by rounding
        denominator = np.maximum(b + multiplier, a)
        squares = a / denominator
        total = squares.sum(axis=0)
        if np.all(np.abs(total - 1.0) <= tolerance):
            break
        multiplier = np.maximum(
            multiplier + (total - 1.0) * total / (squares / denominator).sum(axis=0), least
        )
    x = np.sqrt(squares) if root else squares / G
    # the floor comes last: a multiplicative step could never leave an exact 0
    return np.asarray(np.maximum(x / np.sqrt(np.square(x).sum(axis=0)), floor))
