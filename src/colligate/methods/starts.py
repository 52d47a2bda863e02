"""Where a run starts: labels for one type from directions of tf-idf, at random, from knowledge, or as given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.errors import ParameterError
from colligate.kernels import Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

LLOYD_SWEEPS = 10


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
    if len(found) and (found.min() < 0 or found.max() >= n_clusters):
        raise ParameterError(f"a start for {kind} must hold numbers from 0 to {n_clusters - 1}")
    return np.where(np.diff(matrix.indptr) > 0, found, -1).astype(np.int32)


def spherical_labels(
    kernels: Kernels,
    unit: sparse.csr_array,
    n_clusters: int,
    rng: np.random.Generator,
    seeds: Labels | None = None,
) -> Labels:
    """Spherical k-means from k-means++ centres. Rows with a seed (≥ 0) make the first centres.

    Clusters that no seed speaks for take their centres from k-means++ as well.
    """
    rows = Rows.of(unit)
    centres = np.zeros((unit.shape[1], 0)) if seeds is None else _centres(unit, seeds, int(seeds.max()) + 1)
    centres = _plus_plus(kernels, unit, rows, centres[:, :n_clusters], n_clusters, rng)
    labels = _nearest(kernels, rows, centres)
    for _ in range(LLOYD_SWEEPS):
        following = _nearest(kernels, rows, _centres(unit, labels, n_clusters, centres))
        if np.array_equal(following, labels):
            break
        labels = following
    return labels


def _plus_plus(
    kernels: Kernels,
    unit: sparse.csr_array,
    rows: Rows,
    centres: Floats,
    n_clusters: int,
    rng: np.random.Generator,
) -> Floats:
    """Add centres until there are enough, each a row drawn by its distance 1 − cos to the nearest centre."""
    filled = np.diff(unit.indptr) > 0
    distance = filled.astype(np.float64)
    if centres.shape[1]:
        distance = np.where(filled, 1.0 - kernels.product(rows, centres).max(axis=1), 0.0).clip(min=0.0)
    columns = [centres]
    for _ in range(n_clusters - centres.shape[1]):
        total = distance.sum()
        chosen = rng.choice(len(rows), p=distance / total if total > 0 else filled / filled.sum())
        centre = unit[[chosen]].toarray().T
        columns.append(centre)
        distance = np.minimum(distance, np.where(filled, 1.0 - (unit @ centre).ravel(), 0.0)).clip(min=0.0)
    return np.concatenate(columns, axis=1)


def _nearest(kernels: Kernels, rows: Rows, centres: Floats) -> Labels:
    labels = kernels.product(rows, centres).argmax(axis=1).astype(np.int32)
    labels[np.diff(rows.indptr) == 0] = -1
    return labels


def _centres(
    unit: sparse.csr_array, labels: Labels, n_clusters: int, previous: Floats | None = None
) -> Floats:
    """The directions of the clusters; an empty one keeps its previous centre."""
    placed = np.flatnonzero(labels >= 0)
    shape = (n_clusters, unit.shape[0])
    indicator = sparse.csr_array((np.ones(len(placed)), (labels[placed], placed)), shape=shape)
    sums = (indicator @ unit).toarray().T
    length = np.sqrt((sums**2).sum(axis=0))
    centres = np.ascontiguousarray(sums / np.where(length > 0, length, 1.0))
    if previous is not None:
        centres[:, length == 0] = previous[:, length == 0]
    return centres
