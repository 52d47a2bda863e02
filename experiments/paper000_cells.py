"""The cells of the word-space paper (2008): methods, corpora, categories, words and pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.corpora.counted import Counted, counted
from experiments.corpora.dblp import dblp, researchers
from experiments.corpora.stored import cstr
from experiments.runner.declared import Cell, Task
from experiments.word_knowledge import acm_areas, acm_roots, from_labels, told_documents, word_pairs

if TYPE_CHECKING:
    from pathlib import Path

    import colligate as cg

CSTR, AUTHORS, TITLES = "CSTR", "DBLP authors", "DBLP titles"
NONE, LABELS, AREAS, ROOTS = "–", "labels of a tenth", "ACM areas", "ACM roots"
SOURCES = {CSTR: (LABELS,), AUTHORS: (AREAS, ROOTS), TITLES: (AREAS, ROOTS)}
UNGUIDED, GUIDED = ("kmeans", "tnmf", "itcc", "ecc"), ("fe", "fc", "cp")
WORDS, FEWER, PAIRS = 1_000, (250, 500), (250, 500, 1_000, 2_000)
PRODUCTIVE = 552
# of all corpora, in the first source of categories
N_CATEGORIES = 4


@dataclass(frozen=True)
class Told:
    """The most frequent words of a corpus, with categories of words, or pairs made from them."""

    corpus: str
    source: str
    words: int
    pairs: int

    def task(self, data: Path, seed: int) -> Task:
        """Documents whose labels are told are not judged."""
        part = read(self.corpus, data).most_frequent(self.words)
        known = np.zeros(len(part.labels), dtype=bool)
        if self.corpus == CSTR:
            known = told_documents(part.labels, seed)
        knowledge = self.knowledge(data, part, known, seed)

        def told(_: Any) -> dict[str, Any]:
            return {"statements": 0 if knowledge is None else len(knowledge)}

        given = {"n_clusters": part.n_classes}
        return Task(part.network(), part.labels, knowledge, given, further=told, judged=~known)

    def knowledge(self, data: Path, part: Counted, known: np.ndarray, seed: int) -> cg.Knowledge | None:
        """Categories, or pairs of words drawn from them."""
        if self.source == NONE:
            return None
        make = {AREAS: acm_areas, ROOTS: acm_roots}.get(self.source)
        found = make(data, list(part.words)) if make else from_labels(part, known)
        return word_pairs(found, self.pairs, seed) if self.pairs else found


@cache
def read(corpus: str, data: Path) -> Counted:
    if corpus == CSTR:
        return counted(*cstr(data))
    return counted(*(researchers(data, PRODUCTIVE) if corpus == AUTHORS else dblp(data)[:2]))


def cell(
    corpus: str,
    method: str,
    source: str = NONE,
    words: int = WORDS,
    pairs: int = 0,
    word_clusters: int | None = None,
) -> Cell:
    """A method on a corpus."""
    key = f"{corpus} | {method} | {source} | {words} words | {pairs} pairs"
    given = {"n_word_clusters": word_clusters} if word_clusters else {}
    key += f" | {word_clusters} word clusters" if word_clusters else ""
    return Cell(key, method, Told(corpus, source, words, pairs), given)


def compared(corpus: str, words: int) -> dict[tuple[str, str], Cell]:
    """All methods on one corpus by their categories; the roots need many words, or some have none."""
    sources = SOURCES[corpus] if words == WORDS else SOURCES[corpus][:1]
    free = {(method, NONE): cell(corpus, method, words=words) for method in UNGUIDED}
    guided = [(method, source) for source in sources for method in GUIDED]
    return free | {(method, source): cell(corpus, method, source, words) for method, source in guided}


def with_pairs(corpus: str, word_clusters: int | None) -> dict[int, Cell]:
    """`cp-links` by the number of pairs; without any it is `tnmf`."""
    source = SOURCES[corpus][0]
    return {0: cell(corpus, "tnmf", word_clusters=word_clusters)} | {
        n: cell(corpus, "cp-links", source, pairs=n, word_clusters=word_clusters) for n in PAIRS
    }


COMPARED = {corpus: compared(corpus, WORDS) for corpus in SOURCES}
BY_WORDS = {corpus: {n: compared(corpus, n) for n in (*FEWER, WORDS)} for corpus in (CSTR, AUTHORS)}
WITH_PAIRS = {(corpus, n): with_pairs(corpus, n) for corpus in SOURCES for n in (None, N_CATEGORIES)}
EVERY = (
    *(one for cells in COMPARED.values() for one in cells.values()),
    *(one for sizes in BY_WORDS.values() for cells in sizes.values() for one in cells.values()),
    *(one for cells in WITH_PAIRS.values() for one in cells.values()),
)
CELLS = tuple({one.key: one for one in EVERY}.values())
