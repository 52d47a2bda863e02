"""The finished runs of an experiment: one small JSON file, written after every run and never half."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colligate._storage.atomic import write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from experiments.runner.declared import Experiment

RESULTS = Path(__file__).parents[1] / "results"
QUICK = RESULTS / "quick"
Run = dict[str, Any]


class Kept:
    """The runs of every cell of an experiment, by seed.

    A run holds its figures, `seconds`, `peak_mib`, `jobs` (runs at the same time), `seed` and the `commit`
    that made it. Runs of older files have no seed: theirs is their place.
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
    def of(cls, experiment: Experiment, folder: Path = RESULTS) -> Kept:
        """Those of a declared experiment, with its derived figures."""
        return cls(experiment.name, folder, experiment.derived)

    def missing(self, key: str, seeds: int) -> list[int]:
        """The seeds of a cell that are not computed yet."""
        found = {run.get("seed", place) for place, run in enumerate(self.cells.get(key, []))}
        return [seed for seed in range(seeds) if seed not in found]

    def add(self, key: str, run: Run) -> None:
        """Keep a run, in place of one of the same seed."""
        runs = {own.get("seed", place): own for place, own in enumerate(self.cells.get(key, []))}
        runs[run["seed"]] = run
        self.cells[key] = [runs[seed] for seed in sorted(runs)]
        self._write()

    def values(self, key: str, figure: str) -> dict[int, float]:
        """A figure of a cell by seed, of the runs that have it."""
        derive = self.derived.get(figure, lambda run: run.get(figure))
        told = {run.get("seed", place): derive(run) for place, run in enumerate(self.cells.get(key, []))}
        return {seed: value for seed, value in told.items() if value is not None}

    def commits(self, keys: Sequence[str]) -> list[str]:
        """The commits that made some cells."""
        return sorted({run["commit"] for key in keys for run in self.cells.get(key, [])})

    def _write(self) -> None:
        command = f"python -m experiments run {self.name}" + " --quick" * (self.path.parent == QUICK)
        stored = {"command": command, "cells": self.cells}
        with write_file(self.path) as path:
            path.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


@cache
def commit() -> str:
    """The commit of the working tree when the command began; a + says that it held changes.

    Results and the pages made of them do not count: every run changes them.
    """
    git = ["git", "-C", str(Path(__file__).parent)]
    found = subprocess.run([*git, "describe", "--always"], capture_output=True, text=True).stdout.strip()
    code = [":(top)src", ":(top)experiments", ":(top,exclude)experiments/results"]
    changed = subprocess.run([*git, "status", "--porcelain", "--", *code], capture_output=True, text=True)
    return found + ("+" if changed.stdout.strip() else "")
