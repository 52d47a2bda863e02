"""Asking a knowledge base about many things: in batches, with progress told."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from colligate.progress import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from colligate.progress import Listener

Thing = TypeVar("Thing")
Answer = TypeVar("Answer")

_BATCH = 500


def ask_all(
    ask: Callable[[Sequence[Thing]], dict[Thing, Answer]],
    things: Sequence[Thing],
    stage: str,
    listener: Listener,
) -> dict[Thing, Answer]:
    """The answers about all things, put together."""
    found: dict[Thing, Answer] = {}
    for start in range(0, len(things), _BATCH):
        listener(Event(stage, start, len(things)))
        found.update(ask(things[start : start + _BATCH]))
    listener(Event(stage, len(things), len(things)))
    return found
