"""The metric that broken links teach: one gradient step of the weights of words (docs: ckmeans).

For fixed labels, eq. 1 of the page as a function of log a_v, so that weights stay above 0. No implied pair is
listed: the distances of all pairs in a set S of unit rows sum to ½(|S|² − ‖Σ x‖²) (eq. 2), so broken implied
links are a signed sum over sets. Of a group together, these are the group less its parts in each cluster; of
groups apart, all their members in a cluster less the parts of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.kernels import SparseRows
from colligate.methods.spherical import tfidf

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.information.links import TypeLinks
    from colligate.methods.loop import Labels

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# sets, and pairs, summed at a time
SET_BLOCK, PAIR_BLOCK = 32, 8192
# the largest change of log a in one step, and how often the step is halved
MAX_STEP, HALVINGS = 0.5, 8


@dataclass(frozen=True, eq=False)
class BrokenLinks:
    """Broken links as pairs and sets of documents, with the factor of each; negative for apart links."""

    left: Ints
    right: Ints
    per_pair: Floats
    sets: sparse.csr_array
    per_set: Floats


def collect_broken_links(links: TypeLinks, labels: Labels, w: float, strengths: Floats) -> BrokenLinks:
    """Return the links that labels of the linked documents break; `strengths` are those of listed links."""
    pairs = links.pairs
    left, right = labels[pairs.left], labels[pairs.right]
    broken = np.flatnonzero((left >= 0) & (right >= 0) & ((left != right) == pairs.together))
    signed = w * strengths[broken] * np.where(pairs.together[broken], 1.0, -1.0)
    sets, per_set = _broken_sets(links, labels)
    where = links.where
    return BrokenLinks(where[pairs.left[broken]], where[pairs.right[broken]], signed, sets, per_set)


def _broken_sets(links: TypeLinks, labels: Labels) -> tuple[sparse.csr_array, Floats]:
    """Return the sets of broken implied links as rows of ones over the documents, and their factors."""
    members, k = links.members, links.kernel
    placed = labels[members.owner] >= 0
    owner, number, group = (
        part[placed].astype(np.int64) for part in (members.owner, members.set, members.group)
    )
    cluster, n_clusters = labels[owner].astype(np.int64), int(labels.max(initial=0)) + 1
    together, apart = k.together[number], k.apart[number]
    # the sets of eq. 2: whole groups, their parts in each cluster, and all of a set in each cluster
    keyed = (
        (group, together),
        (group * n_clusters + cluster, apart - together),
        (number * n_clusters + cluster, -apart),
    )
    n_documents = int(links.where.max(initial=-1)) + 1
    blocks, factors = [], []
    for key, factor in keyed:
        used = factor != 0
        # all members of a set have the same factor, so that of the first will do
        _, first, row = np.unique(key[used], return_index=True, return_inverse=True)
        documents, factor_of_row = links.where[owner][used], factor[used][first]
        entries = (np.ones(len(documents)), (row, documents))
        blocks.append(sparse.csr_array(entries, shape=(len(factor_of_row), n_documents)))
        factors.append(factor_of_row)
    return sparse.csr_array(sparse.vstack(blocks, format="csr")), np.concatenate(factors)


@dataclass(frozen=True, eq=False)
class MetricObjective:
    """The part of eq. 1 that depends on the metric: clusters and sets of documents, and pairs of them."""

    counts: sparse.csr_array
    idf: Floats
    clusters: sparse.csr_array
    broken: BrokenLinks
    rho: float
    kernels: Kernels

    def cost(self, a: Floats) -> float:
        """Return eq. 1 up to a constant: Σ_k (n_k − ‖z_k‖) + broken links + prior, z_k sums of rows."""
        rows, broken = self._rows(a), self.broken
        total = -sum(float(np.sqrt((z**2).sum(axis=0)).sum()) for z, _, _ in _set_sums(self.clusters, rows))
        for z, first, last in _set_sums(broken.sets, rows):
            total -= 0.5 * float((z**2).sum(axis=0) @ broken.per_set[first:last])
        for products, first, last in _pair_products(broken, rows):
            total -= float(products.sum(axis=1) @ broken.per_pair[first:last])
        return total + self.rho * negative_log_prior(a)

    def slope(self, a: Floats) -> Floats:
        """Return the derivative by log a.

        That of ‖z‖² of a set is z² less x²·⟨x, z⟩ for each of its rows x; that of a product of two rows is
        the product of their entries less half their cosine times the squares of each.
        """
        rows, broken = self._rows(a), self.broken
        slope = self.rho * (a**2 - 1.0)
        per_row = np.zeros(rows.shape[0])
        for z, first, last in _set_sums(self.clusters, rows):
            length = np.sqrt((z**2).sum(axis=0))
            factor = -0.5 / np.where(length > 0, length, 1.0)
            self._add_sets(self.clusters[first:last], z, factor, rows, slope, per_row)
        for z, first, last in _set_sums(broken.sets, rows):
            factor = -0.5 * broken.per_set[first:last]
            self._add_sets(broken.sets[first:last], z, factor, rows, slope, per_row)
        for products, first, last in _pair_products(broken, rows):
            factor = broken.per_pair[first:last]
            slope -= products.T @ factor
            half = 0.5 * factor * products.sum(axis=1)
            for side in (broken.left, broken.right):
                np.subtract.at(per_row, side[first:last], half)
        return np.asarray(slope - rows.multiply(rows).T @ per_row)

    def _add_sets(
        self, sets: sparse.csr_array, z: Floats, factor: Floats, rows: Any, slope: Floats, per_row: Floats
    ) -> None:
        """Add the derivative of sets, by words and by the rows in them, in place."""
        slope += z**2 @ factor
        products = self.kernels.product(SparseRows.of(rows), z)
        # sets reach to the last linked document only
        per_row[: sets.shape[1]] += sets.T.multiply(products[: sets.shape[1]] * factor).sum(axis=1)

    def _rows(self, a: Floats) -> sparse.csr_array:
        return tfidf(self.counts, self.idf * np.sqrt(a))


def negative_log_prior(a: Floats) -> float:
    """Return Σ_v (½a_v² − log a_v − ½): the Rayleigh prior, 0 where all weights are 1."""
    return float((0.5 * a**2 - np.log(a) - 0.5).sum())


def step_metric(objective: MetricObjective, a: Floats) -> Floats:
    """Take one gradient step in log a, halved until it lowers the cost; return `a` itself if none does."""
    slope = objective.slope(a)
    steepest = float(np.abs(slope).max(initial=0.0))
    if steepest == 0.0:
        return a
    before, length = objective.cost(a), MAX_STEP / steepest
    for _ in range(HALVINGS):
        candidate = a * np.exp(-length * slope)
        if objective.cost(candidate) < before:
            return np.asarray(candidate)
        length /= 2.0
    return a


def _set_sums(sets: sparse.csr_array, rows: sparse.csr_array) -> Iterator[tuple[Floats, int, int]]:
    """Yield the sums of the rows in a block of sets, words × sets, and which sets these are."""
    # the sums are dense, words × sets, so they are made for a few sets at a time
    for first in range(0, sets.shape[0], SET_BLOCK):
        last = min(first + SET_BLOCK, sets.shape[0])
        sums = sets[first:last] @ rows[: sets.shape[1]]
        yield np.ascontiguousarray(sums.toarray().T), first, last


def _pair_products(
    broken: BrokenLinks, rows: sparse.csr_array
) -> Iterator[tuple[sparse.csr_array, int, int]]:
    """Yield the products of the entries of a block of pairs, pairs × words, and which pairs these are."""
    for first in range(0, len(broken.left), PAIR_BLOCK):
        last = min(first + PAIR_BLOCK, len(broken.left))
        left, right = (rows[side[first:last]] for side in (broken.left, broken.right))
        yield sparse.csr_array(left.multiply(right)), first, last
