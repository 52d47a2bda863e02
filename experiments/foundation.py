"""ITCC and CITCC on two newsgroups and on all twenty, with and without links made from labels.

    python -m experiments.foundation [--data FOLDER] [--seeds 5] [--again]

Prints mean and deviation of the NMI over seeds, for all documents and for those that no link names. Finished
cells are kept in `experiments/results/foundation.json` and not computed again unless asked.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import colligate as cg
from experiments.data import DEFAULT, newsgroups

RESULTS = Path(__file__).parent / "results" / "foundation.json"
PAIR = ("alt.atheism", "comp.graphics")


@dataclass(frozen=True)
class Cell:
    """One row of the table: a method on a corpus with a number of random label links."""

    corpus: str
    method: str
    links: int
    goal: float
    published: str


CELLS = (
    Cell("atheism/graphics", "kmeans", 0, 0.0, ".623"),
    Cell("atheism/graphics", "itcc", 0, 0.82, ".842"),
    Cell("atheism/graphics", "citcc", 1_000, 0.93, "rising (figure)"),
    Cell("atheism/graphics", "citcc", 5_000, 0.98, "rising (figure)"),
    Cell("20 newsgroups", "kmeans", 0, 0.0, ".429"),
    Cell("20 newsgroups", "itcc", 0, 0.66, ".501"),
    Cell("20 newsgroups", "citcc", 5_000, 0.0, "–"),
    Cell("20 newsgroups", "citcc", 50_000, 0.0, "–"),
    Cell("20 newsgroups", "citcc", 250_000, 0.80, ".569"),
)
PARAMETERS = {
    "atheism/graphics": {"n_clusters": 2, "n_word_clusters": 16},
    "20 newsgroups": {"n_clusters": 20, "n_word_clusters": 128},
}


def label_links(labels: np.ndarray, n_links: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Distinct random pairs of documents: together where the labels are equal, apart where they differ."""
    rng = np.random.default_rng([seed, n_links])
    drawn = rng.integers(0, len(labels), (4 * n_links, 2))
    drawn = np.unique(np.sort(drawn[drawn[:, 0] != drawn[:, 1]], axis=1), axis=0)
    pairs = drawn[rng.permutation(len(drawn))[:n_links]]
    same = labels[pairs[:, 0]] == labels[pairs[:, 1]]
    return pairs[same], pairs[~same]


def run(cell: Cell, corpus: cg.Corpus, labels: np.ndarray, seed: int) -> dict[str, Any]:
    """One seed of one cell."""
    knowledge, free = None, np.ones(len(labels), dtype=bool)
    if cell.links:
        together, apart = label_links(labels, cell.links, seed)
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
    }


def show(cells: dict[str, list[dict[str, Any]]]) -> Table:
    """Published beside obtained."""
    table = Table(title="NMI, mean ± deviation over seeds")
    for heading in (
        "corpus",
        "method",
        "links",
        "published",
        "obtained",
        "accuracy",
        "in no link",
        "goal",
        "s",
    ):
        table.add_column(heading, justify="left" if heading in ("corpus", "method") else "right")
    for cell in CELLS:
        runs = cells.get(key(cell), [])
        if not runs:
            continue
        free = [r["free_nmi"] for r in runs if r["free_nmi"] is not None]
        inside = (
            f"{spread(free)} (n≈{np.mean([r['free'] for r in runs]):.0f})" if free and cell.links else "–"
        )
        goal = (
            "–"
            if not cell.goal
            else f"≥ {cell.goal:.2f} {'✓' if np.mean([r['nmi'] for r in runs]) >= cell.goal else '✗'}"
        )
        table.add_row(
            cell.corpus,
            cell.method,
            f"{cell.links:,}" if cell.links else "–",
            cell.published,
            spread([r["nmi"] for r in runs]),
            spread([r["accuracy"] for r in runs]),
            inside,
            goal,
            f"{np.mean([r['seconds'] for r in runs]):.1f}",
        )
    return table


def spread(values: list[float]) -> str:
    return f"{np.mean(values):.3f}±{np.std(values):.3f}"


def key(cell: Cell) -> str:
    return f"{cell.corpus} | {cell.method} | {cell.links} links"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DEFAULT, help="the folder of corpora")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--again", action="store_true", help="compute finished cells again")
    options = parser.parse_args()
    cells = {} if options.again or not RESULTS.exists() else json.loads(RESULTS.read_text())["cells"]
    console = Console()
    corpora: dict[str, tuple[cg.Corpus, np.ndarray]] = {}
    for cell in CELLS:
        runs = cells.setdefault(key(cell), [])
        for seed in range(len(runs), options.seeds):
            if cell.corpus not in corpora:
                groups, min_df = (PAIR, 2) if cell.corpus == "atheism/graphics" else (None, 5)
                corpora[cell.corpus] = newsgroups(options.data, groups, min_df)
            runs.append(run(cell, *corpora[cell.corpus], seed))
            console.print(f"{key(cell)}, seed {seed}: NMI {runs[-1]['nmi']:.3f}")
            RESULTS.parent.mkdir(exist_ok=True)
            stored = {"command": "python -m experiments.foundation", "cells": cells}
            RESULTS.write_text(json.dumps(stored, indent=1) + "\n")
    console.print(show(cells))


if __name__ == "__main__":
    main()
