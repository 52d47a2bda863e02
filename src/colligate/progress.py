"""Progress events: what long work tells whoever listens (the command line, the studio, a notebook)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Event:
    """One step of long work: `done` of `total` (None where nobody knows the total) in `stage`."""

    stage: str
    done: int
    total: int | None = None
    note: str = ""


Listener = Callable[[Event], None]


def nobody(event: Event) -> None:
    """Listen to nothing."""
