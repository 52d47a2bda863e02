"""The application: routes, pages and events behind the access check, and the server that runs it.

Bodies, connections and waiting times are limited, so that no other program can block the user.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import sqlite3
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount
from starlette.routing import Route as Endpoint
from starlette.staticfiles import StaticFiles
from uvicorn.protocols.http.h11_impl import H11Protocol

from colligate.errors import ColligateError, InputError, StoreError
from colligate.studio.server.endpoint import (
    LARGEST,
    LONGEST_NUMBER,
    Call,
    RefusedError,
    Route,
    describe_error,
    error_response,
)
from colligate.studio.server.events import Hub
from colligate.studio.server.routes import ROUTES
from colligate.studio.server.schema import openapi_document, openapi_page, validate
from colligate.studio.server.security import Access, Gate

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from colligate.studio.session import Session


BODY_LIMIT = 1_000_000
BODY_SECONDS = 15.0
STATIC = Path(str(files("colligate.studio"))) / "static"
ADDRESS = "127.0.0.1"
BACKLOG = 1024
END_SECONDS = 2
MAX_CONNECTIONS = 128
DRAIN_SECONDS = 1.0
"""Seconds that a refused client has to read the answer."""
FIRST_REQUEST_SECONDS = 10.0
"""Seconds that a connection may take to send its first request."""

BUSY = json.dumps(
    {
        "error": {
            "what": f"the studio has {MAX_CONNECTIONS} connections, and takes no more",
            "where": "",
            "todo": "close other pages of the studio, or try again",
        }
    }
).encode()
REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close\r\n"
    b"retry-after: 1\r\ncontent-length: %d\r\n\r\n%s" % (len(BUSY), BUSY)
)


def make_app(session: Session, hub: Hub, port: int, token: str) -> ASGIApp:
    """Make the application of one session."""
    endpoints: list[Any] = [
        Endpoint(route.path, _endpoint(session, route), methods=[route.method]) for route in ROUTES
    ]
    endpoints += [
        Endpoint("/", lambda _: FileResponse(STATIC / "index.html")),
        Endpoint("/api/events", _catch_errors(hub.stream)),
        Endpoint("/api/openapi.json", lambda _: JSONResponse(openapi_document(ROUTES))),
        Endpoint("/api", lambda _: HTMLResponse(openapi_page(ROUTES))),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    handlers: Any = {HTTPException: _http_error, Exception: _defect}
    return Gate(Starlette(routes=endpoints, exception_handlers=handlers), port, token, session.project.folder)


def _endpoint(session: Session, route: Route) -> Callable[[Request], Awaitable[Response]]:
    async def respond(request: Request) -> Response:
        if any(number >= LARGEST for number in request.path_params.values()):
            raise RefusedError(404, "a number in the address is too large", "see /api")
        body = {} if route.body is None else validate(await _read_json(request), route.body)
        call = Call(request.path_params, dict(request.query_params), body)
        # handlers read files and large arrays, and would hold up all other requests
        content = await run_in_threadpool(route.handler, session, call)
        return content if isinstance(content, Response) else JSONResponse(content, route.status)

    return _catch_errors(respond)


def _catch_errors(
    respond: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Turn errors of an endpoint into responses."""

    async def endpoint(request: Request) -> Response:
        try:
            return await respond(request)
        except (RefusedError, ColligateError) as error:
            return describe_error(error, request.url.path)
        except sqlite3.Error as error:
            damage = StoreError(f"the journal cannot be read ({error}); restore the project from a copy")
            return describe_error(damage, request.url.path)

    return endpoint


