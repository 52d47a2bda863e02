"""The journal of a project: what was said, undone and done again, and by whom. Nothing is ever deleted.

Every act has a number, `seq`; a statement is known by that of its first saying. Undoing marks a statement,
doing again takes the mark off, and both are acts of their own. What can be done again is what was undone
since the last thing was said.

The tables of a project's journal, and how its file is opened.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from colligate.errors import KnowledgeError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

COLUMNS = "seq, id, at, who, why, kind, body, undone"
TEXT = "knowledge"
"""The kind of statement that replaces everything said before by a knowledge file."""
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


class ConflictError(KnowledgeError):
    """Something was said since the text was read that is to replace everything; `since` holds it."""

    def __init__(self, since: list[Entry]) -> None:
        super().__init__(
            f"{len(since)} statements or undos came in since this text was read; read it again, and make the "
            "edit there"
        )
        self.since = since


@dataclass(frozen=True)
class Entry:
    """One statement as it was said; `undone` is the act that took it back, 0 while it stands."""

    seq: int
    id: str
    at: str
    who: str
    why: str
    kind: str
    body: Mapping[str, Any]
    undone: int = 0


class Journal:
    """The statements of a project. Whatever a method returned is on the disk."""

    def __init__(self, path: Path) -> None:
        self.connection = opened(path)
        self.lock = threading.RLock()

    def close(self) -> None:
        """Give the file free."""
        with self.lock:
            self.connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, and one at a time."""
        with self.lock:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    @property
    def head(self) -> int:
        """The number of the last act."""
        with self.lock:
            return int(self.connection.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0])

    def say(
        self,
        kind: str,
        body: Mapping[str, Any],
        *,
        who: str = "",
        why: str = "",
        id: str | None = None,
        after: int | None = None,
    ) -> Entry:
        """Write down one statement; one whose `id` is there already is returned as it was said.

        With `after`, it is refused if anything happened since that act.
        """
        with self.transaction() as connection:
            name = id or uuid.uuid4().hex
            if known := self._where("id = ?", name):
                return known[0]
            if after is not None and self.head != after:
                raise ConflictError(self._where("seq > ? OR undone > ?", after, after))
            seq = self._act("say", 0)
            connection.execute("UPDATE events SET statement = ? WHERE seq = ?", (seq, seq))
            values = (seq, name, now(), who, why, kind, json.dumps(body, ensure_ascii=False), 0)
            connection.execute(f"INSERT INTO statements ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
            return self._where("seq = ?", seq)[0]

    def undo(self, id: str | None = None) -> Entry | None:
        """Take back the last statement that stands, or the one named; None if there is none."""
        with self.transaction():
            found = self._where("undone = 0" + (" AND id = ?" if id else ""), *([id] if id else []))
            return self._mark(found[-1], "undo") if found else None

    def redo(self) -> Entry | None:
        """Say again what was undone last, unless something new was said since; None if there is nothing."""
        with self.transaction() as connection:
            said = connection.execute("SELECT max(seq) FROM events WHERE action = 'say'").fetchone()[0]
            found = self._where("undone > ?", said or 0)
            last = max(found, key=lambda entry: entry.undone, default=None)
            return None if last is None else self._mark(last, "redo")

    def entries(self) -> list[Entry]:
        """Every statement ever made, in order."""
        with self.lock:
            return self._where("1")

    def live(self) -> list[Entry]:
        """The statements that stand, in order; those that a later knowledge file replaced are left out."""
        with self.lock:
            return _since_text(self._where("undone = 0"))

    def live_after(self, act: int) -> list[Entry]:
        """The statements that stood after an act, in order, without those that were replaced by then."""
        stood = self.stood(act)
        return _since_text([entry for entry in self.entries() if entry.seq in stood])

    def stood(self, act: int) -> set[int]:
        """The numbers of the statements that stood after an act, whether they were replaced or not."""
        with self.lock:
            rows = self.connection.execute(
                "SELECT statement, action FROM events WHERE seq <= ? ORDER BY seq", (act,)
            ).fetchall()
        return {statement for statement, action in dict(rows).items() if action != "undo"}

    def _mark(self, entry: Entry, action: str) -> Entry:
        act = self._act(action, entry.seq)
        mark = act if action == "undo" else 0
        self.connection.execute("UPDATE statements SET undone = ? WHERE seq = ?", (mark, entry.seq))
        return self._where("seq = ?", entry.seq)[0]

    def _act(self, action: str, statement: int) -> int:
        cursor = self.connection.execute(
            "INSERT INTO events (action, statement) VALUES (?, ?)", (action, statement)
        )
        return int(cursor.lastrowid or 0)

    def _where(self, condition: str, *values: Any) -> list[Entry]:
        rows = self.connection.execute(
            f"SELECT {COLUMNS} FROM statements WHERE {condition} ORDER BY seq", values
        ).fetchall()
        return [
            Entry(seq, id, at, who, why, kind, json.loads(body), undone)
            for seq, id, at, who, why, kind, body, undone in rows
        ]


def _since_text(entries: list[Entry]) -> list[Entry]:
    last = max((at for at, entry in enumerate(entries) if entry.kind == TEXT), default=0)
    return entries[last:]


def now() -> str:
    """The present time, to the second, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


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
