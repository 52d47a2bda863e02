"""Knowledge of words carried to documents: the figures of the word-space paper (2008) as tables.

    python -m experiments.paper000 [--data FOLDER] [--seeds 20] [--only WORD …] [--again]

The column *published* holds what the text of the paper says of its figures. CSTR is here of 475 abstracts
(550 there) and without its words, so that the ACM's classification cannot be asked: categories are made from
the labels of a tenth of the documents, and all methods are judged on the others. DBLP is another selection:
four areas (nine there), once as the titles of the 552 authors with the most papers, the form of the paper,
and once as single titles. Words are the most frequent; the paper chose them by the labels. In Figures 6 and 7
word clusters are the default, or as many as there are categories, as in the paper. Its sets Artist and BBS
are not at hand. Where single titles, the form that is not the paper's, have fewer seeds, time is the reason.
Finished cells are kept in `experiments/results/paper000.json`. Exits with 1 if categories do not lift `cp`
above every method without knowledge; gains are compared seed by seed.
"""

from __future__ import annotations

import sys
import time
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

import colligate as cg
from experiments.cells import Kept, computed
from experiments.counted import Counted, counted, stored
from experiments.data import dblp, researchers
from experiments.paired import gains, reached, told
from experiments.paper000_cells import (
    AREAS,
    AUTHORS,
    CELLS,
    COMPARED,
    CSTR,
    FEWER,
    FEWER_WORDS,
    GUIDED,
    PAIRS,
    ROOTS,
    SOURCES,
    UNGUIDED,
    WITH_PAIRS,
    WORDS,
    Cell,
    compared,
)
from experiments.word_knowledge import acm_areas, acm_roots, from_labels, told_documents, word_pairs

if TYPE_CHECKING:
    from pathlib import Path

PRODUCTIVE = 552
PUBLISHED = {"cp": "first (figure)"}
HEADINGS = dict.fromkeys(("corpus", "method", "categories"), "left") | dict.fromkeys(
    ("published", "accuracy", "NMI", "s"), "right"
)


@cache
def read(corpus: str, data: Path) -> Counted:
    if corpus == CSTR:
        return stored(data, "cstr")
    return counted(*(researchers(data, PRODUCTIVE) if corpus == AUTHORS else dblp(data)[:2]))


def knowledge_of(cell: Cell, data: Path, part: Counted, known: np.ndarray, seed: int) -> cg.Knowledge | None:
    if cell.source == "–":
        return None
    make = {AREAS: acm_areas, ROOTS: acm_roots}.get(cell.source)
    found = make(data, list(part.words)) if make else from_labels(part, known)
    return word_pairs(found, cell.pairs, seed) if cell.pairs else found


def run(cell: Cell, data: Path, seed: int) -> dict[str, Any]:
    """One seed of one cell."""
    part = read(cell.corpus, data).most_frequent(cell.words)
    known = (
        told_documents(part.labels, seed) if cell.corpus == CSTR else np.zeros(len(part.labels), dtype=bool)
    )
    knowledge = knowledge_of(cell, data, part, known, seed)
    began = time.perf_counter()
    given = {} if cell.word_clusters is None else {"n_word_clusters": cell.word_clusters}
    model = cg.make(cell.method, n_clusters=part.n_classes, random_state=seed, **given)
    model.fit(part.network(), knowledge=knowledge)
    seconds = time.perf_counter() - began
    figures = model.result_.evaluate(part.labels, mask=~known)
    return {
        "nmi": figures["nmi"],
        "accuracy": figures["accuracy"],
        "statements": 0 if knowledge is None else len(knowledge),
        "sweeps": model.n_iter_,
        "seconds": round(seconds, 2),
    }


def row(cell: Cell, kept: Kept) -> tuple[str, ...]:
    published = PUBLISHED.get(cell.method, "below cp (figure)")
    figures = (kept.shown(cell.key, figure) for figure in ("accuracy", "nmi", "seconds"))
    return (cell.corpus, cell.method, cell.source, published, *figures)


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
    found = {method: kept.cells.get(cell.key, []) for method, cell in first_source(corpus, WORDS).items()}
    absent = [method for method in (*UNGUIDED, "cp") if not found[method]]
    if absent:
        return False, f"not computed: {', '.join(absent)}"
    gain = {method: gains(found["cp"], found[method], figure) for method in UNGUIDED}
    least = min(gain, key=lambda method: float(gain[method].mean()))
    return reached(gain[least]), f"least over {least}, {told(gain[least])}"


def pairs_help(kept: Kept, corpus: str, clusters: int | None, figure: str) -> str:
    """Do the most pairs of words lift `cp-links` above `tnmf` with as many word clusters?"""
    cells = WITH_PAIRS[corpus, clusters]
    none, most = (kept.cells.get(cells[n].key, []) for n in (0, PAIRS[-1]))
    if not none or not most:
        return "not computed"
    return told(gains(most, none, figure))


def main() -> int:
    kept, console = computed("paper000", __doc__, CELLS, run, seeds=20), Console(width=160)
    print_tables(kept, console)
    above = True
    for corpus in COMPARED:
        for figure in ("accuracy", "nmi"):
            own, text = judged(kept, corpus, figure)
            console.print(f"{corpus}, {figure}: cp above every method without knowledge: {text}")
            above &= own
    for corpus, clusters in WITH_PAIRS:
        name = f"{corpus}, {clusters} word clusters" if clusters else corpus
        for figure in ("accuracy", "nmi"):
            text = pairs_help(kept, corpus, clusters, figure)
            console.print(f"{name}, {figure}: {PAIRS[-1]:,} pairs of words help: {text}")
    return 0 if above else 1


if __name__ == "__main__":
    sys.exit(main())
