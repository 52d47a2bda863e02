"""Knowledge of words carried to documents: the figures of the word-space paper (2008).

The paper draws its figures and prints no digits. CSTR is here of 475 abstracts (550 there) and without its
words, so that the ACM's classification cannot be asked: categories are made from the labels of a tenth of the
documents, and all methods are judged on the others. DBLP is another selection: four areas (nine there), once
as the titles of the 552 authors with the most papers, the form of the paper, and once as single titles. Words
are the most frequent; the paper chose them by the labels. In Figures 6 and 7 word clusters are the default,
or as many as there are categories, as in the paper. Its sets Artist and BBS are not at hand. The goal is
that categories lift `cp` above every method without knowledge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from experiments.corpora.dblp import FILE
from experiments.paper000_cells import (
    AUTHORS,
    BY_WORDS,
    CELLS,
    COMPARED,
    CSTR,
    NONE,
    ROOTS,
    SOURCES,
    UNGUIDED,
    WITH_PAIRS,
    WORDS,
)
from experiments.runner.declared import Entry, Experiment, Quick, Shown
from experiments.runner.paired import not_above

if TYPE_CHECKING:
    from experiments.runner.kept import Kept

OF_WORDS = {CSTR: "000 Figure 4", AUTHORS: "000 Figure 5"}
NOTE = (
    "*areas*: categories from the areas of the ACM's classification; on CSTR from the labels of a tenth, "
    "which are not judged. Otherwise label-free. The published figures have no digits."
)
FIGURES = {"accuracy": "000 Figure 2", "nmi": "000 Figure 3"}
PAIR_FIGURES = {"accuracy": "000 Figure 6", "nmi": "000 Figure 7"}
NAMES = {"accuracy": "Accuracy", "nmi": "NMI"}


def missed(kept: Kept) -> list[str]:
    """Where `cp`, with the first source of its categories, is not above every method without knowledge."""
    told = []
    for corpus, cells in COMPARED.items():
        rivals = {method: cells[method, NONE].key for method in UNGUIDED}
        for figure in FIGURES:
            told += not_above(kept, cells["cp", SOURCES[corpus][0]].key, rivals, figure)
    return told


def methods(figure: str) -> Shown:
    """Figures 2 and 3: all methods on all corpora."""
    rows: dict[str, dict[str, Entry]] = {}
    for corpus, cells in COMPARED.items():
        for (method, source), one in cells.items():
            name = method if source == NONE else f"{method}, {'ACM roots' if source == ROOTS else 'areas'}"
            rows.setdefault(name, {})[corpus] = Entry(one.key, figure)
    return Shown(f"{NAMES[figure]} with {WORDS:,} words", "method", rows, NOTE, FIGURES[figure])


def by_words(corpus: str) -> Shown:
    """Figures 4 and 5: accuracy by the number of words."""
    rows: dict[str, dict[str, Entry]] = {}
    for size, cells in BY_WORDS[corpus].items():
        for (method, source), one in cells.items():
            if source in (NONE, SOURCES[corpus][0]):
                rows.setdefault(method, {})[f"{size:,} words"] = Entry(one.key, "accuracy")
    return Shown(
        f"Accuracy on {corpus} by the number of words", "method", rows, "", OF_WORDS[corpus], "words"
    )


def by_pairs(figure: str) -> Shown:
    """Figures 6 and 7: `cp-links` by the number of pairs."""
    rows = {
        corpus + (f", {clusters} word clusters" if clusters else ""): {
            f"{n:,} pairs": Entry(one.key, figure) for n, one in cells.items()
        }
        for (corpus, clusters), cells in WITH_PAIRS.items()
    }
    title = f"{NAMES[figure]} of cp-links by the number of pairs"
    note = "Without pairs it is tnmf."
    return Shown(title, "corpus", rows, note, PAIR_FIGURES[figure], "pairs of words")


EXPERIMENT = Experiment(
    name="paper000",
    paper="000",
    about="categories and pairs of words carried to documents",
    corpora=("cstr.npz", FILE, "acm_ccs2012.tsv.gz"),
    cells=CELLS,
    tables=(
        *map(methods, FIGURES),
        *map(by_words, BY_WORDS),
        *map(by_pairs, PAIR_FIGURES),
    ),
    seeds=20,
    quick=Quick((f"{CSTR} | kmeans | – | 1000", f"{CSTR} | itcc | – | 1000", f"{CSTR} | cp |", "CSTR | fc")),
    missed=missed,
)
