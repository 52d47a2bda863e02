"""Numba compiles a kernel when it is first called, and keeps it on disk: when that happens, and where."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numba.core import event

from colligate.kernels.numba import aggregate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMPILE = "numba:compile"


class _FirstCompilation(event.Listener):
    """Calls a function when the first kernel is compiled, not when one is read from disk."""

    def __init__(self, announce: Callable[[], None]) -> None:
        self._announce: Callable[[], None] | None = announce

    def on_start(self, _: Any) -> None:
        if self._announce is not None:
            announce, self._announce = self._announce, None
            announce()

    def on_end(self, _: Any) -> None:
        pass


@contextmanager
def watch_compilation(announce: Callable[[], None]) -> Iterator[None]:
    """Call `announce` once if a kernel is compiled in the meantime."""
    with event.install_listener(COMPILE, _FirstCompilation(announce)):
        yield


def find_cache() -> Path:
    """Return the folder in which Numba keeps the compiled kernels."""
    return Path(aggregate.score.stats.cache_path or ".")
