"""The finished runs of an experiment: one JSON file, replaced as a whole after every run."""

from __future__ import annotations

import json
import subprocess
from copy import copy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colligate._storage.atomic import write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from experiments.runner.experiment import Experiment

RESULTS = Path(__file__).parents[1] / "results"
QUICK = RESULTS / "quick"
Run = dict[str, Any]


class StoredRuns:
    """The runs of every cell of an experiment, by seed.

    A run holds its figures, `seconds`, `peak_mib`, `jobs` (runs at the same time), `seed` and the `commit`
    that made it. Runs of older files have no seed: theirs is their position.
    """

    def __init__(
        self,
        name: str,
        folder: Path = RESULTS,
        derived: Mapping[str, Callable[[Run], float | None]] | None = None,
    ) -> None:
        self.name = name
        self.derived = derived or {}
        self.path = folder / f"{name}.json"
        stored = json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {}
        self.cells: dict[str, list[Run]] = stored.get("cells", {})

    @classmethod
    def of(cls, experiment: Experiment, folder: Path = RESULTS) -> StoredRuns:
        """Read the runs of an experiment, with its derived figures."""
        return cls(experiment.name, folder, experiment.derived)

    def missing(self, key: str, seeds: int) -> list[int]:
        """List the seeds of a cell that are not computed yet."""
        return [seed for seed in range(seeds) if seed not in self._by_seed(key)]

    def seeds(self, key: str) -> list[int]:
        """List the seeds of a cell that are computed."""
        return sorted(self._by_seed(key))

    def run(self, key: str, seed: int) -> Run:
        """Read a stored run."""
        return self._by_seed(key)[seed]

    def add(self, key: str, run: Run) -> None:
        """Store a run, in place of one with the same seed."""
        runs = {**self._by_seed(key), run["seed"]: run}
        self.cells[key] = [runs[seed] for seed in sorted(runs)]
        self._write()

    def values(self, key: str, figure: str) -> dict[int, float]:
        """Read a figure of a cell by seed, from the runs that have it."""
        derive = self.derived.get(figure, lambda run: run.get(figure))
        values = {seed: derive(run) for seed, run in self._by_seed(key).items()}
        return {seed: value for seed, value in values.items() if value is not None}

    def at_common_seeds(self, keys: Iterable[str]) -> StoredRuns:
        """Return the runs at the seeds that all of some cells have; cells without runs do not count."""
        computed = [self._by_seed(key) for key in dict.fromkeys(keys) if self.cells.get(key)]
        seeds = set.intersection(*map(set, computed)) if computed else set()
        part = copy(self)
        part.cells = {
            key: [run for seed, run in self._by_seed(key).items() if seed in seeds] for key in self.cells
        }
        return part

    def commits(self, keys: Sequence[str]) -> list[str]:
        """List the commits that made the runs of some cells."""
        return sorted({run["commit"] for key in keys for run in self.cells.get(key, [])})

    def _by_seed(self, key: str) -> dict[int, Run]:
        return {run.get("seed", position): run for position, run in enumerate(self.cells.get(key, []))}

    def _write(self) -> None:
        command = f"python -m experiments run {self.name}" + " --quick" * (self.path.parent == QUICK)
        stored = {"command": command, "cells": self.cells}
        with write_file(self.path) as path:
            path.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


@cache
def current_commit() -> str:
    """Name the commit of the working tree when the command began; a + means uncommitted changes.

    Results and the pages made from them do not count: every run changes them.
    """
    git = ["git", "-C", str(Path(__file__).parent)]
    commit = subprocess.run([*git, "describe", "--always"], capture_output=True, text=True).stdout.strip()
    code = [":(top)src", ":(top)experiments", ":(top,exclude)experiments/results"]
    changed = subprocess.run([*git, "status", "--porcelain", "--", *code], capture_output=True, text=True)
    return commit + ("+" if changed.stdout.strip() else "")
