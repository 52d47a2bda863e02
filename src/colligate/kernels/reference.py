"""The kernels in plain NumPy and SciPy: slow, short, and what the fast ones are tested against."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from colligate.kernels.interface import Floats, GroupSums, Ints, Labels, Links, Rows


class ReferenceKernels:
    """Every kernel as its definition reads."""

    def block_sums(self, x: Rows, rows: Labels, columns: Labels, n_rows: int, n_columns: int) -> Floats:
        """See `Kernels.block_sums`."""
        return np.asarray(_indicator(rows, n_rows).T @ _aggregate(x, columns, n_columns))

    def assign_rows(self, x: Rows, columns: Labels, table: Floats) -> tuple[Labels, Floats]:
        """See `Kernels.assign_rows`."""
        scores = self.score_rows(x, columns, table)
        labels = scores.argmax(axis=1).astype(np.int32)
        labels[np.diff(x.indptr) == 0] = -1
        return labels, scores.max(axis=1)

    def score_rows(self, x: Rows, columns: Labels, table: Floats) -> Floats:
        """See `Kernels.score_rows`."""
        return np.asarray(_aggregate(x, columns, len(table)) @ table)

    def product(self, x: Rows, dense: Floats) -> Floats:
        """See `Kernels.product`."""
        return np.asarray(_matrix(x) @ dense)

    def transposed_product(self, x: Rows, dense: Floats) -> Floats:
        """See `Kernels.transposed_product`."""
        return np.asarray(_matrix(x).T @ dense)

    def divergences(self, links: Links, left: Ints, right: Ints) -> Floats:
        """See `Kernels.divergences`."""
        y, s = _dense_rows(links)
        return np.asarray(np.einsum("ij,ij->i", y[left] - y[right], s[left] - s[right]))

    def settle(
        self, links: Links, sums: GroupSums, cost: Floats, labels: Labels, order: Ints, max_sweeps: int
    ) -> int:
        """See `Kernels.settle`. Lists every implied pair, which is what the fast kernel avoids."""
        energy = _listed_energies(links)
        for sweep in range(1, max_sweeps + 1):
            changed = False
            for i in order:
                total = cost[i].copy()
                placed = labels >= 0
                np.add.at(total, labels[placed], energy[i][placed])
                best = int(total.argmin())
                if labels[i] < 0 or total[best] < total[labels[i]]:
                    labels[i] = best
                    changed = True
            if not changed:
                return sweep
        return max_sweeps

    def polish_rows(
        self, x: Rows, rows: Labels, columns: Labels, table: Floats, blocks: Ints, scale: Floats, order: Ints
    ) -> int:
        """See `Kernels.polish_rows`. Recomputes the whole objective for every candidate move."""
        t = _aggregate(x, columns, table.shape[1])
        moves = 0
        for i in order:
            if rows[i] < 0 or np.count_nonzero(rows == rows[i]) == 1:
                continue
            values = [_kept(_moved(table, t[i], rows[i], k), blocks, scale) for k in range(len(table))]
            best = int(np.argmax(values))
            if values[best] > values[rows[i]] + 1e-9 * scale.max() * t[i].sum():
                table[:] = _moved(table, t[i], rows[i], best)
                rows[i] = best
                moves += 1
        return moves


def _matrix(x: Rows) -> sparse.csr_array:
    return sparse.csr_array((x.data.astype(np.float64), x.indices, x.indptr), shape=(len(x), x.n_columns))


def _indicator(labels: Labels, n_clusters: int) -> sparse.csr_array:
    placed = np.flatnonzero(labels >= 0)
    ones = np.ones(len(placed))
    return sparse.csr_array((ones, (placed, labels[placed])), shape=(len(labels), n_clusters))


def _aggregate(x: Rows, columns: Labels, n_columns: int) -> Floats:
    return np.asarray((_matrix(x) @ _indicator(columns, n_columns)).todense())


def _dense_rows(links: Links) -> tuple[Floats, Floats]:
    shape = (len(links), int(links.indices.max(initial=0)) + 1)
    y = sparse.csr_array((links.y, links.indices, links.indptr), shape=shape)
    s = sparse.csr_array((links.s, links.indices, links.indptr), shape=shape)
    return np.asarray(y.toarray(), dtype=np.float64), np.asarray(s.toarray(), dtype=np.float64)


def _listed_energies(links: Links) -> Floats:
    n = len(links)
    listed = sparse.csr_array((links.energy, links.neighbours, links.neighbour_start), shape=(n, n))
    energy = np.asarray(listed.toarray(), dtype=np.float64)
    y, s = _dense_rows(links)
    divergence = np.array([((y[i] - y) * (s[i] - s)).sum(axis=1) for i in range(n)]).reshape(n, n)
    owner = np.repeat(np.arange(n), np.diff(links.object_start))
    for m, i in enumerate(owner):
        for other, j in enumerate(owner):
            if i == j or links.member_set[m] != links.member_set[other]:
                continue
            if links.member_group[m] == links.member_group[other]:
                energy[i, j] -= links.together[links.member_set[m]] * divergence[i, j]
            else:
                energy[i, j] += links.apart[links.member_set[m]] * (links.twice_d_max - divergence[i, j])
    return energy


def _moved(table: Floats, row: Floats, source: int, target: int) -> Floats:
    moved = table.copy()
    moved[source] -= row
    moved[target] += row
    return np.maximum(moved, 0.0)


def _kept(table: Floats, blocks: Ints, scale: Floats) -> float:
    parts = [table[:, start:stop] for start, stop in itertools.pairwise(blocks)]
    return float(sum(f * (_x_log_x(t) - _x_log_x(t.sum(axis=1))) for f, t in zip(scale, parts, strict=True)))


def _x_log_x(values: Floats) -> float:
    return float((values * np.log(values, where=values > 0, out=np.zeros_like(values))).sum())
