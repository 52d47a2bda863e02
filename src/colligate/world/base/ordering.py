"""Bringing many pairs of texts into order without holding them in memory."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def in_order(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The pairs sorted, each once. They wait in a nameless file of SQLite that goes with the last."""
    with closing(sqlite3.connect("", isolation_level=None)) as waiting:
        waiting.execute("PRAGMA journal_mode = OFF")
        waiting.execute("CREATE TABLE pairs (first TEXT, second TEXT)")
        waiting.execute("BEGIN")
        waiting.executemany("INSERT INTO pairs VALUES (?, ?)", pairs)
        yield from waiting.execute("SELECT DISTINCT first, second FROM pairs ORDER BY first, second")
