"""What a route is: a path and a method, who answers, and the shapes of what comes and goes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from colligate.studio.server.errors import RefusedError
from colligate.studio.session import Session

PARAMETER = re.compile(r"\{(\w+)(?::int)?\}")


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
