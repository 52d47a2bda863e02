"""The OpenAPI document of the studio, and a page that people can read, both from the list of routes."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from colligate.studio.server.schema import schema
from colligate.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

    from colligate.studio.server.endpoint import Route

ERROR = {
    "type": "object",
    "properties": {"error": {"type": "object", "required": ["what", "where", "todo"]}},
}
EVENTS = {
    "operationId": "get_events",
    "summary": "Progress, jobs, runs and statements as they come (server-sent events).",
    "responses": {"200": {"description": "a stream of events", "content": {"text/event-stream": {}}}},
}


def document(routes: Iterable[Route]) -> dict[str, Any]:
    """The routes in the terms of OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(_plain(route.path), {})[route.method.lower()] = _operation(route)
    paths["/api/events"] = {"get": EVENTS}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Colligate studio", "version": __version__},
        "paths": paths,
    }


def page(routes: Iterable[Route]) -> str:
    """The routes as a plain page."""
    rows = "".join(
        f"<tr><td><code>{route.method}</code></td><td><code>{escape(_plain(route.path))}</code></td>"
        f"<td>{escape(', '.join(route.query))}</td><td>{escape(route.summary)}</td></tr>"
        for route in routes
    )
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Routes of the studio</title>"
        "<h1>Routes of the studio</h1><p>The same for machines: <a href='/api/openapi.json'>openapi.json</a>."
        " Errors are <code>{error: {what, where, todo}}</code>.</p>"
        f"<table><thead><tr><th>Method<th>Path<th>Query<th>What it does</thead>{rows}</table></html>"
    )


def _plain(path: str) -> str:
    return path.replace(":int}", "}")


def _operation(route: Route) -> dict[str, Any]:
    parts = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "integer"}}
        for name in route.parameters
    ]
    parts += [{"name": name, "in": "query", "schema": {"type": "string"}} for name in route.query]
    found: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.summary,
        "parameters": parts,
        "responses": {
            str(route.status): {"description": route.summary, "content": _content(route.answer)},
            "default": {"description": "an error", "content": {"application/json": {"schema": ERROR}}},
        },
    }
    if route.body is not None:
        found["requestBody"] = {"required": True, "content": _content(route.body)}
    return found


def _content(shape: Any) -> dict[str, Any]:
    if isinstance(shape, str):
        return {shape: {}}
    return {"application/json": {"schema": schema(shape)}}
