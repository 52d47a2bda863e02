"""Which statements hold in a grouping: columns in, columns out.

`StatementRows` are the statements of one kind about one type with the groups that their objects are in; each
kind judges its rows. An object in no group (-1) is together with nothing and apart from everything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from colligate.knowledge.compile import Compiled
    from colligate.knowledge.statements import Block

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Labels = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class StatementRows:
    """Columns with one row per statement; rows with an unknown name are left out.

    `labels` has the group of every object of the type, -1 for none. `placed` are the blocks that hold the
    rows, each with the number of its first statement. `named_groups` has the group of each name, where the
    method bound names to groups; the names in `start_names` were bound before the run, and may share a group.
    `n_groups` is the number of groups, of which some may be empty. `typical_of` (objects × groups) tells
    which objects are typical of which groups of documents; None if the objects have groups of their own.
    """

    kind: str
    labels: Labels
    compiled: Compiled
    placed: Sequence[tuple[int, Block]]
    named_groups: Mapping[str, int] = field(default_factory=dict)
    n_groups: int = 0
    start_names: Collection[str] = ()
    typical_of: BoolArray | None = None

    @cached_property
    def rows(self) -> IntArray:
        """The numbers of the statements."""
        return np.concatenate([np.arange(first, first + len(b)) for first, b in self.placed])[self._resolved]

    @property
    def subject_names(self) -> list[str]:
        """The subject of each statement, as text: the name of a group for a kind about groups."""
        names = np.concatenate([block.subject for _, block in self.placed])
        return [str(name) for name in names[self._resolved]]

    def value(self, name: str) -> FloatArray:
        """Return a column of numbers that the kind defines."""
        return np.concatenate([block.values[name] for _, block in self.placed])[self._resolved]

    @property
    def subject(self) -> IntArray:
        """The position of the object that each statement is about; -1 if it came with the statement."""
        return self.compiled.subject_index[self.rows]

    @property
    def object(self) -> IntArray:
        """The position of the other object of a link; -1 if there is none."""
        return self.compiled.object_index[self.rows]

    @property
    def code(self) -> IntArray:
        """The number of the category, group or label, as `Kind.compile` filled it in."""
        return self.compiled.code[self.rows]

    @property
    def bound_group(self) -> IntArray:
        """The group that the name of each statement is bound to; -1 if it is bound to none."""
        return self._look_up(lambda name: self.named_groups.get(name, -1))

    @property
    def contest(self) -> IntArray:
        """0 for statements whose names must not share a group; -1 for names bound before the run."""
        return self._look_up(lambda name: -1 if name in self.start_names else 0)

    def _look_up(self, number: Callable[[str], int]) -> IntArray:
        """Return a number for the name in each statement."""
        columns = [
            np.array([number(name) for name in block.names], dtype=np.int64)[block.codes]
            for _, block in self.placed
        ]
        return np.concatenate(columns)[self._resolved]

    @property
    def place(self) -> Labels:
        """The group that each subject is in; -1 for none."""
        subject = self.subject
        # -1 would look up the last object, so it looks up the first and is replaced
        return np.where(subject < 0, -1, self.labels[np.maximum(subject, 0)])

    @property
    def strength(self) -> FloatArray:
        """The strength of each statement."""
        return np.concatenate([block.strengths for _, block in self.placed])[self._resolved]

    def spread(self, numbers: Sequence[int]) -> IntArray:
        """Repeat one number for each block on every row of it."""
        sizes = [len(block) for _, block in self.placed]
        return np.repeat(np.asarray(numbers, dtype=np.int64), sizes)[self._resolved]

    @property
    def _resolved(self) -> BoolArray:
        unknown = self.compiled.unknown
        return ~np.concatenate([unknown[first : first + len(block)] for first, block in self.placed])


def in_same_cluster(labels: Labels, left: IntArray, right: IntArray) -> BoolArray:
    """Tell which pairs are in one group."""
    return np.asarray((labels[left] == labels[right]) & (labels[left] >= 0))


def share_typical_group(typical_of: BoolArray, left: IntArray, right: IntArray) -> BoolArray:
    """Tell which pairs are both typical of one group."""
    return np.asarray((typical_of[left] & typical_of[right]).any(axis=1))


def is_typical_of_bound(rows: StatementRows) -> BoolArray:
    """Tell which members are typical of the group that their category is bound to.

    Where it is bound to none, they are judged as in `in_named_cluster`.
    """
    kept, bound = in_named_cluster(rows), rows.bound_group
    if rows.typical_of is not None:
        judged = np.flatnonzero((bound >= 0) & (rows.subject >= 0))
        kept[judged] = rows.typical_of[rows.subject[judged], bound[judged]]
    return kept


def in_named_cluster(rows: StatementRows) -> BoolArray:
    """Tell which members are in the group of their label or category.

    It is the group that the method bound the name to, else the group with most members of the name. Two names
    share a group only if they were bound to it before the run; else it belongs to the one with most members.
    """
    bound, name, place, contest = rows.bound_group, rows.code, rows.place, rows.contest
    kept = in_majority_cluster(place, name, contest, rows.strength)
    rows_bound = np.flatnonzero(bound >= 0)
    if not rows_bound.size:
        return kept
    kept[rows_bound] = place[rows_bound] == bound[rows_bound]
    home, contests = (np.full(int(name.max()) + 1, -1, dtype=np.int64) for _ in range(2))
    home[name[rows_bound]], contests[name] = bound[rows_bound], contest
    names = np.unique(name[rows_bound])
    masses = np.bincount(name, np.where(kept, rows.strength, 0.0), home.size)[names].astype(np.float64)
    return kept & _owned(place, name, contest, _owners(names, home[names], masses, contests))


def in_majority_cluster(
    place: Labels, name: IntArray, contest: IntArray | None = None, weight: FloatArray | None = None
) -> BoolArray:
    """Tell which members are in the group that has most members of the same name, counted by `weight`.

    `place` is the group of each member and `name` the number of its category, group or label. Names with the
    same number in `contest` (not negative) also compete for groups: where several have their majority in one
    group, it belongs to the one with most members there, the first of equals, and the others lose it.
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
        contests = np.full(home.size, -1, dtype=np.int64)
        contests[name] = contest
        kept &= _owned(place, name, contest, _owners(names[first], groups[first], masses[first], contests))
    return kept


