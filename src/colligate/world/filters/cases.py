"""Cases: each name in each document, what it may stand for, and what speaks for that."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from colligate.world.filters.readings import Reading

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
_SECONDARY = 0.1


@dataclass(frozen=True, eq=False)
class Cases:
    """One case for each name in each document: within a document a name stands for one thing.

    `backed` has (case, reading, sentences): a reading of a case is backed by a sentence if the knowledge base
    relates its entity to the one that the sentence names beside it.
    """

    document: IntArray
    name: IntArray
    count: IntArray
    readings: Sequence[tuple[Reading, ...]]
    backed: Mapping[tuple[int, int], int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.document)

    @cached_property
    def row_case(self) -> IntArray:
        """Rows are the readings of all cases, one after the other; this is the case of each row."""
        return np.repeat(np.arange(len(self)), np.diff(self.borders))

    @cached_property
    def borders(self) -> IntArray:
        """Where the rows of each case begin, and at last how many rows there are."""
        many = np.array([len(found) for found in self.readings], dtype=np.int64)
        return np.concatenate([[0], np.cumsum(many[self.name])]).astype(np.int64)

    @cached_property
    def rows(self) -> list[Reading]:
        """The reading of each row."""
        return [reading for name in self.name.tolist() for reading in self.readings[name]]

    @cached_property
    def row_type(self) -> IntArray:
        """The type of each row, by number."""
        return _numbered([reading.type for reading in self.rows])

    @cached_property
    def row_entity(self) -> IntArray:
        """The entity of each row, by number."""
        return _numbered([reading.entity for reading in self.rows])

    @cached_property
    def row_backed(self) -> FloatArray:
        """In how many sentences each row is backed."""
        found = np.zeros(len(self.row_case))
        for (case, reading), sentences in self.backed.items():
            found[self.borders[case] + reading] = sentences
        return found

    @cached_property
    def frequency(self) -> FloatArray:
        """How often each row is met in its document: mentions shared among readings, and what backs it."""
        many = np.diff(self.borders)[self.row_case]
        return self.count[self.row_case] / many + self.row_backed

    @cached_property
    def prior(self) -> FloatArray:
        """What each row counts before any context: little for a secondary reading that nothing backs."""
        secondary = np.array([reading.secondary for reading in self.rows], dtype=bool)
        return np.where(secondary & (self.row_backed == 0), _SECONDARY, 1.0)


def _numbered(texts: list[str]) -> IntArray:
    numbers = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    return np.array([numbers[text] for text in texts], dtype=np.int64)
