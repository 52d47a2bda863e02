"""The runs of a project that can be read: the last few are kept, and those that are damaged are told of.

A run as the studio looks at it: its groups by their lasting numbers, with what is asked for often kept.

What is asked for that is not there.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import NotFoundError, StoreError
from colligate.result.groups import find_named_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.result import Result
    from colligate.studio.project import Project
    from colligate.studio.project.runs import RunRecord

KEPT = 4


EXEMPLARS = 10


class RunViews:
    """Runs as the studio looks at them. `damaged` tells, by number, why a run could not be read."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._kept: OrderedDict[int, RunView] = OrderedDict()
        self._lock = threading.RLock()
        self.damaged: dict[int, str] = {}

    def of(self, number: int) -> RunView:
        """A run by its number."""
        record = self._project.run(number)
        if record is None:
            raise NotFoundError(f"there is no run {number}")
        found = self._readable(record)
        if found is None:
            raise NotFoundError(f"run {number} cannot be read: {self.damaged[number]}")
        return found

    def last(self) -> RunView | None:
        """The last run that can be read; None if there is none."""
        return next(filter(None, map(self._readable, reversed(self._project.work.runs()))), None)

    def before(self, view: RunView) -> RunView | None:
        """The run that another came from; None if it came from none, or that one cannot be read."""
        record = None if view.record.parent is None else self._project.run(view.record.parent)
        return None if record is None else self._readable(record)

    def _readable(self, record: RunRecord) -> RunView | None:
        with self._lock:
            if record.number in self.damaged:
                return None
            if record.number not in self._kept:
                try:
                    self._kept[record.number] = RunView(record, self._project.result(record))
                except StoreError as error:
                    self.damaged[record.number] = str(error)
                    return None
            self._kept.move_to_end(record.number)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return self._kept[record.number]


class RunView:
    """One run: its record and its result."""

    def __init__(self, record: RunRecord, result: Result) -> None:
        self.record = record
        self.result = result
        self.position = {identity: k for k, identity in enumerate(record.identities)}

    def group(self, identity: int) -> int:
        """The group of the result that has a lasting number, or which numbers there are."""
        if identity not in self.position:
            raise NotFoundError(
                f"run {self.record.number} has no group {identity}; its groups are "
                f"{', '.join(map(str, sorted(self.position)))}"
            )
        return self.position[identity]

    def identity(self, group: int) -> int:
        """The lasting number of a group; -1 for none."""
        return self.record.identities[group] if group >= 0 else -1

    @cached_property
    def labels(self) -> NDArray[np.int32]:
        """The group of every document, as the result numbers them."""
        return self.result.labels[self.result.centre]

    @cached_property
    def identities(self) -> NDArray[np.int64]:
        """The lasting number of the group of every document; -1 for none."""
        return np.append(np.array(self.record.identities, dtype=np.int64), -1)[self.labels]

    @cached_property
    def places(self) -> dict[str, int]:
        """The position of every document by its id."""
        return {str(name): at for at, name in enumerate(self.result.network.types[self.result.centre].names)}

    @cached_property
    def exemplars(self) -> list[list[str]]:
        """The ids of the documents that stand for each group of the result."""
        return [self.ids(part) for part in self.result.representatives(EXEMPLARS)]

    @cached_property
    def claims(self) -> dict[int, str]:
        """The groups of the result that the knowledge of the run names."""
        return find_named_groups(self.result)

    @cached_property
    def by_membership(self) -> list[NDArray[np.int64]]:
        """The documents of each group, the surest first."""
        order = np.lexsort((np.arange(self.labels.size), -self.result.confidence, self.labels))
        bounds = np.searchsorted(self.labels[order], np.arange(self.result.n_groups() + 1))
        return [order[start:end] for start, end in pairwise(bounds)]

    def members(self, group: int) -> NDArray[np.int64]:
        """The documents of a group of the result, in their own order."""
        return np.flatnonzero(self.labels == group)

    def positions(self, ids: list[str]) -> list[int]:
        """Where documents are, by their ids."""
        return [self.places[id] for id in ids]

    def ids(self, positions: Any) -> list[str]:
        """The ids of documents, by position where they have none."""
        names = self.result.network.types[self.result.centre].names
        return [str(names[at]) for at in np.asarray(positions, dtype=np.int64).tolist()]
