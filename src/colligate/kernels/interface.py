"""What a back end offers: arrays in, arrays out, no validation, no classes with behaviour.

The slope of a function of non-negative memberships, in two parts, and a step down it by factors.

A function of tall and thin G ≥ 0, with half its gradient written as loss − gain, neither ever negative, lies
below Σ b·x² − 2·a·log x + constant with a = gain·G and b = loss/G, and touches it at G: docs/methods/tnmf.md
has the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.kernels.links import Floats, Ints, Labels, Links, LinkTables, SmallInts


# a round of `Kernels.run_icm` ends after so many moves of objects with implied links
MAX_MOVES = 250
# by which share of its present cost another cluster must be cheaper for an object to move
MOVE_TOLERANCE = 1e-12
# what a step adds to every gain, so that a column without any can still be brought to unit length
TINY_GAIN = 1e-250
NEWTON_STEPS = 50


@dataclass(frozen=True, eq=False)
class SparseRows:
    """A sparse matrix by rows: `data` (float32 or float64), `indices` (int32 or int64), `indptr` (int64).

    The column numbers of every row ascend.
    """

    data: NDArray[Any]
    indices: NDArray[Any]
    indptr: Ints
    n_columns: int

    @classmethod
    def of(cls, matrix: csr_array) -> SparseRows:
        """Take over the arrays of a CSR matrix; one whose rows are not in order is copied."""
        matrix = matrix if matrix.has_sorted_indices else matrix.sorted_indices()
        return cls(matrix.data, matrix.indices, matrix.indptr.astype(np.int64), int(matrix.shape[1]))

    def __len__(self) -> int:
        return len(self.indptr) - 1


class Kernels(Protocol):
    """The operations. Labels are int32, -1 stands for no cluster; every sum is taken in float64."""

    def block_sums(self, x: SparseRows, rows: Labels, columns: Labels, n_rows: int, n_columns: int) -> Floats:
        """Sum the entries over (row cluster, column cluster)."""
        ...

    def assign_rows(self, x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats]:
        """Give each row the cluster k with the largest Σ_l T[row, l]·table[l, k], and that largest score.

        T sums a row's entries over the column clusters and is never stored. A row with no entry gets -1.
        """
        ...

    def score_rows(self, x: SparseRows, columns: Labels, table: Floats) -> Floats:
        """Compute the scores of `assign_rows` for every row and cluster."""
        ...

    def product(self, x: SparseRows, dense: Floats) -> Floats:
        """Multiply the sparse matrix with a tall and thin one."""
        ...

    def transposed_product(self, x: SparseRows, dense: Floats) -> Floats:
        """Multiply the transposed sparse matrix with a tall and thin one."""
        ...

    def overlap(self, left: Floats, right: Floats) -> Floats:
        """Multiply a tall and thin matrix, transposed, with another."""
        ...

    def step(self, G: Floats, slope: SplitGradient, tolerance: float, floor: float, *, root: bool) -> Floats:
        """Move memberships, with columns of unit length, down a slope; see `kernels.slope`.

        With the root, to the lowest point, among columns of unit length, of the function above that touches
        at G. Without, x²/G for x of that point: a longer step. The squares of that point add up to 1 to a
        `tolerance`; columns are then brought to unit length, and entries to `floor` where they are below.
        """
        ...

    def divergences(self, links: Links, left: SmallInts, right: SmallInts) -> Floats:
        """Compute the symmetric divergence of each listed pair of objects."""
        ...

    def link_tables(
        self, links: Links, labels: Labels, n_clusters: int, known: LinkTables | None = None
    ) -> LinkTables:
        """Compute what labels make of links; what `known` labels share with them need not be done again."""
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
        """Move objects to cheaper clusters, labels in place, until none would move; return their tables.

        `cost` is what each cluster costs each object before links; `known` is as in `link_tables`. A round
        finds the objects that would rather be elsewhere, all at once, and then moves them in the given order,
        each by what its clusters cost at its turn. So every move lowers the energy, by more than rounding,
        and objects that would stay cost one pass over tables. Where links are implied, a round ends after
        `MOST_MOVES` moves.
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
        """Move single rows, in `order`, where that raises the information kept; return the number of moves.

        `table` holds the masses per (row cluster, column cluster) and is updated with `rows`. Its columns
        fall into relations: relation r has columns blocks[r] to blocks[r + 1] and counts scale[r] times.
        The last row of a cluster stays.
        """
        ...


@dataclass(frozen=True, eq=False)
class SplitGradient:
    """gain = C⁺ + G·minus + further_gain and loss = C⁻ + G·plus + further_loss, with C = left·right.

    C is as large as G and is not formed. So are the further parts, which are None where there are none.
    `lead` holds Σ (gain − loss)·G by columns: what λ is, below, where G no longer changes.
    """

    left: Floats
    right: Floats
    plus: Floats
    minus: Floats
    lead: Floats
    further_gain: Floats | None = None
    further_loss: Floats | None = None

    def parts(self, G: Floats) -> tuple[Floats, Floats]:
        """Gain and loss at G."""
        C = self.left @ self.right
        gain = np.maximum(C, 0.0) + G @ self.minus
        loss = np.maximum(-C, 0.0) + G @ self.plus
        if self.further_gain is not None:
            gain += self.further_gain
        if self.further_loss is not None:
            loss += self.further_loss
        return gain, loss


def reference_step(G: Floats, slope: SplitGradient, tolerance: float, floor: float, *, root: bool) -> Floats:
    """`Kernels.step` as its definition reads.

    x² = a/(b + λ_k), and λ_k is where these add up to 1. The reciprocal of their sum is concave in λ:
    Newton's method on it lands below the solution and then comes ever closer. It starts from `lead`, or from
    where the largest of the summands alone is 1, if that is more.
    """
    gain, loss = slope.parts(G)
    gain += TINY_GAIN
    a, b = gain * G, loss / G
    least = (a - b).max(axis=0)
    multiplier = np.maximum(least, slope.lead)
    for _ in range(NEWTON_STEPS):
        # never below a, but for rounding
        room = np.maximum(b + multiplier, a)
        squares = a / room
        total = squares.sum(axis=0)
        if np.all(np.abs(total - 1.0) <= tolerance):
            break
        multiplier = np.maximum(multiplier + (total - 1.0) * total / (squares / room).sum(axis=0), least)
    found = np.sqrt(squares) if root else squares / G
    return np.asarray(np.maximum(found / np.sqrt(np.square(found).sum(axis=0)), floor))