async def _read_json(request: Request) -> Any:
    """Read the body of a request within the limits of size and time."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    # a page of another site can send other types without asking first, but not this one
    if media_type != "application/json":
        raise RefusedError(
            415, "the content of the request must be JSON", "send it with the content type application/json"
        )
    length = request.headers.get("content-length", "0")
    # bounded before it is parsed: `int` of a very long text takes quadratic time
    if not length.isdecimal() or len(length) > LONGEST_NUMBER or int(length) > BODY_LIMIT:
        raise _too_large()
    received = b""
    try:
        with anyio.fail_after(BODY_SECONDS):
            async for part in request.stream():
                received += part
                # the announced length may be missing or wrong
                if len(received) > BODY_LIMIT:
                    raise _too_large()
    except TimeoutError:
        raise RefusedError(
            408, f"the content of the request did not arrive within {BODY_SECONDS:.0f} s", "try again"
        ) from None
    try:
        content = json.loads(received or b"{}")
        # a lone surrogate such as "\ud800" is valid JSON, but cannot be stored as UTF-8
        json.dumps(content, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, f"the content of the request is not valid JSON: {error!s:.200}") from None
    return content


def _too_large() -> RefusedError:
    return RefusedError(
        413, f"the content of the request is larger than {BODY_LIMIT:,} bytes", "send less at a time"
    )


async def _http_error(request: Request, error: HTTPException) -> Response:
    return error_response(error.status_code, str(error.detail).lower(), request.url.path, "see /api")


async def _defect(request: Request, error: Exception) -> Response:
    return error_response(
        500, f"{type(error).__name__}: this is a defect, please report it", request.url.path
    )


class Server(uvicorn.Server):
    """A server on the loopback address; `address` is the one to open.

    Port 0 takes the port of the last studio on the project, so that its page finds back, or a free one.
    """

    def __init__(self, session: Session, port: int) -> None:
        self.listening = _bind(port) if port else _bind_last(session.project.folder)
        number, token = self.listening.getsockname()[1], secrets.token_urlsafe(24)
        self.address = f"http://{ADDRESS}:{number}/?token={token}"
        self.hub = Hub()
        session.listeners.append(self.hub.emit)
        config = uvicorn.Config(
            make_app(session, self.hub, number, token),
            http=BoundedProtocol,
            ws="none",
            log_level="critical",
            access_log=False,
            server_header=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=END_SECONDS,
            backlog=BACKLOG,
        )
        super().__init__(config)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the event streams first: an open page would otherwise delay the end."""
        self.hub.close()
        await super().shutdown(sockets)

    def serve_until_stopped(self) -> None:
        """Serve until the process is asked to stop."""
        with self.listening:
            self.run(sockets=[self.listening])


def _bind(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # the port may still have closed connections of a studio that has just ended
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # the loopback address: no other machine can connect
        listening.bind((ADDRESS, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise InputError(
            f"port {port} cannot be used ({error.strerror}); choose another port with --port, or omit --port"
        ) from error
    return listening


def _bind_last(folder: Path) -> socket.socket:
    """Bind the port that the last studio on a project had, or a free one if it is taken."""
    last = Access.load(folder)
    if last is not None:
        try:
            return _bind(last.port)
        except InputError:
            pass  # another program has it by now
    return _bind(0)


class _Drain(asyncio.Protocol):
    """Discards what a refused client still sends."""


class BoundedProtocol(H11Protocol):
    """HTTP/1.1 with a limit on connections, and on the time until the first request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Close the oldest idle connection if there are too many, and wait for the first request."""
        super().connection_made(transport)
        self._open[self] = None
        if len(self._open) > MAX_CONNECTIONS:
            idle = next((connection for connection in self._open if connection.is_idle), self)
            # now, not in connection_lost: the next connection may come before that
            del self._open[idle]
            idle.refuse()
        # connections that never send anything would otherwise use up the limit
        self.loop.call_later(FIRST_REQUEST_SECONDS, self._close_silent)

    def refuse(self) -> None:
        """Answer that there are too many connections, and close the connection once the answer is read."""
        transport = self.transport
        if transport.is_closing():
            return
        transport.write(REFUSAL)
        # closing now would reset the connection, and the client could lose the answer
        transport.set_protocol(_Drain())
        if transport.can_write_eof():
            transport.write_eof()
        self.loop.call_later(DRAIN_SECONDS, transport.abort)
        super().connection_lost(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._open.pop(self, None)
        super().connection_lost(exc)

    @property
    def _open(self) -> dict[BoundedProtocol, None]:
        """The connections of the server, the oldest first."""
        connections: dict[BoundedProtocol, None] = self.server_state.__dict__.setdefault("open", {})
        return connections

    @property
    def is_idle(self) -> bool:
        """Whether no request is in progress."""
        return not self._has_request or self.cycle.response_complete

    @property
    def _has_request(self) -> bool:
        """Whether a first request came; the type that uvicorn declares leaves out None."""
        cycle: object = self.cycle
        return cycle is not None

    def _close_silent(self) -> None:
        if not self._has_request and not self.transport.is_closing():
            self.transport.abort()
