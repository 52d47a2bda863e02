"""What several runs agree on: documents that most runs put together are put together.

Runs number their groups as they like, so groups are compared by their members. Documents × (groups of all
runs) is a bipartite graph; its leading singular vectors, found from the small matrix of overlaps between
groups, place documents that share groups near each other, and spherical k-means reads the groups off
(cf. Fern and Brodley, 2004).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from colligate.knowledge.faces import one_hot
from colligate.methods.directions import dense_directions, spherical_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

TRIES = 5


def agreed(kernels: Kernels, runs: Sequence[Labels], n_groups: int, rng: np.random.Generator) -> Labels:
    """One grouping for all runs; documents in no group of any run stay in none."""
    stacked = sparse.csr_array(sparse.hstack([one_hot(labels, n_groups) for labels in runs], format="csr"))
    size = np.maximum(np.asarray(stacked.sum(axis=0)).ravel(), 1.0)
    scaled = sparse.csr_array(stacked / np.sqrt(size))
    overlaps = np.asarray((scaled.T @ scaled).todense())
    _, vectors = np.linalg.eigh(overlaps)
    rows = np.asarray(scaled @ np.ascontiguousarray(vectors[:, -n_groups:]))
    objects = dense_directions(rows, np.diff(stacked.indptr) > 0)
    tries = [spherical_labels(kernels, objects, n_groups, rng) for _ in range(TRIES)]
    unit = np.asarray(objects.unit, dtype=np.float64)
    return max(tries, key=lambda labels: _closeness(unit, labels, n_groups))


def _closeness(unit: Floats, labels: Labels, n_groups: int) -> float:
    """The sum of cosines to the mean direction of the own group."""
    sums = one_hot(labels, n_groups).T @ unit
    return float(np.sqrt(np.square(sums).sum(axis=1)).sum())


def renumbered(labels: Labels, like: Labels, n_groups: int) -> Labels:
    """The same groups, numbered so that they share as many documents as can be with those of others."""
    both = (labels >= 0) & (like >= 0)
    overlap = np.zeros((n_groups, n_groups))
    np.add.at(overlap, (labels[both], like[both]), 1.0)
    own, other = linear_sum_assignment(-overlap)
    number = np.zeros(n_groups, dtype=np.int32)
    number[own] = other
    return np.where(labels >= 0, number[labels], -1).astype(np.int32)


def stability(runs: Sequence[Labels], labels: Labels, n_groups: int) -> NDArray[np.float32]:
    """For each document the share of runs that put it in its group, once their groups are matched.

    NaN for documents that are in no group, or were in none in any run.
    """
    if not runs:
        return np.zeros(0, dtype=np.float32)
    alike = [renumbered(run, labels, n_groups) == labels for run in runs]
    seen = (labels >= 0) & (np.max(runs, axis=0) >= 0)
    return np.where(seen, np.mean(alike, axis=0), np.nan).astype(np.float32)
