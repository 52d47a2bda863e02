"""Looking up the objects of one type: whole numbers are positions, counted from 0, and text is a name.

Only where objects have no names (a `range`), text that spells a position is one.

Telling the user which names of their knowledge are not there.

Telling a slip of the pen from another word.
"""

from __future__ import annotations

import unicodedata
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import UnknownNameError
from colligate.knowledge.statements import Block, format_location
from colligate.knowledge.text import format_name, singular

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.knowledge.guidance import IntArray
    from colligate.knowledge.kinds.base import Part
    from colligate.knowledge.statements import Column


_WORDS = "words"
_AMBIGUOUS = -2
_MOST_CANDIDATES = 2_000
_SHORTEST_HINT = 4
_LEAST_LIKE = 0.8


_MOST_TOLD = 10
_MOST_HINTS = 5
_WHY_WORDS = "Words may be missing because they are stop words or too rare (min_df)."


class NameTable:
    """The names of one type.

    Words are also found in another form of Unicode and, where only one word fits, in another case.
    """

    def __init__(self, type_name: str, names: Sequence[str] | range) -> None:
        self.type = type_name
        self.names = names

    def find(self, column: Column) -> IntArray:
        """The position of every name in a column; -1 where there is no such object."""
        if column.dtype != object:
            return self._find_positions(column)
        return self._find_texts(column.tolist())

    def close(self, name: Any) -> str | None:
        """A name that is there and resembles one that is not; searched among few, since it is only a hint."""
        if isinstance(self.names, range) or not isinstance(name, str) or not name:
            return None
        folded = name.casefold()
        likely: dict[str, str] = {}
        for other in self.names:
            if _resembles(other.casefold(), folded):
                likely.setdefault(other.casefold(), other)
                if len(likely) == _MOST_CANDIDATES:
                    break
        found = get_close_matches(folded, likely, n=1, cutoff=_LEAST_LIKE)
        return likely[found[0]] if found else None

    @cached_property
    def _table(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}  # type: ignore[misc]

    @cached_property
    def _folded(self) -> dict[str, int]:
        table: dict[str, int] = {}
        for place, name in enumerate(self.names):
            folded = _composed(str(name)).casefold()
            table[folded] = _AMBIGUOUS if folded in table else place
        return table

    def _find_positions(self, column: Column) -> IntArray:
        return np.where((column >= 0) & (column < len(self.names)), column, -1)

    def _find_texts(self, names: list[str]) -> IntArray:
        if isinstance(self.names, range):
            spelt = (parse_position(name, len(self.names)) for name in names)
            return np.fromiter(spelt, dtype=np.int64, count=len(names))
        places = (self._table.get(name, -1) for name in names)
        found = np.fromiter(places, dtype=np.int64, count=len(names))
        if self.type == _WORDS:
            for place in np.flatnonzero(found < 0).tolist():
                found[place] = self._find_word(names[place])
        return found

    def _find_word(self, name: str) -> int:
        composed = _composed(name)
        found = self._table.get(composed, -1)
        return found if found >= 0 else max(self._folded.get(composed.casefold(), -1), -1)


def _resembles(other: str, name: str) -> bool:
    """Whether a name is worth comparing; of very short ones, every other is near, and none is meant."""
    if len(other) < _SHORTEST_HINT:
        return other == name
    return abs(len(other) - len(name)) <= 2 and other[0] == name[:1]


def parse_position(text: str, size: int) -> int:
    """The position among `size` objects that a text spells in plain digits; -1 if it spells none."""
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        return -1
    place = int(text)
    return place if place < size and str(place) == text else -1


def _composed(word: str) -> str:
    # Analysers compose accents, too: the same letter may be written as one character or as two.
    return unicodedata.normalize("NFC", word)


def summarise_unknown(parts: list[Part], tables: Mapping[str, NameTable], unknown: NDArray[np.bool_]) -> str:
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
                f"{format_location(block.source, block.line(0))}: there is no type "
                f"{format_name(block.type)!r} here; {_Hints(tables).for_type(block.type)}"
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
        return f"; did you mean {format_name(near)!r}?" if near else ""


def _told(part: Part, hints: _Hints, most: int) -> Iterator[str]:
    block = part.block
    rows = np.flatnonzero(~part.known)[:most].tolist()
    if rows and block.type not in hints.tables:
        place = format_location(block.source, block.line(rows[0]))
        yield f"  type {format_name(block.type)!r} ({place}); {hints.for_type(block.type)}"
        return
    for row in rows:
        names = " and ".join(f"{format_name(name)!r}" for name in _missing(part, row))
        hint = hints.for_name(block.type, _missing(part, row)[0])
        yield f"  {singular(block.type)} {names} ({format_location(block.source, block.line(row))}){hint}"


def _missing(part: Part, row: int) -> list[Any]:
    block: Block = part.block
    names = [block.subject[row]] if part.subject[row] < 0 else []
    if block.object is not None and part.object[row] < 0:
        names.append(block.object[row])
    return [name if isinstance(name, str) else int(name) for name in names]


def misspells(written: str, meant: str) -> bool:
    """Whether one word is another with a slip in it: `docments`, `wrods`, `Words`, but not `works`.

    A letter left out, added or swapped with its neighbour is one slip, and another letter in its place two;
    one slip is allowed for every four letters.
    """
    one, other = written.casefold(), meant.casefold()
    allowed = len(meant) // 4
    return written != meant and abs(len(one) - len(other)) <= allowed and slips(one, other) <= allowed


def slips(one: str, other: str) -> int:
    """The fewest letters left out, added or swapped with their neighbour that lead from one to the other."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, against in enumerate(other, start=1):
            best = last[j - 1] if letter == against else min(last[j], row[j - 1]) + 1
            if i > 1 and j > 1 and (letter, one[i - 2]) == (other[j - 2], against):
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, last = last, row
    return last[-1]
