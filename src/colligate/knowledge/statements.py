"""Statements: what a user knows, one row each.

A `Block` has many rows of one kind about one type as columns, so that millions fit in memory. `Statements`
are all rows of all blocks, and a `Statement` is a view of one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from colligate.errors import KnowledgeError
from colligate.knowledge.kinds.base import find_kind
from colligate.knowledge.text import format_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from colligate.corpus import Corpus
    from colligate.knowledge.guidance import FloatArray, IntArray


Column = NDArray[Any]
"""Names (an object array of str) or positions (int64)."""
EXEMPLAR_SUFFIX = "(stands for its group)"
"""The end of the source, or of the note in a knowledge file, of an exemplar's label. Stored files have it."""
FROZEN_SUFFIX = "(frozen)"
"""The same for the label of a document in a frozen group: it stays there, but says nothing about others."""
STUDIO_NOTE, CHANGE_NOTE = ACT_NOTES = ("studio statement ", "change on line ")
"""How the notes begin of lines that one act of the user made: all with the same note are one statement."""
MODEL_SOURCE = "model:"
"""How the source begins of answers that a language model gave; the rest is the name of the model."""
MAX_STRENGTH = 1e9
"""A larger strength would drown everything that methods weigh it against."""


@dataclass(frozen=True, eq=False)
class Block:
    """Rows of one kind, one type and one source.

    `subject` names objects of `type`, or groups of them where the kind is about groups. The other half of a
    row is another object (`object`), or the name of a category, group or label (`names[codes[row]]`), or
    numbers (`values`, columns that the kind defines), or nothing. `strength` is one number or one per row.
    `apart` is the strength between different groups of the block, and `named` tells whether the user named
    its groups. `corpus` holds outside documents that came with the statement, and `path` is their file.
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
    values: Mapping[str, FloatArray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.subject)

    @property
    def strengths(self) -> FloatArray:
        """The strength of every row."""
        return np.broadcast_to(np.asarray(self.strength, dtype=np.float64), len(self))

    def select(self, keep: NDArray[np.bool_]) -> Block:
        """Return the block with some of its rows."""
        columns: Mapping[str, Any] = {
            name: column[keep]
            for name in ("subject", "object", "codes", "lines", "strength")
            if isinstance(column := getattr(self, name), np.ndarray)
        }
        notes = self.notes and tuple(self.notes[row] for row in np.flatnonzero(keep).tolist())
        values = {name: column[keep] for name, column in self.values.items()}
        return replace(self, **columns, values=values, notes=notes)

    def line(self, row: int) -> int:
        """The line of the file that holds a row; 0 if there is no file."""
        return 0 if self.lines is None else int(self.lines[row])

    def note(self, row: int) -> str:
        """The user's note on a row."""
        return "" if self.notes is None else self.notes[row]


def format_location(source: str, line: int) -> str:
    """Return where a statement came from: `knowledge.yaml:9`, or only its source."""
    return f"{source}:{line}" if line else source


def shorten_source(source: str) -> str:
    """Return the name of a file without its folder; the name of a model may have a slash and stays whole."""
    return source if source.startswith(MODEL_SOURCE) else source.replace("\\", "/").rpartition("/")[2]


def as_column(values: Any, place: str) -> Column:
    """Turn names or positions into one column; `place` is their place in an error."""
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if isinstance(values, np.ndarray) and values.ndim == 1:
        if values.dtype.kind in "iu":
            return values.astype(np.int64)
        values = values.tolist()
    if isinstance(values, str | bytes) or not isinstance(values, Sequence | range):
        raise KnowledgeError(f"{place}: give a list of names, not {format_name(values)}")
    return _parse_column(values, place)


def _parse_column(values: Sequence[Any], place: str) -> Column:
    classes = set(map(type, values))
    if all(issubclass(cls, str) for cls in classes):
        if not all(values):
            raise KnowledgeError(f"{place}: the list contains an empty name; fill in this name, or remove it")
        names = np.empty(len(values), dtype=object)
        names[:] = values
        return names
    if all(issubclass(cls, int | np.integer) and cls is not bool for cls in classes):
        try:
            return np.array(values, dtype=np.int64)
        except OverflowError:
            raise KnowledgeError(
                f"{place}: a whole number is a position, and this one is too large; correct the number"
            ) from None
    wrong = next((value for value in values if not _is_name(value)), None)
    what = "names and positions are mixed" if wrong is None else f"{format_name(wrong)} is not a name"
    raise KnowledgeError(f"{place}: {what}; give either names (text) or positions (whole numbers)")


