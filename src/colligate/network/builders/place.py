"""Where in the user's data something stands, for messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_TOLD = 3


@dataclass(frozen=True)
class Place:
    """A table or list of the user's; rows are counted from 1, as in an editor, and edges of arrays from 0."""

    what: str
    unit: str = "row"
    first: int = 1

    def at(self, number: int) -> str:
        """One row: `row 4 of the mentions`."""
        return f"{self.unit} {number + self.first} of {self.what}"

    def examples(self, found: Iterable[tuple[object, int]], total: int) -> str:
        """A few of `total` wrong values with their rows: `'x' (row 4), 'y' (row 9) and 3 more`."""
        told = [f"{value!r:.60} ({self.unit} {row + self.first})" for value, row in found][:_MOST_TOLD]
        more = total - len(told)
        return ", ".join(told) + (f" and {more} more" if more > 0 else "")
