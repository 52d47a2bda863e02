"""Looking up the objects of one type: whole numbers are positions, counted from 0, and text is a name.

Only where objects have no names (a `range`), text that spells a position is one.
"""

from __future__ import annotations

import unicodedata
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.knowledge.block import Column
    from colligate.knowledge.guidance import IntArray

_WORDS = "words"
_AMBIGUOUS = -2
_MOST_CANDIDATES = 2_000
_SHORTEST_HINT = 4
_LEAST_LIKE = 0.8


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
            spelt = (spelt_position(name, len(self.names)) for name in names)
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


def spelt_position(text: str, size: int) -> int:
    """The position among `size` objects that a text spells in plain digits; -1 if it spells none."""
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        return -1
    place = int(text)
    return place if place < size and str(place) == text else -1


def _composed(word: str) -> str:
    # Analysers compose accents, too: the same letter may be written as one character or as two.
    return unicodedata.normalize("NFC", word)
