"""How far a run has come: one restart, and all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from colligate.methods.state import State


@dataclass(frozen=True)
class Run:
    """One restart, as far as it has come."""

    state: State
    history: tuple[float, ...]
    converged: bool = False

    @property
    def objective(self) -> float:
        """The objective it stands at."""
        return self.history[-1]


@dataclass(frozen=True)
class Progress:
    """How far all restarts have come: the finished ones, the best of them, the one under way."""

    seed: int
    finished: tuple[float, ...] = ()
    best: Run | None = None
    chosen: int = 0
    current: Run | None = None
