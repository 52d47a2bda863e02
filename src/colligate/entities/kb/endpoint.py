"""The knowledge base behind an address: any SPARQL 1.1 endpoint, asked in batches and in parts.

Putting queries to a SPARQL endpoint over HTTP, with patience and policy.

How an endpoint is treated: how long it is waited for, and how often and how much it is asked.

Reading what an endpoint sent: a table in JSON, triples, or rubbish.

Answers of an endpoint on disk: what was answered once is not asked again, whatever happened since.
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
from colligate.errors import EndpointError, KnowledgeBaseError, ParameterError, StoreError
from colligate.progress import Event, ignore_events
from colligate.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from colligate.entities.kb.sparql import Select, Vocabulary
    from colligate.progress import Listener


Read = TypeVar("Read")
FILLED = 0.8
"""How full a page is to be on average: the parts of an answer differ a little in size."""
ACCEPTED = "application/sparql-results+json, application/n-triples;q=0.9"
BLOCK = 1 << 16
PASSING = (429, 500, 502, 503, 504)
"""Refusals that may be over in a moment."""
MOST_DOUBLED = 20
LONGEST = 86_400.0
"""The most seconds of anything: a day, which clocks of every platform can count."""
_SECONDS = ("timeout", "backoff", "pause", "longest_wait")
_LEAST = {"timeout": 0.001, "page": 16, "batch": 1, "largest": 1024}


SHOWN = 60
TRIPLES = ("application/n-triples", "text/plain")
_COLUMN = re.compile(r"\(.*? AS \?(\w+)\)|\?(\w+)")
DAYS = 30.0
_TABLE = "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, made REAL, kind TEXT, body BLOB)"


class EndpointBase(SparqlBase):
    """A knowledge base at a URL; answers to our own queries are kept in `cache`, if there is one."""

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
        self._page = self._client.policy.page
        self.batch = self._client.policy.batch

    def query(self, sparql: str) -> QueryResult:
        """The answer to a query in SPARQL 1.1, as it stands; it is asked anew each time."""
        return read_result(self._client.ask(sparql), self._client.url)

    def _rows(self, query: str) -> Iterator[Row]:
        return iter(self._fetched(query))

    def _numbers(self, query: str) -> tuple[int, ...]:
        return self._answered(query, read_numbers)

    def _all(self, select: Select) -> Iterator[Row]:
        """Ask part by part; that nothing was left out on the way is checked by the number of rows."""
        (expected,) = self._numbers(select.count())
        done = 0
        for rows in self._parts(select, expected):
            done += len(rows)
            self._listener(Event("asking", min(done, expected), expected))
            yield from rows
        if done != expected:
            raise EndpointError(
                f"{self._client.url} counts {expected:,} rows and gives {done:,}: it cuts its answers short "
                f"below page={self._page}, or it changed meanwhile; lower page, or leave out the cache"
            )

    def _parts(self, select: Select, expected: int) -> Iterator[list[Row]]:
        number = max(1, math.ceil(expected / (FILLED * self._page)))
        for part in range(number):
            yield from self._split(select, HASHES * part // number, HASHES * (part + 1) // number)

    def _split(self, select: Select, first: int, last: int) -> Iterator[list[Row]]:
        rows = self._fetched(select.text(first, last))
        if len(rows) < self._page or last - first == 1:
            yield rows
            return
        middle = (first + last) // 2
        yield from self._split(select, first, middle)
        yield from self._split(select, middle, last)

    def _about(self, make: Callable[[Sequence[Item]], str], items: Sequence[Item]) -> Iterator[Row]:
        """The rows about some things; an answer that fills a page may have been cut, so less is asked for."""
        rows = self._fetched(make(items))
        if len(rows) < self._page:
            return iter(rows)
        if len(items) == 1:
            raise EndpointError(
                f"{self._client.url} has {len(rows):,} rows or more about {items[0]!a:.80}; raise page"
            )
        middle = len(items) // 2
        return chain(self._about(make, items[:middle]), self._about(make, items[middle:]))

    def _fetched(self, query: str) -> list[Row]:
        return self._answered(query, read_rows)

    def _answered(self, query: str, read: Callable[[Answer, str, str], Read]) -> Read:
        """An answer as it is read, from the cache where it is; only what could be read is kept there."""
        kept = self._cache.get(self._client.url, query) if self._cache else None
        if kept is not None:
            return read(kept, self._client.url, query)
        answer = self._client.ask(query)
        found = read(answer, self._client.url, query)
        if self._cache:
            self._cache.put(self._client.url, query, answer)
        return found


class Answer(NamedTuple):
    """What came back: its media type, in lower case, and its bytes."""

    kind: str
    body: bytes


class _PassingError(Exception):
    """A failure after which another try makes sense; `wait` is what the server asked for."""

    def __init__(self, told: str, wait: float = 0.0) -> None:
        super().__init__(told)
        self.wait = wait


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A query is not sent to a place that nobody named, and a redirected POST would lose it."""

    def redirect_request(self, *_: object) -> None:
        return None


