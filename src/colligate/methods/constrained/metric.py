"""Learning the metric: a weight a for every word, for labels that stay as they are.

    min Σ_k (n_k − ‖z_k‖) + Σ broken links + stiffness·Σ_w (½a_w² − log a_w − ½)

z_k is the sum of the rows of cluster k, each of unit length under the metric. The last term is a Rayleigh
prior, lowest where all weights are 1. The steps are in log a, so that weights stay above 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.kernels import Rows
from colligate.knowledge.faces import one_hot
from colligate.methods.tfidf import tfidf

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.constrained.broken import Broken

    Floats = NDArray[np.float64]

# so many sets, and pairs, are summed at a time
SETS, PAIRS = 32, 8192
LONGEST_STEP, HALVINGS = 0.5, 8


@dataclass(frozen=True, eq=False)
class Sums:
    """Everything that the metric enters through: clusters and sets of documents, and pairs of them."""

    counts: sparse.csr_array
    idf: Floats
    clusters: sparse.csr_array
    broken: Broken
    stiffness: float
    kernels: Kernels

    def cost(self, metric: Floats) -> float:
        """What is minimised, up to a constant."""
        rows, own = self._rows(metric), self.broken
        total = -sum(float(np.sqrt((z**2).sum(axis=0)).sum()) for z, _, _ in _sums(self.clusters, rows))
        for z, first, last in _sums(own.sets, rows):
            total -= 0.5 * float((z**2).sum(axis=0) @ own.per_set[first:last])
        for products, first, last in _products(own, rows):
            total -= float(products.sum(axis=1) @ own.per_pair[first:last])
        return total + self.stiffness * unlikeliness(metric)

    def slope(self, metric: Floats) -> Floats:
        """The derivative by log a.

        That of ‖z‖² of a set is z² less, for each of its rows x, x²·⟨x, z⟩; that of a product of two rows
        is their entries' product less half their cosine times the squares of each.
        """
        rows = self._rows(metric)
        found = self.stiffness * (metric**2 - 1.0)
        per_row = np.zeros(rows.shape[0])
        for z, first, last in _sums(self.clusters, rows):
            length = np.sqrt((z**2).sum(axis=0))
            self._add(
                self.clusters[first:last], z, -0.5 / np.where(length > 0, length, 1.0), rows, found, per_row
            )
        for z, first, last in _sums(self.broken.sets, rows):
            self._add(
                self.broken.sets[first:last], z, -0.5 * self.broken.per_set[first:last], rows, found, per_row
            )
        for products, first, last in _products(self.broken, rows):
            counted = self.broken.per_pair[first:last]
            found -= products.T @ counted
            half = 0.5 * counted * products.sum(axis=1)
            for side in (self.broken.left, self.broken.right):
                np.subtract.at(per_row, side[first:last], half)
        return np.asarray(found - rows.multiply(rows).T @ per_row)

    def _add(
        self, sets: sparse.csr_array, z: Floats, factor: Floats, rows: Any, found: Floats, per_row: Floats
    ) -> None:
        """Add what some sets contribute, by words and by the rows that are in them."""
        found += z**2 @ factor
        met = self.kernels.product(Rows.of(rows), z)
        per_row[: sets.shape[1]] += sets.T.multiply(met[: sets.shape[1]] * factor).sum(axis=1)

    def _rows(self, metric: Floats) -> sparse.csr_array:
        return tfidf(self.counts, self.idf * np.sqrt(metric))


def unlikeliness(metric: Floats) -> float:
    """Minus the logarithm of the prior, 0 where all weights are 1."""
    return float((0.5 * metric**2 - np.log(metric) - 0.5).sum())


def learned(sums: Sums, metric: Floats) -> Floats:
    """One step down the slope, halved until it lowers the cost; the same metric where none does."""
    slope = sums.slope(metric)
    steepest = float(np.abs(slope).max(initial=0.0))
    if steepest == 0.0:
        return metric
    before, length = sums.cost(metric), LONGEST_STEP / steepest
    for _ in range(HALVINGS):
        candidate = metric * np.exp(-length * slope)
        if sums.cost(candidate) < before:
            return np.asarray(candidate)
        length /= 2.0
    return metric


def cluster_sets(labels: NDArray[np.int32], n_clusters: int) -> sparse.csr_array:
    """Clusters × documents."""
    return sparse.csr_array(one_hot(labels, n_clusters).T.tocsr())


def _sums(sets: sparse.csr_array, rows: sparse.csr_array) -> Iterator[tuple[Floats, int, int]]:
    """The sums of the rows in some sets at a time, words × sets, and which sets these are."""
    for first in range(0, sets.shape[0], SETS):
        last = min(first + SETS, sets.shape[0])
        summed = sets[first:last] @ rows[: sets.shape[1]]
        yield np.ascontiguousarray(summed.toarray().T), first, last


def _products(broken: Broken, rows: sparse.csr_array) -> Iterator[tuple[sparse.csr_array, int, int]]:
    """The products of the entries of some pairs at a time, pairs × words, and which pairs these are."""
    for first in range(0, len(broken.left), PAIRS):
        last = min(first + PAIRS, len(broken.left))
        both = (rows[side[first:last]] for side in (broken.left, broken.right))
        yield sparse.csr_array(next(both).multiply(next(both))), first, last
