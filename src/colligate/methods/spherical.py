"""Objects as directions (unit vectors) by tf-idf or its singular vectors, and spherical k-means on them.

Most methods start from these clusters. Labels at random and labels of the user are checked and made here too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from colligate._array import one_hot, sum_edges, unit_columns, unit_rows
from colligate.errors import ParameterError
from colligate.kernels import SparseRows, kernels_of, make_kernels
from colligate.kernels.arrays import RANGE_ROWS, beside, cut_blocks, is_on_device, map_rows, to_host
from colligate.network import WORDS
from colligate.shards.matrix import ShardedMatrix, by_rows, collect, count_columns, sum_row_products

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.loop import Labels

    Floats = NDArray[np.float64]

# enough for a start: the labels hardly change after it
LLOYD_ITERATIONS = 10
# directions after these hold more noise than groups
SVD_DIMENSIONS = 100
# of the randomised decomposition: further directions, rounds of X'X, and directions shorter than this part of
# the longest, which are rounding
OVERSAMPLING, POWER_ITERATIONS, RANK_TOLERANCE = 10, 4, 1e-6
# of the start of co-clustering, whose first iterations move most objects anyway: directions, rounds of XX',
# and rows in which they are found (at least so many, and one in so many); groups are as good as by all rows
START_DIMENSIONS, START_ITERATIONS = 40, 2
SAMPLE_ROWS, ROWS_PER_SAMPLED = 4096, 16
# fewer documents start from all of them, which is quick enough
SAMPLED_FROM = 8192
# k-means of a start runs on so many objects, and on so many per cluster, before it takes all
KMEANS_SAMPLE, SAMPLED_PER_CLUSTER = 4096, 64
# a matrix with a side of at most so many rows or columns is decomposed exactly
SMALL_SIDE = 512
TINY = 1e-30
# rows whose sums are kept in single precision, and then added in double
SUM_BLOCK = 2**15


def tfidf(
    counts: csr_array,
    idf: Floats | None = None,
    kernels: Kernels | None = None,
    dtype: type[np.floating[Any]] = np.float64,
) -> csr_array:
    """Return (1 + log count)·idf at unit rows; without `idf`, that of the counts.

    Rows are weighed on the threads of the kernels, if there are any.
    """
    idf = inverse_document_frequency(counts, kernels) if idf is None else idf
    if isinstance(counts, ShardedMatrix):
        weighed: csr_array = _weigh_rows(counts, idf).astype(dtype, copy=False)
        return weighed
    x = SparseRows.of(counts)
    kernels = make_kernels("fast", 1) if kernels is None else kernels
    return replace(x, data=kernels.tfidf(x, idf, dtype)).matrix()


@by_rows("matrix")
def _weigh_rows(counts: csr_array, idf: Floats) -> csr_array:
    return tfidf(counts, idf)


def inverse_document_frequency(counts: csr_array, kernels: Kernels | None = None) -> Floats:
    """Return 1 + log((1 + documents) / (1 + documents that have the word)) of every word."""
    return np.asarray(np.log((1.0 + counts.shape[0]) / (1.0 + document_frequency(counts, kernels))) + 1.0)


def document_frequency(counts: csr_array, kernels: Kernels | None = None) -> NDArray[np.int64]:
    """Count the rows that have each column, on the threads of the kernels, if there are any."""
    return count_columns(counts) if kernels is None else kernels.count_columns(SparseRows.of(counts))


@dataclass(frozen=True, eq=False)
class Directions:
    """Unit rows; `filled` marks those that are not zero."""

    unit: csr_array | NDArray[np.float32]
    filled: NDArray[np.bool_]

    def cosines(self, kernels: Kernels, centres: Floats) -> Floats:
        """Return the cosine of every object with every centre (columns)."""
        if isinstance(self.unit, np.ndarray):
            # float32 like the directions; otherwise the product would copy them as float64
            cosines: Floats = beside(self.unit, centres, keep=True) @ centres.astype(np.float32)
            return cosines.astype(np.float64)
        return kernels.product(SparseRows.of(self.unit), centres)

    def nearest(self, kernels: Kernels, centres: Floats) -> Labels:
        """Return the number of the centre (column) with the largest cosine, for every object."""
        if isinstance(self.unit, np.ndarray):
            # in single precision, whose order is that of the cosines
            unit, centres = beside(self.unit, centres, keep=True), centres.astype(np.float32)
            parts = kernels.map_ranges(
                lambda start, stop: to_host((unit[start:stop] @ centres).argmax(axis=1)),
                sum_edges(len(unit), len(unit) if is_on_device(unit) else RANGE_ROWS),
            )
            return np.concatenate(parts, dtype=np.int32)
        return np.asarray(to_host(self.cosines(kernels, centres).argmax(axis=1)), dtype=np.int32)

    def direction(self, number: int) -> Floats:
        """Return one object as a column."""
        row = self.unit[[number]]
        return np.asarray(row if isinstance(row, np.ndarray) else row.toarray(), dtype=np.float64).T

    @property
    def n_dimensions(self) -> int:
        """The length of a direction as an array."""
        return int(self.unit.shape[1])

    def means(self, labels: Labels, n_clusters: int) -> Floats:
        """Return the directions of the clusters as columns; zero for an empty cluster."""
        if not isinstance(self.unit, np.ndarray):
            return unit_columns((one_hot(labels, n_clusters).T.tocsr() @ self.unit).toarray().T)
        sums = np.zeros((n_clusters, self.n_dimensions))
        for start in range(0, len(labels), SUM_BLOCK):
            rows = slice(start, start + SUM_BLOCK)
            sums += one_hot(labels[rows], n_clusters).astype(np.float32).T @ self.unit[rows]
        return unit_columns(sums.T)


@dataclass(frozen=True, eq=False)
class Columns(Directions):
    """The columns of a matrix, which is not transposed; `length` has their lengths."""

    unit: csr_array
    length: Floats

    @classmethod
    def of(cls, matrix: csr_array) -> Columns:
        """Compute the lengths of the columns."""
        n_columns = matrix.shape[1]
        length = np.sqrt(np.bincount(matrix.indices, np.square(matrix.data), n_columns))
        return cls(matrix, document_frequency(matrix) > 0, np.where(length > 0, length, 1.0))

    def cosines(self, kernels: Kernels, centres: Floats) -> Floats:
        """Return the cosine of every object with every centre (columns)."""
        cosines = kernels.transposed_product(SparseRows.of(self.unit), centres)
        cosines /= beside(self.length, cosines, keep=True)[:, None]
        return cosines

    def direction(self, number: int) -> Floats:
        """Return one object as a column."""
        return np.asarray(self.unit[:, [number]].toarray() / self.length[number], dtype=np.float64)

    @property
    def n_dimensions(self) -> int:
        """The length of a direction as an array."""
        return int(self.unit.shape[0])

    def means(self, labels: Labels, n_clusters: int) -> Floats:
        """Return the directions of the clusters as columns; zero for an empty cluster."""
        # dividing by the lengths in the small factor leaves the matrix itself shared
        return unit_columns((self.unit @ one_hot(labels, n_clusters, 1.0 / self.length)).toarray())


def make_tfidf_directions(counts: csr_array, scale: Floats | None = None) -> tuple[Directions, Directions]:
    """Return documents as tf-idf rows, and words as the columns; `scale` multiplies the idf."""
    documents = _scaled_tfidf(counts, scale)
    words = unit_rows(csr_array(documents.T.tocsr()))
    return _sparse_directions(documents), _sparse_directions(words)


def _sparse_directions(unit: csr_array) -> Directions:
    return Directions(unit, np.diff(unit.indptr) > 0)


def make_latent_directions(
    counts: csr_array, scale: Floats | None = None, kernels: Kernels | None = None
) -> tuple[Directions, Directions]:
    """Return documents and words in the leading singular vectors of tf-idf; `scale` multiplies the idf."""
    documents, values, words = truncated_svd(_scaled_tfidf(counts, scale, kernels), SVD_DIMENSIONS, kernels)
    occurs = document_frequency(counts, kernels) > 0
    return make_dense_directions(documents, np.diff(counts.indptr) > 0, kernels), make_dense_directions(
        words * values, occurs, kernels
    )


def make_start_directions(
    counts: csr_array, scale: Floats | None = None, kernels: Kernels | None = None
) -> tuple[Directions, Directions]:
    """Return what `make_latent_directions` does, with fewer directions, found in a sample of the documents.

    A word that no document of the sample has is not filled.
    """
    if min(counts.shape) <= SMALL_SIDE:
        return make_latent_directions(counts, scale, kernels)
    kernels = kernels_of(counts) if kernels is None else kernels
    weighed = _scaled_tfidf(counts, scale, kernels, np.float32)
    x = SparseRows.of(weighed)
    sample = SparseRows.of(_sample_rows(weighed, max(SAMPLE_ROWS, len(x) // ROWS_PER_SAMPLED)))
    basis = _find_range_by_rows(kernels, sample.with_blocks(kernels))
    rows = kernels.product(sample, basis)
    values, rotation = _leading_eigenvectors(kernels.overlap(rows, rows), START_DIMENSIONS)
    words = basis @ rotation.astype(np.float32)
    documents = kernels.product(x, words)
    return make_dense_directions(documents, np.diff(counts.indptr) > 0, kernels), make_dense_directions(
        words * values, (words != 0).any(axis=1), kernels
    )


def _find_range_by_rows(kernels: Kernels, x: SparseRows) -> NDArray[np.float32]:
    """Return orthonormal columns that about span the leading right singular vectors, and a few more.

    X'·XX'·Ω has no long side of random numbers, and one orthonormalisation: its few rounds do not need more.
    """
    rows = np.random.default_rng(0).standard_normal(
        (len(x), START_DIMENSIONS + OVERSAMPLING), dtype=np.float32
    )
    for _ in range(START_ITERATIONS):
        columns = kernels.transposed_product(x, rows).astype(np.float32)
        rows = kernels.product(x, columns).astype(np.float32)
        # their squares would soon be beyond single precision; without any entry they are zero
        rows /= max(float(np.abs(rows).max()), TINY)
    return _orthonormalise(kernels, kernels.transposed_product(x, rows))


def _sample_rows(matrix: csr_array, count: int) -> csr_array:
    """Return rows drawn with a fixed seed, in their order; all rows if there are no more."""
    if matrix.shape[0] <= count:
        return collect(matrix)
    chosen = np.sort(np.random.default_rng(0).choice(matrix.shape[0], count, replace=False))
    return csr_array(matrix[chosen])


def truncated_svd(
    matrix: csr_array, n_dimensions: int, kernels: Kernels | None = None
) -> tuple[Floats, Floats, Floats]:
    """Return the rows in the leading right singular vectors, the singular values, and the vectors (columns).

    A randomised decomposition (Halko, Martinsson and Tropp, 2011) in single precision, with sums in double.
    Its seed is fixed, so that all restarts share it. Without kernels, it runs on all cores.
    """
    n_dimensions = min(n_dimensions, *matrix.shape)
    if min(matrix.shape) <= SMALL_SIDE:
        return _exact_svd(matrix, n_dimensions)
    kernels = kernels_of(matrix) if kernels is None else kernels
    x = SparseRows.of(matrix.astype(np.float32, copy=False)).with_blocks(kernels)
    basis = _find_range(kernels, x, n_dimensions, POWER_ITERATIONS)
    rows = _orthonormalise(kernels, kernels.product(x, basis))
    columns = kernels.transposed_product(x, rows)
    values, rotation = _leading_eigenvectors(kernels.overlap(columns, columns), n_dimensions)
    scaled = rotation / np.where(values > 0, values, 1.0)
    return (
        _multiply_dense(kernels, rows, rotation * values),
        values,
        _multiply_dense(kernels, columns, scaled),
    )


def _find_range(kernels: Kernels, x: SparseRows, n_dimensions: int, n_iterations: int) -> NDArray[np.float32]:
    """Return orthonormal columns that about span the leading right singular vectors, and a few more."""
    basis = np.random.default_rng(0).standard_normal(
        (x.n_columns, n_dimensions + OVERSAMPLING), dtype=np.float32
    )
    for _ in range(n_iterations):
        rows = kernels.product(x, basis).astype(np.float32)
        basis = _orthonormalise(kernels, kernels.transposed_product(x, rows))
    return basis


def _exact_svd(matrix: csr_array, n_dimensions: int) -> tuple[Floats, Floats, Floats]:
    """Return what `truncated_svd` does, by the inner products of the rows or columns, whichever are fewer."""
    matrix, is_tall = matrix.astype(np.float64), matrix.shape[0] >= matrix.shape[1]
    if not is_tall:
        matrix = collect(matrix)
    products = sum_row_products(matrix) if is_tall else (matrix @ matrix.T).toarray()
    values, vectors = _leading_eigenvectors(products, n_dimensions)
    if is_tall:
        return np.asarray(matrix @ vectors), values, vectors
    return vectors * values, values, np.asarray(matrix.T @ (vectors / np.where(values > 0, values, 1.0)))


def _leading_eigenvectors(products: Floats, count: int) -> tuple[Floats, Floats]:
    """Return the roots of the largest eigenvalues, and their vectors as columns, the largest first."""
    squares, vectors = np.linalg.eigh(products)
    return np.sqrt(np.maximum(squares[::-1][:count], 0.0)), np.ascontiguousarray(vectors[:, ::-1][:, :count])


def _orthonormalise(kernels: Kernels, columns: Floats) -> NDArray[np.float32]:
    """Return orthonormal columns that span the same space, with zeros where the rank is lower."""
    squares, rotation = np.linalg.eigh(kernels.overlap(columns, columns))
    is_length = squares > RANK_TOLERANCE**2 * max(squares[-1], 0.0)
    rotation *= is_length / np.sqrt(np.where(is_length, squares, 1.0))
    unit: NDArray[np.float32] = _multiply_dense(kernels, columns, rotation.astype(np.float32), np.float32)
    return unit


def _multiply_dense(
    kernels: Kernels, left: NDArray[Any], right: NDArray[Any], dtype: type[np.floating[Any]] = np.float64
) -> Any:
    """Multiply a tall matrix, in the precision `dtype`, with a small one, on the threads of the kernels."""
    parts = kernels.map_ranges(
        lambda start, stop: left[start:stop].astype(dtype, copy=False) @ right,
        sum_edges(len(left), RANGE_ROWS),
    )
    return np.concatenate(parts)


def make_dense_directions(
    rows: NDArray[Any], filled: NDArray[np.bool_], kernels: Kernels | None = None
) -> Directions:
    """Bring rows to unit length, on the threads of the kernels, if any; those not `filled` become zero."""
    unit = np.empty(rows.shape, dtype=np.float32)

    def scale(start: int, stop: int) -> None:
        for block in cut_blocks(rows, start, stop):
            part = rows[block]
            length = np.sqrt((part**2).sum(axis=1))
            unit[block] = part * (filled[block] / np.where(length > 0, length, 1.0))[:, None]

    map_rows(scale, rows, kernels)
    return Directions(unit, filled)


def _scaled_tfidf(
    counts: csr_array,
    scale: Floats | None,
    kernels: Kernels | None = None,
    dtype: type[np.floating[Any]] = np.float64,
) -> csr_array:
    idf = inverse_document_frequency(counts, kernels)
    return tfidf(counts, idf if scale is None else idf * scale, kernels, dtype)


def spherical_kmeans(
    kernels: Kernels,
    objects: Directions,
    n_clusters: int,
    rng: np.random.Generator,
    seeds: Labels | None = None,
    *,
    sampled: bool = False,
) -> Labels:
    """Run spherical k-means from k-means++ centres; -1 for objects without a direction.

    Objects with a seed label (≥ 0) make the first centres; k-means++ draws the centres of all other clusters.
    With `sampled`, the centres are found in a sample of many objects.
    """
    return draw_kmeans(kernels, objects, n_clusters, rng, seeds, sampled=sampled)()


def draw_kmeans(
    kernels: Kernels,
    objects: Directions,
    n_clusters: int,
    rng: np.random.Generator,
    seeds: Labels | None = None,
    *,
    sampled: bool = False,
) -> Callable[[], Labels]:
    """Draw what `spherical_kmeans` draws, and return the function that finds the labels.

    Several of these functions can run side by side, after draws in a fixed order.
    """
    if not objects.filled.any():
        return lambda: np.full(len(objects.filled), -1, dtype=np.int32)
    seeded = np.zeros((objects.n_dimensions, 0))
    if seeds is not None:
        seeded = objects.means(seeds, int(seeds.max()) + 1)[:, :n_clusters]
    part = _sample_objects(objects, n_clusters, rng) if sampled else objects
    draws = rng.random(n_clusters - seeded.shape[1])

    def find_labels() -> Labels:
        centres = _draw_plus_plus(kernels, part, seeded, draws)
        labels = _run_lloyd(kernels, part, centres, LLOYD_ITERATIONS)
        return labels if part is objects else _assign(kernels, objects, centres)

    return find_labels


def _sample_objects(objects: Directions, n_clusters: int, rng: np.random.Generator) -> Directions:
    """Return objects with a direction, drawn at random; all objects if they are few."""
    filled = np.flatnonzero(objects.filled)
    size = max(KMEANS_SAMPLE, SAMPLED_PER_CLUSTER * n_clusters)
    if len(filled) <= size:
        return objects
    chosen = np.sort(rng.choice(filled, size, replace=False))
    return Directions(objects.unit[chosen], objects.filled[chosen])


def _run_lloyd(kernels: Kernels, objects: Directions, centres: Floats, max_iterations: int) -> Labels:
    """Move the centres, in place, and the objects in turn; return the labels."""
    labels = _assign(kernels, objects, centres)
    for _ in range(max_iterations):
        means = objects.means(labels, centres.shape[1])
        # the centre of an empty cluster stays
        np.copyto(centres, means, where=means.any(axis=0))
        following = _assign(kernels, objects, centres)
        if np.array_equal(following, labels):
            break
        labels = following
    return labels


def _draw_plus_plus(kernels: Kernels, objects: Directions, centres: Floats, draws: Floats) -> Floats:
    """Add a centre for each draw (0 to 1): an object, by its distance 1 − cos to the nearest centre."""
    filled = objects.filled
    distance = filled.astype(np.float64)
    columns = [centres]
    if centres.shape[1]:
        # a cosine can round to above 1
        distance *= (1.0 - objects.cosines(kernels, centres).max(axis=1)).clip(min=0.0)
    for draw in draws:
        total = distance.sum()
        # all objects may lie on the centres already, as copies do
        cumulated = np.cumsum(distance / total if total > 0 else filled / filled.sum())
        chosen = np.searchsorted(cumulated / cumulated[-1], draw, side="right")
        columns.append(objects.direction(int(chosen)))
        cosines = to_host(objects.cosines(kernels, kernels.place(columns[-1])))
        nearer = filled * (1.0 - cosines.ravel()).clip(min=0.0)
        distance = np.minimum(distance, nearer)
    return np.ascontiguousarray(np.concatenate(columns, axis=1))


def _assign(kernels: Kernels, objects: Directions, centres: Floats) -> Labels:
    labels = objects.nearest(kernels, kernels.place(centres))
    labels[~objects.filled] = -1
    return labels


def draw_labels(matrix: csr_array, n_clusters: int, rng: np.random.Generator) -> Labels:
    """Put every row with an entry in a random cluster, all clusters about equally large."""
    labels = np.full(matrix.shape[0], -1, dtype=np.int32)
    filled = np.flatnonzero(np.diff(matrix.indptr))
    labels[filled] = rng.permutation(np.arange(len(filled)) % n_clusters)
    return labels


def check_labels(labels: Any, matrix: csr_array, n_clusters: int, kind: str, *, least: int = 0) -> Labels:
    """Check the labels that the user passed as a start; rows without entries get -1.

    With `least` -1, objects may start in no group.
    """
    start = np.asarray(labels)
    parameter = "word_init" if kind == WORDS else "init"
    if start.shape != (matrix.shape[0],) or not np.issubdtype(start.dtype, np.integer):
        raise ParameterError(
            f"{parameter} must be {matrix.shape[0]} whole numbers, one for each of the {kind}; "
            f"got an array of shape {start.shape} and type {start.dtype}",
            parameter=parameter,
        )
    filled = np.diff(matrix.indptr) > 0
    if np.any((start[filled] < least) | (start[filled] >= n_clusters)):
        raise ParameterError(
            f"{parameter} must contain the number of a group, from 0 to {n_clusters - 1}"
            f"{', or -1 for none,' if least < 0 else ','} for each of the {kind}",
            parameter=parameter,
        )
    return np.where(filled, start, -1).astype(np.int32)