class Client:
    """One endpoint: requests one after the other, never faster than its policy allow."""

    def __init__(self, url: str, policy: RequestPolicy) -> None:
        self.url = _checked(url)
        self.policy = policy
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._turn = threading.Lock()
        self._next = 0.0

    def ask(self, query: str) -> Answer:
        """Put a query, and again after a while where the endpoint does not answer."""
        body = urllib.parse.urlencode({"query": query}).encode()
        for tries in range(self.policy.retries + 1):
            try:
                return self._asked(body)
            except _PassingError as error:
                told, wait = str(error), max(error.wait, self.policy.backoff * 2 ** min(tries, MOST_DOUBLED))
            if tries < self.policy.retries:
                time.sleep(min(wait, self.policy.longest_wait))
        tried = f"{self.policy.retries + 1} times" if self.policy.retries else "once"
        raise EndpointError(
            f"{self.url} {told} (tried {tried}); "
            "try again later; what was answered before is kept in the cache, if there is one"
        )

    def _asked(self, body: bytes) -> Answer:
        with self._turn:
            time.sleep(max(0.0, self._next - time.monotonic()))
            try:
                return self._in_time(body)
            except TimeoutError as error:
                raise _PassingError(f"did not answer within {self.policy.timeout:g} seconds") from error
            except (OSError, http.client.HTTPException) as error:
                raise self._failed(error) from error
            finally:
                self._next = time.monotonic() + self.policy.pause

    def _in_time(self, body: bytes) -> Answer:
        """Wait for an answer in a thread of its own: a socket only tells how long a single byte takes."""
        come: queue.SimpleQueue[Answer | Exception] = queue.SimpleQueue()
        threading.Thread(target=self._send, args=(body, come), daemon=True).start()
        try:
            found = come.get(timeout=self.policy.timeout)
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(found, Exception):
            raise found
        return found

    def _send(self, body: bytes, come: queue.SimpleQueue[Answer | Exception]) -> None:
        try:
            come.put(self._sent(body))
        except urllib.error.HTTPError as error:
            with error:
                come.put(self._refused(error))
        except Exception as error:
            come.put(error)

    def _sent(self, body: bytes) -> Answer:
        request = urllib.request.Request(self.url, body, _headers(), method="POST")
        end = time.monotonic() + self.policy.timeout
        with self._opener.open(request, timeout=self.policy.timeout) as response:
            return Answer(response.headers.get_content_type(), self._read(response, end))

    def _read(self, response: http.client.HTTPResponse, end: float) -> bytes:
        """Read an answer whole; one that drips, or never ends, is given up."""
        blocks = bytearray()
        while block := response.read1(BLOCK):
            blocks += block
            if time.monotonic() > end:
                raise TimeoutError
            if len(blocks) > self.policy.largest:
                raise EndpointError(
                    f"{self.url} answers with more than {self.policy.largest:,} bytes; ask for less"
                )
        if response.length:
            raise http.client.IncompleteRead(bytes(blocks), response.length)
        return bytes(blocks)

    def _refused(self, error: urllib.error.HTTPError) -> Exception:
        said = _first_line(error)
        if error.code in PASSING:
            return _PassingError(f"refuses with {error.code} {said}".rstrip(), _asked_wait(error))
        if error.code == 400:
            return KnowledgeBaseError(f"{self.url} does not understand the query: {said}")
        if 300 <= error.code < 400:
            return EndpointError(f"{self.url} has moved to {error.headers.get('Location')!a}; use that")
        advice = "check the address, and whether you may use it"
        return EndpointError(f"{self.url} refuses with {error.code} {said}".rstrip() + f"; {advice}")

    def _failed(self, error: BaseException) -> _PassingError:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TimeoutError):
            return _PassingError(f"did not answer within {self.policy.timeout:g} seconds")
        if isinstance(reason, http.client.HTTPException):
            return _PassingError(f"broke off or does not speak HTTP ({type(reason).__name__})")
        return _PassingError(f"cannot be reached: {getattr(reason, 'strerror', None) or reason}")


def _headers() -> dict[str, str]:
    return {
        "Accept": ACCEPTED,
        "Content-Type": "application/x-www-form-urlencoded",
        "User-Agent": f"colligate/{__version__}",
    }


def _first_line(error: urllib.error.HTTPError) -> str:
    """What a refusal says of itself, short and in one line."""
    try:
        text = error.read(2000).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        return error.reason
    return " ".join(text.split())[:200] or error.reason


