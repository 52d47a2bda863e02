"""Word categories for document clustering: the figures of the word-space paper (2008).

The paper draws its figures without digits. Our CSTR has 475 abstracts instead of 550 and no words, so the
ACM's classification cannot be used: categories are made from the labels of a tenth of the documents, and all
methods are judged on the others. Our DBLP is another selection: four areas instead of nine, once as the
titles of the 552 authors with the most papers, as in the paper, and once as single titles. Words are the most
frequent ones; the paper chose them by labels. Figures 6 and 7 have the default number of word clusters, or
one for each category, as in the paper. Cells *as printed* have the paper's start and updates (`reading`), one
start, and one word cluster for each category. The sets Artist and BBS are not available. The goal is that
`cp` with categories is above every method without knowledge.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import colligate as cg
from experiments.corpora.counted import CountData, count_corpus
from experiments.corpora.dblp import FILE, read_authors, read_dblp
from experiments.corpora.stored import read_cstr
from experiments.runner.experiment import Cell, Entry, Experiment, Measurement, Quick, TableSpec, Task
from experiments.runner.tables import list_missed_gains
from experiments.word_knowledge import (
    draw_labelled,
    draw_word_pairs,
    make_categories,
    read_acm_areas,
    read_acm_roots,
)

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.store import Run, StoredRuns

CSTR, AUTHORS, TITLES = "CSTR", "DBLP authors", "DBLP titles"
NONE, LABELS, AREAS, ROOTS = "–", "labels of a tenth", "ACM areas", "ACM roots"
SOURCES = {CSTR: (LABELS,), AUTHORS: (AREAS, ROOTS), TITLES: (AREAS, ROOTS)}
UNGUIDED, GUIDED = ("kmeans", "tnmf", "itcc", "ecc"), ("fe", "fc", "cp")
WORDS, FEWER, PAIRS = 1_000, (250, 500), (250, 500, 1_000, 2_000)
PRODUCTIVE = 552
# of all corpora, in the first source of categories
N_CATEGORIES = 4
# the start and the updates of the paper, from one start
PRINTED, PRINTED_SEEDS = {"reading": "printed", "n_init": 1}, 10
# the paper's example: titles by Clustering, Classification, Illumination, Texture, Webpage, Hyperlink
TOY = np.array([[1, 0, 0, 0, 0, 1], [0, 1, 0, 0, 1, 0], [1, 0, 0, 1, 0, 0], [0, 1, 1, 0, 0, 0]])
TOY_WORDS = {"Learning": (0, 1), "Graphics": (2, 3), "Web": (4, 5)}
TOY_METHODS: dict[str, dict[str, Any]] = {
    "k-means start": {**PRINTED, "init": np.array([0, 1, 0, 1])},
    "random start": {**PRINTED, "init": "random"},
    "our defaults": {},
}


@dataclass(frozen=True)
class WordSetting:
    """The most frequent words of a corpus, with categories of words, or pairs made from them."""

    corpus: str
    source: str
    words: int
    pairs: int

    def task(self, data: Path, seed: int) -> Task:
        """Documents whose labels are told are not judged."""
        part = read_corpus(self.corpus, data).most_frequent(self.words)
        known = np.zeros(len(part.labels), dtype=bool)
        if self.corpus == CSTR:
            known = draw_labelled(part.labels, seed)
        knowledge = self.knowledge(data, part, known, seed)

        def further(_: Any) -> dict[str, Any]:
            return {"statements": 0 if knowledge is None else len(knowledge)}

        parameters = {"n_clusters": part.n_classes}
        return Task(part.network(), part.labels, knowledge, parameters, further=further, judged=~known)

    def knowledge(self, data: Path, part: CountData, known: np.ndarray, seed: int) -> cg.Knowledge | None:
        """Categories, or pairs of words drawn from them."""
        if self.source == NONE:
            return None
        make = {AREAS: read_acm_areas, ROOTS: read_acm_roots}.get(self.source)
        knowledge = make(data, list(part.words)) if make else make_categories(part, known)
        return draw_word_pairs(knowledge, self.pairs, seed) if self.pairs else knowledge


@cache
def read_corpus(corpus: str, data: Path) -> CountData:
    if corpus == CSTR:
        return count_corpus(*read_cstr(data))
    return count_corpus(*(read_authors(data, PRODUCTIVE) if corpus == AUTHORS else read_dblp(data)[:2]))


def make_cell(
    corpus: str,
    method: str,
    source: str = NONE,
    words: int = WORDS,
    pairs: int = 0,
    word_clusters: int | None = None,
    *,
    printed: bool = False,
) -> Cell:
    """A method on a corpus."""
    key = f"{corpus} | {method} | {source} | {words} words | {pairs} pairs"
    parameters = {"n_word_clusters": word_clusters} if word_clusters else {}
    key += f" | {word_clusters} word clusters" if word_clusters else ""
    setting, seeds = WordSetting(corpus, source, words, pairs), None
    if printed:
        key, parameters, seeds = f"{key} | as printed", {**parameters, **PRINTED}, PRINTED_SEEDS
    return Cell(key, method, setting, parameters, seeds=seeds)


def make_printed(corpus: str, words: int = WORDS) -> Cell:
    """`cp` as printed, with the first source of categories."""
    return make_cell(corpus, "cp", SOURCES[corpus][0], words, printed=True)


def group_titles(parameters: dict[str, Any], _: Path, seed: int) -> Run:
    """Whether the titles of the paper's example are grouped as printed, and its association found."""
    knowledge = cg.Knowledge()
    for name, words in TOY_WORDS.items():
        knowledge.category(name, words=words)
    model = cg.make("cp", n_clusters=2, weighting="counts", random_state=seed, max_iter=1_000, **parameters)
    with warnings.catch_warnings():
        # without a root the printed updates need not settle
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = model.fit(TOY, knowledge=knowledge).labels_
    right = bool(labels[0] == labels[1] != labels[2] == labels[3])
    return {"right": float(right), "objective": model.history_[-1]}


