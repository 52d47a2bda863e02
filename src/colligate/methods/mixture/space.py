"""Documents as directions: their tf-idf in the leading singular directions, for old documents and new."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.methods.directions import SVD_DIMENSIONS, Directions, dense_directions
from colligate.methods.tfidf import tfidf

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Space:
    """The singular directions (columns of `basis`) and the idf that words are weighed with."""

    idf: Floats
    basis: NDArray[np.float32]

    @classmethod
    def of(cls, counts: csr_array, idf: Floats) -> Space:
        """Decompose the tf-idf of counts. The seed is its own, so that all restarts share the directions."""
        from sklearn.utils.extmath import randomized_svd

        n_dimensions = min(SVD_DIMENSIONS, min(counts.shape))
        weighed = tfidf(counts, idf).astype(np.float32)
        _, _, right = randomized_svd(weighed, n_dimensions, n_iter=4, random_state=0)
        return cls(idf, np.ascontiguousarray(right.T, dtype=np.float32))

    def directions(self, counts: csr_array) -> Directions:
        """Documents at unit length; one without a known word has none."""
        return dense_directions(self.placed(counts), np.diff(counts.indptr) > 0)

    def placed(self, counts: csr_array) -> NDArray[Any]:
        """Documents in the space, before their length is made 1."""
        return np.asarray(tfidf(counts, self.idf) @ self.basis, dtype=np.float64)
