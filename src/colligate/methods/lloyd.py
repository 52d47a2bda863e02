"""K-means on rows that are on the workers of a cluster, step by step as scikit-learn computes it.

scikit-learn's k-means needs all rows in one place. Here the distances are computed on the workers; draws,
centres and the rules to stop are the same, so that the labels are those of one process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils.extmath import row_norms

from colligate.shards.matrix import by_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.shards.matrix import ShardedMatrix

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


class Lloyd(NamedTuple):
    """Centres, and the number of iterations that led to them."""

    centres: Floats
    n_iter: int


def draw_sharded_centres(rows: ShardedMatrix, n_clusters: int, seed: int) -> Floats:
    """Draw centres by k-means++ with a few candidates for each, as scikit-learn does."""
    random, n_trials = np.random.RandomState(seed), 2 + int(np.log(n_clusters))
    n_rows = rows.shape[0]
    chosen = [int(random.choice(n_rows, p=np.full(n_rows, 1.0 / n_rows)))]
    # scikit-learn has centres × rows
    nearest = _distances(rows, rows.rows_of(np.array(chosen)).toarray()).T
    potential = float((nearest @ np.ones(n_rows))[0])
    closest = nearest[0]
    for _ in range(1, n_clusters):
        draws = random.uniform(size=n_trials) * potential
        candidates = np.minimum(np.searchsorted(np.cumsum(closest), draws), n_rows - 1)
        distances = _distances(rows, rows.rows_of(candidates)).T
        np.minimum(closest, distances, out=distances)
        potentials = (distances @ np.ones((n_rows, 1))).ravel()
        best = int(np.argmin(potentials))
        potential, closest = float(potentials[best]), distances[best]
        chosen.append(int(candidates[best]))
    return np.asarray(rows.rows_of(np.array(chosen)).toarray())


def run_sharded_lloyd(rows: ShardedMatrix, centres: Floats, max_iter: int, tol: float) -> Lloyd:
    """Move centres to the means of their rows until no row moves, or the centres hardly do."""
    smallest_shift = tol * float(_variances(rows).mean())
    before = np.full(rows.shape[0], -1)
    for iteration in range(1, max_iter + 1):
        steps = rows.shards.map(_step, centres)
        labels, sums = steps.stack(_labels_of), steps.sum(_sums_of)
        sizes = np.bincount(labels, minlength=len(centres))
        if (sizes == 0).any():
            sums, sizes = _fill_empty(rows, centres, labels, sums, sizes)
        moved = sums * (1.0 / sizes)[:, None]
        shift = float(np.square(moved - centres).sum())
        centres = moved
        if np.array_equal(labels, before) or shift <= smallest_shift:
            return Lloyd(centres, iteration)
        before = labels
    return Lloyd(centres, max_iter)


def sum_by_label(rows: ShardedMatrix, labels: NDArray[np.integer], n_clusters: int) -> Floats:
    """Sum the rows of every cluster."""
    sums: Floats = rows.shards.sum(_sum_labelled, n_clusters, parts=(labels,))
    return sums


def _fill_empty(
    rows: ShardedMatrix, centres: Floats, labels: Ints, sums: Floats, sizes: Ints
) -> tuple[Floats, Ints]:
    """Give every empty cluster the row that is the farthest from its centre."""
    distances = _distances(rows, centres)[np.arange(len(labels)), labels]
    farthest = np.argsort(-distances, kind="stable")
    sums, sizes = sums.copy(), sizes.copy()
    for cluster, row in zip(np.flatnonzero(sizes == 0).tolist(), farthest.tolist(), strict=False):
        entries = rows.rows_of(np.array([row])).toarray()[0]
        sums[cluster] = entries
        sums[labels[row]] -= entries
        sizes[cluster] = 1
        sizes[labels[row]] -= 1
    return sums, np.maximum(sizes, 1)


def _variances(rows: ShardedMatrix) -> Floats:
    n_rows = rows.shape[0]
    sums = rows.shards.sum(_moments)
    return np.asarray(sums[1] / n_rows - np.square(sums[0] / n_rows))


# --- on the workers ---


@by_rows("array")
def _distances(rows: csr_array, centres: Floats | csr_array) -> Floats:
    """Compute the squared distance of every row to every centre."""
    # the centres first, as in k-means++ of scikit-learn, whose rounding decides draws
    return np.asarray(euclidean_distances(centres, rows, squared=True)).T


def _step(rows: csr_array, centres: Floats) -> tuple[Ints, Floats]:
    """Return the nearest centre of every row, and the sum of the rows of every centre."""
    distances = row_norms(centres, squared=True) - 2.0 * np.asarray(rows @ centres.T)
    labels = distances.argmin(axis=1)
    return labels, _sum_labelled(rows, labels, len(centres))


def _labels_of(step: tuple[Ints, Floats]) -> Ints:
    return step[0]


def _sums_of(step: tuple[Ints, Floats]) -> Floats:
    return step[1]


def _sum_labelled(rows: csr_array, labels: Ints, n_clusters: int) -> Floats:
    key = np.repeat(labels.astype(np.int64), np.diff(rows.indptr)) * rows.shape[1] + rows.indices
    sums = np.bincount(key, rows.data, n_clusters * rows.shape[1])
    return np.asarray(sums, dtype=np.float64).reshape(n_clusters, rows.shape[1])


def _moments(rows: csr_array) -> Floats:
    sums = (np.bincount(rows.indices, data, rows.shape[1]) for data in (rows.data, np.square(rows.data)))
    return np.stack(list(sums))
