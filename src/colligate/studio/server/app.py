"""The application: the routes behind their gate, the pages, the events, and errors as answers.

Serving a session until it is told to stop.

Connections within bounds: whoever opens many, or says nothing, cannot keep the user out.
"""

from __future__ import annotations

import json
import secrets
import socket
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

from colligate.errors import ColligateError, InputError
from colligate.studio.server import openapi
from colligate.studio.server.endpoint import Call, RefusedError, Route, answer, told
from colligate.studio.server.events import Hub
from colligate.studio.server.routes import ROUTES
from colligate.studio.server.schema import refuse_unfit, schema
from colligate.studio.server.security import Gate

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from colligate.studio.session import Session


BODY_LIMIT = 1_000_000
BODY_SECONDS = 15.0
LONGEST_NUMBER = 12
TOO_MANY = 2**31
STATIC = Path(str(files("colligate.studio"))) / "static"
ADDRESS = "127.0.0.1"
BACKLOG = 1024
END_SECONDS = 2
MOST_CONNECTIONS = 128
PATIENCE = 10.0
"""Seconds that a connection may take until its first request is whole."""


def make_app(session: Session, hub: Hub, port: int, token: str) -> ASGIApp:
    """The whole application for one session."""
    endpoints: list[Any] = [
        Endpoint(route.path, _endpoint(session, route), methods=[route.method]) for route in ROUTES
    ]
    endpoints += [
        Endpoint("/", lambda _: FileResponse(STATIC / "index.html")),
        Endpoint("/api/events", _told(hub.stream)),
        Endpoint("/api/openapi.json", lambda _: JSONResponse(openapi.document(ROUTES))),
        Endpoint("/api", lambda _: HTMLResponse(openapi.page(ROUTES))),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    handlers: Any = {HTTPException: _http_error, Exception: _defect}
    return Gate(Starlette(routes=endpoints, exception_handlers=handlers), port, token)


def _endpoint(session: Session, route: Route) -> Callable[[Request], Awaitable[Response]]:
    wanted = None if route.body is None else schema(route.body)

    async def respond(request: Request) -> Response:
        if any(number >= TOO_MANY for number in request.path_params.values()):
            raise RefusedError(404, "there are not so many", "see /api")
        body = {} if wanted is None else await _json(request)
        if wanted is not None:
            refuse_unfit(body, wanted)
        call = Call(request.path_params, dict(request.query_params), body)
        found = await run_in_threadpool(route.handler, session, call)
        return found if isinstance(found, Response) else JSONResponse(found, route.status)

    return _told(respond)


def _told(respond: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """The same, with errors as answers."""

    async def endpoint(request: Request) -> Response:
        try:
            return await respond(request)
        except (RefusedError, ColligateError) as error:
            return told(error, request.url.path)

    return endpoint


async def _json(request: Request) -> Any:
    """The body of a request, no larger and no slower than it may be."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusedError(415, "the body must be JSON", "send it as application/json")
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or len(length) > LONGEST_NUMBER or int(length) > BODY_LIMIT:
        raise _too_large()
    received = b""
    try:
        with anyio.fail_after(BODY_SECONDS):
            async for part in request.stream():
                received += part
                if len(received) > BODY_LIMIT:
                    raise _too_large()
    except TimeoutError:
        raise RefusedError(408, f"the body did not come within {BODY_SECONDS:.0f} s", "try again") from None
    try:
        found = json.loads(received or b"{}")
        # half a character, as in "\ud800", is JSON, but no text that can be stored
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, f"the body is not JSON: {error!s:.200}") from None
    return found


def _too_large() -> RefusedError:
    return RefusedError(413, f"the body is larger than {BODY_LIMIT:,} bytes", "send less at a time")


async def _http_error(request: Request, error: HTTPException) -> Response:
    return answer(error.status_code, str(error.detail).lower(), request.url.path, "see /api")


async def _defect(request: Request, error: Exception) -> Response:
    return answer(500, f"{type(error).__name__}: this is a defect, please report it", request.url.path)


class Server(uvicorn.Server):
    """A server that is bound, and knows the address to open; port 0 takes a free one.

    It ends the streams of events first: a page that listens would otherwise keep it up.
    """

    def __init__(self, session: Session, port: int) -> None:
        self.listening = _bound(port)
        number, token = self.listening.getsockname()[1], secrets.token_urlsafe(24)
        self.address = f"http://{ADDRESS}:{number}/?token={token}"
        self.hub = Hub()
        session.listeners.append(self.hub.tell)
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
        """End the streams, then everything."""
        self.hub.close()
        await super().shutdown(sockets)

    def serve_until_stopped(self) -> None:
        """Serve until told to stop."""
        with self.listening:
            self.run(sockets=[self.listening])


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((ADDRESS, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise InputError(
            f"port {port} cannot be used ({error.strerror}); choose another with --port, or leave it out"
        ) from error
    return listening


class BoundedProtocol(H11Protocol):
    """HTTP/1.1 with a bound on connections, where the oldest idle one makes room, and on silence."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room, and begin to wait for the first request."""
        super().connection_made(transport)
        self._open[self] = None
        if len(self._open) > MOST_CONNECTIONS:
            idle = next((one for one in self._open if one.is_idle), self)
            # at once, and not when it is lost: until then the next one needs room as well
            del self._open[idle]
            idle.transport.abort()
        self.loop.call_later(PATIENCE, self._lose_patience)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._open.pop(self, None)
        super().connection_lost(exc)

    @property
    def _open(self) -> dict[BoundedProtocol, None]:
        """The connections of the server, the oldest first."""
        found: dict[BoundedProtocol, None] = self.server_state.__dict__.setdefault("open", {})
        return found

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return not self._asked or self.cycle.response_complete

    @property
    def _asked(self) -> bool:
        """Whether a first request came; uvicorn's own type leaves out that there may be none."""
        cycle: object = self.cycle
        return cycle is not None

    def _lose_patience(self) -> None:
        if not self._asked and not self.transport.is_closing():
            self.transport.abort()
