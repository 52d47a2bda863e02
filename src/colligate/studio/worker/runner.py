"""Carry out one order in the worker: cluster, number the groups, lay out the documents, store."""

from __future__ import annotations

import time
import warnings
from typing import TYPE_CHECKING, Any

from colligate import registry
from colligate.errors import StoreError
from colligate.methods.fit import RunOptions
from colligate.methods.start_file import read_start, start_parameters
from colligate.result.changes import assign_identities, match_identities
from colligate.studio.knowledge_file import read_text
from colligate.studio.map import MapLayout, make_layout
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
    """Carries out orders; keeps the documents and the last result in memory between them."""

    def __init__(self, folder: Path, network: Network) -> None:
        self.folder = folder
        self.network = network
        self._last: tuple[int, Result] | None = None

    def run(self, order: Mapping[str, Any], listener: Listener, cancelled: Callable[[], bool]) -> Message:
        """Carry out an order, and return what the journal records."""
        began = time.perf_counter()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            start = self._read_start(order)
            result = self._fit(order, start, RunOptions(listener=listener, cancelled=cancelled))
        identities = self._number_groups(result, order, start)
        number = order["run"]
        save_run(result, self.folder / "runs" / str(number))
        make_layout(result, identities, self._load_parent_layout(order)).save(
            self.folder / "maps" / f"{number}.npz"
        )
        self._last = (number, result)
        return {
            "identities": identities,
            "seconds": round(time.perf_counter() - began, 3),
            "warnings": list(dict.fromkeys(str(warning.message) for warning in caught)),
        }

    def _read_start(self, order: Mapping[str, Any]) -> Start:
        return read_start(start_path(self.folder, order["run"]), self.network) if order["started"] else {}

    def _fit(self, order: Mapping[str, Any], start: Start, options: RunOptions) -> Result:
        parameters = dict(order["parameters"])
        if start:
            parameters |= start_parameters(start, self.network, registry.find_method(order["method"]))
        knowledge = read_text(order["knowledge"], self.folder)
        model = registry.make(order["method"], **parameters)
        model.fit(self.network, knowledge=knowledge or None, options=options)
        result: Result = model.result_
        return result

    def _number_groups(self, result: Result, order: Mapping[str, Any], start: Start) -> tuple[int, ...]:
        labels, count = result.labels[result.centre], result.n_groups()
        before = start[result.centre] if start else self._load_labels(order["parent"])
        if before is None:
            return assign_identities(labels, count, order["unused"])
        return match_identities(before, order["identities"], labels, count, order["unused"])

    def _load_labels(self, number: int | None) -> Any:
        """Load the groups of a run; None if there is no such run or it cannot be read."""
        if number is None:
            return None
        if self._last is None or self._last[0] != number:
            try:
                result = load_run(self.folder / "runs" / str(number), self.network, "")
            except StoreError:
                return None
            self._last = (number, result)
        return self._last[1].labels[self.network.centre]

    def _load_parent_layout(self, order: Mapping[str, Any]) -> MapLayout | None:
        """Load the map of the run before; if it is lost, groups may change their places."""
        try:
            return MapLayout.load(self.folder / "maps" / f"{order['parent']}.npz")
        except StoreError:
            return None
