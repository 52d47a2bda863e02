"""Documents as features: tf-idf rows or their leading singular directions, centred and scaled.

Sparse rows stay sparse. The centre is the mean of the documents to be grouped, so that the mean scores of all
groups are equal: the balance that the paper asks for with l = 0. A constant feature lets them differ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._array import unit_rows
from colligate.methods.spherical import Directions, inverse_document_frequency, make_dense_directions, tfidf

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

    Floats = NDArray[np.float64]

# groups are looked for in so many directions: those after them hold more noise than groups
START_DIMENSIONS = 50


@dataclass(frozen=True, eq=False)
class Features:
    """Rows (sparse or dense), less their centre, times a scale, and a constant feature at the end."""

    rows: sparse.csr_array | NDArray[Any]
    centre: Floats
    scale: float = 1.0
    constant: float = 0.0

    def __len__(self) -> int:
        return int(self.rows.shape[0])

    @property
    def width(self) -> int:
        """The number of features, with the constant one."""
        return len(self.centre) + 1

    @cached_property
    def directions(self) -> Directions:
        """The first columns of dense rows, centred, or sparse rows as they are, at unit length.

        All restarts share them.
        """
        if isinstance(self.rows, np.ndarray):
            leading = self.rows[:, :START_DIMENSIONS] - self.centre[:START_DIMENSIONS]
            return make_dense_directions(leading, np.ones(len(self), dtype=np.bool_))
        return Directions(unit_rows(self.rows), np.diff(self.rows.indptr) > 0)

    def scores(self, weights: Floats) -> Floats:
        """Rows × groups: the product of every row with every group's weights (groups × features)."""
        slopes = np.ascontiguousarray(weights[:, :-1].T * self.scale)
        offset = self.constant * weights[:, -1] - self.centre @ slopes
        found = np.asarray(self.rows @ slopes.astype(self.rows.dtype))
        # group by group in memory: sums and maxima over few groups are several times faster that way
        return np.asarray(found, dtype=np.float64, order="F") + offset

    def sums(self, table: Floats) -> Floats:
        """Groups × features: for each group (column) the sum of the rows, weighted by the table."""
        found = self._weighted(table.astype(self.rows.dtype))
        totals = table.sum(axis=0)
        centred = (found - totals[:, None] * self.centre) * self.scale
        return np.concatenate([centred, self.constant * totals[:, None]], axis=1)

    def _weighted(self, table: NDArray[Any]) -> Floats:
        if isinstance(self.rows, np.ndarray):
            # groups as rows: twice as fast as the other way round
            return np.asarray(np.ascontiguousarray(table.T) @ self.rows, dtype=np.float64)
        return np.asarray(self.rows.T @ table, dtype=np.float64).T

    def mean_scores(self, weights: Floats) -> Floats:
        """The mean score of the documents to be grouped in each group: what the constant feature adds."""
        return np.asarray(self.constant * weights[:, -1])

    def mean_sums(self, table: Floats) -> Floats:
        """The slope of the mean scores, weighted by a table of one number per group."""
        slope = np.zeros((len(table), self.width))
        slope[:, -1] = self.constant * table
        return slope

    def length(self) -> float:
        """The root of the mean squared length of the centred rows, before they are scaled."""
        entries = self.rows if isinstance(self.rows, np.ndarray) else self.rows.data
        mean = float(np.square(entries, dtype=np.float64).sum()) / max(len(self), 1)
        return float(np.sqrt(max(mean - float(self.centre @ self.centre), 0.0)))

    def part(self, places: NDArray[np.int64]) -> Features:
        """Some of the rows, less the same centre."""
        return replace(self, rows=self.rows[places])

    def scaled(self, scale: float, constant: float) -> Features:
        """The same rows at another scale."""
        return replace(self, scale=scale, constant=constant)


@dataclass(frozen=True, eq=False)
class Space:
    """How counts become rows: the idf, and the directions (words × dimensions) if they are projected."""

    idf: Floats
    directions: NDArray[np.float32] | None = None

    def rows(self, counts: sparse.csr_array) -> sparse.csr_array | NDArray[Any]:
        """Counts over the words as rows of the space."""
        weighed = tfidf(counts, self.idf)
        return (
            weighed if self.directions is None else np.asarray(weighed.astype(np.float32) @ self.directions)
        )

    def word_weights(self, weights: Floats) -> Floats:
        """Words × groups: the same weights for tf-idf entries."""
        return np.ascontiguousarray(weights.T if self.directions is None else self.directions @ weights.T)


def make_space(counts: sparse.csr_array, dimensions: int | None) -> Space:
    """The space of some documents: tf-idf itself, or so many leading directions of it, as far as there are.

    The decomposition has a seed of its own, so that all restarts share it.
    """
    idf = inverse_document_frequency(counts)
    if dimensions is None:
        return Space(idf)
    from sklearn.utils.extmath import randomized_svd

    weighed = tfidf(counts, idf).astype(np.float32)
    _, _, right = randomized_svd(weighed, min(dimensions, *counts.shape), n_iter=3, random_state=0)
    return Space(idf, np.ascontiguousarray(right.T, dtype=np.float32))


def project_rows(counts: sparse.csr_array, dimensions: int) -> tuple[Space, NDArray[Any]]:
    """The space of some documents and their rows in it, both dense."""
    space = make_space(counts, dimensions)
    return space, np.asarray(space.rows(counts))


def centre_rows(rows: sparse.csr_array | NDArray[Any]) -> Features:
    """The features of the documents to be grouped, centred at their own mean."""
    return Features(rows, np.asarray(rows.mean(axis=0), dtype=np.float64).ravel())
