"""A knowledge base behind a SPARQL 1.1 endpoint: requests, answers and their cache.

Requests go over `urllib`, one after the other. An endpoint may hang, refuse, cut its answers short or send
anything else; every request therefore has a deadline, every answer a largest size, and every table is checked
before it is used or cached.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import math
import os
import queue
import re
import sqlite3
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from colligate._storage.atomic import expand_path
from colligate.entities.kb.answers import Item, Row, SparqlBase, boolean_result, triples_result
from colligate.entities.kb.base import QueryResult
from colligate.entities.kb.sparql import HASHES, STANDARD
from colligate.errors import EndpointError, KnowledgeBaseError, Parameter, ParameterError, StoreError
from colligate.progress import Event, ignore_events
from colligate.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from colligate.entities.kb.sparql import Select, Vocabulary
    from colligate.progress import Listener

Value = TypeVar("Value")
CACHE_DAYS = 30.0
PAGE_FILL = 0.8
"""How full a page is on average: the parts of an answer differ a little in size."""
TEMPORARY_ERRORS = (429, 500, 502, 503, 504)
MAX_SECONDS = 86_400.0
"""The longest time of anything: a day, which clocks of every platform can count."""
_DURATIONS = ("timeout", "backoff", "pause", "max_wait")
_MINIMUM = {"timeout": 0.001, "page_size": 16, "batch_size": 1, "max_bytes": 1024}
_MAX_DOUBLINGS = 20
_BLOCK = 1 << 16
_SHOWN = 60
_TRIPLES = ("application/n-triples", "text/plain")
_HEADERS = {
    "Accept": "application/sparql-results+json, application/n-triples;q=0.9",
    "Content-Type": "application/x-www-form-urlencoded",
    "User-Agent": f"colligate/{__version__}",
}
_COLUMN = re.compile(r"\(.*? AS \?(\w+)\)|\?(\w+)")
_CACHE_TABLE = "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, made REAL, kind TEXT, body BLOB)"


@dataclass(frozen=True)
class RequestPolicy:
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
    page_size
        The most rows that the endpoint gives in one answer; many public ones stop at 10,000 without a word.
    batch_size
        The most entities or names in one query.
    max_bytes
        The largest answer.
    """

    timeout: float = 60.0
    retries: int = 4
    backoff: float = 1.0
    pause: float = 0.1
    max_wait: float = 60.0
    page_size: int = 10_000
    batch_size: int = 200
    max_bytes: int = 1 << 28

    def __post_init__(self) -> None:
        for field in fields(self):
            value, minimum = getattr(self, field.name), _MINIMUM.get(field.name, 0)
            maximum = MAX_SECONDS if field.name in _DURATIONS else math.inf
            if not minimum <= value <= maximum:
                limit = f"at most {maximum:g}" if value > maximum else f"at least {minimum:g}"
                raise ParameterError(
                    Parameter(field.name),
                    f" of an endpoint must be {limit}; got {value!r}",
                    parameter=field.name,
                )


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
        self._client = Client(url, policy or RequestPolicy())
        self._cache = cache
        self._listener = listener
        self._page_size = self._client.policy.page_size
        self.batch_size = self._client.policy.batch_size

    def query(self, sparql: str) -> QueryResult:
        """Return the answer to a query in SPARQL 1.1; it never comes from the cache."""
        return read_result(self._client.send(sparql), self._client.url)

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
        answer = self._client.send(query)
        value = read(answer, url, query)
        if self._cache:
            self._cache.put(url, query, answer)
        return value


class Answer(NamedTuple):
    """The answer to a request: its media type, in lower case, and its bytes."""

    type: str
    body: bytes


