"""ITCC and CITCC on two newsgroups and on all twenty, with and without links made from labels.

    python -m experiments.foundation [--data FOLDER] [--seeds 5] [--again]

Prints mean and deviation of the NMI over seeds: of all documents, and of those that no link names. In rows
with *held out*, links are drawn among nine tenths of the documents, so that some are left that no link names.
Finished cells are kept in `experiments/results/foundation.json`, with the commit that made them, and not
computed again unless asked. Exits with 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import colligate as cg
from experiments.data import DEFAULT, newsgroups

RESULTS = Path(__file__).parent / "results" / "foundation.json"
PAIR = ("alt.atheism", "comp.graphics")
HELD_OUT = 0.1
HEADINGS = ("corpus", "method", "links", "published", "obtained", "accuracy", "in no link", "goal", "s")


@dataclass(frozen=True)
class Cell:
    """One row of the table: a method on a corpus with a number of random label links."""

    corpus: str
    method: str
    links: int = 0
    goal: float = 0.0
    published: str = "–"
    held_out: bool = False

    @property
    def key(self) -> str:
        """How the cell is called in the stored results."""
        return f"{self.corpus} | {self.method} | {self.links} links" + (" | held out" * self.held_out)


CELLS = (
    Cell("atheism/graphics", "kmeans", published=".623"),
    Cell("atheism/graphics", "itcc", goal=0.82, published=".842"),
    Cell("atheism/graphics", "citcc", 1_000, 0.93, "rising (figure)"),
    Cell("atheism/graphics", "citcc", 5_000, 0.98, "rising (figure)"),
    Cell("atheism/graphics", "citcc", 5_000, held_out=True),
    Cell("20 newsgroups", "kmeans", published=".429"),
    Cell("20 newsgroups", "itcc", goal=0.66, published=".501"),
    Cell("20 newsgroups", "citcc", 5_000),
    Cell("20 newsgroups", "citcc", 50_000),
    Cell("20 newsgroups", "citcc", 250_000, 0.80, ".569"),
    Cell("20 newsgroups", "citcc", 250_000, held_out=True),
)
PARAMETERS = {
    "atheism/graphics": {"n_clusters": 2, "n_word_clusters": 16},
    "20 newsgroups": {"n_clusters": 20, "n_word_clusters": 128},
}


def label_links(
    labels: np.ndarray, n_links: int, seed: int, among: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Distinct random pairs of documents: together where the labels are equal, apart where they differ."""
    rng = np.random.default_rng([seed, n_links])
    among = np.arange(len(labels)) if among is None else among
    drawn = among[rng.integers(0, len(among), (4 * n_links, 2))]
    drawn = np.unique(np.sort(drawn[drawn[:, 0] != drawn[:, 1]], axis=1), axis=0)
    pairs = drawn[rng.permutation(len(drawn))[:n_links]]
    same = labels[pairs[:, 0]] == labels[pairs[:, 1]]
    return pairs[same], pairs[~same]


def run(cell: Cell, corpus: cg.Corpus, labels: np.ndarray, seed: int) -> dict[str, Any]:
    """One seed of one cell."""
    knowledge, free = None, np.ones(len(labels), dtype=bool)
    if cell.links:
        share = HELD_OUT if cell.held_out else 0.0
        order = np.random.default_rng(seed).permutation(len(labels))
        together, apart = label_links(labels, cell.links, seed, np.sort(order[int(share * len(labels)) :]))
        knowledge = cg.Knowledge().together(documents=together).apart(documents=apart)
        free[np.concatenate([together.ravel(), apart.ravel()])] = False
    parameters = dict(PARAMETERS[cell.corpus])
    if cell.method == "kmeans":
        parameters.pop("n_word_clusters")
    began = time.perf_counter()
    model = cg.make(cell.method, random_state=seed, **parameters).fit(corpus.counts, knowledge=knowledge)
    seconds = time.perf_counter() - began
    result = model.result_
    return {
        "nmi": result.evaluate(labels)["nmi"],
        "accuracy": result.evaluate(labels)["accuracy"],
        "free": int(free.sum()),
        "free_nmi": result.evaluate(labels, mask=free)["nmi"] if free.any() else None,
        "statements": result.audit().counts() if knowledge else {},
        "sweeps": model.n_iter_,
        "seconds": round(seconds, 2),
        "commit": commit(),
    }