def compare_methods(corpus: str, words: int) -> dict[tuple[str, str], Cell]:
    """All methods on one corpus by their categories; the roots need many words, or some have none."""
    sources = SOURCES[corpus] if words == WORDS else SOURCES[corpus][:1]
    free = {(method, NONE): make_cell(corpus, method, words=words) for method in UNGUIDED}
    guided = [(method, source) for source in sources for method in GUIDED]
    return free | {(method, source): make_cell(corpus, method, source, words) for method, source in guided}


def vary_pairs(corpus: str, word_clusters: int | None) -> dict[int, Cell]:
    """`cp-links` by the number of pairs; without any it is `tnmf`."""
    source = SOURCES[corpus][0]
    return {0: make_cell(corpus, "tnmf", word_clusters=word_clusters)} | {
        n: make_cell(corpus, "cp-links", source, pairs=n, word_clusters=word_clusters) for n in PAIRS
    }


TITLES_OF_THE_PAPER = {
    name: Measurement(f"toy | cp | {name}", partial(group_titles, parameters), seeds=20)
    for name, parameters in TOY_METHODS.items()
}
AS_PRINTED = {(corpus, n): make_printed(corpus, n) for corpus in (CSTR, AUTHORS) for n in (*FEWER, WORDS)}
PAIRS_AS_PRINTED = {
    corpus: {
        n: make_cell(corpus, "cp-links", SOURCES[corpus][0], WORDS, n, N_CATEGORIES, printed=True)
        for n in PAIRS
    }
    for corpus in (CSTR, AUTHORS)
}
COMPARED = {corpus: compare_methods(corpus, WORDS) for corpus in SOURCES}
BY_WORDS = {corpus: {n: compare_methods(corpus, n) for n in (*FEWER, WORDS)} for corpus in (CSTR, AUTHORS)}
WITH_PAIRS = {(corpus, n): vary_pairs(corpus, n) for corpus in SOURCES for n in (None, N_CATEGORIES)}
EVERY = (
    *(one for cells in COMPARED.values() for one in cells.values()),
    *(one for sizes in BY_WORDS.values() for cells in sizes.values() for one in cells.values()),
    *(one for cells in WITH_PAIRS.values() for one in cells.values()),
    *TITLES_OF_THE_PAPER.values(),
    *AS_PRINTED.values(),
    *(one for cells in PAIRS_AS_PRINTED.values() for one in cells.values()),
)
CELLS = tuple({one.key: one for one in EVERY}.values())


