"""What a route is: a path and a method, who answers, and the shapes of what comes and goes.

Errors as the server answers them: {"error": {"what", "where", "todo"}} with the status that fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import JSONResponse

from colligate.errors import ColligateError, KnowledgeError, NotFoundError, StoreError
from colligate.studio.project import ConflictError
from colligate.studio.session import Session

PARAMETER = re.compile(r"\{(\w+)(?::int)?\}")
UNREAD = (408, 413, 415)
"""After these the rest of the body is not read: the connection ends."""


@dataclass(frozen=True)
class Call:
    """One request: what stood in its path and after its question mark, and its body."""

    path: Mapping[str, int]
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)

    def number(self, name: str, otherwise: int | None = None, most: int = 2**31) -> int | None:
        """A whole number of the query."""
        text = self.query.get(name)
        if text is None:
            return otherwise
        if not text.isdecimal() or len(text) > 12 or int(text) > most:
            raise RefusedError(422, f"{name} must be a whole number from 0 to {most}; got {text!r:.60}")
        return int(text)

    def needed(self, name: str) -> int:
        """A whole number that the query must have."""
        found = self.number(name)
        if found is None:
            raise RefusedError(422, f"{name} is missing from the query", f"add ?{name}=…")
        return found

    def page(self, usual: int = 50, most: int = 500) -> slice:
        """Which part of a list is asked for, by offset and limit."""
        start, count = self.number("offset", 0), self.number("limit", usual, most)
        return slice(start, (start or 0) + (count or 0))


Handler = Callable[[Session, Call], Any]


@dataclass(frozen=True)
class Route:
    """One route. `query` names what may stand after the question mark; `answer` is a type or a media type."""

    method: str
    path: str
    handler: Handler
    summary: str
    answer: Any
    body: Any = None
    query: tuple[str, ...] = ()
    status: int = 200

    @property
    def parameters(self) -> list[str]:
        """The names in the path."""
        return PARAMETER.findall(self.path)


class RefusedError(Exception):
    """A request that is refused before anything is asked of the studio."""

    def __init__(self, status: int, what: str, todo: str = "") -> None:
        super().__init__(what)
        self.status = status
        self.what = what
        self.todo = todo


def answer(status: int, what: str, where: str, todo: str = "", **more: Any) -> JSONResponse:
    """The answer of an error."""
    return JSONResponse({"error": {"what": what, "where": where, "todo": todo, **more}}, status)


def told(error: Exception, where: str) -> JSONResponse:
    """The answer of something that was raised."""
    if isinstance(error, RefusedError):
        response = answer(error.status, error.what, where, error.todo)
        if error.status in UNREAD:
            response.headers["connection"] = "close"
        return response
    what, _, todo = str(error).partition("; ")
    if isinstance(error, ConflictError):
        return answer(409, what, where, todo, since=[entry.seq for entry in error.since])
    return answer(_status(error), what, where, todo)


def _status(error: Exception) -> int:
    if isinstance(error, NotFoundError):
        return 404
    if isinstance(error, StoreError):
        return 500
    return 422 if isinstance(error, KnowledgeError | ColligateError) else 500
