"""What a back end offers: arrays in, arrays out, no validation, no classes with behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Ints = NDArray[np.int64]
Labels = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rows:
    """A sparse matrix by rows: `data` (float32 or float64), `indices` (int32 or int64), `indptr` (int64)."""

    data: NDArray[Any]
    indices: NDArray[Any]
    indptr: Ints
    n_columns: int

    @classmethod
    def of(cls, matrix: csr_array) -> Rows:
        """Take over the arrays of a CSR matrix."""
        return cls(matrix.data, matrix.indices, matrix.indptr.astype(np.int64), int(matrix.shape[1]))

    def __len__(self) -> int:
        return len(self.indptr) - 1


@dataclass(frozen=True, eq=False)
class GroupSums:
    """Sums over the members of each (group, cluster), for all sets of group links.

    A *slot* is a (group, column) that occurs in some member. `s`, `y` are slots × clusters, `count` and
    `self_term` groups × clusters. The `all_` ones sum over the groups of a set that has links apart: `all_s`
    and `all_y` have a row for each (such set, column), `all_count` and `all_self_term` one for each set. The
    fast kernels change them as objects move.
    """

    s: Floats
    y: Floats
    count: Floats
    self_term: Floats
    all_s: Floats
    all_y: Floats
    all_count: Floats
    all_self_term: Floats


@dataclass(frozen=True, eq=False)
class Links:
    """The links of n objects, ready for label updates.

    Listed pairs are a symmetric sparse matrix of energies: `energy` is added to the cost of the cluster in
    which the neighbour sits (negative for together). Implied pairs are memberships in groups. The divergence
    of two objects is ⟨yᵢ − yⱼ, sᵢ − sⱼ⟩ over sparse rows `y` and `s` that share `indptr` and `indices`;
    `self_term` is ⟨yᵢ, sᵢ⟩. Membership m of an object lies in set `member_set[m]`, group `member_group[m]`;
    groups and slots are numbered through all sets. The slots of its entries follow each other from
    `member_start[m]` in `slots`. The rows of set z in the sums over all groups begin at `all_start[z]`.
    """

    neighbours: Ints
    neighbour_start: Ints
    energy: Floats
    y: Floats
    s: Floats
    indices: Ints
    indptr: Ints
    self_term: Floats
    object_start: Ints
    member_set: Ints
    member_group: Ints
    member_start: Ints
    slots: Ints
    together: Floats
    apart: Floats
    all_start: Ints
    twice_d_max: float

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @classmethod
    def of_pairs(cls, energy: csr_array) -> Links:
        """Listed links alone, from their symmetric matrix of energies."""
        n = int(energy.shape[0])
        none, nothing, starts = np.zeros(0, np.int64), np.zeros(0), np.zeros(n + 1, np.int64)
        return cls(
            neighbours=energy.indices.astype(np.int64),
            neighbour_start=energy.indptr.astype(np.int64),
            energy=np.asarray(energy.data, dtype=np.float64),
            y=nothing,
            s=nothing,
            indices=none,
            indptr=starts,
            self_term=np.zeros(n),
            object_start=starts,
            member_set=none,
            member_group=none,
            member_start=none,
            slots=none,
            together=nothing,
            apart=nothing,
            all_start=none,
            twice_d_max=0.0,
        )


class Kernels(Protocol):
    """The operations. Labels are int32, -1 stands for no cluster; every sum is taken in float64."""

    def block_sums(self, x: Rows, rows: Labels, columns: Labels, n_rows: int, n_columns: int) -> Floats:
        """Sum the entries over (row cluster, column cluster)."""
        ...

    def assign_rows(self, x: Rows, columns: Labels, table: Floats) -> tuple[Labels, Floats]:
        """Give each row the cluster k with the largest Σ_l T[row, l]·table[l, k], and that largest score.

        T sums a row's entries over the column clusters and is never stored. A row with no entry gets -1.
        """
        ...

    def score_rows(self, x: Rows, columns: Labels, table: Floats) -> Floats:
        """Compute the scores of `assign_rows` for every row and cluster."""
        ...

    def product(self, x: Rows, dense: Floats) -> Floats:
        """Multiply the sparse matrix with a tall and thin one."""
        ...

    def transposed_product(self, x: Rows, dense: Floats) -> Floats:
        """Multiply the transposed sparse matrix with a tall and thin one."""
        ...

    def divergences(self, links: Links, left: Ints, right: Ints) -> Floats:
        """Compute the symmetric divergence of each listed pair of objects."""
        ...

    def settle(
        self, links: Links, sums: GroupSums, cost: Floats, labels: Labels, order: Ints, max_sweeps: int
    ) -> int:
        """Update labels in place, one object after the other, until none changes; return the sweeps made.

        `cost` is what each cluster costs each object before links. An object moves only to a cheaper cluster.
        """
        ...

    def polish_rows(
        self, x: Rows, rows: Labels, columns: Labels, table: Floats, blocks: Ints, scale: Floats, order: Ints
    ) -> int:
        """Move single rows, in `order`, where that raises the information kept; return the number of moves.

        `table` holds the masses per (row cluster, column cluster) and is updated with `rows`. Its columns
        fall into relations: relation r has columns blocks[r] to blocks[r + 1] and counts scale[r] times.
        The last row of a cluster stays.
        """
        ...
