"""Where a run starts: labels for one type from tf-idf directions, at random, from knowledge, or as given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]


def random_labels(matrix: sparse.csr_array, n_clusters: int, rng: np.random.Generator) -> Labels:
    """Every row with an entry in a random cluster, all clusters about equally large."""
    labels = np.full(matrix.shape[0], -1, dtype=np.int32)
    filled = np.flatnonzero(np.diff(matrix.indptr))
    labels[filled] = rng.permutation(np.arange(len(filled)) % n_clusters)
    return labels


def given_labels(labels: Any, matrix: sparse.csr_array, n_clusters: int, kind: str) -> Labels:
    """The user's own labels, checked; rows without entries get -1."""
    found = np.asarray(labels)
    if found.shape != (matrix.shape[0],) or not np.issubdtype(found.dtype, np.integer):
        raise ParameterError(
            f"a start for {kind} must be {matrix.shape[0]} whole numbers, one per object; "
            f"got an array of shape {found.shape} and type {found.dtype}"
        )
    filled = np.diff(matrix.indptr) > 0
    if np.any((found[filled] < 0) | (found[filled] >= n_clusters)):
        raise ParameterError(f"a start for {kind} must hold numbers from 0 to {n_clusters - 1}")
    return np.where(filled, found, -1).astype(np.int32)