OF_WORDS = {CSTR: "000 Figure 4", AUTHORS: "000 Figure 5"}
NOTE = (
    "*areas*: categories from the areas of the ACM's classification; on CSTR from the labels of a tenth, "
    "which are not judged. Otherwise label-free. The published figures have no digits."
)
FIGURES = {"accuracy": "000 Figure 2", "nmi": "000 Figure 3"}
PAIR_FIGURES = {"accuracy": "000 Figure 6", "nmi": "000 Figure 7"}
NAMES = {"accuracy": "Accuracy", "nmi": "NMI"}


def list_missed_goals(kept: StoredRuns) -> list[str]:
    """Where `cp`, with the first source of its categories, is not above every method without knowledge."""
    goals = []
    for corpus, cells in COMPARED.items():
        rivals = {method: cells[method, NONE].key for method in UNGUIDED}
        for figure in FIGURES:
            goals += list_missed_gains(kept, cells["cp", SOURCES[corpus][0]].key, rivals, figure)
    return goals


def table_of_methods(figure: str) -> TableSpec:
    """Figures 2 and 3: all methods on all corpora."""
    rows: dict[str, dict[str, Entry]] = {}
    for corpus, cells in COMPARED.items():
        for (method, source), one in cells.items():
            name = method if source == NONE else f"{method}, {'ACM roots' if source == ROOTS else 'areas'}"
            rows.setdefault(name, {})[corpus] = Entry(one.key, figure)
    rows["cp, areas, as printed"] = {
        corpus: Entry(AS_PRINTED[corpus, WORDS].key, figure) for corpus in (CSTR, AUTHORS)
    }
    return TableSpec(f"{NAMES[figure]} with {WORDS:,} words", "method", rows, NOTE, FIGURES[figure])


def table_by_words(corpus: str) -> TableSpec:
    """Figures 4 and 5: accuracy by the number of words."""
    rows: dict[str, dict[str, Entry]] = {}
    for size, cells in BY_WORDS[corpus].items():
        for (method, source), one in cells.items():
            if source in (NONE, SOURCES[corpus][0]):
                rows.setdefault(method, {})[f"{size:,} words"] = Entry(one.key, "accuracy")
        printed = Entry(AS_PRINTED[corpus, size].key, "accuracy")
        rows.setdefault("cp, as printed", {})[f"{size:,} words"] = printed
    return TableSpec(
        f"Accuracy on {corpus} by the number of words", "method", rows, "", OF_WORDS[corpus], "words"
    )


def table_by_pairs(figure: str) -> TableSpec:
    """Figures 6 and 7: `cp-links` by the number of pairs."""
    rows = {
        corpus + (f", {clusters} word clusters" if clusters else ""): {
            f"{n:,} pairs": Entry(one.key, figure) for n, one in cells.items()
        }
        for (corpus, clusters), cells in WITH_PAIRS.items()
    }
    for corpus, cells in PAIRS_AS_PRINTED.items():
        entries = {f"{n:,} pairs": Entry(one.key, figure) for n, one in cells.items()}
        rows[f"{corpus}, {N_CATEGORIES} word clusters, as printed"] = entries
    title = f"{NAMES[figure]} of cp-links by the number of pairs"
    note = "Without pairs it is tnmf."
    return TableSpec(title, "corpus", rows, note, PAIR_FIGURES[figure], "pairs of words")


EXPERIMENT = Experiment(
    name="paper000",
    paper="000",
    about="categories and pairs of words carried to documents",
    corpora=("cstr.npz", FILE, "acm_ccs2012.tsv.gz"),
    cells=CELLS,
    tables=(
        TableSpec(
            "The four titles: share of starts that end in {D1, D2}, {D3, D4}",
            "cp",
            {
                name: {"right": Entry(one.key, "right"), "objective": Entry(one.key, "objective")}
                for name, one in TITLES_OF_THE_PAPER.items()
            },
            "The first two rows are as printed. k-means of the titles, where the paper says to start, is a "
            "saddle: its updates do not leave it.",
            of="000 Figure 1",
        ),
        *map(table_of_methods, FIGURES),
        *map(table_by_words, BY_WORDS),
        *map(table_by_pairs, PAIR_FIGURES),
    ),
    seeds=20,
    quick=Quick((f"{CSTR} | kmeans | – | 1000", f"{CSTR} | itcc | – | 1000", f"{CSTR} | cp |", "CSTR | fc")),
    missed=list_missed_goals,
)
