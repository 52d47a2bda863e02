"""Where in the user's data something stands, for messages.

Weights of edges and counts of mentions: finite numbers, none of them negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_TOLD = 3
Weights = NDArray[np.int64] | NDArray[np.float32] | NDArray[np.float64]


@dataclass(frozen=True)
class RowRef:
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


def check_weights(values: Any, name: str, place: RowRef) -> Weights:
    """Return weights that can be added up, or say which of them is wrong.

    They are looked at one by one before they are added up, so that a negative one cannot hide in a sum.
    """
    found = np.asarray(values)
    if found.ndim != 1 or found.dtype.kind not in "biuf":
        raise InputError(f"{name!r} of {place.what} must be a list of numbers; got {found.dtype}")
    bad = ~(np.isfinite(found) & (found >= 0))
    if bad.any():
        at = int(np.flatnonzero(bad)[0])
        raise InputError(
            f"{place.at(at)}: {name!r} must be finite and not negative; got {found[at]} "
            f"({int(bad.sum())} such {place.unit}s)"
        )
    if found.dtype.kind in "bi":
        return found.astype(np.int64, copy=False)
    if found.dtype == np.float32:
        return found
    return found.astype(np.float64, copy=False)
