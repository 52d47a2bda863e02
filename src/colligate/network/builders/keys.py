"""What the key of a relation says: `(rows, columns)`, or `(rows, verb, columns)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from colligate.errors import InputError
from colligate.network.objects import check_title

if TYPE_CHECKING:
    from collections.abc import Iterable

NEUTRAL = "to"
"""The verb that says nothing, as PyTorch Geometric writes it."""


class Key(NamedTuple):
    """The two types, and the relation's name where it has one of its own."""

    rows: str
    columns: str
    name: str

    @property
    def called(self) -> str:
        """The name that the relation will have."""
        return self.name or f"{self.rows} × {self.columns}"

    @property
    def told(self) -> str:
        """How messages call the relation's edges."""
        return f"the edges of {self.called}"


def read_keys(keys: Iterable[Any]) -> list[Key]:
    """Read the keys of several relations, whose names must differ."""
    found = [read_key(key) for key in keys]
    seen: set[str] = set()
    for key in found:
        if key.called in seen:
            raise InputError(
                f"two relations are called {key.called}; use a key of three with a verb of its own for one "
                f'of them, as in ({key.rows!r}, "cites", {key.columns!r})'
            )
        seen.add(key.called)
    return found


def read_key(key: Any) -> Key:
    """Read a key. The name hangs on the key alone, so that it stays when other relations come or go."""
    if not isinstance(key, tuple) or len(key) not in (2, 3):
        raise InputError(
            f'a relation is told by its types, as in ("documents", "people") or with a verb between them; '
            f"got {key!r:.60}"
        )
    for part in key:
        check_title(part, "type")
    rows, *verb, columns = key
    own = f"{rows} × {columns} ({verb[0]})" if verb and verb[0] != NEUTRAL else ""
    return Key(rows, columns, own)
