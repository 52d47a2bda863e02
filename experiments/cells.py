"""What the tables of all experiments share: options, cells that are kept, the commit that made them."""

from __future__ import annotations

import argparse
import json
import subprocess
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table

from experiments.data import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rich.console import JustifyMethod

RESULTS = Path(__file__).parent / "results"
Runs = list[dict[str, Any]]


class Kept:
    """The runs of every cell, one for each seed, kept in a file after every run."""

    def __init__(self, name: str) -> None:
        commit()
        self.command = f"python -m experiments.{name}"
        self.path = RESULTS / f"{name}.json"
        found = self.path.exists()
        self.cells: dict[str, Runs] = json.loads(self.path.read_text())["cells"] if found else {}

    def fill(self, key: str, seeds: int, run: Callable[[int], dict[str, Any]], *, again: bool) -> None:
        """Compute the seeds of a cell that are missing, or all of them again."""
        runs: Runs = [] if again else self.cells.get(key, [])
        for seed in range(len(runs), seeds):
            self.cells[key] = runs
            runs.append({**run(seed), "commit": commit()})
            print(f"{key}, seed {seed}: NMI {runs[-1]['nmi']:.3f}", flush=True)
            self.path.parent.mkdir(exist_ok=True)
            stored = {"command": self.command, "cells": self.cells}
            self.path.write_text(json.dumps(stored, indent=1) + "\n")

    def table(
        self,
        headings: Mapping[str, JustifyMethod],
        rows: Mapping[str, tuple[str, ...]],
        title: str = "NMI, mean ± deviation over seeds",
        further: Iterable[str] = (),
    ) -> Table:
        """A table of rows by the key of their cell, and of the commits; headings say how they are aligned.

        `further` are the keys of other cells that the rows speak of.
        """
        table = Table(title=title, caption=self._made([*rows, *further]))
        for heading, side in headings.items():
            table.add_column(heading, justify=side, no_wrap=True)
        for row in rows.values():
            table.add_row(*row)
        return table

    def grid(self, title: str, corner: str, rows: Mapping[str, Mapping[str, str]], figure: str) -> Table:
        """One figure of many cells, as a figure of a paper shows it: rows of columns of keys of cells."""
        columns = list(dict.fromkeys(heading for row in rows.values() for heading in row))
        table = Table(title=title, caption=self._made(key for row in rows.values() for key in row.values()))
        table.add_column(corner, no_wrap=True)
        for heading in columns:
            table.add_column(heading, justify="right", no_wrap=True)
        for name, row in rows.items():
            table.add_row(name, *(self.shown(row.get(heading, ""), figure) for heading in columns))
        return table

    def shown(self, key: str, figure: str) -> str:
        """Mean and deviation of a figure over the seeds that have it; a dash where there are none."""
        values = [run[figure] for run in self.cells.get(key, ()) if run.get(figure) is not None]
        return spread(values) if values else "–"

    def _made(self, keys: Iterable[str]) -> str:
        runs = [self.cells.get(key, []) for key in keys]
        commits = sorted({run["commit"] for found in runs for run in found})
        seeds = sorted({len(found) for found in runs})
        return f"computed at {', '.join(commits)}; seeds: {', '.join(map(str, seeds))}"


@cache
def commit() -> str:
    """The commit of the working tree when the command began; a + says that it held changes."""
    found = subprocess.run(["git", "describe", "--always", "--dirty=+"], capture_output=True, text=True)
    return found.stdout.strip()


def mean(runs: Runs, figure: str) -> float:
    return float(np.mean([run[figure] for run in runs]))


def spread(values: list[float]) -> str:
    return f"{np.mean(values):.3f}±{np.std(values):.3f}"


def goal(least: float, found: float, digits: int = 2) -> str:
    """A goal, and whether it was reached."""
    return f"≥ {least:.{digits}f} {'reached' if found >= least else 'MISSED'}"


def computed(
    name: str, description: str | None, cells: Iterable[Any], run: Callable[..., Any], seeds: int = 5
) -> Kept:
    """All cells of an experiment, by the options of its command: data, seeds, only and again."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=description, formatter_class=raw)
    parser.add_argument("--data", type=Path, default=DEFAULT, help="the folder of corpora")
    parser.add_argument("--seeds", type=int, default=seeds)
    parser.add_argument("--only", nargs="+", default=[""], help="compute cells with such a word in the key")
    parser.add_argument("--again", action="store_true", help="compute finished cells again")
    options = parser.parse_args()
    kept = Kept(name)
    for cell in cells:
        if any(word in cell.key for word in options.only):
            kept.fill(cell.key, options.seeds, partial(run, cell, options.data), again=options.again)
    return kept
