"""The two tables of probabilistic latent semantic analysis, and EM on the entries that are there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# entries handled at a time
CHUNK = 1 << 18


@dataclass(frozen=True, eq=False)
class Topics:
    """`shares` p(k|d), documents × groups, and `words` p(w|k), groups × words; rows sum to 1."""

    shares: Floats
    words: Floats

    @classmethod
    def of(cls, counts: csr_array, shares: Floats) -> Topics:
        """The words of the groups when documents have these shares."""
        return cls(shares, _normalised((counts.astype(np.float64).T @ shares).T))

    def improved(self, counts: csr_array) -> Topics:
        """One step of EM: multiplicative updates with counts over their expectation."""
        ratio = csr_array(
            (counts.data / np.maximum(self._expected(counts), 1e-300), counts.indices, counts.indptr),
            shape=counts.shape,
        )
        shares = self.shares * np.asarray(ratio @ self.words.T)
        words = self.words * np.asarray(ratio.T @ self.shares).T
        empty = np.diff(counts.indptr) == 0
        return Topics(np.where(empty[:, None], self.shares, _normalised(shares)), _normalised(words))

    def surprise(self, counts: csr_array) -> float:
        """Minus the mean log-likelihood of an occurrence."""
        logs = np.log(np.maximum(self._expected(counts), 1e-300))
        return -float(counts.data @ logs) / float(counts.data.sum(dtype=np.float64))

    def _expected(self, counts: csr_array) -> Floats:
        """Σ_k p(k|d)·p(w|k) of every entry."""
        by_word = np.ascontiguousarray(self.words.T)
        found = [
            np.einsum("ek,ek->e", self.shares[rows], by_word[columns]) for rows, columns in _entries(counts)
        ]
        return np.concatenate([np.zeros(0), *found])


def _entries(counts: csr_array) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int32]]]:
    """Rows and columns of the entries, some at a time."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    for start in range(0, len(rows), CHUNK):
        yield rows[start : start + CHUNK], counts.indices[start : start + CHUNK]


def _normalised(table: Floats) -> Floats:
    sums = table.sum(axis=1, keepdims=True)
    return np.asarray(np.where(sums > 0, table / np.where(sums > 0, sums, 1.0), 1.0 / table.shape[1]))
