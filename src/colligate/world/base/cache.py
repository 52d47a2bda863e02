"""Answers of an endpoint on disk: what was answered once is not asked again, whatever happened since."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import time
import zlib
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from colligate.errors import StoreError
from colligate.files import located
from colligate.world.base.client import Answer

if TYPE_CHECKING:
    from collections.abc import Iterator

DAYS = 30.0
_TABLE = "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, made REAL, kind TEXT, body BLOB)"


def usual_cache() -> Path:
    """Where answers are kept unless somebody says otherwise: the cache folder of the user."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else located("~/.cache")) / "colligate" / "endpoints.sqlite"


class Cache:
    """A file of SQLite with answers by address and query; processes and threads may share it.

    Without a path it is in the usual place.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, days: float = DAYS) -> None:
        self._path = path
        self._age = days * 86_400
        self._turn = threading.Lock()

    @property
    def path(self) -> Path:
        """Where the file is, or will be once there is an answer to keep."""
        return usual_cache() if self._path is None else located(self._path)

    def get(self, url: str, query: str) -> Answer | None:
        """The answer that was kept, unless it is too old."""
        if not self.path.exists():
            return None
        with self._open() as stored:
            asked = "SELECT kind, body FROM answers WHERE key = ? AND made > ?"
            row = stored.execute(asked, (_key(url, query), time.time() - self._age)).fetchone()
        return None if row is None else Answer(row[0], zlib.decompress(row[1]))

    def put(self, url: str, query: str, answer: Answer) -> None:
        """Keep an answer."""
        row = (_key(url, query), time.time(), answer.kind, zlib.compress(answer.body, 1))
        with self._open() as stored, stored:
            stored.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", row)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._turn, closing(sqlite3.connect(self.path, timeout=30)) as stored:
                stored.execute(_TABLE)
                yield stored
        except (sqlite3.Error, zlib.error, OSError, TypeError) as error:
            raise StoreError(
                f"the cache {self.path} cannot be used ({error}); remove it, or choose another one"
            ) from error


def _key(url: str, query: str) -> bytes:
    return hashlib.sha256(f"{url}\n{query}".encode()).digest()
