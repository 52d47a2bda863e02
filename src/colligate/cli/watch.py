"""Watching a run: progress, warnings as they come, and how long each stage took."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from colligate.cli.console import bars, say
from colligate.cli.wording import as_options, options_of
from colligate.progress import Listener


class Watch:
    """What was seen of a run: its warnings in order, each once, and the seconds of every stage."""

    def __init__(self, listener: Listener, options: frozenset[str] = frozenset()) -> None:
        self._options = options
        self.listener = listener
        self.warnings: list[tuple[type[Warning], str]] = []
        self.timings: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Take the time of one stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.timings[name] = round(time.perf_counter() - start, 4)

    def warned(self, message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        """Take in one warning, and tell it as a line on stderr unless it was told before."""
        found = (category, as_options(str(message), self._options))
        if found not in self.warnings:
            self.warnings.append(found)
            say("warning", found[1])

    @property
    def messages(self) -> list[str]:
        """The texts of the warnings."""
        return [text for _, text in self.warnings]


@contextmanager
def watching(context: typer.Context) -> Iterator[Watch]:
    """Watch everything inside a command: bars and warnings go to stderr."""
    with bars() as listener, warnings.catch_warnings():
        watch = Watch(listener, options_of(context.command))
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = watch.warned
        yield watch