def _cells(name: IntArray, place: IntArray, weight: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the (name, group) cells that occur, with their weights."""
    width = int(place.max()) + 1
    cells, cell = np.unique(name * width + place, return_inverse=True)
    mass = np.bincount(cell, weight, cells.size).astype(np.float64)
    return cells // width, cells % width, mass


def _first_of_each(major: IntArray, minor: IntArray, mass: FloatArray) -> IntArray:
    """Return the cell of largest mass for each value of `major`; of equals that of the smaller `minor`."""
    order = np.lexsort((minor, -mass, major))
    return order[np.unique(major[order], return_index=True)[1]]


def _owners(
    names: IntArray, groups: IntArray, masses: FloatArray, contests: IntArray
) -> tuple[IntArray, IntArray, int]:
    """Return who owns each (contest, group): sorted keys, the owning names, and the number of groups."""
    width = int(groups.max()) + 1
    competing = np.flatnonzero(contests[names] >= 0)
    keys = contests[names[competing]] * width + groups[competing]
    first = _first_of_each(keys, names[competing], masses[competing])
    return keys[first], names[competing][first], width


def _owned(
    place: Labels, name: IntArray, contest: IntArray, owners: tuple[IntArray, IntArray, int]
) -> BoolArray:
    keys, names, width = owners
    free = np.asarray((contest < 0) | (place < 0))
    if not keys.size:
        return free
    # a group without an owner finds another key, but then `kept` is False already
    owner = np.minimum(np.searchsorted(keys, contest * width + place), keys.size - 1)
    return np.asarray(free | (names[owner] == name))
