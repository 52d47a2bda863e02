"""Planes below the risk of the documents, which follow the documents from group to group.

A cut is a choice of documents and groups whose shortfalls are summed (equation 20). Its plane depends on the
groups the documents are in; when some move, they turn the plane, and the others need not be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.margin.risks import signed, target_plane

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.margin.features import Features
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Planes:
    """`choices` of cuts as packed bits, one row each, with their `slopes` and `offsets` for `groups`."""

    groups: Labels
    choices: NDArray[np.uint8]
    slopes: Floats
    offsets: Floats

    @classmethod
    def none(cls, groups: Labels, shape: tuple[int, ...]) -> Planes:
        """No planes yet, of slopes of a shape (groups × features)."""
        bits = (len(groups) * shape[0] + 7) // 8
        return cls(groups, np.zeros((0, bits), dtype=np.uint8), np.zeros((0, *shape)), np.zeros(0))

    def __len__(self) -> int:
        return len(self.offsets)

    def unpacked(self) -> NDArray[np.bool_]:
        """Cuts × documents × groups: the shortfalls that each cut sums."""
        shape = (len(self.groups), self.slopes.shape[1])
        bits = np.unpackbits(self.choices, axis=1, count=shape[0] * shape[1])
        return bits.astype(np.bool_).reshape(-1, *shape)

    def drawn(self, features: Features, choice: NDArray[np.bool_]) -> Planes:
        """The same with the plane of one more cut."""
        slope, offset = target_plane(features, choice, self.groups)
        return replace(
            self,
            choices=np.concatenate([self.choices, np.packbits(choice.ravel())[None]]),
            slopes=np.concatenate([self.slopes, slope[None]]),
            offsets=np.append(self.offsets, offset),
        )

    def regrouped(self, features: Features, groups: Labels) -> Planes:
        """The planes of the same cuts for other groups."""
        moved = np.flatnonzero(groups != self.groups)
        if not len(moved) or not len(self):
            return replace(self, groups=groups)
        size = len(groups) * self.slopes.shape[1]
        # documents × (cuts one after the other), so that one product turns all planes
        choices = np.concatenate(list(self.unpacked()[:, moved]), axis=0)
        repeated = [np.tile(own[moved], len(self)) for own in (self.groups, groups)]
        old, new = (signed(choices, own)[0].reshape(len(self), len(moved), -1) for own in repeated)
        turned = np.concatenate(list((new - old) / size), axis=1)
        counted = [-np.minimum(table, 0.0).sum(axis=(1, 2)) for table in (old, new)]
        return replace(
            self,
            groups=groups,
            slopes=self.slopes + features.part(moved).sums(turned).reshape(self.slopes.shape),
            offsets=self.offsets + (counted[1] - counted[0]) / size,
        )
