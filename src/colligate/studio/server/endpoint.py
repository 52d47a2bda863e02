"""A route of the server, one request to it, and errors as responses.

An error is {"error": {"what", "where", "todo"}} with the status that fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse

from colligate.errors import ColligateError, NotFoundError, StoreError
from colligate.studio.project import ConflictError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from colligate.studio.session import Session

PARAMETER = re.compile(r"\{(\w+)(?::int)?\}")
LONGEST_NUMBER = 12
LARGEST = 2**31
UNREAD = (408, 413, 415)
"""After these the rest of the body is not read, and the connection ends."""


class RefusedError(Exception):
    """A request that is refused before it reaches the session."""

    def __init__(self, status: int, what: str, todo: str = "") -> None:
        super().__init__(what)
        self.status = status
        self.what = what
        self.todo = todo


@dataclass(frozen=True)
class Call:
    """One request: the numbers of its path, its query and its body."""

    path: Mapping[str, int]
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)

    def number(self, name: str, default: int | None = None, largest: int = LARGEST) -> int | None:
        """Return a whole number of the query."""
        text = self.query.get(name)
        if text is None:
            return default
        if not text.isdecimal() or len(text) > LONGEST_NUMBER or int(text) > largest:
            raise RefusedError(422, f"{name} must be a whole number from 0 to {largest}; got {text!r:.60}")
        return int(text)

    def require_number(self, name: str) -> int:
        """Return a whole number that the query must have."""
        number = self.number(name)
        if number is None:
            raise RefusedError(422, f"the parameter {name} is missing from the address", f"add ?{name}=…")
        return number

    def page(self, default: int = 50, largest: int = 500) -> slice:
        """Return the part of a list that `offset` and `limit` of the query name."""
        start, count = self.number("offset", 0), self.number("limit", default, largest)
        return slice(start, (start or 0) + (count or 0))


@dataclass(frozen=True)
class Route:
    """One route. `query` names the parameters of the query; `response` is a type or a media type."""

    method: str
    path: str
    handler: Callable[[Session, Call], Any]
    summary: str
    response: Any
    body: Any = None
    query: tuple[str, ...] = ()
    status: int = 200

    @property
    def parameters(self) -> list[str]:
        """The names in the path."""
        return PARAMETER.findall(self.path)

    @property
    def template(self) -> str:
        """The path as OpenAPI writes it."""
        return self.path.replace(":int}", "}")


def error_response(status: int, what: str, where: str, todo: str = "", **more: Any) -> JSONResponse:
    """Make the response of an error."""
    return JSONResponse({"error": {"what": what, "where": where, "todo": todo, **more}}, status)


def describe_error(error: Exception, where: str) -> JSONResponse:
    """Make the response of an exception."""
    if isinstance(error, RefusedError):
        response = error_response(error.status, error.what, where, error.todo)
        if error.status in UNREAD:
            response.headers["connection"] = "close"
        return response
    what, _, todo = str(error).partition("; ")
    if isinstance(error, ConflictError):
        return error_response(409, what, where, todo, since=[entry.seq for entry in error.since])
    return error_response(_choose_status(error), what, where, todo)


def _choose_status(error: Exception) -> int:
    if isinstance(error, NotFoundError):
        return 404
    if isinstance(error, StoreError):
        return 500
    return 422 if isinstance(error, ColligateError) else 500
