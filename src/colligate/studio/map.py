"""Positions for every document of a run: the report's map, turned so that groups stay in place.

Classical scaling places the groups, which are then pushed apart; documents fill the disc of their group and
lean towards the second-best group (see `result.layout`). A later map is rotated and reflected so that the
groups it shares with the map before move least (orthogonal Procrustes). Time and memory are
O(non-zeros + groups²).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.arrays import read_arrays, write_arrays
from colligate._storage.atomic import write_file
from colligate._storage.manifest import wrap_read_errors
from colligate.result.layout import lay_out

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.result import Result

    Floats = NDArray[np.float64]

CENTRE = 0.5
"""The middle of the map, where documents in no group are put."""


@dataclass(frozen=True, eq=False)
class MapLayout:
    """Positions of documents (documents × 2), and the lasting number, centre and radius of each group."""

    documents: NDArray[np.float32]
    identities: NDArray[np.int64]
    centres: Floats
    radii: Floats

    def save(self, path: Path) -> None:
        """Store the layout."""
        with write_file(path, private=True) as temporary:
            write_arrays(temporary, vars(self))

    @classmethod
    def load(cls, path: Path) -> MapLayout:
        """Load a stored layout."""
        with wrap_read_errors(path):
            return cls(**read_arrays(path))


def make_layout(result: Result, identities: Sequence[int], before: MapLayout | None = None) -> MapLayout:
    """Lay out all documents of a result, near a previous layout if there is one."""
    labels = result.labels[result.centre]
    arranged = lay_out(
        labels, result.n_groups(), result.counts, result.confidence, result.runner_up, limit=labels.size
    )
    documents = np.full((labels.size, 2), CENTRE)
    documents[arranged.documents] = arranged.places
    numbers = np.array(identities, dtype=np.int64)
    rotation = _align(numbers, arranged.centres, arranged.radii, before)
    return MapLayout(
        (CENTRE + (documents - CENTRE) @ rotation).astype(np.float32),
        numbers,
        CENTRE + (arranged.centres - CENTRE) @ rotation,
        arranged.radii,
    )


def _align(numbers: NDArray[Any], centres: Floats, radii: Floats, before: MapLayout | None) -> Floats:
    """Find the orthogonal matrix that brings groups nearest to their places before, weighted by size."""
    if before is None:
        return np.eye(2)
    shared, now, then = np.intersect1d(numbers, before.identities, return_indices=True)
    if len(shared) < 2:
        return np.eye(2)
    weight = radii[now][:, None] ** 2
    left, _, right = np.linalg.svd(((centres[now] - CENTRE) * weight).T @ (before.centres[then] - CENTRE))
    return np.asarray(left @ right)
