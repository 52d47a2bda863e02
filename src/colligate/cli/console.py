"""The two consoles: results go to stdout, everything else to stderr, where progress bars live as well."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from colligate.cli.wording import visible
from colligate.progress import Event, Listener

PIPED_WIDTH = 120
STYLES = {"error": "bold red", "stopped": "bold yellow", "warning": "yellow"}


def show(*parts: RenderableType) -> None:
    """Print tables and lines of text on stdout."""
    console = _console(stderr=False)
    for part in parts:
        console.print(Text(visible(part)) if isinstance(part, str) else part, soft_wrap=isinstance(part, str))


def show_json(content: Mapping[str, Any]) -> None:
    """Print one JSON object on stdout, in ASCII, so that no terminal and no encoding can spoil it."""
    print(json.dumps(content, indent=2, allow_nan=False))


def say(kind: str, text: str) -> None:
    """Tell the user something on stderr: an error, a warning, or a note of any other kind."""
    line = Text.assemble((f"{kind}: ", STYLES.get(kind, "bold")), visible(text))
    _console(stderr=True).print(line, soft_wrap=True)


@contextmanager
def bars() -> Iterator[Listener]:
    """Hand out a listener that shows each stage as a progress bar; it shows nothing where nobody watches."""
    console = _console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield _Bars(progress)


class _Bars:
    """One bar per stage, made when the stage is first heard of."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, event: Event) -> None:
        if event.stage not in self._tasks:
            self._tasks[event.stage] = self._progress.add_task(event.stage, total=None, note="")
        # A single step is either ahead or behind; a bar that moves says more than an empty one.
        total = None if event.total == 1 and event.done == 0 else event.total
        self._progress.update(self._tasks[event.stage], completed=event.done, total=total, note=event.note)


def _console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = max(console.width, PIPED_WIDTH)
    return console
