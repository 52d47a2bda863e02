"""Row references for messages, and the check of weights and counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MAX_EXAMPLES = 3
Weights = NDArray[np.int64] | NDArray[np.float32] | NDArray[np.float64]


@dataclass(frozen=True)
class RowRef:
    """How messages refer to rows of a user's table, file or list: counted from 1, edges of arrays from 0."""

    what: str
    unit: str = "row"
    first: int = 1

    def numbers(self, rows: Sequence[int]) -> list[int]:
        """Return the user's numbers of rows, which are given in ascending order, counted from 0."""
        return [row + self.first for row in rows]

    def name(self, row: int) -> str:
        """Name one row: `row 4 of the mentions`."""
        return f"{self.unit} {self.numbers([row])[0]} of {self.what}"

    def examples(self, values: Iterable[tuple[object, int]], total: int) -> str:
        """List some of `total` wrong values with their rows: `'x' (row 4), 'y' (row 9) and 3 more`."""
        listed = list(values)[:_MAX_EXAMPLES]
        numbers = self.numbers([row for _, row in listed])
        texts = [
            f"{value!r:.60} ({self.unit} {number})"
            for (value, _), number in zip(listed, numbers, strict=True)
        ]
        more = total - len(texts)
        return ", ".join(texts) + (f" and {more} more" if more > 0 else "")


def check_weights(values: Any, name: str, rows: RowRef) -> Weights:
    """Return weights that can be summed, or raise an error that names the first wrong one.

    Each is checked before any are summed, so that a negative one cannot hide in a sum.
    """
    weights = np.asarray(values)
    if weights.ndim != 1 or weights.dtype.kind not in "biuf":
        raise InputError(f"{name!r} of {rows.what} must be a list of numbers; got {weights.dtype}")
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise InputError(
            f"{rows.name(row)}: {name!r} must be finite and not negative; got {weights[row]} "
            f"({int(bad.sum())} such {rows.unit}s)"
        )
    if weights.dtype.kind in "bi":
        return weights.astype(np.int64, copy=False)
    if weights.dtype == np.float32:
        return weights
    return weights.astype(np.float64, copy=False)
