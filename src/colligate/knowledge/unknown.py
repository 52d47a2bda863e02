"""Telling the user which names of their knowledge are not there."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import UnknownNameError
from colligate.knowledge.block import Block, where
from colligate.knowledge.spelling import misspells
from colligate.knowledge.wording import shown, singular

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from colligate.knowledge.kind import Part
    from colligate.knowledge.names import NameTable

_MOST_TOLD = 10
_MOST_HINTS = 5
_WORDS = "words"
_WHY_WORDS = "Words may be missing because they are stop words or too rare (min_df)."


def unknown_summary(parts: list[Part], tables: Mapping[str, NameTable], unknown: NDArray[np.bool_]) -> str:
    """The message of an error or a warning: the first few names, where they stand, what was meant."""
    total = int(unknown.sum())
    told: list[str] = []
    hints = _Hints(tables)
    for part in parts:
        if len(told) >= _MOST_TOLD:
            break
        told.extend(_told(part, hints, _MOST_TOLD - len(told)))
    if total > len(told):
        told.append(f"  and {total - len(told)} more")
    if any(_lacks_words(part, tables) for part in parts):
        told.append(_WHY_WORDS)
    noun = "statement names" if total == 1 else "statements name"
    return "\n".join([f"{total} {noun} what is not there:", *told])


def refuse_misspelt_types(blocks: Iterable[Block], tables: Mapping[str, NameTable]) -> None:
    """Refuse a type that is a slip of one that is here: nobody means to go on without its statements."""
    for block in blocks:
        if block.type not in tables and any(misspells(block.type, name) for name in tables):
            raise UnknownNameError(
                f"{where(block.source, block.line(0))}: there is no type {shown(block.type)!r} here; "
                f"{_Hints(tables).for_type(block.type)}"
            )


def _lacks_words(part: Part, tables: Mapping[str, NameTable]) -> bool:
    """Whether words are missing that may well be in the texts: the analyser left them out."""
    table = tables.get(_WORDS)
    named = table is not None and not isinstance(table.names, range) and part.block.subject.dtype == object
    return part.block.type == _WORDS and named and not bool(part.known.all())


class _Hints:
    """Close matches for the first few names only: each one is a search."""

    def __init__(self, tables: Mapping[str, NameTable]) -> None:
        self.tables = tables
        self._left = _MOST_HINTS

    def for_type(self, type_name: str) -> str:
        slips = [name for name in self.tables if misspells(type_name, name)]
        near = slips or get_close_matches(type_name, self.tables, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        return f"{hint}The types here are {', '.join(self.tables)}."

    def for_name(self, type_name: str, name: Any) -> str:
        table = self.tables[type_name]
        if isinstance(table.names, range):
            return f" ({type_name} are known by position here, from 0 to {len(table.names) - 1})"
        if not isinstance(name, str):
            return f"; a number is a position, here from 0 to {len(table.names) - 1}; names are given as text"
        if self._left <= 0:
            return ""
        self._left -= 1
        near = table.close(name)
        return f"; did you mean {shown(near)!r}?" if near else ""


def _told(part: Part, hints: _Hints, most: int) -> Iterator[str]:
    block = part.block
    rows = np.flatnonzero(~part.known)[:most].tolist()
    if rows and block.type not in hints.tables:
        place = where(block.source, block.line(rows[0]))
        yield f"  type {shown(block.type)!r} ({place}); {hints.for_type(block.type)}"
        return
    for row in rows:
        names = " and ".join(f"{shown(name)!r}" for name in _missing(part, row))
        hint = hints.for_name(block.type, _missing(part, row)[0])
        yield f"  {singular(block.type)} {names} ({where(block.source, block.line(row))}){hint}"


def _missing(part: Part, row: int) -> list[Any]:
    block: Block = part.block
    names = [block.subject[row]] if part.subject[row] < 0 else []
    if block.object is not None and part.object[row] < 0:
        names.append(block.object[row])
    return [name if isinstance(name, str) else int(name) for name in names]
