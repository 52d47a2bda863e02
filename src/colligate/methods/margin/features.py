"""Documents as features of the margin methods: tf-idf rows or their singular directions, centred and scaled.

Sparse rows stay sparse. The centre is the mean of the documents to be grouped, so the mean scores of all
groups are equal: the paper's balance constraint with l = 0. A constant feature allows them to differ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._array import unit_rows
from colligate.methods.spherical import (
    Directions,
    inverse_document_frequency,
    make_dense_directions,
    tfidf,
    truncated_svd,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

    Floats = NDArray[np.float64]

# singular directions in which groups start: chosen by the objective (docs: m2dcu)
START_DIMENSIONS = 50


@dataclass(frozen=True, eq=False)
class Features:
    """Rows (sparse or dense) less their centre, times a scale, and a constant feature at the end."""

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
        """The first columns of dense rows, centred, or sparse rows, at unit length."""
        if isinstance(self.rows, np.ndarray):
            leading = self.rows[:, :START_DIMENSIONS] - self.centre[:START_DIMENSIONS]
            return make_dense_directions(leading, np.ones(len(self), dtype=np.bool_))
        return Directions(unit_rows(self.rows), np.diff(self.rows.indptr) > 0)

    def scores(self, W: Floats) -> Floats:
        """Return rows × groups: w_k·x_d for every row and group."""
        # the centre enters as an offset: centred rows would no longer be sparse
        slopes = np.ascontiguousarray(W[:, :-1].T * self.scale)
        offset = self.constant * W[:, -1] - self.centre @ slopes
        # the weights take the type of the rows; otherwise float32 rows would be copied as float64
        scores = np.asarray(self.rows @ slopes.astype(self.rows.dtype))
        # Fortran order: sums and maxima over few groups are several times faster
        return np.asarray(scores, dtype=np.float64, order="F") + offset

    def sums(self, table: Floats) -> Floats:
        """Return groups × features: for each group (column of the table) the weighted sum of the rows."""
        totals = table.sum(axis=0)
        centred = (self._weighted_rows(table) - totals[:, None] * self.centre) * self.scale
        return np.concatenate([centred, self.constant * totals[:, None]], axis=1)

    def _weighted_rows(self, table: Floats) -> Floats:
        weights = table.astype(self.rows.dtype)
        if isinstance(self.rows, np.ndarray):
            # with groups as rows the product is twice as fast
            return np.asarray(np.ascontiguousarray(weights.T) @ self.rows, dtype=np.float64)
        return np.asarray(self.rows.T @ weights, dtype=np.float64).T

    def mean_scores(self, W: Floats) -> Floats:
        """Return the mean score of the documents to be grouped in each group: what the constant adds."""
        return np.asarray(self.constant * W[:, -1])

    def mean_sums(self, table: Floats) -> Floats:
        """Return the slope of the mean scores, weighted by one number per group."""
        slope = np.zeros((len(table), self.width))
        slope[:, -1] = self.constant * table
        return slope

    def length(self) -> float:
        """Return the root-mean-square length of the centred rows, before scaling."""
        entries = self.rows if isinstance(self.rows, np.ndarray) else self.rows.data
        # Σ‖x − centre‖² by its parts: sparse rows are not centred
        mean = float(np.square(entries, dtype=np.float64).sum()) / max(len(self), 1)
        # the difference can round to below 0 where all rows are equal
        return float(np.sqrt(max(mean - float(self.centre @ self.centre), 0.0)))

    def part(self, where: NDArray[np.int64]) -> Features:
        """Return a part of the rows, with the same centre."""
        return replace(self, rows=self.rows[where])

    def scaled(self, scale: float, constant: float) -> Features:
        """Return the rows at another scale."""
        return replace(self, scale=scale, constant=constant)


@dataclass(frozen=True, eq=False)
class Space:
    """How counts become rows: the idf, and the directions (words × dimensions) if they are projected."""

    idf: Floats
    directions: NDArray[np.float32] | None = None

    def rows(self, counts: sparse.csr_array) -> sparse.csr_array | NDArray[Any]:
        """Return counts over the words as rows of the space."""
        entries = tfidf(counts, self.idf)
        if self.directions is None:
            return entries
        return np.asarray(entries.astype(np.float32) @ self.directions)

    def word_weights(self, W: Floats) -> Floats:
        """Return words × groups: the weights of tf-idf entries that give the same scores."""
        return np.ascontiguousarray(W.T if self.directions is None else self.directions @ W.T)


def make_space(counts: sparse.csr_array, dimensions: int | None) -> Space:
    """Return the space of tf-idf, or of at most so many leading singular directions of it.

    The decomposition has a fixed seed, so that all restarts share it.
    """
    idf = inverse_document_frequency(counts)
    if dimensions is None:
        return Space(idf)
    _, _, words = truncated_svd(tfidf(counts, idf), dimensions)
    return Space(idf, words.astype(np.float32))


def project_rows(counts: sparse.csr_array, dimensions: int) -> tuple[Space, NDArray[Any]]:
    """Return the space of documents, and their dense rows in it."""
    space = make_space(counts, dimensions)
    return space, np.asarray(space.rows(counts))


def centre_rows(rows: sparse.csr_array | NDArray[Any]) -> Features:
    """Return rows as features centred at their mean."""
    return Features(rows, np.asarray(rows.mean(axis=0), dtype=np.float64).ravel())
