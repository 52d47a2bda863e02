"""Progress events of long work, for a listener such as the command line, the studio or a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

MAX_EVENTS = 200


@dataclass(frozen=True)
class Event:
    """One step of long work: `done` of `total` in `stage`; the total is None where it is not known."""

    stage: str
    done: int
    total: int | None = None
    note: str = ""


Listener = Callable[[Event], None]


def ignore_events(event: Event) -> None:
    """Do nothing with an event."""


_listener: ContextVar[Listener] = ContextVar("listener", default=ignore_events)


@contextmanager
def reporting_to(listener: Listener) -> Iterator[None]:
    """Send the events of `report` to a listener; for work that would have to pass it through many layers."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report(stage: str, done: int, total: int | None = None, note: str = "") -> None:
    """Report one step to the present listener."""
    _listener.get()(Event(stage, done, total, note))


class ProgressMeter:
    """Reports progress to a listener, at most about 200 times from start to end."""

    def __init__(self, listener: Listener, stage: str, total: int) -> None:
        self._listener = listener
        self._stage = stage
        self._total = total
        self._next = 0

    def update(self, done: int) -> None:
        """Report that `done` of the total is complete; most calls are not passed on."""
        if self._next <= done < self._total:
            self._next = done + max(1, self._total // MAX_EVENTS)
            self._listener(Event(self._stage, done, self._total))

    def finish(self) -> None:
        """Report that everything is complete."""
        self._listener(Event(self._stage, self._total, self._total))
