"""How names and types are worded in messages; names come from hostile text and must stay on one line."""

from __future__ import annotations

import numpy as np

_LONGEST = 60
_SINGULAR = {"people": "person"}


def shown(name: object) -> str:
    """A name as it may be printed: on one line, without control characters, not too long."""
    text = str(name) if isinstance(name, str | int | np.integer) else repr(name)
    if not text.isprintable() or text != text.strip():
        text = ascii(text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def is_text(value: object) -> bool:
    """Whether a value can be a name: text that is not empty."""
    return isinstance(value, str) and bool(value)


def singular(type_name: str) -> str:
    """One object of a type: `document` for `documents`."""
    if type_name in _SINGULAR:
        return _SINGULAR[type_name]
    if type_name.endswith("ies"):
        return f"{type_name[:-3]}y"
    return type_name[:-1] if type_name.endswith("s") and not type_name.endswith("ss") else type_name


def listed(names: list[str], most: int = 3) -> str:
    """The first few of many names: `a, b, c and 4 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
