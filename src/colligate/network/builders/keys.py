"""What the key of a relation says: `(rows, columns)`, or `(rows, verb, columns)`."""

from __future__ import annotations

from typing import Any, NamedTuple

from colligate.errors import InputError
from colligate.network.objects import check_title

NEUTRAL = "to"
"""The verb that says nothing, as PyTorch Geometric writes it."""


class Key(NamedTuple):
    """The two types, and the relation's name where it has one of its own."""

    rows: str
    columns: str
    name: str

    @property
    def told(self) -> str:
        """How messages call the relation's edges."""
        return f"the edges of {self.name or f'{self.rows} × {self.columns}'}"


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
