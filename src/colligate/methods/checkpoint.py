"""Keeping a run on disk while it goes, so that it can go on after any end.

A checkpoint is one npz file of plain arrays. It is replaced as a whole, so the file is always a usable one.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from colligate.errors import StoreError
from colligate.files import writing_file
from colligate.methods.run import Progress, Run
from colligate.methods.state import State
from colligate.npz import read_arrays

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass
class Checkpoint:
    """The file of one problem, known by its `fingerprint`; written at most every `interval` seconds."""

    path: Path
    fingerprint: str
    interval: float = 1.0
    _written: float = field(default=0.0, init=False)

    def save(self, progress: Progress, *, force: bool = False) -> None:
        """Write the progress, unless the last writing was a moment ago and `force` is not set."""
        if not force and time.monotonic() - self._written < self.interval:
            return
        arrays = {
            "meta": np.frombuffer(json.dumps(self._meta(progress)).encode(), dtype=np.uint8),
            **_arrays("best", progress.best),
            **_arrays("current", progress.current),
        }
        with writing_file(self.path) as temporary, temporary.open("wb") as stream:
            np.savez(stream, **arrays)
        self._written = time.monotonic()

    def load(self) -> Progress | None:
        """Read the progress; None if there is no file; an error if it belongs to another problem."""
        if not self.path.exists():
            return None
        try:
            arrays = read_arrays(self.path)
            meta = json.loads(arrays["meta"].tobytes())
            found, owner = _progress(meta, arrays), meta["fingerprint"]
        except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
            raise StoreError(
                f"the checkpoint {self.path} is damaged ({error}); remove it and start anew"
            ) from error
        if owner != self.fingerprint:
            raise StoreError(
                f"the checkpoint {self.path} belongs to another run (other documents, knowledge or "
                "parameters); run with the same ones, or remove it and start anew"
            )
        return found

    def _meta(self, progress: Progress) -> dict[str, Any]:
        return {
            "fingerprint": self.fingerprint,
            "seed": progress.seed,
            "finished": progress.finished,
            "chosen": progress.chosen,
            "best": _describe(progress.best),
            "current": _describe(progress.current),
        }


def _progress(meta: Mapping[str, Any], arrays: Mapping[str, Any]) -> Progress:
    best, current = _run("best", meta, arrays), _run("current", meta, arrays)
    return Progress(int(meta["seed"]), tuple(meta["finished"]), best, int(meta["chosen"]), current)


def _describe(run: Run | None) -> dict[str, Any] | None:
    return None if run is None else {"history": run.history, "converged": run.converged}


def _arrays(name: str, run: Run | None) -> dict[str, Any]:
    return {} if run is None else {f"{name}/{key}": value for key, value in run.state.to_arrays().items()}


def _run(name: str, meta: Mapping[str, Any], arrays: Mapping[str, Any]) -> Run | None:
    if meta[name] is None:
        return None
    own = {key.removeprefix(f"{name}/"): value for key, value in arrays.items() if key.startswith(f"{name}/")}
    return Run(State.from_arrays(own), tuple(meta[name]["history"]), meta[name]["converged"])
