"""Runs as the studio shows them: groups by their lasting numbers, with cached lists of documents.

The last few runs are kept in memory. A run whose files cannot be read is left out, with the reason.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import NotFoundError, StoreError
from colligate.methods.revision import find_directions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.result import Result
    from colligate.studio.project import Project
    from colligate.studio.project.runs import RunRecord

MAX_CACHED = 4
EXEMPLARS = 10


class RunViews:
    """The readable runs of a project. `damaged` has, by number, why a run cannot be read."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._cached: OrderedDict[int, RunView] = OrderedDict()
        self._lock = threading.RLock()
        self.damaged: dict[int, str] = {}

    def find(self, number: int) -> RunView:
        """Return a run by its number."""
        record = self._project.run(number)
        if record is None:
            raise NotFoundError(f"there is no run {number} in this project")
        view = self._read(record)
        if view is None:
            raise NotFoundError(f"run {number} cannot be read: {self.damaged[number]}")
        return view

    def last(self) -> RunView | None:
        """Return the last run that can be read; None if there is none."""
        return next(filter(None, map(self._read, reversed(self._project.work.runs()))), None)

    def parent(self, view: RunView) -> RunView | None:
        """Return the run that another continued; None if there is none or it cannot be read."""
        record = None if view.record.parent is None else self._project.run(view.record.parent)
        return None if record is None else self._read(record)

    def _read(self, record: RunRecord) -> RunView | None:
        with self._lock:
            if record.number in self.damaged:
                return None
            if record.number not in self._cached:
                try:
                    self._cached[record.number] = RunView(record, self._project.result(record))
                except StoreError as error:
                    self.damaged[record.number] = str(error)
                    return None
            self._cached.move_to_end(record.number)
            while len(self._cached) > MAX_CACHED:
                self._cached.popitem(last=False)
            return self._cached[record.number]


class RunView:
    """One run: its record and its result."""

    def __init__(self, record: RunRecord, result: Result) -> None:
        self.record = record
        self.result = result
        self.position = {identity: k for k, identity in enumerate(record.identities)}

    def group(self, identity: int) -> int:
        """Return the group of the result with a lasting number, or list the numbers."""
        if identity not in self.position:
            raise NotFoundError(
                f"run {self.record.number} has no group {identity}; its groups are "
                f"{', '.join(map(str, sorted(self.position)))}"
            )
        return self.position[identity]

    def identity(self, group: int) -> int:
        """Return the lasting number of a group; -1 for none."""
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
    def row_of(self) -> dict[str, int]:
        """The row of every document by its id."""
        names = self.result.network.types[self.result.centre].names
        return {str(name): row for row, name in enumerate(names)}

    @cached_property
    def exemplars(self) -> list[list[str]]:
        """The ids of the documents that represent each group of the result."""
        return [self.ids(part) for part in self.result.representatives(EXEMPLARS)]

    @cached_property
    def directions(self) -> Any:
        """The directions of documents, by which those that are alike follow each other."""
        return find_directions(self.result)

    @cached_property
    def by_membership(self) -> list[NDArray[np.int64]]:
        """The documents of each group, the surest first."""
        order = np.lexsort((np.arange(self.labels.size), -self.result.confidence, self.labels))
        bounds = np.searchsorted(self.labels[order], np.arange(self.result.n_groups() + 1))
        return [order[start:end] for start, end in pairwise(bounds)]

    def members(self, group: int) -> NDArray[np.int64]:
        """Return the documents of a group of the result, in the order of the input."""
        return np.flatnonzero(self.labels == group)

    def positions(self, ids: list[str]) -> list[int]:
        """Return the rows of documents by their ids."""
        return [self.row_of[id] for id in ids]

    def ids(self, positions: Any) -> list[str]:
        """Return the ids of documents; those without an id have their position."""
        names = self.result.network.types[self.result.centre].names
        return [str(names[row]) for row in np.asarray(positions, dtype=np.int64).tolist()]