def _asked_wait(error: urllib.error.HTTPError) -> float:
    wait = error.headers.get("Retry-After", "")
    return float(wait) if wait.isdecimal() else 0.0


def _checked(url: str) -> str:
    try:
        parts = urllib.parse.urlsplit(url)
        sound = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        sound = False
    if not sound or any(char <= " " or char > "~" for char in url):
        raise EndpointError(
            f"{url!a:.200} is no address of an endpoint; give one such as https://host/sparql"
        )
    if parts.username or parts.password:
        raise EndpointError(f"the address of {parts.hostname} holds a password; endpoints are asked without")
    return url


@dataclass(frozen=True)
class RequestPolicy:
    """Seconds a request may take, tries after a failure, and seconds between requests and before a new try.

    `page` is how many rows an endpoint gives in one answer (many public ones stop at 10,000 without a word),
    `batch` how many things are named in one query, and `largest` the most bytes of an answer.
    """

    timeout: float = 60.0
    retries: int = 4
    backoff: float = 1.0
    pause: float = 0.1
    longest_wait: float = 60.0
    page: int = 10_000
    batch: int = 200
    largest: int = 1 << 28

    def __post_init__(self) -> None:
        for field in fields(self):
            value, least = getattr(self, field.name), _LEAST.get(field.name, 0)
            if not value >= least:
                raise ParameterError(f"{field.name} of an endpoint must be at least {least:g}; got {value!r}")
            if field.name in _SECONDS and value > LONGEST:
                raise ParameterError(
                    f"{field.name} of an endpoint must be at most {LONGEST:g}; got {value!r}"
                )


def read_rows(answer: Answer, url: str, query: str) -> list[Row]:
    """The rows of an answer to a SELECT of ours: its columns in their order, and everything bound."""
    with _readable(answer, url):
        table = _asked(_table(json.loads(answer.body)), query)
    return [_bound(row, url) for row in table.rows]


def read_numbers(answer: Answer, url: str, query: str) -> tuple[int, ...]:
    """The one row of an answer to a query that counts."""
    rows = read_rows(answer, url, query)
    with _readable(answer, url):
        (row,) = rows
        numbers = tuple(map(int, row))
        if min(numbers) < 0:
            raise ValueError("a count below zero")
    return numbers


def read_result(answer: Answer, url: str) -> QueryResult:
    """Any answer as a table."""
    from pyoxigraph import RdfFormat, parse

    with _readable(answer, url):
        if answer.kind in TRIPLES:
            return triples_result(parse(input=answer.body, format=RdfFormat.N_TRIPLES))
        found = json.loads(answer.body)
        if isinstance(found, dict) and isinstance(found.get("boolean"), bool):
            return boolean_result(found["boolean"])
        return _table(found)


def _asked(table: QueryResult, query: str) -> QueryResult:
    """The table with the columns that a query names, and no others."""
    asked = [one or other for one, other in _COLUMN.findall(query.partition(" WHERE ")[0])]
    if set(asked) != set(table.columns):
        raise ValueError(f"columns {table.columns} where {asked} were asked for")
    order = [table.columns.index(name) for name in asked]
    return QueryResult(tuple(asked), tuple(tuple(row[at] for at in order) for row in table.rows))


def _table(found: Any) -> QueryResult:
    """A table in the JSON of SPARQL; lookups fail on anything else."""
    columns = tuple(found["head"]["vars"])
    rows = found["results"]["bindings"]
    return QueryResult(columns, tuple(tuple(_cell(row.get(name)) for name in columns) for row in rows))


def _cell(term: Any) -> str | None:
    if term is None:
        return None
    value = term["value"]
    if not isinstance(value, str):
        raise TypeError("a value is no text")
    return f"_:{value}" if term["type"] == "bnode" else value


def _bound(row: tuple[str | None, ...], url: str) -> Row:
    cells = tuple(cell for cell in row if cell is not None)
    if len(cells) != len(row):
        raise EndpointError(f"{url} leaves parts of an answer empty; it does not speak SPARQL 1.1")
    return cells


@contextmanager
def _readable(answer: Answer, url: str) -> Iterator[None]:
    try:
        yield
    except (SyntaxError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        begins = answer.body[:SHOWN].decode("utf-8", "replace")
        raise EndpointError(
            f"{url} answers with something that is no answer to a query ({answer.kind}, {begins!a}…: "
            f"{error!r:.120}); check that this is the address of a SPARQL endpoint"
        ) from error


def default_cache_path() -> Path:
    """Where answers are kept unless somebody says otherwise: the cache folder of the user."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else expand_path("~/.cache")) / "colligate" / "endpoints.sqlite"


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
        return default_cache_path() if self._path is None else expand_path(self._path)

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
