"""Answers by single keys in a terminal, and by lines from a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

END = "\x04"


class Lines:
    """A pipe or a file: one answer on a line."""

    def key(self) -> str | None:
        """The next answer; None at the end."""
        line = sys.stdin.readline()
        return line.strip() or " " if line else None

    def forget(self) -> None:
        """Take nothing that was given before for an answer; what comes from a pipe was meant."""

    def line(self) -> str | None:
        """A line of text; None at the end."""
        line = sys.stdin.readline()
        return line.strip() if line else None


class Keys(Lines):
    """A terminal: every key is an answer as soon as it is pressed."""

    def __init__(self) -> None:
        import termios

        self._usual = termios.tcgetattr(sys.stdin.fileno())
        self._listen()

    def key(self) -> str | None:
        """The next key; None at the end."""
        found = os.read(sys.stdin.fileno(), 1).decode(errors="replace")
        return None if found in ("", END) else found

    def forget(self) -> None:
        """Pass over the keys that were pressed before the question was seen."""
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    def line(self) -> str | None:
        """A line of text, which is seen while it is typed."""
        self.restore()
        try:
            return super().line()
        finally:
            self._listen()

    def _listen(self) -> None:
        import termios
        import tty

        tty.setcbreak(sys.stdin.fileno(), termios.TCSADRAIN)

    def restore(self) -> None:
        """Leave the terminal as it was."""
        import termios

        termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._usual)


@contextmanager
def answering() -> Iterator[Lines]:
    """Hand out keys where there is a terminal, lines elsewhere; the terminal is left as it was."""
    if not sys.stdin.isatty():
        yield Lines()
        return
    try:
        keys = Keys()
    except ImportError:  # Windows: a key, and then Enter
        yield Lines()
        return
    try:
        yield keys
    finally:
        keys.restore()
