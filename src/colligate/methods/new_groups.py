"""Groups that are new: documents that came later, have few earlier ones near them, and are alike.

A late document is *unlike the earlier ones* if far more of its nearest neighbours are late than chance
allows. Late documents on a topic that is there already have late neighbours only by chance, so they make no
new group, whatever the groups are like. The documents that are unlike the earlier ones are one group, unless
they are less alike than the documents of nearly every present group; then they are divided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.cluster import KMeans

from colligate.methods.mixture.views import LatentSpace
from colligate.methods.spherical import inverse_document_frequency

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Rows = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    Units = NDArray[np.float32]

# The neighbours that are asked; more where so many late ones could be chance (`_count_neighbours`).
N_NEIGHBOURS = 10
# The probability that a document of a present topic has so many late neighbours.
MAX_CHANCE = 1e-3
# A new group is at least as alike as this quantile of the present groups; chosen on R8 and 20 newsgroups with
# one and with two classes that came late.
LEAST_ALIKE = 0.1
# The largest number of similarities at once
BLOCK = 20_000_000


def find_new_groups(
    counts: csr_array, labels: NDArray[np.integer[Any]], is_late: Flags, min_size: int
) -> list[Rows]:
    """Return the documents of each new group, the largest group first.

    `labels` has the group of each earlier document, and -1 for late ones and those in no group. A group has
    `min_size` documents at least.
    """
    filled = np.diff(counts.indptr) > 0
    late, earlier = np.flatnonzero(is_late & filled), np.flatnonzero(~is_late & filled)
    if len(late) < min_size or not len(earlier):
        return []
    unlike = _find_unlike_earlier(counts, late, earlier)
    if len(unlike) < min_size:
        return []
    idf = inverse_document_frequency(counts)
    units = np.asarray(LatentSpace.of_tfidf(counts, idf)[1].unit)
    groups = [np.flatnonzero((labels == group) & filled) for group in np.unique(labels[labels >= 0])]
    present = [measure_likeness(units[rows]) for rows in groups if len(rows) >= min_size]
    least = float(np.quantile(present, LEAST_ALIKE)) if present else -1.0
    new = _divide(units, unlike, least, min_size)
    return sorted(new, key=lambda rows: (-len(rows), int(rows[0])))


def _find_unlike_earlier(counts: csr_array, late: Rows, earlier: Rows) -> Rows:
    """Return the late documents with more late neighbours than chance allows."""
    rng = np.random.default_rng(0)
    # as many earlier ones as late ones: a topic of few documents has no direction among those of all
    sample = rng.choice(earlier, min(len(earlier), len(late)), replace=False)
    space, _ = LatentSpace.of_tfidf(
        counts[np.sort(np.concatenate([late, sample]))], inverse_document_frequency(counts)
    )
    everyone = np.concatenate([late, earlier])
    units = np.asarray(space.unit(counts[everyone]), dtype=np.float32)
    share = len(late) / len(everyone)
    n_neighbours = _count_neighbours(share)
    if n_neighbours >= len(late):
        return np.zeros(0, dtype=np.int64)
    from scipy.stats import binom  # here, because it takes a second to import

    n_late = _count_late_neighbours(units, len(late), n_neighbours)
    return late[binom.sf(n_late - 1, n_neighbours, share) <= MAX_CHANCE]


def _count_neighbours(share: float) -> int:
    """Return how many neighbours to ask, so that all of them are late less often than `MAX_CHANCE`."""
    return max(N_NEIGHBOURS, int(np.ceil(np.log(MAX_CHANCE) / np.log(share))))


def _count_late_neighbours(units: Units, n_late: int, n_neighbours: int) -> Rows:
    """Count the late documents, which come first, among the nearest neighbours of each of them."""
    counted = np.zeros(n_late, dtype=np.int64)
    size = max(1, BLOCK // len(units))
    for start in range(0, n_late, size):
        rows = np.arange(start, min(start + size, n_late))
        similarity = units[rows] @ units.T
        # a document is no neighbour of itself
        similarity[np.arange(len(rows)), rows] = -np.inf
        nearest = np.argpartition(-similarity, n_neighbours - 1, axis=1)[:, :n_neighbours]
        counted[rows] = (nearest < n_late).sum(axis=1)
    return counted


def measure_likeness(units: Units) -> float:
    """Return the mean cosine of two different documents of a group."""
    total = units.sum(axis=0, dtype=np.float64)
    size = len(units)
    return float((total @ total - size) / (size * (size - 1)))


def _divide(units: Units, rows: Rows, least: float, min_size: int) -> list[Rows]:
    """Halve documents until each part is alike enough; parts that are too small are left out."""
    if len(rows) < min_size:
        return []
    if len(rows) < 2 * min_size or measure_likeness(units[rows]) >= least:
        return [rows]
    halves = KMeans(2, n_init=5, random_state=0).fit_predict(units[rows])
    if len(np.unique(halves)) < 2:
        return [rows]
    return [part for half in (0, 1) for part in _divide(units, rows[halves == half], least, min_size)]