@cache
def commit() -> str:
    """The commit of the working tree when the command began; a + says that it held changes."""
    found = subprocess.run(["git", "describe", "--always", "--dirty=+"], capture_output=True, text=True)
    return found.stdout.strip()


def row(cell: Cell, runs: list[dict[str, Any]]) -> tuple[str, ...]:
    free = [r["free_nmi"] for r in runs if r["free_nmi"] is not None]
    left = f"{spread(free)} (n≈{np.mean([r['free'] for r in runs]):.0f})" if free and cell.links else "–"
    goal = f"≥ {cell.goal:.2f} {'reached' if reached(cell, runs) else 'MISSED'}" if cell.goal else "–"
    return (
        cell.corpus + (", held out" if cell.held_out else ""),
        cell.method,
        f"{cell.links:,}" if cell.links else "–",
        cell.published,
        spread([r["nmi"] for r in runs]),
        spread([r["accuracy"] for r in runs]),
        left,
        goal,
        f"{np.mean([r['seconds'] for r in runs]):.1f}",
    )


def show(cells: dict[str, list[dict[str, Any]]]) -> Table:
    """Published beside obtained."""
    made = sorted({r["commit"] for runs in cells.values() for r in runs})
    table = Table(title="NMI, mean ± deviation over seeds", caption=f"computed at {', '.join(made)}")
    for heading in HEADINGS:
        table.add_column(
            heading, justify="left" if heading in ("corpus", "method") else "right", no_wrap=True
        )
    for cell in CELLS:
        if cells.get(cell.key):
            table.add_row(*row(cell, cells[cell.key]))
    return table


def spread(values: list[float]) -> str:
    return f"{np.mean(values):.3f}±{np.std(values):.3f}"


def reached(cell: Cell, runs: list[dict[str, Any]]) -> bool:
    return bool(np.mean([r["nmi"] for r in runs]) >= cell.goal)


def compute(cells: dict[str, list[dict[str, Any]]], data: Path, seeds: int, console: Console) -> None:
    """Fill in what is missing, and keep it after every run."""
    corpora: dict[str, tuple[cg.Corpus, np.ndarray]] = {}
    for cell in CELLS:
        runs = cells.setdefault(cell.key, [])
        for seed in range(len(runs), seeds):
            if cell.corpus not in corpora:
                groups, min_df = (PAIR, 2) if cell.corpus == "atheism/graphics" else (None, 5)
                corpora[cell.corpus] = newsgroups(data, groups, min_df)
            runs.append(run(cell, *corpora[cell.corpus], seed))
            console.print(f"{cell.key}, seed {seed}: NMI {runs[-1]['nmi']:.3f}")
            RESULTS.parent.mkdir(exist_ok=True)
            stored = {"command": "python -m experiments.foundation", "cells": cells}
            RESULTS.write_text(json.dumps(stored, indent=1) + "\n")


def main() -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--data", type=Path, default=DEFAULT, help="the folder of corpora")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--again", action="store_true", help="compute finished cells again")
    options = parser.parse_args()
    cells = {} if options.again or not RESULTS.exists() else json.loads(RESULTS.read_text())["cells"]
    console = Console(width=160)
    commit()
    compute(cells, options.data, options.seeds, console)
    console.print(show(cells))
    missed = [cell.key for cell in CELLS if cell.goal and not reached(cell, cells[cell.key])]
    for key in missed:
        console.print(f"goal missed: {key}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
