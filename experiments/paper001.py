"""NMI against the number of links on documents and words: Figures 2 and 3 of the constrained paper (2010).

alt.atheism and comp.graphics, all methods with their defaults. Published are the figures without links (Table
2) and, of Figures 2 and 3, that links help and `citcc` is best. Links of documents are random pairs, made
from labels. Links of words are too, as published: random pairs of the words that are most frequent in one
group; those in the lists of both groups are left out, since they would tie all words together. The last table
judges the documents that no link names, where there are enough of them. Cells *as printed* have the paper's
step and weight of links (1/√M), its four word clusters, term frequencies, and one start from k-means, without
knowledge in the start.
CKmeans has a fixed metric there: the paper does not say whether it learns one, and learned on term
frequencies the metric follows the first groups, as the row *metric learned* shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.corpora.counted import CountData, count_corpus
from experiments.corpora.newsgroups import FILE, PAIR, read_newsgroups
from experiments.published.paper001 import WITHOUT_LINKS
from experiments.random_links import draw_pairs
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec, Task

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

UNGUIDED = ("kmeans", "nmf", "snmf", "tnmf", "strinmf", "itcc")
GUIDED = {"ckmeans": "kmeans", "csnmf": "snmf", "ssnmf": "strinmf", "cstrinmf": "strinmf", "citcc": "itcc"}
LINKS, WORD_LINKS = (100, 500, 1_000, 2_000, 5_000, 10_000), (5_000, 10_000)
TAKE_WORD_LINKS = ("cstrinmf", "citcc")
FREQUENT = 1_000
# with fewer documents, their NMI says little
FEWEST = 100
WORDS_AS_PRINTED = {"n_word_clusters": 4, "init": "tfidf", "word_init": "tfidf", "n_init": 1}
PRINTED: dict[str, dict[str, Any]] = {
    "itcc": WORDS_AS_PRINTED,
    "citcc": {"reading": "printed", "link_weight": 1.0, "word_link_weight": 1.0, **WORDS_AS_PRINTED},
    # stiff enough that the weights of words stay at 1
    "ckmeans": {"reading": "printed", "n_init": 1, "stiffness": 1e6},
}
LEARNED = {"reading": "printed", "n_init": 1}
NO_LINKS = (
    "With no link the rows begin with `kmeans`, `snmf`, `strinmf` and `itcc`, as in the paper; `ckmeans` "
    "without links is another method, since it compares directions."
)


@dataclass(frozen=True)
class Links:
    """Two newsgroups with numbers of links on documents and on words, or with categories of words.

    `listed` is the share of the most frequent words of each group that is listed in a category of the group.
    """

    documents: int = 0
    words: int = 0
    pair: tuple[str, ...] = PAIR
    listed: float = 0.0

    def task(self, data: Path, seed: int) -> Task:
        """The posts are those of every seed, the links are drawn anew."""
        part, (knowledge, free) = read_corpus(data, self.pair), self.knowledge(data, seed)
        count = int(free.sum())
        parts = {"free": free} if count >= FEWEST else {}

        def further(_: Any) -> dict[str, Any]:
            return {"free": count}

        return Task(part.counts, part.labels, knowledge, {"n_clusters": len(self.pair)}, parts, further)

    def knowledge(self, data: Path, seed: int) -> tuple[cg.Knowledge | None, np.ndarray]:
        """The links, and which documents none of them names."""
        labels, knowledge = read_corpus(data, self.pair).labels, cg.Knowledge()
        free = np.ones(len(labels), dtype=bool)
        if self.documents:
            together, apart = draw_pairs(labels, self.documents, seed)
            knowledge.together(documents=together).apart(documents=apart)
            free[np.concatenate([together.ravel(), apart.ravel()])] = False
        words, group = select_frequent_words(data, self.pair)
        if self.listed:
            drawn = np.random.default_rng(seed).random(len(words)) < self.listed
            for name, of_group in (("first", ~group), ("second", group)):
                knowledge.category(name, words=words[drawn & of_group].tolist())
        if self.words:
            drawn, _ = draw_pairs(group, 3 * self.words, seed)
            knowledge.together(words=words[drawn[: self.words]])
        return knowledge or None, free


@cache
def read_corpus(data: Path, pair: tuple[str, ...] = PAIR) -> CountData:
    return count_corpus(*read_newsgroups(data, pair, 2))


@cache
def select_frequent_words(data: Path, pair: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The words that are most frequent in one group alone, and whether that is the second."""
    part = read_corpus(data, pair)
    totals = [np.asarray(part.counts[part.labels == group].sum(axis=0)).ravel() for group in pair]
    lists = [np.argsort(-total, kind="stable")[:FREQUENT] for total in totals]
    words = np.setxor1d(*lists)
    return words, np.isin(words, lists[1])


