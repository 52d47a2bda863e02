"""How names, types and counts are written in messages.

Names come from hostile text and must stay on one line.
"""

from __future__ import annotations

import numpy as np

_MAX_LENGTH = 60
_SINGULAR_ENDINGS = (
    ("people", "person"),
    ("series", "series"),
    ("species", "species"),
    ("ies", "y"),
    ("sses", "ss"),
    ("xes", "x"),
    ("ches", "ch"),
    ("ss", "ss"),
    ("us", "us"),
    ("sis", "sis"),
    ("s", ""),
)
"""Enough for the usual names of types; a type whose singular is another one carries it (`ObjectType`)."""


def format_name(name: object) -> str:
    """Return a name as it may be printed: on one line, without control characters, not too long."""
    text = str(name) if isinstance(name, str | int | np.integer) else repr(name)
    if not text or not text.isprintable() or text != text.strip():
        text = ascii(text)
    return text if len(text) <= _MAX_LENGTH else f"{text[: _MAX_LENGTH - 1]}…"


def is_text(value: object) -> bool:
    """Tell whether a value can be a name: text that is not empty."""
    return isinstance(value, str) and bool(value)


def singular(type_name: str) -> str:
    """Return the noun for one object of a type: document for documents, person for people."""
    for ending, one in _SINGULAR_ENDINGS:
        if type_name.casefold().endswith(ending) and len(type_name) > len(ending):
            return type_name[: -len(ending)] + one
        if type_name.casefold() == ending and one:
            return one.capitalize() if type_name[0].isupper() else one
    return type_name


def format_count(number: int, type_name: str) -> str:
    """Return a count with its noun: 1 document, 2 documents."""
    return f"{number:,} {singular(type_name) if number == 1 else type_name}"
