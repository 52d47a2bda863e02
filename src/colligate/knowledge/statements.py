"""Statements: a light view of each row of knowledge, and all rows as columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from colligate.knowledge.block import Block, where
from colligate.knowledge.kind import find_kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.knowledge.guidance import FloatArray, IntArray


@dataclass(frozen=True)
class Statement:
    """One thing the user knows: `number` counts from 0 in the order in which it was told.

    `object` is the other object of a link, the name of a category, group or label, or None.
    `line` is 0 for a statement that came from no file.
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

    @property
    def where(self) -> str:
        """Where it came from: `knowledge.yaml:9`, or the source alone."""
        return where(self.source, self.line)

    @property
    def sentence(self) -> str:
        """The statement as a sentence, such as `documents a12 and b7 belong together`."""
        return find_kind(self.kind).sentence(self)


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
            raise IndexError(f"there is no statement {number}; there are {len(self)}")
        at = int(np.searchsorted(self._ends, place, side="right"))
        return _view(self.blocks[at], place - (int(self._ends[at]) - len(self.blocks[at])), place)

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
        """The type that every statement speaks of."""
        return self._repeated([block.type for block in self.blocks])

    @property
    def source(self) -> NDArray[np.str_]:
        """The source of every statement."""
        return self._repeated([block.source for block in self.blocks])

    @property
    def subject(self) -> list[str]:
        """The subject of every statement, as text."""
        return [str(name) for block in self.blocks for name in block.subject.tolist()]

    @property
    def object(self) -> list[str]:
        """The other half of every statement, as text; empty where there is none."""
        return [name for block in self.blocks for name in _objects(block)]

    @property
    def strength(self) -> FloatArray:
        """The strength of every statement."""
        return np.concatenate([np.zeros(0), *(block.strengths for block in self.blocks)])

    @property
    def line(self) -> IntArray:
        """The line of every statement in its file; 0 where there is no file."""
        lines = (np.zeros(len(b), np.int64) if b.lines is None else b.lines for b in self.blocks)
        return np.concatenate([np.zeros(0, np.int64), *lines])

    @property
    def note(self) -> list[str]:
        """What was noted beside every statement."""
        return [note for block in self.blocks for note in (block.notes or ("",) * len(block))]

    def _repeated(self, values: list[str]) -> NDArray[Any]:
        return np.repeat(np.array(values, dtype=np.str_), [len(block) for block in self.blocks])


def _view(block: Block, row: int, number: int) -> Statement:
    return Statement(
        number=number,
        kind=block.kind,
        type=block.type,
        subject=_plain(block.subject[row]),
        object=_object(block, row),
        strength=float(block.strengths[row]),
        source=block.source,
        line=block.line(row),
        note=block.note(row),
    )


def _object(block: Block, row: int) -> str | int | None:
    if block.object is not None:
        return _plain(block.object[row])
    return None if block.codes is None else block.names[block.codes[row]]


def _objects(block: Block) -> list[str]:
    if block.object is not None:
        return [str(name) for name in block.object.tolist()]
    if block.codes is not None:
        return [block.names[code] for code in block.codes.tolist()]
    return [""] * len(block)


def _plain(name: Any) -> str | int:
    return str(name) if isinstance(name, str) else int(name)
