"""Links on documents of all twenty newsgroups: do the factorisations gain by them as on two groups?

    python -m experiments.paper001_news [--data FOLDER] [--seeds 3] [--only WORD …] [--again]

50,000 random pairs, made from labels, name nearly every document; most of them are apart. One restart each.
Finished cells are kept in `experiments/results/paper001_news.json`. Exits with 1 if links lower the NMI.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

import colligate as cg
from experiments.cells import computed
from experiments.counted import Counted, counted
from experiments.data import newsgroups
from experiments.foundation import label_links
from experiments.paired import gains, reached, told

if TYPE_CHECKING:
    from pathlib import Path

LINKS, GROUPS = 50_000, 20
GUIDED = {"csnmf": "snmf", "cstrinmf": "strinmf"}


@dataclass(frozen=True)
class Cell:
    """A method with or without links."""

    method: str
    links: int = 0

    @property
    def key(self) -> str:
        """How the cell is called in the stored results."""
        return f"{self.method} | {self.links} links"


CELLS = tuple(cell for name, free in GUIDED.items() for cell in (Cell(free), Cell(name, LINKS)))


@cache
def read(data: Path) -> Counted:
    return counted(*newsgroups(data, None, 5))


def run(cell: Cell, data: Path, seed: int) -> dict[str, Any]:
    """One seed of one cell; `kept` are the shares of links together, and apart, that the groups keep."""
    news, knowledge = read(data), None
    pairs = label_links(news.labels, LINKS, seed)
    if cell.links:
        knowledge = cg.Knowledge().together(documents=pairs[0]).apart(documents=pairs[1])
    began = time.perf_counter()
    model = cg.make(cell.method, n_clusters=GROUPS, random_state=seed, n_init=1)
    result = model.fit(news.counts, knowledge=knowledge).result_
    same = [np.equal(*model.labels_[own.T]).mean() for own in pairs]
    return {
        "nmi": result.evaluate(news.labels)["nmi"],
        "kept": [float(same[0]), float(1.0 - same[1])],
        "sweeps": model.n_iter_,
        "seconds": round(time.perf_counter() - began, 2),
    }


def main() -> int:
    kept, console = computed("paper001_news", __doc__, CELLS, run, seeds=3), Console(width=120)
    rows = {}
    for cell in CELLS:
        runs = [one["kept"] for one in kept.cells.get(cell.key, [])]
        shares = [f"{one:.3f}" for one in np.mean(runs, axis=0)] if runs else ["–", "–"]
        rows[cell.key] = (cell.method, f"{cell.links:,}", kept.shown(cell.key, "nmi"), *shares)
    headings = {"method": "left", "links": "right", "NMI": "right", "together": "right", "apart": "right"}
    console.print(kept.table(headings, rows, "20 newsgroups: NMI, and the shares of links that are kept"))
    above = True
    for name, free in GUIDED.items():
        with_links, without = (kept.cells.get(cell.key, []) for cell in (Cell(name, LINKS), Cell(free)))
        if not with_links or not without:
            console.print(f"{name} above {free}: not computed")
            above = False
            continue
        found = gains(with_links, without, "nmi")
        above &= reached(found)
        console.print(f"{name} with links above {free}: {told(found)}")
    return 0 if above else 1


if __name__ == "__main__":
    sys.exit(main())
