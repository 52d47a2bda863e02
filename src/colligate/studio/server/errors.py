"""Errors as the server answers them: {"error": {"what", "where", "todo"}} with the status that fits."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse

from colligate.errors import ColligateError, KnowledgeError, StoreError
from colligate.studio.missing import NotThereError
from colligate.studio.project import ConflictError

UNREAD = (408, 413, 415)
"""After these the rest of the body is not read: the connection ends."""


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
    if isinstance(error, NotThereError):
        return 404
    if isinstance(error, StoreError):
        return 500
    return 422 if isinstance(error, KnowledgeError | ColligateError) else 500
