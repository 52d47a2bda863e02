"""Knowledge of words carried to documents: the figures of the word-space paper (2008) as tables.

    python -m experiments.paper000 [--data FOLDER] [--seeds 20] [--only WORD …] [--again]

The column *published* holds what the text of the paper says of its figures. CSTR is here of 475 abstracts
(550 there) and without its words, so that the ACM's classification cannot be asked: categories are made from
the labels of a tenth of the documents, and all methods are judged on the others. DBLP is another selection:
four areas (nine there), once as the titles of the 552 authors with the most papers, the form of the paper,
and once as single titles. Words are the most frequent; the paper chose them by the labels. In Figures 6 and 7
word clusters are the default, or as many as there are categories, as in the paper. Its sets Artist and BBS
are not at hand. Finished cells are kept in `experiments/results/paper000.json`. Exits with 1 if categories do
not lift `cp` above every method without knowledge.
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
from experiments.cells import Kept, computed, mean
from experiments.counted import Counted, counted, stored
from experiments.data import dblp, researchers
from experiments.word_knowledge import acm_areas, acm_roots, from_labels, told_documents, word_pairs

if TYPE_CHECKING:
    from pathlib import Path

CSTR, AUTHORS, TITLES = "CSTR", "DBLP authors", "DBLP titles"
LABELS, AREAS, ROOTS = "labels of a tenth", "ACM areas", "ACM roots"
SOURCES = {CSTR: (LABELS,), AUTHORS: (AREAS, ROOTS), TITLES: (AREAS, ROOTS)}
UNGUIDED, GUIDED = ("kmeans", "tnmf", "itcc", "ecc"), ("fe", "fc", "cp")
WORDS, FEWER, PAIRS = 1_000, (250, 500), (250, 500, 1_000, 2_000)
PRODUCTIVE = 552
# of all corpora, in the first source of categories
N_CATEGORIES = 4
PUBLISHED = {"cp": "first (figure)"}
HEADINGS = dict.fromkeys(("corpus", "method", "categories"), "left") | dict.fromkeys(
    ("published", "accuracy", "NMI", "s"), "right"
)


@dataclass(frozen=True)
class Cell:
    """A method on the most frequent words of a corpus, with categories of words, or pairs made from them."""

    corpus: str
    method: str
    source: str = "–"
    words: int = WORDS
    pairs: int = 0
    word_clusters: int | None = None

    @property
    def key(self) -> str:
        """How the cell is called in the stored results."""
        told = f"{self.corpus} | {self.method} | {self.source} | {self.words} words | {self.pairs} pairs"
        return f"{told} | {self.word_clusters} word clusters" if self.word_clusters else told


def compared(corpus: str, words: int) -> list[Cell]:
    """All methods on one corpus; the roots of the classification need many words, or some have none."""
    sources = SOURCES[corpus] if words == WORDS else SOURCES[corpus][:1]
    free = [Cell(corpus, method, words=words) for method in UNGUIDED]
    return free + [Cell(corpus, method, source, words) for source in sources for method in GUIDED]


def with_pairs(corpus: str, word_clusters: int | None) -> dict[int, Cell]:
    """`cp-links` by the number of pairs; without any it is `tnmf`."""
    first = Cell(corpus, "tnmf", word_clusters=word_clusters)
    source = SOURCES[corpus][0]
    return {0: first} | {
        n: Cell(corpus, "cp-links", source, pairs=n, word_clusters=word_clusters) for n in PAIRS
    }


COMPARED = {corpus: compared(corpus, WORDS) for corpus in SOURCES}
FEWER_WORDS = {corpus: {n: compared(corpus, n) for n in FEWER} for corpus in (CSTR, AUTHORS)}
WITH_PAIRS = {(corpus, n): with_pairs(corpus, n) for corpus in SOURCES for n in (None, N_CATEGORIES)}
CELLS = (
    *(cell for cells in COMPARED.values() for cell in cells),
    *(cell for sizes in FEWER_WORDS.values() for cells in sizes.values() for cell in cells),
    *(cell for cells in WITH_PAIRS.values() for cell in cells.values() if cell.pairs or cell.word_clusters),
)


@cache
def read(corpus: str, data: Path) -> Counted:
    if corpus == CSTR:
        return stored(data, "cstr")
    return counted(*(researchers(data, PRODUCTIVE) if corpus == AUTHORS else dblp(data)[:2]))


def knowledge_of(cell: Cell, data: Path, part: Counted, told: np.ndarray, seed: int) -> cg.Knowledge | None:
    if cell.source == "–":
        return None
    make = {AREAS: acm_areas, ROOTS: acm_roots}.get(cell.source)
    found = make(data, list(part.words)) if make else from_labels(part, told)
    return word_pairs(found, cell.pairs, seed) if cell.pairs else found


def run(cell: Cell, data: Path, seed: int) -> dict[str, Any]:
    """One seed of one cell."""
    part = read(cell.corpus, data).most_frequent(cell.words)
    told = (
        told_documents(part.labels, seed) if cell.corpus == CSTR else np.zeros(len(part.labels), dtype=bool)
    )
    knowledge = knowledge_of(cell, data, part, told, seed)
    began = time.perf_counter()
    given = {} if cell.word_clusters is None else {"n_word_clusters": cell.word_clusters}
    model = cg.make(cell.method, n_clusters=part.n_classes, random_state=seed, **given)
    model.fit(part.network(), knowledge=knowledge)
    seconds = time.perf_counter() - began
    figures = model.result_.evaluate(part.labels, mask=~told)
    return {
        "nmi": figures["nmi"],
        "accuracy": figures["accuracy"],
        "statements": 0 if knowledge is None else len(knowledge),
        "sweeps": model.n_iter_,
        "seconds": round(seconds, 2),
    }


def row(cell: Cell, kept: Kept) -> tuple[str, ...]:
    told = PUBLISHED.get(cell.method, "below cp (figure)")
    figures = (kept.shown(cell.key, figure) for figure in ("accuracy", "nmi", "seconds"))
    return (cell.corpus, cell.method, cell.source, told, *figures)


def first_source(corpus: str, words: int) -> dict[str, Cell]:
    """The methods without knowledge, and with categories of the first source."""
    wanted = ("–", SOURCES[corpus][0])
    return {cell.method: cell for cell in compared(corpus, words) if cell.source in wanted}


def print_tables(kept: Kept, console: Console) -> None:
    rows = {cell.key: row(cell, kept) for cells in COMPARED.values() for cell in cells}
    console.print(kept.table(HEADINGS, rows, f"Figures 2 and 3: {WORDS:,} words"))
    for corpus in FEWER_WORDS:
        sizes = {f"{n:,} words": first_source(corpus, n) for n in (*FEWER, WORDS)}
        grid = {
            name: {size: cells[name].key for size, cells in sizes.items()} for name in (*UNGUIDED, *GUIDED)
        }
        console.print(kept.grid(f"Figures 4 and 5: {corpus}, accuracy", "method", grid, "accuracy"))
    grid = {
        f"{corpus}, pairs from {SOURCES[corpus][0]}" + (f", {clusters} word clusters" if clusters else ""): {
            f"{n:,} pairs": cell.key for n, cell in cells.items()
        }
        for (corpus, clusters), cells in WITH_PAIRS.items()
    }
    for figure, title in (("accuracy", "Figure 6: accuracy"), ("nmi", "Figure 7: NMI")):
        console.print(kept.grid(f"{title} of cp-links", "corpus", grid, figure))


def judged(kept: Kept, corpus: str, figure: str) -> tuple[bool, str]:
    """Is `cp`, with the first source of its categories, above every method without knowledge?"""
    found = {method: kept.cells.get(cell.key) for method, cell in first_source(corpus, WORDS).items()}
    means = {method: mean(runs, figure) for method, runs in found.items() if runs}
    above = [method for method in UNGUIDED if means.get(method, 0.0) >= means.get("cp", 0.0)]
    absent = [method for method in (*UNGUIDED, "cp") if method not in means]
    told = f"MISSED, not above {', '.join(above)}" if above else "reached"
    return not above and not absent, told + (f"; not computed: {', '.join(absent)}" if absent else "")


def main() -> int:
    kept, console = computed("paper000", __doc__, CELLS, run, seeds=20), Console(width=160)
    print_tables(kept, console)
    reached = True
    for corpus in COMPARED:
        for figure in ("accuracy", "nmi"):
            own, told = judged(kept, corpus, figure)
            console.print(f"{corpus}, {figure}: cp above every method without knowledge: {told}")
            reached &= own
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
