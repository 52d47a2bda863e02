"""Putting queries to a SPARQL endpoint over HTTP, with patience and manners."""

from __future__ import annotations

import http.client
import queue
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING, NamedTuple

from colligate.errors import EndpointError, KnowledgeBaseError
from colligate.version import __version__

if TYPE_CHECKING:
    from colligate.world.base.manners import Manners

ACCEPTED = "application/sparql-results+json, application/n-triples;q=0.9"
BLOCK = 1 << 16
PASSING = (429, 500, 502, 503, 504)
"""Refusals that may be over in a moment."""

MOST_DOUBLED = 20


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
    """One endpoint: requests one after the other, never faster than its manners allow."""

    def __init__(self, url: str, manners: Manners) -> None:
        self.url = _checked(url)
        self.manners = manners
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._turn = threading.Lock()
        self._next = 0.0

    def ask(self, query: str) -> Answer:
        """Put a query, and again after a while where the endpoint does not answer."""
        body = urllib.parse.urlencode({"query": query}).encode()
        for tries in range(self.manners.retries + 1):
            try:
                return self._asked(body)
            except _PassingError as error:
                told, wait = str(error), max(error.wait, self.manners.backoff * 2 ** min(tries, MOST_DOUBLED))
            if tries < self.manners.retries:
                time.sleep(min(wait, self.manners.longest_wait))
        tried = f"{self.manners.retries + 1} times" if self.manners.retries else "once"
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
                raise _PassingError(f"did not answer within {self.manners.timeout:g} seconds") from error
            except (OSError, http.client.HTTPException) as error:
                raise self._failed(error) from error
            finally:
                self._next = time.monotonic() + self.manners.pause

    def _in_time(self, body: bytes) -> Answer:
        """Wait for an answer in a thread of its own: a socket only tells how long a single byte takes."""
        come: queue.SimpleQueue[Answer | Exception] = queue.SimpleQueue()
        threading.Thread(target=self._send, args=(body, come), daemon=True).start()
        try:
            found = come.get(timeout=self.manners.timeout)
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
        end = time.monotonic() + self.manners.timeout
        with self._opener.open(request, timeout=self.manners.timeout) as response:
            return Answer(response.headers.get_content_type(), self._read(response, end))

    def _read(self, response: http.client.HTTPResponse, end: float) -> bytes:
        """Read an answer whole; one that drips, or never ends, is given up."""
        blocks = bytearray()
        while block := response.read1(BLOCK):
            blocks += block
            if time.monotonic() > end:
                raise TimeoutError
            if len(blocks) > self.manners.largest:
                raise EndpointError(
                    f"{self.url} answers with more than {self.manners.largest:,} bytes; ask for less"
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
            return _PassingError(f"did not answer within {self.manners.timeout:g} seconds")
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
