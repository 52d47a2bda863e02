"""A case to judge: the known statements of one kind about one type, and where their objects came to be.

Whether each statement of the knowledge holds in a grouping: columns in, columns out.

An object in no group (-1) is together with nothing and apart from everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.knowledge.compile import Compiled
    from colligate.knowledge.statements import Block

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Labels = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class StatementRows:
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


def in_same_cluster(labels: Labels, left: IntArray, right: IntArray) -> BoolArray:
    """Which pairs are in one group."""
    return np.asarray((labels[left] == labels[right]) & (labels[left] >= 0))


def in_majority_cluster(
    place: Labels, name: IntArray, contest: IntArray | None = None, weight: FloatArray | None = None
) -> BoolArray:
    """Which members are in the group where most members of the same name are, each counted by its `weight`.

    `place` is the group of each member and `name` the number of what it was said to be in. Names with the
    same number in `contest` (not negative) also compete for groups: where several are at home in one group,
    it belongs to the one with most members there, the first of equals, and the others are not at home.
    """
    inside = np.flatnonzero(place >= 0)
    kept = np.zeros(place.size, dtype=bool)
    if not inside.size:
        return kept
    weights = np.ones(inside.size) if weight is None else weight[inside]
    names, groups, masses = _cells(name[inside], place[inside].astype(np.int64), weights)
    home = np.full(int(name.max()) + 1, -1, dtype=np.int64)
    first = _first_of_each(names, groups, masses)
    home[names[first]] = groups[first]
    kept[inside] = place[inside] == home[name[inside]]
    if contest is not None:
        field = np.full(home.size, -1, dtype=np.int64)
        field[name] = contest
        kept &= _owned(place, name, contest, _owners(names[first], groups[first], masses[first], field))
    return kept


def _cells(name: IntArray, place: IntArray, weight: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """The (name, group) cells that occur, with their weights."""
    width = int(place.max()) + 1
    cells, at = np.unique(name * width + place, return_inverse=True)
    mass = np.bincount(at, weight, cells.size).astype(np.float64)
    return cells // width, cells % width, mass


def _first_of_each(major: IntArray, minor: IntArray, mass: FloatArray) -> IntArray:
    """The cell of largest mass for each value of `major`; of equals the one with the smaller `minor`."""
    order = np.lexsort((minor, -mass, major))
    return order[np.unique(major[order], return_index=True)[1]]


def _owners(
    names: IntArray, groups: IntArray, masses: FloatArray, field: IntArray
) -> tuple[IntArray, IntArray, int]:
    """Who owns each (contest, group): sorted keys, the owning names, and the number that joins the two."""
    width = int(groups.max()) + 1
    some = np.flatnonzero(field[names] >= 0)
    keys = field[names[some]] * width + groups[some]
    first = _first_of_each(keys, names[some], masses[some])
    return keys[first], names[some][first], width


def _owned(
    place: Labels, name: IntArray, contest: IntArray, owners: tuple[IntArray, IntArray, int]
) -> BoolArray:
    keys, names, width = owners
    free = np.asarray((contest < 0) | (place < 0))
    if not keys.size:
        return free
    at = np.minimum(np.searchsorted(keys, contest * width + place), keys.size - 1)
    return np.asarray(free | (names[at] == name))
