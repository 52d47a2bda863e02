"""A case to judge: the known statements of one kind about one type, and where their objects came to be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.knowledge.block import Block
    from colligate.knowledge.compile import Compiled
    from colligate.knowledge.verdicts import FloatArray, IntArray
    from colligate.knowledge.verdicts import BoolArray, Labels


@dataclass(frozen=True, eq=False)
class Case:
    """Columns with one row per statement; rows that name something unknown are left out.

    `labels` has the group of every object of the type, -1 for none. `placed` are the blocks the rows came
    in, each with the number of its first statement.
    """

    kind: str
    labels: Labels
    compiled: Compiled
    placed: Sequence[tuple[int, Block]]

    @cached_property
    def rows(self) -> IntArray:
        """The numbers of the statements."""
        return np.concatenate([np.arange(first, first + len(b)) for first, b in self.placed])[self._known]

    @property
    def subject(self) -> IntArray:
        """The position of the object that each statement is about; -1 if it came with the statement."""
        return self.compiled.subject_index[self.rows]

    @property
    def object(self) -> IntArray:
        """The position of the other object of a link; -1 where there is none."""
        return self.compiled.object_index[self.rows]

    @property
    def code(self) -> IntArray:
        """The number of the category, group or label, as `Kind.guide` filled it in."""
        return self.compiled.code[self.rows]

    @property
    def place(self) -> Labels:
        """The group that each subject is in; -1 for none."""
        subject = self.subject
        return np.where(subject < 0, -1, self.labels[np.maximum(subject, 0)])

    @property
    def strength(self) -> FloatArray:
        """The strength of each statement."""
        return np.concatenate([block.strengths for _, block in self.placed])[self._known]

    def spread(self, numbers: Sequence[int]) -> IntArray:
        """One number for each block, given to every row of it."""
        sizes = [len(block) for _, block in self.placed]
        return np.repeat(np.asarray(numbers, dtype=np.int64), sizes)[self._known]

    @property
    def _known(self) -> BoolArray:
        unknown = self.compiled.unknown
        return ~np.concatenate([unknown[first : first + len(block)] for first, block in self.placed])
