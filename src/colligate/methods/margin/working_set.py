"""The cuts found so far, with a Gram matrix that grows by one row per cut.

A cut says that a risk lies above a plane: R_b(W) ≥ offset + ⟨slope, W⟩, b the risk's number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.margin.quadratic import Quadratic, solve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# a cut that the last so many answers did without is forgotten
PATIENCE = 10


@dataclass(eq=False)
class KnownCut:
    """A cut, the number of its risk, and for how many answers it was of no use."""

    owner: int
    slope: Floats
    offset: float
    choice: NDArray[np.bool_] | None = None
    idle: int = 0


@dataclass(eq=False)
class WorkingSet:
    """The cuts, and the W with the lowest ½‖W‖² + Σ_b cap_b·(the highest cut of b, or 0)."""

    cap: Floats
    cuts: list[KnownCut] = field(default_factory=list)
    gram: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def __len__(self) -> int:
        return len(self.cuts)

    def add(self, owner: int, slope: Floats, offset: float, choice: NDArray[np.bool_] | None = None) -> None:
        """Take in a cut of one risk."""
        n_cuts = len(self.cuts)
        gram = np.empty((n_cuts + 1, n_cuts + 1))
        gram[:n_cuts, :n_cuts] = self.gram
        gram[:n_cuts, n_cuts] = gram[n_cuts, :n_cuts] = [np.vdot(slope, cut.slope) for cut in self.cuts]
        gram[n_cuts, n_cuts] = np.vdot(slope, slope)
        self.gram = gram
        self.cuts.append(KnownCut(owner, slope, offset, choice))

    def lowest(self, shape: tuple[int, ...], tolerance: float) -> tuple[Floats, float]:
        """The W of the cuts, and a value that no W at all can lie below."""
        owners = np.array([cut.owner for cut in self.cuts], dtype=np.int64)
        offsets = np.array([cut.offset for cut in self.cuts], dtype=np.float64)
        programme = Quadratic(self.gram, offsets, owners, self.cap)
        shares = solve(programme, tolerance)
        weights = np.zeros(shape)
        for share, cut in zip(shares.tolist(), self.cuts, strict=True):
            weights -= share * cut.slope
        self._forget(shares > 1e-9 * self.cap[owners])
        return weights, -programme.value(shares)

    def _forget(self, used: NDArray[np.bool_]) -> None:
        for now, cut in zip(used.tolist(), self.cuts, strict=True):
            cut.idle = 0 if now else cut.idle + 1
        keep = [place for place, cut in enumerate(self.cuts) if cut.idle < PATIENCE]
        if len(keep) < len(self.cuts):
            self.gram = self.gram[np.ix_(keep, keep)]
            self.cuts = [self.cuts[place] for place in keep]
