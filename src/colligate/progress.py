"""Progress events: what long work tells whoever listens (the command line, the studio, a notebook).

Telling a listener how far a reading is, without flooding it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

MAX_EVENTS = 200


@dataclass(frozen=True)
class Event:
    """One step of long work: `done` of `total` (None where nobody knows the total) in `stage`."""

    stage: str
    done: int
    total: int | None = None
    note: str = ""


Listener = Callable[[Event], None]


def ignore_events(event: Event) -> None:
    """Listen to nothing."""


class ProgressMeter:
    """Passes progress on to a listener, at most about 200 times from start to end."""

    def __init__(self, listener: Listener, stage: str, total: int) -> None:
        self._listener = listener
        self._stage = stage
        self._total = total
        self._next = 0

    def update(self, done: int) -> None:
        """Say that `done` of the total is behind us; most calls pass nothing on."""
        if done >= self._next and done < self._total:
            self._next = done + max(1, self._total // MAX_EVENTS)
            self._listener(Event(self._stage, done, self._total))

    def finish(self) -> None:
        """Say that all is done."""
        self._listener(Event(self._stage, self._total, self._total))
