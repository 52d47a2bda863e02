"""The journal of a project: all statements, undos and redos, with their authors. Nothing is ever deleted.

Every event has a number, `seq`; a statement has the number of the event that added it. An undo marks a
statement, a redo removes the mark, and both are events too. A statement can be redone until the next one is
added.
"""

from __future__ import annotations

import json
import os
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
"""The kind of statement that replaces all earlier ones by a knowledge file."""
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
    """There are newer statements than the text that is to replace all statements; `since` has them."""

    def __init__(self, since: list[Entry]) -> None:
        super().__init__(
            f"the knowledge has changed since you opened this text ({len(since)} statements were added "
            "or undone); open the text again, and repeat your edit"
        )
        self.since = since


@dataclass(frozen=True)
class Entry:
    """One statement; `undone` is the number of the event that undid it, 0 while it is live."""

    seq: int
    id: str
    at: str
    who: str
    why: str
    kind: str
    body: Mapping[str, Any]
    undone: int = 0


class _Connection(sqlite3.Connection):
    """A connection whose errors are those of Colligate once it is open: a full disk, an unreadable file."""

    is_open = False

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """Execute one statement."""
        try:
            return super().execute(*arguments)
        except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
            if not self.is_open or isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):
                raise
            raise StoreError(
                f"the journal of the project cannot be read or written ({error}), and nothing was changed; "
                "free some space on the disk, then try again"
            ) from error


class Journal:
    """The statements of a project. A method returns once its change is on the disk."""

    def __init__(self, path: Path) -> None:
        self.connection = open_journal(path)
        self.lock = threading.RLock()

    def close(self) -> None:
        """Close the file."""
        with self.lock:
            self.connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run a transaction: all or nothing, one at a time."""
        with self.lock:
            # the lock comes first, so that what is read stays true until the change is written
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                # SQLite may have rolled back by itself
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    @property
    def head(self) -> int:
        """The number of the last event."""
        with self.lock:
            return int(self.connection.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0])

    def add(
        self,
        kind: str,
        body: Mapping[str, Any],
        *,
        who: str = "",
        why: str = "",
        id: str | None = None,
        after: int | None = None,
    ) -> Entry:
        """Add one statement; if its `id` exists already, return that statement.

        With `after`, refuse it if there are events since that one.
        """
        with self.transaction() as connection:
            name = id or uuid.uuid4().hex
            # a page that repeats a request, since the answer was lost, adds nothing twice
            if existing := self._where("id = ?", name):
                return existing[0]
            if after is not None and self.head != after:
                raise ConflictError(self._where("seq > ? OR undone > ?", after, after))
            seq = self._add_event("say", 0)
            # the number of the event is known only once it is inserted
            connection.execute("UPDATE events SET statement = ? WHERE seq = ?", (seq, seq))
            values = (seq, name, now(), who, why, kind, json.dumps(body, ensure_ascii=False), 0)
            connection.execute(f"INSERT INTO statements ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
            return self._where("seq = ?", seq)[0]

    def undo(self, id: str | None = None) -> Entry | None:
        """Undo the last live statement, or the one named; return None if there is none."""
        with self.transaction():
            live = self._where("undone = 0" + (" AND id = ?" if id else ""), *([id] if id else []))
            return self._mark(live[-1], "undo") if live else None

    def redo(self) -> Entry | None:
        """Redo what was undone last, unless a statement was added since; return None if there is nothing."""
        with self.transaction() as connection:
            latest = connection.execute("SELECT max(seq) FROM events WHERE action = 'say'").fetchone()[0]
            undone = self._where("undone > ?", latest or 0)
            last = max(undone, key=lambda entry: entry.undone, default=None)
            return None if last is None else self._mark(last, "redo")

    def draft(self, kind: str, body: Mapping[str, Any]) -> Entry:
        """Make a statement as it would be added next, without adding it."""
        return Entry(self.head + 1, "", now(), "", "", kind, body)

    def entries(self) -> list[Entry]:
        """List every statement ever made, in order."""
        with self.lock:
            return self._where("1")

    def live(self) -> list[Entry]:
        """List the live statements in order, without those that a later knowledge file replaced."""
        with self.lock:
            return _since_text(self._where("undone = 0"))

    def live_at(self, event: int) -> list[Entry]:
        """List the statements that were live after an event, in order."""
        numbers = self.numbers_at(event)
        return _since_text([entry for entry in self.entries() if entry.seq in numbers])

    def live_since(self, event: int) -> list[Entry]:
        """List the live statements that were not live after an event, in order."""
        numbers = self.numbers_at(event)
        return [entry for entry in self.live() if entry.seq not in numbers]

    def numbers_at(self, event: int) -> set[int]:
        """Return the numbers of the statements not undone after an event, whether replaced or not."""
        with self.lock:
            rows = self.connection.execute(
                "SELECT statement, action FROM events WHERE seq <= ? ORDER BY seq", (event,)
            ).fetchall()
        # `dict` keeps the last action on each statement
        return {statement for statement, action in dict(rows).items() if action != "undo"}

    def _mark(self, entry: Entry, action: str) -> Entry:
        event = self._add_event(action, entry.seq)
        mark = event if action == "undo" else 0
        self.connection.execute("UPDATE statements SET undone = ? WHERE seq = ?", (mark, entry.seq))
        return self._where("seq = ?", entry.seq)[0]

    def _add_event(self, action: str, statement: int) -> int:
        cursor = self.connection.execute(
            "INSERT INTO events (action, statement) VALUES (?, ?)", (action, statement)
        )
        return int(cursor.lastrowid or 0)

    def _where(self, condition: str, *values: Any) -> list[Entry]:
        rows = self.connection.execute(
            f"SELECT {COLUMNS} FROM statements WHERE {condition} ORDER BY seq", values
        ).fetchall()
        return [
            Entry(seq, id, time, who, why, kind, json.loads(body), undone)
            for seq, id, time, who, why, kind, body, undone in rows
        ]


def _since_text(entries: list[Entry]) -> list[Entry]:
    last = max((k for k, entry in enumerate(entries) if entry.kind == TEXT), default=0)
    return entries[last:]


def now() -> str:
    """Return the present time, to the second, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def open_journal(path: Path) -> sqlite3.Connection:
    """Open a journal for only this process; every transaction is on the disk before it returns."""
    try:
        if not path.exists():
            # made before SQLite makes it, so that no other user can read it at any time
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, timeout=0.5, factory=_Connection
        )
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
            f"{path} cannot be opened ({error}); if this project is open in another studio, use that "
            "studio, or close it"
        ) from error
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} is damaged and cannot be read ({error}); restore it from a copy") from error
    except OSError as error:
        raise StoreError(
            f"{path} cannot be made: {error.strerror or error}; choose another folder"
        ) from error
    connection.is_open = True
    return connection


def _refuse_newer(connection: sqlite3.Connection, path: Path) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        connection.close()
        raise StoreError(
            f"{path} was written by a newer version of Colligate (format {version}, but this version "
            f"reads format {VERSION}); upgrade Colligate"
        )
