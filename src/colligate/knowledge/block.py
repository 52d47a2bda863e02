"""Blocks of statements: many rows of one kind about one type, kept as columns so that millions fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate.errors import KnowledgeError
from colligate.knowledge.wording import shown

if TYPE_CHECKING:
    from pathlib import Path

    from colligate.corpus import Corpus
    from colligate.knowledge.guidance import FloatArray, IntArray

Column = NDArray[Any]
"""Names (an object array of str) or positions (int64)."""

STRONGEST = 1e9


@dataclass(frozen=True, eq=False)
class Block:
    """Rows of one kind, one type and one source.

    `subject` names objects of `type`. The other half of a row is either another object (`object`), or the
    name of a category, group or label (`names[codes[row]]`), or nothing. `strength` is one number or one
    per row. `apart` is the strength between different groups of the block, and `named` says whether the
    user named its groups. `corpus` holds outside documents that came with the statement, and `path` is the
    file they came from.
    """

    kind: str
    type: str
    subject: Column
    source: str
    object: Column | None = None
    codes: IntArray | None = None
    names: tuple[str, ...] = ()
    strength: float | FloatArray = 1.0
    apart: float = 0.0
    named: bool = True
    lines: IntArray | None = None
    notes: tuple[str, ...] | None = None
    corpus: Corpus | None = None
    path: Path | None = None

    def __len__(self) -> int:
        return len(self.subject)

    @property
    def strengths(self) -> FloatArray:
        """The strength of every row."""
        return np.broadcast_to(np.asarray(self.strength, dtype=np.float64), len(self))

    def line(self, row: int) -> int:
        """The line of the file that holds a row; 0 where there is no file."""
        return 0 if self.lines is None else int(self.lines[row])

    def note(self, row: int) -> str:
        """What the user noted beside a row."""
        return "" if self.notes is None else self.notes[row]


def where(source: str, line: int) -> str:
    """Say where a statement came from: `knowledge.yaml:9`, or its source alone."""
    return f"{source}:{line}" if line else source


def column(values: Any, place: str) -> Column:
    """Turn names or positions into one column; `place` says in an error where they were given."""
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if isinstance(values, np.ndarray) and values.ndim == 1:
        if values.dtype.kind in "iu":
            return values.astype(np.int64)
        values = values.tolist()
    if isinstance(values, str | bytes) or not isinstance(values, Sequence | range):
        raise KnowledgeError(f"{place}: a list of names is needed; got {shown(values)}")
    return _column_of(values, place)


def _column_of(values: Sequence[Any], place: str) -> Column:
    kinds = set(map(type, values))
    if all(issubclass(kind, str) for kind in kinds):
        if not all(values):
            raise KnowledgeError(f"{place}: a name is empty")
        found = np.empty(len(values), dtype=object)
        found[:] = values
        return found
    if all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds):
        try:
            return np.array(values, dtype=np.int64)
        except OverflowError:
            raise KnowledgeError(f"{place}: a position is too large to be one") from None
    wrong = next((value for value in values if not _is_name(value)), None)
    what = "names and positions are mixed" if wrong is None else f"{shown(wrong)} is no name"
    raise KnowledgeError(f"{place}: {what}; give either names (text) or positions (whole numbers)")


def _is_name(value: object) -> bool:
    return isinstance(value, str | int | np.integer) and not isinstance(value, bool)


def checked_strength(value: Any, place: str, *, zero: bool = False, what: str = "a strength") -> float:
    """Return one strength as a float, or say what it must be."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    except OverflowError:
        number = float("inf")
    if is_strength(number, zero=zero):
        return number
    raise KnowledgeError(f"{place}: {what} must be {strength_domain(number, zero=zero)}; got {shown(value)}")


def is_strength(value: float | FloatArray, *, zero: bool = False) -> NDArray[np.bool_]:
    """Whether numbers can be strengths: beyond a billion one drowns all that methods can weigh it against."""
    value = np.asarray(value, dtype=np.float64)
    return np.asarray(((value >= 0) if zero else (value > 0)) & (value <= STRONGEST))


def strength_domain(wrong: float, *, zero: bool = False) -> str:
    """What a strength must be that a number is not, in words."""
    if STRONGEST < wrong < np.inf:
        return f"at most {STRONGEST:g}"
    return "finite and not negative" if zero else "finite and greater than 0"