def make_cell(method: str, links: int = 0, word_links: int = 0) -> Cell:
    """A method with numbers of links on documents and on words."""
    published = (
        {} if links or word_links or method not in WITHOUT_LINKS else {"nmi": WITHOUT_LINKS[method][0]}
    )
    key = f"{method} | {links} links | {word_links} word links"
    return Cell(key, method, Links(links, word_links), {}, published)


def make_printed(method: str, links: int = 0, word_links: int = 0) -> Cell:
    """A method with links on documents and on words, as the paper had it."""
    key = f"{method} | {links} links | {word_links} word links | as printed"
    return Cell(key, method, Links(links, word_links), PRINTED[method])


def make_learned(links: int) -> Cell:
    """`ckmeans` with links on documents, as printed, with a metric that is learned."""
    key = f"ckmeans | {links} links | 0 word links | as printed, metric learned"
    return Cell(key, "ckmeans", Links(links), LEARNED)


def make_series(method: str, word_links: int = 0) -> dict[int, Cell]:
    """The cells of a method by the number of links on documents; without any link, the method without."""
    first = make_cell(method, 0, word_links) if word_links else make_cell(GUIDED[method])
    return {0: first} | {n: make_cell(method, n, word_links) for n in LINKS}


def make_row(cells: Mapping[int, Cell], figure: str = "nmi") -> dict[str, Entry]:
    return {f"{n:,} links": Entry(one.key, figure) for n, one in cells.items()}


ALONE = {method: make_cell(method) for method in UNGUIDED}
DOCUMENTS = {method: make_series(method) for method in GUIDED}
WORDS = {
    f"{method}, {n:,} word links": make_series(method, n) for method in TAKE_WORD_LINKS for n in WORD_LINKS
}
# takes links on words alone
WORDS |= {f"cp-links, {n:,} word links": {0: make_cell("cp-links", 0, n)} for n in WORD_LINKS}
BOTH = {**{method: DOCUMENTS[method] for method in TAKE_WORD_LINKS}, **WORDS}
PRINTED_WORDS = {
    f"citcc, {count:,} word links, as printed": {n: make_printed("citcc", n, count) for n in (0, *LINKS)}
    for count in WORD_LINKS
}
PRINTED_ROWS = {
    "citcc, as printed": {0: make_printed("itcc")} | {n: make_printed("citcc", n) for n in LINKS},
    "ckmeans, as printed": {0: make_printed("ckmeans")} | {n: make_printed("ckmeans", n) for n in LINKS},
    "ckmeans, as printed, metric learned": {n: make_learned(n) for n in LINKS[:2]},
}
EVERY = [
    *ALONE.values(),
    *(one for cells in (*PRINTED_ROWS.values(), *PRINTED_WORDS.values()) for one in cells.values()),
    *(one for cells in (*DOCUMENTS.values(), *WORDS.values()) for one in cells.values()),
]
COLUMNS = {"NMI": "nmi", "accuracy": "accuracy", "seconds": "seconds"}

EXPERIMENT = Experiment(
    name="paper001",
    paper="001",
    about="two newsgroups, by the number of links on documents and on words",
    corpora=(FILE,),
    cells=tuple({one.key: one for one in EVERY}.values()),
    tables=(
        TableSpec(
            "Without links",
            "method",
            {
                name: {head: Entry(one.key, figure) for head, figure in COLUMNS.items()}
                for name, one in ALONE.items()
            },
            of="001 Table 2",
        ),
        TableSpec(
            "NMI by links on documents",
            "method",
            {name: make_row(cells) for name, cells in {**DOCUMENTS, **PRINTED_ROWS}.items()},
            NO_LINKS,
            of="001 Figure 2",
            chart="links on documents",
        ),
        TableSpec(
            "NMI by links on documents and words",
            "method",
            {name: make_row(cells) for name, cells in {**BOTH, **PRINTED_WORDS}.items()},
            f"{NO_LINKS} `cp-links` takes links on words alone.",
            of="001 Figure 3",
            chart="links on documents",
        ),
        TableSpec(
            "NMI of the documents in no link",
            "method",
            {name: make_row(cells, "free_nmi") for name, cells in {**DOCUMENTS, **WORDS}.items()},
            "Empty where fewer than a hundred documents are in no link.",
        ),
    ),
    seeds=10,
    quick=Quick(("kmeans | 0 ", "itcc | 0 links | 0 ", "citcc | 1000 links | 0 ", "ckmeans | 1000 ")),
)
