"""Objects as directions, sparse (tf-idf) or dense (its singular vectors), and spherical k-means on them.

Documents as directions: (1 + log count)·idf, at unit length.

Where a run starts: labels for one type from tf-idf directions, at random, from knowledge, or as given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.sparse import csr_array

from colligate._array import one_hot, unit_columns, unit_rows
from colligate.errors import ParameterError
from colligate.kernels import SparseRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.loop import Labels

    Floats = NDArray[np.float64]

LLOYD_ITERATIONS = 10
SVD_DIMENSIONS = 100
# entries at a time, since counting makes long integers of them
COUNT_BLOCK = 2**18


@dataclass(frozen=True, eq=False)
class Directions:
    """Unit rows; `filled` marks those that are not zero."""

    unit: sparse.csr_array | NDArray[np.float32]
    filled: NDArray[np.bool_]

    def cosines(self, kernels: Kernels, centres: Floats) -> Floats:
        """The similarity of every object to every centre (columns)."""
        if isinstance(self.unit, np.ndarray):
            return np.asarray(self.unit @ centres.astype(np.float32), dtype=np.float64)
        return kernels.product(SparseRows.of(self.unit), centres)

    def direction(self, number: int) -> Floats:
        """One object as a column."""
        row = self.unit[[number]]
        return np.asarray(row if isinstance(row, np.ndarray) else row.toarray(), dtype=np.float64).T

    @property
    def n_dimensions(self) -> int:
        """How many numbers a direction has."""
        return int(self.unit.shape[1])

    def means(self, labels: Labels, n_clusters: int) -> Floats:
        """The directions of the clusters, as columns; zero for an empty one."""
        sums = one_hot(labels, n_clusters).T.tocsr() @ self.unit
        return unit_columns((sums if isinstance(sums, np.ndarray) else sums.toarray()).T)


@dataclass(frozen=True, eq=False)
class Columns(Directions):
    """The columns of a matrix, which is not turned round for it; `length` is that of columns before."""

    unit: sparse.csr_array
    length: Floats

    @classmethod
    def of(cls, matrix: sparse.csr_array) -> Columns:
        """Find the lengths."""
        n_columns = matrix.shape[1]
        length = np.sqrt(np.bincount(matrix.indices, np.square(matrix.data), n_columns))
        return cls(matrix, document_frequency(matrix) > 0, np.where(length > 0, length, 1.0))

    def cosines(self, kernels: Kernels, centres: Floats) -> Floats:
        """The similarity of every object to every centre (columns)."""
        found = kernels.transposed_product(SparseRows.of(self.unit), centres)
        found /= self.length[:, None]
        return found

    def direction(self, number: int) -> Floats:
        """One object as a column."""
        return np.asarray(self.unit[:, [number]].toarray() / self.length[number], dtype=np.float64)

    @property
    def n_dimensions(self) -> int:
        """How many numbers a direction has."""
        return int(self.unit.shape[0])

    def means(self, labels: Labels, n_clusters: int) -> Floats:
        """The directions of the clusters, as columns; zero for an empty one."""
        return unit_columns((self.unit @ one_hot(labels, n_clusters, 1.0 / self.length)).toarray())


def make_tfidf_directions(
    counts: sparse.csr_array, scale: Floats | None = None
) -> tuple[Directions, Directions]:
    """Documents by their tf-idf words, and words by the same entries transposed."""
    documents = _scaled_tfidf(counts, scale)
    words = unit_rows(sparse.csr_array(documents.T.tocsr()))
    return tuple(Directions(unit, np.diff(unit.indptr) > 0) for unit in (documents, words))  # type: ignore[return-value]


def make_latent_directions(
    counts: sparse.csr_array, scale: Floats | None = None
) -> tuple[Directions, Directions]:
    """Documents and words in the space of the leading singular vectors of tf-idf.

    `scale` says how much more or less the columns count. The decomposition has a seed of its own, so that all
    restarts share it.
    """
    from sklearn.utils.extmath import randomized_svd

    n_dimensions = min(SVD_DIMENSIONS, min(counts.shape))
    left, values, right = randomized_svd(
        _scaled_tfidf(counts, scale).astype(np.float32), n_dimensions, n_iter=4, random_state=0
    )
    occurs = np.bincount(counts.indices, minlength=counts.shape[1]) > 0
    return make_dense_directions(left * values, np.diff(counts.indptr) > 0), make_dense_directions(
        right.T * values, occurs
    )


def make_dense_directions(rows: NDArray[Any], filled: NDArray[np.bool_]) -> Directions:
    """Rows of any length as directions; those not `filled` become zero."""
    length = np.sqrt((rows**2).sum(axis=1))
    unit = rows * (filled / np.where(length > 0, length, 1.0))[:, None]
    return Directions(unit.astype(np.float32), filled)


def _scaled_tfidf(counts: sparse.csr_array, scale: Floats | None) -> sparse.csr_array:
    return tfidf(counts, None if scale is None else inverse_document_frequency(counts) * scale)


def spherical_kmeans(
    kernels: Kernels,
    objects: Directions,
    n_clusters: int,
    rng: np.random.Generator,
    seeds: Labels | None = None,
) -> Labels:
    """Spherical k-means from k-means++ centres. Objects with a seed (≥ 0) make the first centres.

    Clusters that no seed speaks for take their centres from k-means++ as well.
    """
    if not objects.filled.any():
        return np.full(len(objects.filled), -1, dtype=np.int32)
    given = np.zeros((objects.n_dimensions, 0))
    if seeds is not None:
        given = objects.means(seeds, int(seeds.max()) + 1)[:, :n_clusters]
    centres = _plus_plus(kernels, objects, given, n_clusters, rng)
    labels = _nearest(kernels, objects, centres)
    for _ in range(LLOYD_ITERATIONS):
        _recentre(objects, labels, centres)
        following = _nearest(kernels, objects, centres)
        if np.array_equal(following, labels):
            break
        labels = following
    return labels


def _plus_plus(
    kernels: Kernels, objects: Directions, centres: Floats, n_clusters: int, rng: np.random.Generator
) -> Floats:
    """Add centres until there are enough, each an object drawn by its distance 1 − cos to the nearest."""
    filled = objects.filled
    distance = filled.astype(np.float64)
    columns = [centres]
    if centres.shape[1]:
        distance *= (1.0 - objects.cosines(kernels, centres).max(axis=1)).clip(min=0.0)
    for _ in range(n_clusters - centres.shape[1]):
        total = distance.sum()
        chosen = rng.choice(len(filled), p=distance / total if total > 0 else filled / filled.sum())
        columns.append(objects.direction(int(chosen)))
        nearer = filled * (1.0 - objects.cosines(kernels, columns[-1]).ravel()).clip(min=0.0)
        distance = np.minimum(distance, nearer)
    return np.ascontiguousarray(np.concatenate(columns, axis=1))


def _recentre(objects: Directions, labels: Labels, centres: Floats) -> None:
    """Move the centres of clusters that are not empty, in place."""
    means = objects.means(labels, centres.shape[1])
    np.copyto(centres, means, where=means.any(axis=0))


def _nearest(kernels: Kernels, objects: Directions, centres: Floats) -> Labels:
    labels: Labels = objects.cosines(kernels, centres).argmax(axis=1).astype(np.int32)
    labels[~objects.filled] = -1
    return labels


def document_frequency(counts: csr_array) -> NDArray[np.int64]:
    """How many rows have each column."""
    found = np.zeros(counts.shape[1], dtype=np.int64)
    for start in range(0, len(counts.indices), COUNT_BLOCK):
        found += np.bincount(counts.indices[start : start + COUNT_BLOCK], minlength=len(found))
    return found


def inverse_document_frequency(counts: csr_array) -> Floats:
    """The idf of every word: 1 + log((1 + documents) / (1 + documents that have it))."""
    return np.asarray(np.log((1.0 + counts.shape[0]) / (1.0 + document_frequency(counts))) + 1.0)


def tfidf(counts: csr_array, idf: Floats | None = None) -> csr_array:
    """Rows of unit length; a row without entries stays zero. Without `idf` it is that of the counts."""
    idf = inverse_document_frequency(counts) if idf is None else idf
    data = counts.data.astype(np.float64)
    # entries below 1 are weights rather than counts: log(1 + x) would not reach their scale, x itself does
    above = data > 1.0
    np.log(data, out=data, where=above)
    np.add(data, 1.0, out=data, where=above)
    data *= idf[counts.indices]
    return unit_rows(csr_array((data, counts.indices, counts.indptr), shape=counts.shape))


def draw_labels(matrix: sparse.csr_array, n_clusters: int, rng: np.random.Generator) -> Labels:
    """Every row with an entry in a random cluster, all clusters about equally large."""
    labels = np.full(matrix.shape[0], -1, dtype=np.int32)
    filled = np.flatnonzero(np.diff(matrix.indptr))
    labels[filled] = rng.permutation(np.arange(len(filled)) % n_clusters)
    return labels


def check_labels(labels: Any, matrix: sparse.csr_array, n_clusters: int, kind: str) -> Labels:
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
