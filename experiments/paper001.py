"""NMI against the number of links on documents and words: Figures 2 and 3 of the constrained paper (2010).

    python -m experiments.paper001 [--data FOLDER] [--seeds 5] [--only WORD …] [--again]

alt.atheism and comp.graphics, all methods with their defaults. Published are the figures without links (Table
2) and, of Figures 2 and 3, that links help and `citcc` is best. Links of documents are random pairs, made
from labels. Links of words are too, as published: random pairs of the words that are most frequent in one
group; those in the lists of both groups are left out, since they would tie all words together. The last table
judges the documents that no link names, where there are enough of them. Finished cells are kept in
`experiments/results/paper001.json`. What is published is judged below the tables, seed by seed.
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
from experiments.cells import Kept, computed
from experiments.counted import Counted, counted
from experiments.data import newsgroups
from experiments.foundation import PAIR, label_links
from experiments.paired import gains, told

if TYPE_CHECKING:
    from pathlib import Path

UNGUIDED = {"kmeans": ".623", "nmf": "–", "snmf": ".669", "tnmf": "–", "strinmf": ".712", "itcc": ".842"}
GUIDED = {"csnmf": "snmf", "ssnmf": "strinmf", "cstrinmf": "strinmf", "citcc": "itcc"}
LINKS, WORD_LINKS = (100, 500, 1_000, 2_000, 5_000, 10_000), (5_000, 10_000)
TAKE_WORD_LINKS = ("cstrinmf", "citcc")
FREQUENT = 1_000
# with fewer documents, their NMI says little
FEWEST = 100


@dataclass(frozen=True)
class Cell:
    """A method with numbers of links on documents and on words."""

    method: str
    links: int = 0
    word_links: int = 0

    @property
    def key(self) -> str:
        """How the cell is called in the stored results."""
        return f"{self.method} | {self.links} links | {self.word_links} word links"


def series(method: str, word_links: int = 0) -> dict[int, Cell]:
    """The cells of a method by the number of links on documents; without any link, the method without."""
    first = Cell(method, 0, word_links) if word_links else Cell(GUIDED[method])
    return {0: first} | {n: Cell(method, n, word_links) for n in LINKS}


BY_DOCUMENTS = {method: series(method) for method in GUIDED}
BY_WORDS = {(method, n): series(method, n) for method in TAKE_WORD_LINKS for n in WORD_LINKS}
ALL = [cell for cells in (*BY_DOCUMENTS.values(), *BY_WORDS.values()) for cell in cells.values()]
CELLS = tuple(dict.fromkeys([*map(Cell, UNGUIDED), *ALL]))


@cache
def read(data: Path) -> Counted:
    return counted(*newsgroups(data, PAIR, 2))


@cache
def frequent_words(data: Path) -> tuple[np.ndarray, np.ndarray]:
    """The words that are most frequent in one group alone, and the group."""
    part = read(data)
    totals = [np.asarray(part.counts[part.labels == group].sum(axis=0)).ravel() for group in PAIR]
    lists = [np.argsort(-total, kind="stable")[:FREQUENT] for total in totals]
    words = np.setxor1d(*lists)
    return words, np.isin(words, lists[1])


def knowledge_of(cell: Cell, data: Path, seed: int) -> tuple[cg.Knowledge | None, np.ndarray]:
    """The links, and which documents none of them names."""
    labels, knowledge = read(data).labels, cg.Knowledge()
    free = np.ones(len(labels), dtype=bool)
    if cell.links:
        together, apart = label_links(labels, cell.links, seed)
        knowledge.together(documents=together).apart(documents=apart)
        free[np.concatenate([together.ravel(), apart.ravel()])] = False
    if cell.word_links:
        words, group = frequent_words(data)
        drawn, _ = label_links(group, 3 * cell.word_links, seed)
        knowledge.together(words=words[drawn[: cell.word_links]])
    return knowledge or None, free


def run(cell: Cell, data: Path, seed: int) -> dict[str, Any]:
    """One seed of one cell."""
    part, (knowledge, free) = read(data), knowledge_of(cell, data, seed)
    began = time.perf_counter()
    model = cg.make(cell.method, n_clusters=len(PAIR), random_state=seed).fit(
        part.counts, knowledge=knowledge
    )
    seconds = time.perf_counter() - began
    figures = model.result_.evaluate(part.labels)
    return {
        "nmi": figures["nmi"],
        "accuracy": figures["accuracy"],
        "free": int(free.sum()),
        "free_nmi": model.result_.evaluate(part.labels, mask=free)["nmi"] if free.sum() >= FEWEST else None,
        "sweeps": model.n_iter_,
        "seconds": round(seconds, 2),
    }


def columns(cells: dict[int, Cell]) -> dict[str, str]:
    return {f"{n:,} links": cell.key for n, cell in cells.items()}


def print_tables(kept: Kept, console: Console) -> None:
    headings = {"method": "left", "published": "right", "NMI": "right", "accuracy": "right", "s": "right"}
    rows = {
        Cell(name).key: (
            name,
            published,
            *(kept.shown(Cell(name).key, one) for one in ("nmi", "accuracy", "seconds")),
        )
        for name, published in UNGUIDED.items()
    }
    console.print(kept.table(headings, rows, "Without links"))
    documents = {method: columns(cells) for method, cells in BY_DOCUMENTS.items()}
    console.print(kept.grid("Figure 2: NMI by links on documents", "method", documents, "nmi"))
    words = {f"{method}, {n:,} word links": columns(cells) for (method, n), cells in BY_WORDS.items()}
    both = {**{method: documents[method] for method in TAKE_WORD_LINKS}, **words}
    console.print(kept.grid("Figure 3: NMI by links on documents and words", "method", both, "nmi"))
    console.print(kept.grid("NMI of the documents in no link", "method", {**documents, **words}, "free_nmi"))


def links_help(kept: Kept, method: str) -> str:
    """Do the most links on documents lift a method above itself without any?"""
    cells = BY_DOCUMENTS[method]
    none, most = (kept.cells.get(cells[n].key, []) for n in (0, LINKS[-1]))
    if not none or not most:
        return "not computed"
    return told(gains(most, none, "nmi"))


def best(kept: Kept, links: int) -> str:
    """Is `citcc` above every factorisation with as many links on documents?"""
    found = {method: kept.cells.get(BY_DOCUMENTS[method][links].key, []) for method in GUIDED}
    if not all(found.values()):
        return "not computed"
    above = {name: gains(found["citcc"], runs, "nmi") for name, runs in found.items() if name != "citcc"}
    least = min(above, key=lambda name: float(above[name].mean()))
    return f"least over {least}, {told(above[least])}"


def main() -> int:
    kept, console = computed("paper001", __doc__, CELLS, run), Console(width=160)
    print_tables(kept, console)
    for method in GUIDED:
        console.print(f"{method}: {LINKS[-1]:,} links help: {links_help(kept, method)}")
    for links in LINKS:
        console.print(f"citcc above every factorisation with {links:,} links: {best(kept, links)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
