"""The kernels in plain NumPy and SciPy: slow and short; the fast ones are tested against them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate._array import log_or_zero, one_hot, unit_rows
from colligate.kernels.interface import MAX_MOVES, MOVE_TOLERANCE, SparseRows, reference_step
from colligate.kernels.links import LinkTables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from colligate.kernels.interface import Dense, Kernels, SplitGradient, T
    from colligate.kernels.links import Floats, Ints, Labels, Links, SmallInts


class ReferenceKernels:
    """Every kernel by its definition."""

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
        """See `Kernels.run_side_by_side`; here they follow each other."""
        return [task() for task in tasks]

    def map_ranges(self, work: Callable[[int, int], T], edges: Ints) -> list[T]:
        """See `Kernels.map_ranges`; here they follow each other."""
        return [work(start, stop) for start, stop in itertools.pairwise(edges.tolist())]

    def map_rows(self, work: Callable[[int, int], Any], n_rows: int) -> None:
        """See `Kernels.map_rows`; here all rows are one range."""
        work(0, n_rows)

    def transpose(self, x: SparseRows) -> SparseRows:
        """See `Kernels.transpose`."""
        return SparseRows.of(sparse.csr_array(x.matrix().T.tocsr()))

    def count_columns(self, x: SparseRows) -> Ints:
        """See `Kernels.count_columns`."""
        return np.bincount(x.indices, minlength=x.n_columns)

    def tfidf(self, x: SparseRows, idf: Floats, dtype: Any) -> NDArray[Any]:
        """See `Kernels.tfidf`."""
        weights = np.where(x.data > 1, 1.0 + log_or_zero(x.data.astype(np.float64)), x.data) * idf[x.indices]
        unit = unit_rows(sparse.csr_array((weights, x.indices, x.indptr), shape=(len(x), x.n_columns)))
        return np.asarray(unit.data, dtype=dtype)

    def sum_log_ratios(self, x: SparseRows, log_columns: Floats) -> Floats:
        """See `Kernels.sum_log_ratios`."""
        data = x.data.astype(np.float64)
        return replace(x, data=data * (log_or_zero(data) - log_columns[x.indices])).row_sums()

    def block_sums(self, x: SparseRows, rows: Labels, columns: Labels, n_rows: int, n_columns: int) -> Floats:
        """See `Kernels.block_sums`."""
        return np.asarray(one_hot(rows, n_rows).T @ _sum_columns(x, columns, n_columns))

    def assign_rows(self, x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats]:
        """See `Kernels.assign_rows`."""
        scores = self.score_rows(x, columns, table)
        labels = scores.argmax(axis=1).astype(np.int32)
        labels[np.diff(x.indptr) == 0] = -1
        return labels, scores.max(axis=1)

    def assign_and_sum(self, x: SparseRows, columns: Labels, table: Floats) -> tuple[Labels, Floats | None]:
        """See `Kernels.assign_and_sum`."""
        return self.assign_rows(x, columns, table)[0], None

    def score_rows(self, x: SparseRows, columns: Labels, table: Floats) -> Floats:
        """See `Kernels.score_rows`."""
        return np.asarray(_sum_columns(x, columns, len(table)) @ table)

    def product(self, x: SparseRows, dense: Dense, *, placed: bool = False) -> Floats:
        """See `Kernels.product`."""
        return np.asarray(_to_csr(x) @ dense.astype(np.float64))

    def transposed_product(self, x: SparseRows, dense: Dense) -> Floats:
        """See `Kernels.transposed_product`."""
        return np.asarray(_to_csr(x).T @ dense.astype(np.float64))

    def overlap(self, left: Dense, right: Dense) -> Floats:
        """See `Kernels.overlap`."""
        return np.asarray(left.T.astype(np.float64) @ right)

    def nearest(self, queries: Ints, rows: NDArray[np.float32], count: int) -> Ints:
        """See `Kernels.nearest`."""
        others = (queries[:, None] + np.arange(1, len(rows))) % len(rows)
        scores = np.take_along_axis(rows[queries] @ rows.T, others, axis=1)
        order = np.argsort(-scores, axis=1, kind="stable")[:, :count]
        return np.sort(np.take_along_axis(others, order, axis=1), axis=1)

    def step(self, G: Floats, slope: SplitGradient, tolerance: float, floor: float, *, root: bool) -> Floats:
        """See `Kernels.step`."""
        return reference_step(G, slope, tolerance, floor, root=root)

    def divergences(self, links: Links, left: SmallInts, right: SmallInts) -> Floats:
        """See `Kernels.divergences`."""
        y, s = _densify(links)
        return np.asarray(np.einsum("ij,ij->i", y[left] - y[right], s[left] - s[right]))

    def link_tables(
        self, links: Links, labels: Labels, n_clusters: int, known: LinkTables | None = None
    ) -> LinkTables:
        """See `Kernels.link_tables`. Needs the divergences of all pairs, which the fast kernel avoids."""
        in_cluster = one_hot(labels, n_clusters).toarray()
        energy, broken = _pair_matrix(links).toarray(), np.zeros(len(links))
        for i, j, cost in zip(*_listed_entries(links), strict=True):
            # energies above 0 are apart links, broken within a cluster; below 0 together, broken across two
            if labels[i] >= 0 and labels[j] >= 0 and (labels[i] == labels[j]) == (cost > 0):
                broken[i] += abs(cost)
        divergence = _divergence_matrix(links)[links.owner][:, links.owner]
        members = in_cluster[links.owner]
        same_group = links.member_group[:, None] == links.member_group
        same_set = (links.member_set[:, None] == links.member_set) & (links.apart > 0)[links.member_set]
        everywhere = (divergence * same_set) @ members
        if not np.any(links.apart > 0):
            everywhere = everywhere[:0]
        return LinkTables(
            labels.copy(), energy @ in_cluster, broken, (divergence * same_group) @ members, everywhere
        )

    def run_icm(
        self,
        links: Links,
        known: LinkTables | None,
        cost: Floats,
        labels: Labels,
        order: Ints,
        max_rounds: int,
    ) -> LinkTables:
        """See `Kernels.run_icm`. Lists every implied pair, which is what the fast kernel avoids."""
        energy = _listed_energies(links)
        max_moves = MAX_MOVES if len(links.owner) else len(links)

        def cheapest(i: int) -> int:
            total = cost[i] + energy[i] @ one_hot(labels, cost.shape[1])
            present, best = int(labels[i]), int(total.argmin())
            # a tie or a difference of rounding keeps the present cluster, so that ICM ends
            stays = present >= 0 and not (total[best] < total[present] - MOVE_TOLERANCE * abs(total[present]))
            return present if stays else best

        for _ in range(max_rounds):
            moves = 0
            # listed before the first move, as in the fast kernel, which finds them from one table
            for i in [i for i in order if cheapest(i) != labels[i]]:
                best = cheapest(i)
                if best != labels[i] and moves < max_moves:
                    labels[i] = best
                    moves += 1
            if not moves:
                break
        return self.link_tables(links, labels, cost.shape[1])

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
        """See `Kernels.polish_rows`. Recomputes the whole objective for every candidate move."""
        t = _sum_columns(x, columns, table.shape[1])
        moves = 0
        for i in order:
            if rows[i] < 0 or np.count_nonzero(rows == rows[i]) == 1:
                continue
            values = [
                _kept_information(_move_row(table, t[i], rows[i], k), blocks, scale)
                for k in range(len(table))
            ]
            best = int(np.argmax(values))
            # a smaller gain, relative to the mass of the row, is rounding and could move rows back and forth
            if values[best] > values[rows[i]] + 1e-9 * scale.max() * t[i].sum():
                table[:] = _move_row(table, t[i], rows[i], best)
                rows[i] = best
                moves += 1
        return moves


def _to_csr(x: SparseRows) -> sparse.csr_array:
    return sparse.csr_array((x.data.astype(np.float64), x.indices, x.indptr), shape=(len(x), x.n_columns))


def _sum_columns(x: SparseRows, columns: Labels, n_columns: int) -> Floats:
    return np.asarray((_to_csr(x) @ one_hot(columns, n_columns)).todense())


def _densify(links: Links) -> tuple[Floats, Floats]:
    shape = (len(links), int(links.indices.max(initial=0)) + 1)
    y = sparse.csr_array((links.y, links.indices, links.indptr), shape=shape)
    s = sparse.csr_array((links.s, links.indices, links.indptr), shape=shape)
    return np.asarray(y.toarray(), dtype=np.float64), np.asarray(s.toarray(), dtype=np.float64)


def _pair_matrix(links: Links) -> sparse.csr_array:
    n = len(links)
    return sparse.csr_array((links.energy, links.neighbours, links.neighbour_start), shape=(n, n))


def _listed_entries(links: Links) -> tuple[Ints, Ints, Floats]:
    owner = np.repeat(np.arange(len(links)), np.diff(links.neighbour_start))
    return owner, links.neighbours.astype(np.int64), links.energy


def _divergence_matrix(links: Links) -> Floats:
    n = len(links)
    y, s = _densify(links)
    return np.array([((y[i] - y) * (s[i] - s)).sum(axis=1) for i in range(n)]).reshape(n, n)


def _listed_energies(links: Links) -> Floats:
    energy = np.asarray(_pair_matrix(links).toarray(), dtype=np.float64)
    divergence = _divergence_matrix(links)
    for m, i in enumerate(links.owner):
        for other, j in enumerate(links.owner):
            if i == j or links.member_set[m] != links.member_set[other]:
                continue
            if links.member_group[m] == links.member_group[other]:
                energy[i, j] -= links.together[links.member_set[m]] * divergence[i, j]
            else:
                energy[i, j] += links.apart[links.member_set[m]] * (links.twice_d_max - divergence[i, j])
    return energy


def _move_row(table: Floats, row: Floats, source: int, target: int) -> Floats:
    moved = table.copy()
    moved[source] -= row
    moved[target] += row
    # differences of sums can round to slightly below 0, where x·log x has no value
    return np.maximum(moved, 0.0)


def _kept_information(table: Floats, blocks: Ints, scale: Floats) -> float:
    def sum_x_log_x(values: Floats) -> float:
        return float((values * log_or_zero(values)).sum())

    parts = [table[:, start:stop] for start, stop in itertools.pairwise(blocks)]
    kept = [sum_x_log_x(part) - sum_x_log_x(part.sum(axis=1)) for part in parts]
    return float(scale @ np.array(kept))
