"""Looking up the objects of one type by the names a user gives them."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from colligate.knowledge.block import Column
    from colligate.knowledge.guidance import IntArray

_WORDS = "words"
_AMBIGUOUS = -2
_MOST_CANDIDATES = 2_000


class NameTable:
    """The names of one type. Words are also found in another case, where only one word fits."""

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
            if abs(len(other) - len(name)) <= 2 and other[:1].casefold() == folded[:1]:
                likely.setdefault(other.casefold(), other)
                if len(likely) == _MOST_CANDIDATES:
                    break
        found = get_close_matches(folded, likely, n=1, cutoff=0.7)
        return likely[found[0]] if found else None

    @cached_property
    def _table(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}  # type: ignore[misc]

    @cached_property
    def _folded(self) -> dict[str, int]:
        table: dict[str, int] = {}
        for place, name in enumerate(self.names):
            folded = str(name).casefold()
            table[folded] = _AMBIGUOUS if folded in table else place
        return table

    def _find_positions(self, column: Column) -> IntArray:
        if isinstance(self.names, range):
            return np.where((column >= 0) & (column < len(self.names)), column, -1)
        distinct, back = np.unique(column, return_inverse=True)
        return self._find_texts([str(place) for place in distinct.tolist()])[back]

    def _find_texts(self, names: list[str]) -> IntArray:
        if isinstance(self.names, range):
            return np.fromiter(map(self._position, names), dtype=np.int64, count=len(names))
        found = np.fromiter(_looked_up(self._table, names), dtype=np.int64, count=len(names))
        missing = np.flatnonzero(found < 0)
        if self.type == _WORDS and len(missing):
            folded = (names[place].casefold() for place in missing.tolist())
            found[missing] = np.maximum(np.fromiter(_looked_up(self._folded, folded), dtype=np.int64), -1)
        return found

    def _position(self, text: str) -> int:
        if not (text.isascii() and text.isdigit()) or len(text) > 18:
            return -1
        place = int(text)
        return place if place < len(self.names) and str(place) == text else -1


def _looked_up(table: dict[str, int], names: Iterable[str]) -> Iterable[int]:
    return (table.get(name, -1) for name in names)
