"""Holding Ctrl-C back where it would strike between steps that belong together."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def held_back() -> Iterator[None]:
    """Keep Ctrl-C out; one that came meanwhile strikes at the end. Other threads never receive it."""
    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or previous is None:
        yield
        return
    came = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: came.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        if came.is_set():
            signal.raise_signal(signal.SIGINT)
