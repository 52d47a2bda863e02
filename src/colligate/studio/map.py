"""Positions for every document of a run: the report's map, turned so that groups stay in place.

Groups stand where classical scaling puts them, pushed apart; documents fill the disc of their group and lean
to the runner-up (see `result.layout`). Of all turns and mirrorings of a later map the one is taken that moves
the groups it shares with the map before the least. Time and memory are O(non-zeros + groups²).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._storage.arrays import read_arrays, write_arrays
from colligate._storage.atomic import write_file
from colligate._storage.manifest import wrap_read_errors
from colligate.result.layout import layout

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.result import Result

    Floats = NDArray[np.float64]

NOWHERE = 0.5
"""Where documents in no group are put: they are drawn apart, or not at all."""


@dataclass(frozen=True, eq=False)
class MapLayout:
    """Where documents are, documents × 2, and by the lasting number of each group its centre and radius."""

    documents: NDArray[np.float32]
    identities: NDArray[np.int64]
    centres: Floats
    radii: Floats

    def save(self, path: Path) -> None:
        """Store the places."""
        with write_file(path) as temporary:
            write_arrays(temporary, vars(self))

    @classmethod
    def load(cls, path: Path) -> MapLayout:
        """Read stored places."""
        with wrap_read_errors(path):
            return cls(**read_arrays(path))


def lay_out(result: Result, identities: Sequence[int], before: MapLayout | None = None) -> MapLayout:
    """Place all documents of a result."""
    labels = result.labels[result.centre]
    found = layout(
        labels, result.n_groups(), result.counts, result.confidence, result.runner_up, limit=labels.size
    )
    documents = np.full((labels.size, 2), NOWHERE)
    documents[found.documents] = found.places
    numbers = np.array(identities, dtype=np.int64)
    turn = _turn(numbers, found.centres, found.radii, before)
    return MapLayout(
        (NOWHERE + (documents - NOWHERE) @ turn).astype(np.float32),
        numbers,
        NOWHERE + (found.centres - NOWHERE) @ turn,
        found.radii,
    )


def _turn(numbers: NDArray[Any], centres: Floats, radii: Floats, before: MapLayout | None) -> Floats:
    """The orthogonal matrix that brings the groups nearest to where they were, the large ones first."""
    if before is None:
        return np.eye(2)
    shared, now, then = np.intersect1d(numbers, before.identities, return_indices=True)
    if len(shared) < 2:
        return np.eye(2)
    weight = radii[now][:, None] ** 2
    left, _, right = np.linalg.svd(((centres[now] - NOWHERE) * weight).T @ (before.centres[then] - NOWHERE))
    return np.asarray(left @ right)
