"""POST requests to one address over `urllib`: a deadline, a largest answer, pauses and repetitions.

A server may hang, refuse, cut its answers short or send anything else. So every request has a deadline and
every answer a largest size. What the answer means is for the caller to check.
"""

from __future__ import annotations

import http.client
import ipaddress
import math
import queue
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from colligate.errors import Parameter, ParameterError
from colligate.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.errors import ColligateError

TEMPORARY_ERRORS = (429, 500, 502, 503, 504)
MAX_SECONDS = 86_400.0
"""The longest time of anything: a day, which clocks of every platform can count."""
USER_AGENT = f"colligate/{__version__}"
_DURATIONS = ("timeout", "backoff", "pause", "max_wait")
_MAX_DOUBLINGS = 20
_BLOCK = 1 << 16


@dataclass(frozen=True)
class HttpPolicy:
    """How often and how long a server is asked.

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
        The longest wait before a repetition, even if the server asks for more.
    max_bytes
        The largest answer.
    """

    timeout: float = 60.0
    retries: int = 4
    backoff: float = 1.0
    pause: float = 0.1
    max_wait: float = 60.0
    max_bytes: int = 1 << 28
    _minimum: ClassVar[Mapping[str, float]] = {"timeout": 0.001, "max_bytes": 1024}

    def __post_init__(self) -> None:
        for field in fields(self):
            value, minimum = getattr(self, field.name), self._minimum.get(field.name, 0)
            maximum = MAX_SECONDS if field.name in _DURATIONS else math.inf
            if not minimum <= value <= maximum:
                limit = f"at most {maximum:g}" if value > maximum else f"at least {minimum:g}"
                raise ParameterError(
                    Parameter(field.name),
                    f" of an endpoint must be {limit}; got {value!r}",
                    parameter=field.name,
                )


class Answer(NamedTuple):
    """The answer to a request: its media type, in lower case, and its bytes."""

    type: str
    body: bytes


UNREACHABLE, SLOW, BROKEN, LARGE, MOVED, REFUSED = (
    "unreachable",
    "slow",
    "broken",
    "large",
    "moved",
    "refused",
)
"""Why a request failed: no connection, no answer in time, no HTTP, too large, another address, a status."""


class RequestError(Exception):
    """A request that failed: what the server did, in words that follow its address.

    `cause` is one of the causes above, `code` the HTTP status (0 without one), `reason` the beginning of what
    the server wrote, and `wait` the seconds that it asked to wait.
    """

    def __init__(self, text: str, cause: str, code: int = 0, reason: str = "", wait: float = 0.0) -> None:
        super().__init__(text)
        self.cause, self.code, self.reason, self.wait = cause, code, reason, wait

    @property
    def is_temporary(self) -> bool:
        """Whether a repetition makes sense."""
        return self.cause in (UNREACHABLE, SLOW, BROKEN) or self.code in TEMPORARY_ERRORS


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Requests go only to the address that the user gave; a redirected POST would lose its body as well."""

    def redirect_request(self, *_: object) -> None:
        return None


class Client:
    """One address: sends requests one after the other, never faster than the policy allows.

    `secret` is a text that no message may show, such as a key in the headers.
    """

    def __init__(self, url: str, policy: HttpPolicy, headers: Mapping[str, str], secret: str = "") -> None:
        self.url = url
        self.policy = policy
        self._headers = {**headers, "User-Agent": USER_AGENT}
        self._secret = secret
        # a proxy would take what is meant for this machine elsewhere
        no_proxy = [urllib.request.ProxyHandler({})] if is_local(url) else []
        self._opener = urllib.request.build_opener(_NoRedirects, *no_proxy)
        self._turn = threading.Lock()
        self._next = 0.0

    def post(self, body: bytes) -> Answer:
        """Send a request, and repeat it after temporary failures; raise a `RequestError` if all fail."""
        for attempt in range(self.policy.retries + 1):
            try:
                return self._send_in_turn(body)
            except RequestError as error:
                if not error.is_temporary:
                    raise
                failure = error
            if attempt < self.policy.retries:
                backoff = self.policy.backoff * 2 ** min(attempt, _MAX_DOUBLINGS)
                time.sleep(min(max(failure.wait, backoff), self.policy.max_wait))
        tried = f"{self.policy.retries + 1} times" if self.policy.retries else "once"
        raise RequestError(f"{failure} (tried {tried})", failure.cause, failure.code, failure.reason)

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
        request = urllib.request.Request(self.url, body, self._headers, method="POST")
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
            # a server could otherwise fill the memory
            if len(body) > self.policy.max_bytes:
                raise RequestError(
                    f"returned an answer of more than {self.policy.max_bytes:,} bytes", cause=LARGE
                )
        # read1 does not complain if fewer bytes come than were announced
        if response.length:
            raise http.client.IncompleteRead(bytes(body), response.length)
        return bytes(body)

    def _refusal(self, error: urllib.error.HTTPError) -> RequestError:
        reason = self._read_reason(error)
        if 300 <= error.code < 400:
            return RequestError(f"has moved to {error.headers.get('Location')!a}", MOVED, error.code, reason)
        wait = error.headers.get("Retry-After", "")
        # the header may also be a date; then the usual delay applies
        seconds = float(wait) if wait.isdecimal() else 0.0
        text = f"refuses the request with {error.code} {reason}".rstrip()
        return RequestError(text, REFUSED, error.code, reason, seconds)

    def _read_reason(self, error: urllib.error.HTTPError) -> str:
        """Return the reason of a refusal, short, in one line, and without the secret."""
        try:
            text = error.read(2000).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            text = ""
        line = " ".join(text.split()) or error.reason
        # before it is cut: a part of the secret must not stay
        return (line.replace(self._secret, "…") if self._secret else line)[:200]

    def _explain(self, error: Exception) -> RequestError:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TimeoutError):
            return RequestError(f"did not answer within {self.policy.timeout:g} seconds", SLOW)
        if isinstance(reason, http.client.HTTPException):
            return RequestError(
                f"closed the connection or does not use HTTP ({type(reason).__name__})", BROKEN
            )
        return RequestError(f"cannot be reached: {getattr(reason, 'strerror', None) or reason}", UNREACHABLE)


def check_url(url: str, example: str, error: type[ColligateError]) -> str:
    """Return an address that requests can go to; raise an error of this type if it is none."""
    try:
        parts = urllib.parse.urlsplit(url)
        # reading `port` raises an error for a number out of range, encoding the name for one with a part that
        # is empty or too long
        valid = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
        (parts.hostname or "").encode("idna")
    except ValueError:
        valid = False
    # a line break in an address could add headers to the request
    if not valid or any(char <= " " or char > "~" for char in url):
        raise error(f"{url!a:.200} is not the address of an endpoint; give one such as {example}")
    # messages show the address, so it must not hold a secret
    if parts.username or parts.password:
        raise error(
            f"the address of {parts.hostname} contains a user name or a password; remove these from the "
            "address"
        )
    return url


def is_local(url: str) -> bool:
    """Tell whether an address is on this machine."""
    host = urllib.parse.urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
