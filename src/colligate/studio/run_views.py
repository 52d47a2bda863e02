"""The runs of a project that can be read: the last few are kept, and those that are damaged are told of."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from colligate.errors import StoreError
from colligate.studio.missing import NotThereError
from colligate.studio.run_view import RunView

if TYPE_CHECKING:
    from colligate.studio.project import Project
    from colligate.studio.project.work import RunRecord

KEPT = 4


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
            raise NotThereError(f"there is no run {number}")
        found = self._readable(record)
        if found is None:
            raise NotThereError(f"run {number} cannot be read: {self.damaged[number]}")
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
