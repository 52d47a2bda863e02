"""Seconds by the number of documents and of words: Figure 4 of the triplet paper (2009).

Random posts of 20 Newsgroups and their most frequent words, in twenty groups; `ssnmf` gets the groups of a
tenth of the posts. The paper says that `nmf-triplet` is the fastest and `src` the slowest, in a figure
without digits. Seconds are processor seconds. Cells *as printed* have the paper's updates of SS-NMF on
counts, from one random start.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from experiments.corpora.counted import CountData, count_corpus
from experiments.corpora.newsgroups import FILE, GROUPS, read_newsgroups
from experiments.paper002 import PRINTED
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec, Task

if TYPE_CHECKING:
    from pathlib import Path

ROWS = (("src", False), ("nmf-triplet", False), ("ssnmf", False), ("ssnmf", True))
DOCUMENTS, WORDS, FIXED = (500, 1_000, 2_000, 4_000), (250, 500, 1_000, 2_000), 1_000
TOLD = 0.1


@dataclass(frozen=True)
class Sized:
    """So many posts and words; `told` gives the groups of a tenth of the posts."""

    documents: int
    words: int
    with_labels: bool

    def task(self, data: Path, seed: int) -> Task:
        """The posts are drawn anew for each seed."""
        whole = read_corpus(data)
        drawn = np.random.default_rng(seed).permutation(len(whole.labels))[: self.documents]
        part = whole.of_documents(np.sort(drawn)).most_frequent(self.words)
        known = range(int(TOLD * self.documents)) if self.with_labels else ()
        named = {document: str(part.labels[document]) for document in known}
        knowledge = cg.Knowledge().label(named) if named else None
        return Task(part.network(), part.labels, knowledge, {"n_clusters": len(GROUPS)})


@cache
def read_corpus(data: Path) -> CountData:
    return count_corpus(*read_newsgroups(data, None, 5))


def make_cell(method: str, documents: int, words: int, *, printed: bool = False) -> Cell:
    """A method on so many posts and words."""
    key = f"{method} | {documents} documents | {words} words" + " | as printed" * printed
    return Cell(key, method, Sized(documents, words, method == "ssnmf"), PRINTED if printed else {})


def make_table(kind: str, sizes: dict[str, tuple[int, int]]) -> TableSpec:
    """The seconds of every method by one of the two numbers."""
    rows = {
        method + ", as printed" * printed: {
            name: Entry(make_cell(method, *size, printed=printed).key, "processor_seconds")
            for name, size in sizes.items()
        }
        for method, printed in ROWS
    }
    return TableSpec(f"Seconds of the processor by the number of {kind}", "method", rows, of="002 Figure 4")


BY_DOCUMENTS = {f"{n:,} documents": (n, FIXED) for n in DOCUMENTS}
BY_WORDS = {f"{n:,} words": (FIXED, n) for n in WORDS}
SIZES = dict.fromkeys([*BY_DOCUMENTS.values(), *BY_WORDS.values()])

EXPERIMENT = Experiment(
    name="paper002_figure4",
    paper="002",
    about="seconds by the number of documents and of words",
    corpora=(FILE,),
    cells=tuple(make_cell(method, *size, printed=printed) for method, printed in ROWS for size in SIZES),
    tables=(make_table("documents", BY_DOCUMENTS), make_table("words", BY_WORDS)),
    seeds=10,
    quick=Quick(("| 500 documents",)),
)
