"""Access check: only the user's own browser gets an answer.

A page of another site can make a browser send requests to this server (CSRF), and its domain name can be made
to resolve to this machine (DNS rebinding). So every request must name this server as its host, come from no
other origin, and carry the cookie that the token of the printed address was exchanged for. The token works
once, and no process has it among its arguments: the browser opens a private file that leads there. Another
browser gets a page that says how to get access, and nothing of the project.

The cookie survives a restart of the studio on the same project and port, so that an open page finds back. The
project keeps only its hash, in a file that nobody else may read; a new token, once used, ends the old cookie.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import html
import json
import os
import secrets
import stat
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from colligate._storage.atomic import write_file
from colligate.errors import StoreError
from colligate.studio.server.endpoint import error_response

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "colligate_studio"
ACCESS_NAME = "access.json"
ENTRY_NAME = "open.html"
ENTRY_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>Colligate studio</title>
</head>
<body><p>The studio opens. If it does not, <a href="{address}">open it</a>.</p></body>
</html>
"""
ENTERED_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=/">
<title>Colligate studio</title>
</head>
<body><p>The studio opens. If it does not, <a href="/">open it</a>.</p></body>
</html>
"""
MAX_ACCESS_BYTES = 1_000
# no link, which could name a file that somebody else controls; and no waiting for a pipe
OPENING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
# no inline scripts: text of a document that got into the page as HTML could not run
POLICY = (
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; "
    "img-src 'self' data: blob:"
)
# a sandbox without scripts, because a report repeats text from documents
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
ADDRESS_ADVICE = "open the address that `colligate studio` printed; it works once, in one browser"
TRUSTED_SITES = ("same-origin", "none")
STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; padding: 1.5rem;
  box-sizing: border-box; background: light-dark(#fdfcfa, #14171a); color: light-dark(#1d2126, #e9e7e2);
  font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 34rem; }
h1 { margin: 0 0 .8rem; font: 600 1.6rem/1.25 Georgia, serif; }
code { padding: .1em .35em; border-radius: 4px; background: light-dark(#efece5, #262c32); }
li { margin: .4rem 0; }
"""
HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
REFUSAL_POLICY = (
    f"default-src 'none'; style-src 'sha256-{HASH}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No access · Colligate studio</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>This browser has no access to the studio</h1>
<p>Only the browser that first opened the printed address has access: {what}.</p>
<ul>
<li>If you have not used that address yet, copy all of it from the terminal, including
<code>?token=…</code>.</li>
<li>If you have used it, continue in that browser. To move to this one, end the studio in the terminal with
Ctrl-C and start it again by the same command: nothing is lost, and it prints a new address.</li>
</ul>
</main>
</body>
</html>
"""


@dataclass(frozen=True)
class Access:
    """Who has access to a project: the SHA-256 of the cookie, which is valid on one port only."""

    port: int
    digest: str

    @classmethod
    def load(cls, folder: Path) -> Self | None:
        """Read the access of the last studio; None if there is none, or if others could read or write it."""
        try:
            handle = os.open(folder / ACCESS_NAME, OPENING)
            with os.fdopen(handle, "rb") as stream:
                if not _is_private(os.fstat(handle)):
                    return None
                content = json.loads(stream.read(MAX_ACCESS_BYTES))
            port, digest = content["port"], content["digest"]
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        is_valid = isinstance(port, int) and isinstance(digest, str) and 0 < port < 2**16
        return cls(port, digest) if is_valid else None

    def save(self, folder: Path) -> None:
        """Store it for the owner only; without it, a restarted studio needs its new address."""
        if not folder.is_dir():
            return
        with contextlib.suppress(StoreError), write_file(folder / ACCESS_NAME, private=True) as temporary:
            temporary.write_text(json.dumps(asdict(self)), encoding="utf-8")


def write_entry_file(address: str, folder: Path) -> Path:
    """Write a page that leads to the address with the token, which only the owner may read.

    A browser gets the path of this file: all users of a machine can see the arguments of a process.
    """
    path = folder / ENTRY_NAME
    with write_file(path, private=True) as temporary:
        temporary.write_text(ENTRY_PAGE.format(address=html.escape(address)), encoding="utf-8")
    return path


def remove_entry_file(folder: Path) -> None:
    """Remove the page that leads to the address, once the token is used or the studio has ended."""
    with contextlib.suppress(OSError):
        (folder / ENTRY_NAME).unlink()


def _is_private(status: os.stat_result) -> bool:
    """Tell whether a file is a plain one of this user, closed to all others."""
    if not stat.S_ISREG(status.st_mode):
        return False
    # Windows has no such rights; there the folder of the user protects the file
    return os.name != "posix" or (status.st_uid == os.getuid() and not status.st_mode & 0o077)


class Gate:
    """Checks every request before the application sees it; see the head of this file."""

    def __init__(self, app: ASGIApp, port: int, token: str, folder: Path) -> None:
        self._app = app
        self._port = port
        self._folder = folder
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        self._token: str | None = token
        stored = Access.load(folder)
        # before the token is used, nobody has access: no cookie has this digest
        self._digest = stored.digest if stored is not None and stored.port == port else ""
        # cookies do not tell ports apart: two studios would overwrite each other's
        self._cookie_name = f"{COOKIE}_{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        # WebSockets are not bound by the same-origin policy, and the studio needs none
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    # a response that sets its own policy keeps it
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._check(Request(scope))
        await (self._app if refusal is None else refusal)(scope, receive, send_with_headers)

    def _check(self, request: Request) -> Response | None:
        headers = request.headers
        if headers.get("host", "") not in self._hosts:
            return _refuse(request, 421, "the request names another server")
        if not self._is_same_origin(headers) and not self._is_entry(request):
            return _refuse(request, 403, "requests from other pages are refused")
        if self._has_cookie(request):
            if "token" not in request.query_params:
                return None
            if self._is_token(request):
                self._token = None
                remove_entry_file(self._folder)
            # redirected, so that the token does not stay in the address and the history
            return RedirectResponse("/", 303)
        return self._exchange_token(request)

    def _is_same_origin(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self._hosts}:
            return False
        # a link on another site may open the first page, which that site cannot read
        return headers.get("sec-fetch-site", "none") in TRUSTED_SITES

    def _is_entry(self, request: Request) -> bool:
        """Whether a browser opens the first page with the token, from the entry file.

        A page of another site could open this address too, but it does not know the token.
        """
        headers = request.headers
        is_page = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        is_first = request.method == "GET" and request.url.path == "/" and "origin" not in headers
        return is_page and is_first and self._is_token(request)

    def _has_cookie(self, request: Request) -> bool:
        cookie = request.cookies.get(self._cookie_name, "")
        # compared in constant time, which gives nothing away
        return secrets.compare_digest(_digest(cookie), self._digest)

    def _is_token(self, request: Request) -> bool:
        token = request.query_params.get("token", "")
        # as bytes, since a query may not be ASCII
        return self._token is not None and secrets.compare_digest(token.encode(), self._token.encode())

    def _exchange_token(self, request: Request) -> Response:
        """Exchange the token for a new cookie, once; refuse all others."""
        if not self._is_token(request) or request.url.path != "/" or request.method != "GET":
            return _refuse(request, 403, "the token is missing, wrong or used up")
        self._token, cookie = None, secrets.token_urlsafe(32)
        remove_entry_file(self._folder)
        # the cookie of another browser ends here: one browser has access
        self._digest = _digest(cookie)
        Access(self._port, self._digest).save(self._folder)
        # a browser that came from the entry file does not send the new cookie on a redirect
        is_direct = request.headers.get("sec-fetch-site", "none") in TRUSTED_SITES
        response: Response = RedirectResponse("/", 303) if is_direct else HTMLResponse(ENTERED_PAGE)
        # scripts cannot read it, and other sites cannot send it. Not `secure`: the address is plain HTTP
        response.set_cookie(self._cookie_name, cookie, httponly=True, samesite="strict", path="/")
        return response


def _digest(cookie: str) -> str:
    # surrogates: a header may hold any bytes
    return hashlib.sha256(cookie.encode(errors="surrogatepass")).hexdigest()


def _refuse(request: Request, status: int, what: str) -> Response:
    """Say why access is refused and how to get it: HTML for a browser, JSON for other programs."""
    if "text/html" in request.headers.get("accept", ""):
        return _refusal_page(status, what)
    return error_response(status, what, request.url.path, ADDRESS_ADVICE)


def _refusal_page(status: int, what: str) -> HTMLResponse:
    """Make the page with the reason; `what` is a fixed text, never input."""
    page = PAGE.format(style=STYLE, what=what)
    return HTMLResponse(page, status, headers={"content-security-policy": REFUSAL_POLICY})
