"""Turning single cells of files and tables into texts and ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterable

NESTED = (dict, list, tuple, set, bytes, bytearray)


def as_text(value: Any, column: str, place: str) -> str:
    """Return the text in a cell. A missing value (None or NaN) is an empty text; a number is its digits."""
    if isinstance(value, str):
        return value
    if _missing(value):
        return ""
    if isinstance(value, NESTED):
        raise CorpusError(
            f"{place}: {column!r} holds a {_kind(value)}, not text; name a column of text with text=..."
        )
    return str(value)


def as_id(value: Any, column: str, place: str) -> str:
    """Return the id in a cell; every document needs one once a column of ids is in use."""
    if _missing(value) or value == "":
        raise CorpusError(
            f"{place}: the document has no id in {column!r}; fill it in, or name another column with id=..."
        )
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, NESTED):
        raise CorpusError(
            f"{place}: the id in {column!r} is a {_kind(value)}; ids are texts or whole numbers"
        )
    return str(value)


def joined(parts: Iterable[str]) -> str:
    """Join the texts of several columns, one below the other; empty ones leave no gap."""
    return "\n".join(part for part in parts if part)


def _missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "nested object"
    return "sequence of bytes" if isinstance(value, bytes | bytearray) else "list"
