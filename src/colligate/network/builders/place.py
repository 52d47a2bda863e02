"""Where in the user's data something stands, for messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_TOLD = 3


@dataclass(frozen=True)
class Place:
    """A table, file or list of the user's; rows are counted from 1, and edges of arrays from 0."""

    what: str
    unit: str = "row"
    first: int = 1

    def numbers(self, rows: Sequence[int]) -> list[int]:
        """What the user knows these rows by; they are given in ascending order, counted from 0."""
        return [row + self.first for row in rows]

    def at(self, row: int) -> str:
        """One row: `row 4 of the mentions`."""
        return f"{self.unit} {self.numbers([row])[0]} of {self.what}"

    def examples(self, found: Iterable[tuple[object, int]], total: int) -> str:
        """A few of `total` wrong values with their rows: `'x' (row 4), 'y' (row 9) and 3 more`."""
        chosen = list(found)[:_MOST_TOLD]
        numbers = self.numbers([row for _, row in chosen])
        told = [f"{value!r:.60} ({self.unit} {at})" for (value, _), at in zip(chosen, numbers, strict=True)]
        more = total - len(told)
        return ", ".join(told) + (f" and {more} more" if more > 0 else "")
