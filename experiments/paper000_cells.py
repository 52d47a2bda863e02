"""The cells of the tables of the word-space paper (2008): methods, corpora, categories, words and pairs."""

from __future__ import annotations

from dataclasses import dataclass

CSTR, AUTHORS, TITLES = "CSTR", "DBLP authors", "DBLP titles"
LABELS, AREAS, ROOTS = "labels of a tenth", "ACM areas", "ACM roots"
SOURCES = {CSTR: (LABELS,), AUTHORS: (AREAS, ROOTS), TITLES: (AREAS, ROOTS)}
UNGUIDED, GUIDED = ("kmeans", "tnmf", "itcc", "ecc"), ("fe", "fc", "cp")
WORDS, FEWER, PAIRS = 1_000, (250, 500), (250, 500, 1_000, 2_000)
# of all corpora, in the first source of categories
N_CATEGORIES = 4


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
        name = f"{self.corpus} | {self.method} | {self.source} | {self.words} words | {self.pairs} pairs"
        return f"{name} | {self.word_clusters} word clusters" if self.word_clusters else name


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
