"""A knowledge base behind a SPARQL 1.1 endpoint: requests, answers and their cache.

Requests go one after the other. An endpoint may send anything, so every table is checked before it is used or
cached.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import sqlite3
import threading
import time
import urllib.parse
import zlib
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from colligate._http import LARGE, MOVED, REFUSED, Answer, Client, HttpPolicy, RequestError, check_url
from colligate._storage.atomic import expand_path
from colligate.entities.kb.answers import Item, Row, SparqlBase, boolean_result, triples_result
from colligate.entities.kb.base import QueryResult
from colligate.entities.kb.sparql import HASHES, STANDARD
from colligate.errors import EndpointError, KnowledgeBaseError, StoreError
from colligate.progress import Event, ignore_events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from colligate.entities.kb.sparql import Select, Vocabulary
    from colligate.progress import Listener

Value = TypeVar("Value")
CACHE_DAYS = 30.0
PAGE_FILL = 0.8
"""How full a page is on average: the parts of an answer differ a little in size."""
_SHOWN = 60
_TRIPLES = ("application/n-triples", "text/plain")
_HEADERS = {
    "Accept": "application/sparql-results+json, application/n-triples;q=0.9",
    "Content-Type": "application/x-www-form-urlencoded",
}
_TRY_LATER = ". Try again later. If you set a cache, the answers so far are kept."
_ADVICE = {
    LARGE: "; ask for fewer rows at a time",
    MOVED: "; use that address",
    REFUSED: "; check the address and your access rights",
}
_COLUMN = re.compile(r"\(.*? AS \?(\w+)\)|\?(\w+)")
_CACHE_TABLE = "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, made REAL, kind TEXT, body BLOB)"


@dataclass(frozen=True)
class RequestPolicy(HttpPolicy):
    """How an endpoint is queried.

    Parameters
    ----------
    timeout
        Seconds that a request may take, from the first byte sent to the last one received.
    retries
        How often a request is repeated after a temporary failure.
    backoff
        Seconds before the first repetition; they double each time.
    pause
        Seconds between two requests.
    max_wait
        The longest wait before a repetition, even if the endpoint asks for more.
    max_bytes
        The largest answer.
    page_size
        The most rows that the endpoint gives in one answer; many public ones stop at 10,000 without a word.
    batch_size
        The most entities or names in one query.
    """

    page_size: int = 10_000
    batch_size: int = 200
    _minimum: ClassVar[Mapping[str, float]] = {**HttpPolicy._minimum, "page_size": 16, "batch_size": 1}


class EndpointBase(SparqlBase):
    """A knowledge base at a URL; answers to its own queries are kept in `cache`, if there is one."""

    def __init__(
        self,
        url: str,
        *,
        cache: Cache | None = None,
        policy: RequestPolicy | None = None,
        languages: Iterable[str] = (),
        vocabulary: Vocabulary = STANDARD,
        listener: Listener = ignore_events,
    ) -> None:
        super().__init__(languages, vocabulary)
        policy = policy or RequestPolicy()
        address = check_url(url, "https://host/sparql", EndpointError)
        self._client = Client(address, policy, _HEADERS)
        self._cache = cache
        self._listener = listener
        self._page_size = policy.page_size
        self.batch_size = policy.batch_size

    def query(self, sparql: str) -> QueryResult:
        """Return the answer to a query in SPARQL 1.1; it never comes from the cache."""
        return read_result(self._send(sparql), self._client.url)

    def _send(self, query: str) -> Answer:
        """Send a query; a failure becomes an error that says what to do."""
        try:
            return self._client.post(urllib.parse.urlencode({"query": query}).encode())
        except RequestError as error:
            if error.code == 400:
                raise KnowledgeBaseError(
                    f"{self._client.url} does not understand the query ({error.reason}); correct the query"
                ) from error
            advice = _TRY_LATER if error.is_temporary else _ADVICE[error.cause]
            raise EndpointError(f"{self._client.url} {error}{advice}") from error

    def _rows(self, query: str) -> Iterator[Row]:
        return iter(self._fetch_rows(query))

    def _numbers(self, query: str) -> tuple[int, ...]:
        return self._fetch(query, read_numbers)

    def _all_rows(self, select: Select) -> Iterator[Row]:
        """Fetch the answer in parts, and check by the number of rows that nothing is missing."""
        (expected,) = self._numbers(select.count())
        done = 0
        for rows in self._fetch_parts(select, expected):
            done += len(rows)
            self._listener(Event("querying", min(done, expected), expected))
            yield from rows
        if done != expected:
            raise EndpointError(
                f"{self._client.url} reports {expected:,} rows, but returns {done:,}. It may limit "
                f"answers to fewer rows than page_size={self._page_size}, or its data may have changed. "
                "Lower page_size, or leave out the cache."
            )

    def _fetch_parts(self, select: Select, expected: int) -> Iterator[list[Row]]:
        n_parts = max(1, math.ceil(expected / (PAGE_FILL * self._page_size)))
        for part in range(n_parts):
            yield from self._fetch_range(select, HASHES * part // n_parts, HASHES * (part + 1) // n_parts)

    def _fetch_range(self, select: Select, first: int, last: int) -> Iterator[list[Row]]:
        rows = self._fetch_rows(select.text(first, last))
        # a range of one hash cannot be divided
        if len(rows) < self._page_size or last - first == 1:
            yield rows
            return
        middle = (first + last) // 2
        yield from self._fetch_range(select, first, middle)
        yield from self._fetch_range(select, middle, last)

    def _rows_about(self, make: Callable[[Sequence[Item]], str], items: Sequence[Item]) -> Iterator[Row]:
        """Fetch the rows about some items; an answer that fills a page may be cut, so it is halved."""
        rows = self._fetch_rows(make(items))
        if len(rows) < self._page_size:
            return iter(rows)
        if len(items) == 1:
            raise EndpointError(
                f"{self._client.url} has {len(rows):,} rows or more about {items[0]!a:.80}; raise page_size"
            )
        middle = len(items) // 2
        return chain(self._rows_about(make, items[:middle]), self._rows_about(make, items[middle:]))

    def _fetch_rows(self, query: str) -> list[Row]:
        return self._fetch(query, read_rows)

    def _fetch(self, query: str, read: Callable[[Answer, str, str], Value]) -> Value:
        """Return an answer as `read` returns it; the cache receives only what could be read."""
        url = self._client.url
        cached = self._cache.get(url, query) if self._cache else None
        if cached is not None:
            # the cache is a file like any other, so its answers are checked as those of the endpoint
            return read(cached, url, query)
        answer = self._send(query)
        value = read(answer, url, query)
        if self._cache:
            self._cache.put(url, query, answer)
        return value


def read_rows(answer: Answer, url: str, query: str) -> list[Row]:
    """Read the rows of one of our SELECTs: its columns in their order, and everything bound."""
    with _explain_unreadable(answer, url):
        table = _select_columns(_read_table(json.loads(answer.body)), query)
    return [_check_bound(row, url) for row in table.rows]


def read_numbers(answer: Answer, url: str, query: str) -> tuple[int, ...]:
    """Read the one row of a query that counts."""
    rows = read_rows(answer, url, query)
    with _explain_unreadable(answer, url):
        (row,) = rows
        numbers = tuple(map(int, row))
        if min(numbers) < 0:
            raise ValueError("a count below zero")
    return numbers


def read_result(answer: Answer, url: str) -> QueryResult:
    """Read any answer as a table."""
    from pyoxigraph import RdfFormat, parse

    with _explain_unreadable(answer, url):
        if answer.type in _TRIPLES:
            return triples_result(parse(input=answer.body, format=RdfFormat.N_TRIPLES))
        content = json.loads(answer.body)
        if isinstance(content, dict) and isinstance(content.get("boolean"), bool):
            return boolean_result(content["boolean"])
        return _read_table(content)


def _select_columns(table: QueryResult, query: str) -> QueryResult:
    """Bring the columns into the order of the query; raise an error if there are others."""
    columns = [alias or variable for alias, variable in _COLUMN.findall(query.partition(" WHERE ")[0])]
    if set(columns) != set(table.columns):
        raise ValueError(f"columns {table.columns} instead of {columns}")
    order = [table.columns.index(name) for name in columns]
    return QueryResult(tuple(columns), tuple(tuple(row[index] for index in order) for row in table.rows))


def _read_table(content: Any) -> QueryResult:
    """Read a table in the JSON of SPARQL; the lookups fail on anything else."""
    columns = tuple(content["head"]["vars"])
    rows = content["results"]["bindings"]
    return QueryResult(columns, tuple(tuple(_read_cell(row.get(name)) for name in columns) for row in rows))


def _read_cell(term: Any) -> str | None:
    if term is None:
        return None
    value = term["value"]
    if not isinstance(value, str):
        raise TypeError("a value is not text")
    return f"_:{value}" if term["type"] == "bnode" else value


def _check_bound(row: tuple[str | None, ...], url: str) -> Row:
    cells = tuple(cell for cell in row if cell is not None)
    if len(cells) != len(row):
        raise EndpointError(
            f"{url} returned rows with missing values, which this query cannot have; use another endpoint"
        )
    return cells


@contextmanager
def _explain_unreadable(answer: Answer, url: str) -> Iterator[None]:
    try:
        yield
    # deeply nested JSON ends in a RecursionError
    except (SyntaxError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        beginning = answer.body[:_SHOWN].decode("utf-8", "replace")
        raise EndpointError(
            f"{url} returned no SPARQL result ({answer.type}, {beginning!a}…: "
            f"{error!r:.120}); check that this is the address of a SPARQL endpoint"
        ) from error


class Cache:
    """Answers by address and query in a file of SQLite, which processes and threads may share.

    Parameters
    ----------
    path
        The file; by default `colligate/endpoints.sqlite` in the user's cache folder.
    days
        The age after which an answer is not used any more.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, days: float = CACHE_DAYS) -> None:
        self._path = path
        self._max_age = days * 86_400
        self._turn = threading.Lock()

    @property
    def path(self) -> Path:
        """The file, which the first answer creates."""
        return default_cache_path() if self._path is None else expand_path(self._path)

    def get(self, url: str, query: str) -> Answer | None:
        """Return the answer to a query, unless there is none or it is too old."""
        if not self.path.exists():
            return None
        with self._open() as database:
            select = "SELECT kind, body FROM answers WHERE key = ? AND made > ?"
            row = database.execute(select, (_hash(url, query), time.time() - self._max_age)).fetchone()
            return None if row is None else Answer(row[0], zlib.decompress(row[1]))

    def put(self, url: str, query: str, answer: Answer) -> None:
        """Store an answer."""
        row = (_hash(url, query), time.time(), answer.type, zlib.compress(answer.body, 1))
        with self._open() as database, database:
            database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", row)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # a connection for each call, since SQLite's must stay in their thread
            with self._turn, closing(sqlite3.connect(self.path, timeout=30)) as database:
                database.execute(_CACHE_TABLE)
                yield database
        except (sqlite3.Error, zlib.error, OSError, TypeError) as error:
            raise StoreError(
                f"the cache {self.path} cannot be used ({error}); remove this file, or choose another cache"
            ) from error


def default_cache_path() -> Path:
    """Return the cache file in the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else expand_path("~/.cache")) / "colligate" / "endpoints.sqlite"


def _hash(url: str, query: str) -> bytes:
    return hashlib.sha256(f"{url}\n{query}".encode()).digest()
