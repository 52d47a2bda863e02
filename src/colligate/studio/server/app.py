"""The application: the routes behind their gate, the pages, the events, and errors as answers."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount
from starlette.routing import Route as Endpoint
from starlette.staticfiles import StaticFiles

from colligate.errors import ColligateError
from colligate.studio.server import openapi
from colligate.studio.server.errors import RefusedError, answer, told
from colligate.studio.server.gate import Gate
from colligate.studio.server.route import Call, Route
from colligate.studio.server.routes import ROUTES
from colligate.studio.server.shapes import refuse_unfit, schema

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from colligate.studio.server.events import Hub
    from colligate.studio.session import Session

BODY_LIMIT = 1_000_000
BODY_SECONDS = 15.0
LONGEST_NUMBER = 12
TOO_MANY = 2**31
STATIC = Path(str(files("colligate.studio"))) / "static"


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
