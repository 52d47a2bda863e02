"""The nearest neighbours of documents, as a sparse graph, found in blocks of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

BLOCK = 512
# the neighbour whose distance is the unit of length around a document (Zelnik-Manor and Perona, 2004)
LOCAL = 7


@dataclass(frozen=True, eq=False)
class Neighbours:
    """For each document its nearest others, the nearest first, and their cosines."""

    index: NDArray[np.int64]
    cosine: Floats

    def affinity(self) -> sparse.csr_array:
        """exp(−d²/(σᵢσⱼ)) between neighbours, d² = 2 − 2·cos, symmetric; σ is the distance to the 7th."""
        n, width = self.index.shape
        squared = np.maximum(2.0 - 2.0 * self.cosine, 0.0)
        own = np.sqrt(squared[:, min(LOCAL, width) - 1]) if width else np.zeros(n)
        units = np.maximum(own[:, None] * own[self.index], 1e-12)
        one_way = self.matrix(np.exp(-squared / units))
        return sparse.csr_array(one_way.maximum(one_way.T))

    def cut(self) -> sparse.csr_array:
        """D^-½·A·D^-½ of the affinities A, D their row sums plus the mean of these.

        Without the mean, a few documents that are almost alike are cut off as a group of their own (Amini et
        al., 2013).
        """
        affinity = self.affinity()
        degree = np.asarray(affinity.sum(axis=1)).ravel()
        inverse = 1.0 / np.sqrt(degree + max(float(degree.mean()), 1e-300))
        affinity.data *= np.repeat(inverse, np.diff(affinity.indptr)) * inverse[affinity.indices]
        return affinity

    def predictors(self, unit: NDArray[Any], ridge: float) -> sparse.csr_array:
        """Row i says how document i follows from its neighbours, by ridge regression on the cosines."""
        n, width = self.index.shape
        found = np.zeros((n, width))
        for start in range(0, n if width else 0, BLOCK):
            rows = slice(start, min(start + BLOCK, n))
            around = unit[self.index[rows]].astype(np.float64)
            alike = around @ around.transpose(0, 2, 1) + ridge * np.eye(width)
            found[rows] = np.linalg.solve(alike, self.cosine[rows][:, :, None])[:, :, 0]
        return self.matrix(found)

    def matrix(self, values: Floats) -> sparse.csr_array:
        """Values of every document's neighbours as a sparse matrix."""
        n, width = self.index.shape
        starts = np.arange(0, n * width + 1, width) if width else np.zeros(n + 1, dtype=np.int64)
        return sparse.csr_array((values.ravel(), self.index.ravel(), starts), shape=(n, n)).sorted_indices()


def nearest(unit: NDArray[Any], count: int) -> Neighbours:
    """The neighbours of unit rows by their cosines; equal cosines in the order of the documents."""
    n = len(unit)
    count = min(count, n - 1)
    index, cosine = np.zeros((n, count), dtype=np.int64), np.zeros((n, count))
    for start in range(0, n, BLOCK):
        rows = slice(start, min(start + BLOCK, n))
        products = np.asarray(unit[rows] @ unit.T)
        products[np.arange(len(products)), np.arange(start, rows.stop)] = -np.inf
        index[rows], cosine[rows] = _highest(products, count)
    return Neighbours(index, cosine)


def _highest(products: NDArray[Any], count: int) -> tuple[NDArray[np.int64], Floats]:
    if not count:
        return np.zeros((len(products), 0), dtype=np.int64), np.zeros((len(products), 0))
    some = np.sort(np.argpartition(-products, count - 1, axis=1)[:, :count], axis=1)
    values = np.take_along_axis(products, some, axis=1)
    order = np.argsort(-values, axis=1, kind="stable")
    found = np.take_along_axis(values, order, axis=1)
    return np.take_along_axis(some, order, axis=1), np.asarray(found, dtype=np.float64)
