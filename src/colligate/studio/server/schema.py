"""The schemas of requests and answers: validation of what a client sends, and the OpenAPI document."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from colligate.studio.actions.base import MAX_ITEMS
from colligate.studio.server.endpoint import RefusedError
from colligate.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.studio.server.endpoint import Route

LARGEST = 2**53
"""The largest number that every JSON reader keeps exactly."""
Number = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
Coordinate = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Positions = Annotated[list[Number], Field(max_length=MAX_ITEMS)]

COMPONENTS = "#/components/schemas/{model}"
ERROR = {
    "type": "object",
    "properties": {"error": {"type": "object", "required": ["what", "where", "todo"]}},
}
EVENTS = {
    "operationId": "get_events",
    "summary": "Progress, jobs, runs and statements as server-sent events.",
    "responses": {"200": {"description": "a stream of events", "content": {"text/event-stream": {}}}},
}


class Request(BaseModel):
    """The body of a request: only its fields, without conversion of types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RunRequest(Request):
    """A run; what is left out stays as in the run that it continues."""

    method: str = ""
    n_clusters: Number = 0
    knowledge: Literal["on", "off"] = "on"
    fresh: bool = False
    uneven_sizes: bool = False
    from_run: Number = 0


class DocumentsRequest(Request):
    """Which documents: those that fit all of `at`, `group`, `box` and `q`, without those of `skip`.

    `at` and `skip` are positions, `box` is left, top, right and bottom on the map, `q` is a query. `unstated`
    leaves out documents that a statement names. `order` is given (as in `at`, or best match first), doubt,
    confidence, id, title, length, stated, or column: with the name of a column of the input.
    """

    at: Positions = []
    skip: Positions = []
    group: Number = 0
    box: Annotated[list[Coordinate], Field(min_length=4, max_length=4)] = []
    q: str = ""
    unstated: bool = False
    order: str = "given"
    reverse: bool = False
    offset: Annotated[int, Field(ge=0, le=LARGEST)] = 0
    limit: Annotated[int, Field(ge=1, le=500)] = 50


class StatementRequest(Request):
    """A statement; `after` is the last event that the page knows, `id` makes a repeated request harmless.

    `at` has positions of documents of the run, in place of their ids in the body.
    """

    kind: str
    body: dict[str, Any]
    at: Positions = []
    after: Number = 0
    who: str = ""
    why: str = ""
    id: str = ""
    run: Number = 0


class PreviewRequest(Request):
    """A statement that is not made: its kind, and its body; `at` has positions of documents."""

    kind: str
    body: dict[str, Any]
    at: Positions = []


class UndoRequest(Request):
    """The statement to undo; the last one without an id."""

    id: str = ""


class RedoRequest(Request):
    """Nothing: what was undone last is redone."""


class TextRequest(Request):
    """A knowledge file, and the last event before its text was read."""

    text: str
    seq: Number
    who: str = ""
    why: str = ""


class AnswerRequest(Request):
    """An answer; `group` is the group chosen for a document, by default the first in question."""

    answer: Literal["yes", "no", "skip"]
    group: Number = 0
    who: str = ""
    why: str = ""


def validate(body: Any, model: type[Request]) -> dict[str, Any]:
    """Return the fields that a body sets; raise an error if one is wrong."""
    try:
        return model.model_validate(body).model_dump(exclude_unset=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, ("the request", *first["loc"])))
        message = first["msg"][0].lower() + first["msg"][1:]
        value = "" if first["type"] == "missing" else f"; got {first['input']!r:.60}"
        raise RefusedError(422, f"{where}: {message}{value}", "see /api") from None


def openapi_document(routes: Sequence[Route]) -> dict[str, Any]:
    """Describe the routes as OpenAPI 3.1."""
    models = {model for route in routes for model in (route.body, route.response) if _is_model(model)}
    schemas, definitions = TypeAdapter.json_schemas(
        [(model, "validation", TypeAdapter(model)) for model in models], ref_template=COMPONENTS
    )
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        operation = _describe_route(route, {model: schema for (model, _), schema in schemas.items()})
        paths.setdefault(route.template, {})[route.method.lower()] = operation
    paths["/api/events"] = {"get": EVENTS}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Colligate studio", "version": __version__},
        "paths": paths,
        "components": {"schemas": definitions.get("$defs", {})},
    }


def _is_model(model: Any) -> bool:
    return model is not None and not isinstance(model, str)


def _describe_route(route: Route, schemas: dict[Any, Any]) -> dict[str, Any]:
    def content(model: Any) -> dict[str, Any]:
        return {model: {}} if isinstance(model, str) else {"application/json": {"schema": schemas[model]}}

    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "integer"}}
        for name in route.parameters
    ]
    parameters += [{"name": name, "in": "query", "schema": {"type": "string"}} for name in route.query]
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.summary,
        "parameters": parameters,
        "responses": {
            str(route.status): {"description": route.summary, "content": content(route.response)},
            "default": {"description": "an error", "content": {"application/json": {"schema": ERROR}}},
        },
    }
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": content(route.body)}
    return operation


def openapi_page(routes: Sequence[Route]) -> str:
    """List the routes on a plain HTML page."""
    rows = "".join(
        f"<tr><td><code>{route.method}</code></td><td><code>{escape(route.template)}</code></td>"
        f"<td>{escape(', '.join(route.query))}</td><td>{escape(route.summary)}</td></tr>"
        for route in routes
    )
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Routes of the studio</title>"
        "<h1>Routes of the studio</h1><p>For programs: <a href='/api/openapi.json'>openapi.json</a>."
        " Errors are <code>{error: {what, where, todo}}</code>.</p>"
        f"<table><thead><tr><th>Method<th>Path<th>Query<th>What it does</thead>{rows}</table></html>"
    )
