"""Carrying out one order in the worker: cluster, tell who the groups are, place the documents, store."""

from __future__ import annotations

import time
import warnings
from typing import TYPE_CHECKING, Any

from colligate import registry
from colligate.errors import StoreError
from colligate.methods.fit import RunOptions
from colligate.methods.start_file import read_start, start_parameters
from colligate.result.changes import first_identities, next_identities
from colligate.studio.knowledge_file import read_text
from colligate.studio.map import MapLayout, lay_out
from colligate.studio.planning import start_path
from colligate.studio.project.runs import load_run, save_run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from colligate.network import Network
    from colligate.progress import Listener
    from colligate.result import Result
    from colligate.studio.worker.process import Message

    Start = Mapping[str, NDArray[np.int64]]


class Runner:
    """Keeps the documents of a project, and the last result, between orders."""

    def __init__(self, folder: Path, network: Network) -> None:
        self.folder = folder
        self.network = network
        self._kept: tuple[int, Result] | None = None

    def run(self, order: Mapping[str, Any], listener: Listener, cancelled: Callable[[], bool]) -> Message:
        """Carry out an order; what comes back goes into the journal."""
        began = time.perf_counter()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", UserWarning)
            start = self._start(order)
            result = self._fitted(order, start, RunOptions(listener=listener, cancelled=cancelled))
        identities = self._identities(result, order, start)
        number = order["run"]
        save_run(result, self.folder / "runs" / str(number))
        lay_out(result, identities, self._before(order)).save(self.folder / "maps" / f"{number}.npz")
        self._kept = (number, result)
        return {
            "identities": identities,
            "seconds": round(time.perf_counter() - began, 3),
            "warnings": list(dict.fromkeys(str(warning.message) for warning in told)),
        }

    def _start(self, order: Mapping[str, Any]) -> Start:
        return read_start(start_path(self.folder, order["run"]), self.network) if order["started"] else {}

    def _fitted(self, order: Mapping[str, Any], start: Start, options: RunOptions) -> Result:
        parameters = dict(order["parameters"])
        if start:
            parameters |= start_parameters(start, self.network, registry.find_method(order["method"]))
        knowledge = read_text(order["knowledge"], self.folder)
        model = registry.make(order["method"], **parameters)
        model.fit(self.network, knowledge=knowledge or None, options=options)
        result: Result = model.result_
        return result

    def _identities(self, result: Result, order: Mapping[str, Any], start: Start) -> tuple[int, ...]:
        labels, count = result.labels[result.centre], result.n_groups()
        before = start[result.centre] if start else self._labels_of(order["parent"])
        if before is None:
            return first_identities(labels, count, order["unused"])
        return next_identities(before, order["identities"], labels, count, order["unused"])

    def _labels_of(self, number: int | None) -> Any:
        """The groups of a run; None if there is no such run, or it cannot be read."""
        if number is None:
            return None
        if self._kept is None or self._kept[0] != number:
            try:
                found = load_run(self.folder / "runs" / str(number), self.network, "")
            except StoreError:
                return None
            self._kept = (number, found)
        return self._kept[1].labels[self.network.centre]

    def _before(self, order: Mapping[str, Any]) -> MapLayout | None:
        """The map of the run before; a lost one only means that groups do not stay where they were."""
        try:
            return MapLayout.load(self.folder / "maps" / f"{order['parent']}.npz")
        except StoreError:
            return None
