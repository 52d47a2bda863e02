"""The log of the fuzzer: it adds up the inputs of all runs, by seed, and keeps what was found."""

from __future__ import annotations

import json
import platform
from typing import TYPE_CHECKING, Any

from colligate.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from tools.fuzz.batch import Batch, Lane

COUNTS = ("inputs", "accepted", "seconds")


class Log:
    """Counts and findings by seed and door; written after every batch, so that a run can go on."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.runs: list[dict[str, Any]] = []
        if path is not None and path.exists():
            self.runs = json.loads(path.read_text(encoding="utf-8"))["runs"]

    def run(self, seed: int) -> dict[str, Any]:
        """Return the run of a seed; a new one if there is none."""
        for run in self.runs:
            if run["seed"] == seed:
                return run
        run = {
            "seed": seed,
            "colligate": __version__,
            "python": platform.python_version(),
            "lanes": {},
            "findings": [],
            "corrected": [],
        }
        self.runs.append(run)
        return run

    def count(self, seed: int, lane: Lane) -> int:
        """Return how many inputs of a seed went through a door."""
        return self.run(seed)["lanes"].get(str(lane), {}).get("inputs", 0)

    def add(self, seed: int, lane: Lane, batch: Batch) -> None:
        """Add a batch, and write the log."""
        run = self.run(seed)
        entry = run["lanes"].setdefault(str(lane), {**dict.fromkeys(COUNTS, 0), "slowest": 0.0})
        for name in COUNTS:
            entry[name] = round(entry[name] + getattr(batch, name), 1)
        entry["slowest"] = max(entry["slowest"], batch.slowest)
        run["findings"] += batch.findings
        self.write()

    @property
    def summary(self) -> dict[str, Any]:
        """The sums over all seeds, and the runs."""
        by_door: dict[str, int] = {}
        for run in self.runs:
            for name, entry in run["lanes"].items():
                by_door[name] = by_door.get(name, 0) + entry["inputs"]
        entries = [entry for run in self.runs for entry in run["lanes"].values()]
        return {
            "inputs": sum(by_door.values()),
            "accepted": sum(entry["accepted"] for entry in entries),
            "minutes": round(sum(entry["seconds"] for entry in entries) / 60, 1),
            "slowest_seconds": max((entry["slowest"] for entry in entries), default=0.0),
            "findings": sum(len(run["findings"]) for run in self.runs),
            "corrected": sum(len(run["corrected"]) for run in self.runs),
            "by_door": by_door,
        }

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What is not corrected."""
        return [finding for run in self.runs for finding in run["findings"]]

    def write(self) -> None:
        """Write the log; a run that is stopped here leaves the earlier one."""
        if self.path is None:
            return
        text = json.dumps({**self.summary, "runs": self.runs}, indent=1)
        temporary = self.path.with_suffix(".part")
        temporary.write_text(text + "\n", encoding="utf-8")
        temporary.replace(self.path)
