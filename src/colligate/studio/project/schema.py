"""The tables of a project's journal, and how its file is opened."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from colligate.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

VERSION = 1
TABLES = """
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, action TEXT NOT NULL, statement INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS statements (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL, who TEXT NOT NULL,
    why TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, undone INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS runs (number INTEGER PRIMARY KEY, at TEXT NOT NULL, record TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, request TEXT NOT NULL,
    status TEXT NOT NULL, message TEXT NOT NULL DEFAULT '', run INTEGER
);
"""


def opened(path: Path) -> sqlite3.Connection:
    """Open a journal for this process alone, every transaction on the disk before it is acknowledged."""
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0.5)
        # exclusive: a second studio on the same project is refused, and a killed one leaves no lock behind
        for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=FULL"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN IMMEDIATE")
        _refuse_newer(connection, path)
        for table in TABLES.split(";")[:-1]:
            connection.execute(table)
        connection.execute(f"PRAGMA user_version={VERSION}")
        connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise StoreError(
            f"{path} cannot be opened ({error}); if another studio has this project open, use that one, or "
            "close it"
        ) from error
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} is damaged and cannot be read ({error}); restore it from a copy") from error
    return connection


def _refuse_newer(connection: sqlite3.Connection, path: Path) -> None:
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > VERSION:
        connection.close()
        raise StoreError(
            f"{path} is of format {found}, written by a newer Colligate; this one reads {VERSION}: upgrade"
        )
