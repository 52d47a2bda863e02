"""What the benchmarks share: their options, the shortest of several runs, and sweeps from a common start."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import colligate as cg
from experiments.corpora.folder import DATA_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from colligate.knowledge import Guidance

CLUSTERS, WORD_CLUSTERS, SWEEPS = 20, 60, 10
PLACES = {"--baseline": "SRC", "--python": "PYTHON"}
"""Options with a place that differs from machine to machine, and what is stored for it."""


class PreparedRun(NamedTuple):
    """A method with a compiled problem, after its start and one sweep."""

    method: Any
    problem: Any
    state: Any

    def sweeps(self) -> Any:
        """Sweep a few times; return the last state."""
        current = self.state
        for _ in range(SWEEPS):
            current = self.method.sweep(self.problem, current)
        return current


def make_parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options of every benchmark."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=description, formatter_class=raw)
    parser.add_argument("--data", type=Path, default=DATA_FOLDER, help="the folder of corpora")
    parser.add_argument("--repeats", type=int, default=3)
    return parser


def measure_seconds(work: Callable[[], Any], repeats: int) -> float:
    """Return the seconds of the shortest of several runs."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def prepend_path(*folders: Path) -> dict[str, str]:
    """Return the environment of this process, in which Python looks into some folders first."""
    known = os.environ.get("PYTHONPATH")
    paths = [*map(str, folders), *([known] if known else [])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def measure_process(words: Sequence[Any], source: Path | None = None) -> dict[str, float]:
    """Run `colligate` in a process; return the seconds it computed and took, and its peak memory.

    `source` is the `src` folder of another version.
    """
    environment = prepend_path(source) if source else None
    began = time.perf_counter()
    command = [sys.executable, "-P", "-m", "colligate", *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    if status:
        raise RuntimeError(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    # on Linux in kilobytes
    figures = {
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "seconds": seconds,
        "peak_mb": used.ru_maxrss / 1024,
    }
    return {name: round(value, 2) for name, value in figures.items()}


def store_figures(path: Path, name: str, module: str, figures: Any) -> None:
    """Write figures under a name in a JSON file, with the command that made them; others there stay."""
    stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    stored[name] = {"command": f"python -m benchmarks.{module}{_describe_options()}", "figures": figures}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{json.dumps(stored, indent=1)}\n", encoding="utf-8")


def _describe_options() -> str:
    """Return the options of this command, without the places of files."""
    words, options = iter(sys.argv[1:]), []
    for word in words:
        if word in ("--data", "--store"):
            next(words)
        elif word in PLACES:
            options.append(f"{word} {PLACES[word]}")
            next(words)
        else:
            options.append(word)
    return "".join(f" {option}" for option in options)


def prepare_run(network: cg.Network, guidance: Mapping[str, Guidance]) -> PreparedRun:
    """Prepare CITCC after its start and one sweep; without guidance it is ITCC."""
    method = cg.make("citcc", n_clusters=CLUSTERS, n_word_clusters=WORD_CLUSTERS)
    problem = method.problem(network, guidance)
    return PreparedRun(
        method, problem, method.sweep(problem, method.start(problem, np.random.default_rng(0)))
    )


def measure_sweep(runs: list[PreparedRun], repeats: int) -> list[float]:
    """Return the seconds of one sweep of each run, measured in turn, so that load slows them alike."""
    taken = np.array([[measure_seconds(run.sweeps, 1) for run in runs] for _ in range(repeats)])
    return [float(shortest) / SWEEPS for shortest in taken.min(axis=0)]