class _TemporaryError(Exception):
    """A failure after which a repetition makes sense; `wait` is the delay that the server asked for."""

    def __init__(self, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.wait = wait


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Queries go only to the address that the user gave; a redirected POST would lose its query as well."""

    def redirect_request(self, *_: object) -> None:
        return None


class Client:
    """One endpoint: sends requests one after the other, never faster than the policy allows."""

    def __init__(self, url: str, policy: RequestPolicy) -> None:
        self.url = _check_url(url)
        self.policy = policy
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._turn = threading.Lock()
        self._next = 0.0

    def send(self, query: str) -> Answer:
        """Send a query, and repeat it after temporary failures."""
        body = urllib.parse.urlencode({"query": query}).encode()
        for attempt in range(self.policy.retries + 1):
            try:
                return self._send_in_turn(body)
            except _TemporaryError as error:
                failure = error
            if attempt < self.policy.retries:
                backoff = self.policy.backoff * 2 ** min(attempt, _MAX_DOUBLINGS)
                time.sleep(min(max(failure.wait, backoff), self.policy.max_wait))
        tried = f"{self.policy.retries + 1} times" if self.policy.retries else "once"
        raise EndpointError(
            f"{self.url} {failure} (tried {tried}). Try again later. If you set a cache, the answers so "
            "far are kept."
        )

    def _send_in_turn(self, body: bytes) -> Answer:
        with self._turn:
            time.sleep(max(0.0, self._next - time.monotonic()))
            try:
                return self._send_in_time(body)
            except (OSError, http.client.HTTPException) as error:
                raise self._explain(error) from error
            finally:
                self._next = time.monotonic() + self.policy.pause

    def _send_in_time(self, body: bytes) -> Answer:
        """Send a request in a thread: a socket's timeout is for each read, not for the whole answer."""
        outcome: queue.SimpleQueue[Answer | Exception] = queue.SimpleQueue()

        def run() -> None:
            try:
                outcome.put(self._request(body))
            except Exception as error:
                outcome.put(error)

        # a daemon, so that a request that hangs does not keep the program from ending
        threading.Thread(target=run, daemon=True).start()
        try:
            answer = outcome.get(timeout=self.policy.timeout)
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _request(self, body: bytes) -> Answer:
        request = urllib.request.Request(self.url, body, _HEADERS, method="POST")
        end = time.monotonic() + self.policy.timeout
        try:
            with self._opener.open(request, timeout=self.policy.timeout) as response:
                return Answer(response.headers.get_content_type(), self._read(response, end))
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from error

    def _read(self, response: http.client.HTTPResponse, end: float) -> bytes:
        """Read an answer whole; give up one that arrives too slowly or is too large."""
        body = bytearray()
        # read1 returns what has arrived, so that the deadline is checked even if bytes trickle in
        while block := response.read1(_BLOCK):
            body += block
            if time.monotonic() > end:
                raise TimeoutError
            # an endpoint could otherwise fill the memory
            if len(body) > self.policy.max_bytes:
                raise EndpointError(
                    f"{self.url} returned an answer of more than {self.policy.max_bytes:,} bytes; ask "
                    "for fewer rows at a time"
                )
        # read1 does not complain if fewer bytes come than were announced
        if response.length:
            raise http.client.IncompleteRead(bytes(body), response.length)
        return bytes(body)

    def _refusal(self, error: urllib.error.HTTPError) -> Exception:
        reason = _first_line(error)
        if error.code in TEMPORARY_ERRORS:
            wait = error.headers.get("Retry-After", "")
            # the header may also be a date; then the usual delay applies
            seconds = float(wait) if wait.isdecimal() else 0.0
            return _TemporaryError(f"refuses the request with {error.code} {reason}".rstrip(), seconds)
        if error.code == 400:
            return KnowledgeBaseError(
                f"{self.url} does not understand the query ({reason}); correct the query"
            )
        if 300 <= error.code < 400:
            return EndpointError(
                f"{self.url} has moved to {error.headers.get('Location')!a}; use that address"
            )
        advice = "check the address and your access rights"
        return EndpointError(
            f"{self.url} refuses the request with {error.code} {reason}".rstrip() + f"; {advice}"
        )

    def _explain(self, error: Exception) -> _TemporaryError:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TimeoutError):
            return _TemporaryError(f"did not answer within {self.policy.timeout:g} seconds")
        if isinstance(reason, http.client.HTTPException):
            return _TemporaryError(f"closed the connection or does not use HTTP ({type(reason).__name__})")
        return _TemporaryError(f"cannot be reached: {getattr(reason, 'strerror', None) or reason}")


def _first_line(error: urllib.error.HTTPError) -> str:
    """Return the reason of a refusal, short and in one line."""
    try:
        text = error.read(2000).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        return error.reason
    return " ".join(text.split())[:200] or error.reason


def _check_url(url: str) -> str:
    try:
        parts = urllib.parse.urlsplit(url)
        # reading `port` raises an error for a number out of range
        valid = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        valid = False
    # a line break in an address could add headers to the request
    if not valid or any(char <= " " or char > "~" for char in url):
        raise EndpointError(
            f"{url!a:.200} is not the address of an endpoint; give one such as https://host/sparql"
        )
    # messages show the address, so it must not hold a secret
    if parts.username or parts.password:
        raise EndpointError(
            f"the address of {parts.hostname} contains a user name or a password; remove these from the "
            "address"
        )
    return url


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