def _is_name(value: object) -> bool:
    return isinstance(value, str | int | np.integer) and not isinstance(value, bool)


def check_strength(value: Any, place: str, *, zero: bool = False, what: str = "a strength") -> float:
    """Return a strength as a float; raise an error if it is not in its range."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    except OverflowError:
        number = float("inf")
    if is_strength(number, zero=zero):
        return number
    raise KnowledgeError(
        f"{place}: {what} must be {describe_strength_domain(number, zero=zero)}; got {format_name(value)}"
    )


def is_strength(value: float | FloatArray, *, zero: bool = False) -> NDArray[np.bool_]:
    """Tell which numbers can be strengths."""
    value = np.asarray(value, dtype=np.float64)
    return np.asarray(((value >= 0) if zero else (value > 0)) & (value <= MAX_STRENGTH))


def describe_strength_domain(wrong: float, *, zero: bool = False) -> str:
    """Return in words what a strength must be, for a number that cannot be one."""
    if MAX_STRENGTH < wrong < np.inf:
        return f"at most {MAX_STRENGTH:g}"
    return "finite and not negative" if zero else "finite and greater than 0"


@dataclass(frozen=True)
class Statement:
    """One thing the user knows. `number` counts from 0 in the order of the knowledge.

    `object` is the other object of a link, the name of a category, group or label, or None; `values` are the
    numbers of a kind that has some, such as `at_most`. `line` is 0 for a statement that came from no file.
    """

    number: int
    kind: str
    type: str
    subject: str | int
    object: str | int | None
    strength: float
    source: str
    line: int
    note: str = ""
    values: Mapping[str, float] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """Where it came from: `knowledge.yaml:9`, or only the source."""
        return format_location(self.source, self.line)

    @property
    def sentence(self) -> str:
        """The statement as a sentence, such as `documents a12 and b7 belong together`."""
        return find_kind(self.kind).describe(self)


class Statements(Sequence[Statement]):
    """All statements, as columns. A row is made into a `Statement` only when it is asked for."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = tuple(blocks)
        self._ends = np.cumsum([len(block) for block in self.blocks], dtype=np.int64)

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def __iter__(self) -> Iterator[Statement]:
        for first, block in self.placed():
            for row in range(len(block)):
                yield _view(block, row, first + row)

    @overload
    def __getitem__(self, number: int) -> Statement: ...
    @overload
    def __getitem__(self, number: slice) -> list[Statement]: ...
    def __getitem__(self, number: int | slice) -> Statement | list[Statement]:
        if isinstance(number, slice):
            return [self[row] for row in range(*number.indices(len(self)))]
        place = int(number) + (len(self) if number < 0 else 0)
        if not 0 <= place < len(self):
            raise IndexError(f"there is no statement {number}; there are {len(self)}, numbered from 0")
        index = int(np.searchsorted(self._ends, place, side="right"))
        block = self.blocks[index]
        return _view(block, place - (int(self._ends[index]) - len(block)), place)

    def placed(self) -> Iterator[tuple[int, Block]]:
        """Every block with the number of its first statement."""
        for end, block in zip(self._ends, self.blocks, strict=True):
            yield int(end) - len(block), block

    @property
    def kind(self) -> NDArray[np.str_]:
        """The kind of every statement."""
        return self._repeated([block.kind for block in self.blocks])

    @property
    def type(self) -> NDArray[np.str_]:
        """The type that every statement is about."""
        return self._repeated([block.type for block in self.blocks])

    @property
    def source(self) -> NDArray[np.str_]:
        """The source of every statement."""
        return self._repeated([block.source for block in self.blocks])

    @property
    def source_number(self) -> IntArray:
        """A number for the source of every statement; -1 for labels that the program added."""
        place: dict[str, int] = {}
        numbers = [place.setdefault(block.source, len(place)) for block in self.blocks]
        by_row = np.repeat(np.array(numbers, dtype=np.int64), [len(block) for block in self.blocks])
        return np.where(self.exemplar | self.frozen, -1, by_row)

    @property
    def by_model(self) -> NDArray[np.bool_]:
        """Which statements a language model made; not the exemplars that came with them."""
        by_row = np.repeat(
            np.array([block.source.startswith(MODEL_SOURCE) for block in self.blocks], dtype=bool),
            [len(block) for block in self.blocks],
        )
        return by_row & ~self.exemplar

    @property
    def exemplar(self) -> NDArray[np.bool_]:
        """Which statements are labels of exemplars, added for documents that represent their group."""
        return self._ending(EXEMPLAR_SUFFIX)

    @property
    def frozen(self) -> NDArray[np.bool_]:
        """Which statements are labels of the documents of a frozen group."""
        return self._ending(FROZEN_SUFFIX)

    def _ending(self, suffix: str) -> NDArray[np.bool_]:
        parts = [rows_ending(block, suffix) for block in self.blocks]
        return np.concatenate([np.zeros(0, dtype=bool), *parts])

    @property
    def stated(self) -> IntArray:
        """The number of the user's statement that every line is part of, from 0; -1 for what nobody stated.

        A line is one statement. But the lines that one act made, such as moving several documents in the
        studio, are one together.
        """
        numbers = np.full(len(self), -1, dtype=np.int64)
        of_act: dict[tuple[str, str, str], int] = {}
        count = 0
        for first, block in self.placed():
            rows = np.flatnonzero(~(rows_ending(block, EXEMPLAR_SUFFIX) | rows_ending(block, FROZEN_SUFFIX)))
            if block.notes is None and not block.source.startswith(ACT_NOTES):
                numbers[first + rows] = np.arange(count, count + len(rows))
                count += len(rows)
                continue
            for row in rows.tolist():
                mark = block.note(row) or block.source
                is_act = mark.startswith(ACT_NOTES)
                number = of_act.setdefault((block.kind, block.type, mark), count) if is_act else count
                numbers[first + row] = number
                count += number == count
        return numbers

    @property
    def n_stated(self) -> int:
        """The number of statements that the user made, without exemplars and frozen documents."""
        return int(self.stated.max(initial=-1)) + 1

    @property
    def subject(self) -> list[str]:
        """The subject of every statement, as text."""
        return [str(name) for block in self.blocks for name in block.subject.tolist()]

    @property
    def object(self) -> list[str]:
        """The other half of every statement, as text; empty if there is none."""
        return [text for block in self.blocks for text in find_kind(block.kind).object_texts(block)]

    @property
    def strength(self) -> FloatArray:
        """The strength of every statement."""
        return np.concatenate([np.zeros(0), *(block.strengths for block in self.blocks)])

    @property
    def line(self) -> IntArray:
        """The line of every statement in its file; 0 if there is no file."""
        lines = (np.zeros(len(b), np.int64) if b.lines is None else b.lines for b in self.blocks)
        return np.concatenate([np.zeros(0, np.int64), *lines])

    @property
    def note(self) -> list[str]:
        """The note on every statement."""
        return [note for block in self.blocks for note in (block.notes or ("",) * len(block))]

    def _repeated(self, values: list[str]) -> NDArray[Any]:
        return np.repeat(np.array(values, dtype=np.str_), [len(block) for block in self.blocks])


def _view(block: Block, row: int, number: int) -> Statement:
    return Statement(
        number=number,
        kind=block.kind,
        type=block.type,
        subject=_as_python(block.subject[row]),
        object=_object(block, row),
        strength=float(block.strengths[row]),
        source=block.source,
        line=block.line(row),
        note=block.note(row),
        values={name: float(column[row]) for name, column in block.values.items()},
    )


def _object(block: Block, row: int) -> str | int | None:
    if block.object is not None:
        return _as_python(block.object[row])
    return None if block.codes is None else block.names[block.codes[row]]


def _as_python(name: Any) -> str | int:
    return str(name) if isinstance(name, str) else int(name)


def rows_ending(block: Block, suffix: str) -> NDArray[np.bool_]:
    """Mark the rows of a block whose source or note has this end."""
    if block.source.endswith(suffix):
        return np.ones(len(block), dtype=bool)
    notes = block.notes or repeat("", len(block))
    return np.array([str(note).endswith(suffix) for note in notes], dtype=bool)
