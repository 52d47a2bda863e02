"""The sets of the paper on outsiders (2011): documents of one of the wanted classes, and outsiders.

Documents and outsiders, beside those of the paper's Table 2: 20 Newsgroups 16,075 and 2,768 (16,060 and
2,768); WebKB 4,199 and 3,660 (3,223, of five classes, and 3,660); RCV1, of which there is but a sample, 857
and 1,453 (19,619 and 7,592); Reuters-21578, stories with a body: of the six largest topics 8,098 and 2,192
(8,050 and 2,192), of the next ten 1,701 and 4,233 (1,689 and 4,233). The paper does not name its topics;
these give its sizes. Words are the most frequent, as many as there; Porter's stems of them if asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

import colligate as cg
from experiments.corpora.newsgroups import branch_of, read_newsgroups
from experiments.corpora.porter import list_content_stems
from experiments.corpora.rcv1 import STORIES, read_rcv1
from experiments.corpora.reuters import read_topics
from experiments.corpora.webkb import PAGES, STAFF, read_webkb

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NEWS, WEB, RCV1, LARGEST, NEXT = "20 newsgroups", "WebKB", "RCV1", "Reuters, 6 largest", "Reuters, next 10"
# words and outsiders of the paper's Table 2
WORDS = {NEWS: 6600, WEB: 4560, RCV1: 8625, LARGEST: 927, NEXT: 927}
OUTSIDERS = {NEWS: 2768, WEB: 3660, RCV1: 7592, LARGEST: 2192, NEXT: 4233}


@dataclass(frozen=True, eq=False)
class LabelledCounts:
    """Counts of all documents, their classes, and which of them are to be grouped; the rest are outsiders."""

    counts: csr_array
    labels: np.ndarray
    inside: np.ndarray

    @property
    def n_classes(self) -> int:
        """How many classes are to be found."""
        return len(np.unique(self.labels[self.inside]))

    def knowledge(self) -> cg.Knowledge:
        """That the outsiders are in no group."""
        return cg.Knowledge().outside(np.flatnonzero(~self.inside).tolist())


@cache
def read_labelled(name: str, folder: Path, *, stemmed: bool = False) -> LabelledCounts:
    """One of the sets, by its name; with Porter's stems as words if `stemmed`."""
    read: dict[str, Callable[[Path], tuple[cg.Corpus, np.ndarray]]] = {
        NEWS: _read_posts,
        WEB: _read_pages,
        RCV1: lambda data: read_rcv1(data, STORIES, others=True),
        LARGEST: lambda data: read_topics(data, 0, 6, others=True),
        NEXT: lambda data: read_topics(data, 6, 16, others=True),
    }
    corpus, classes = read[name](folder)
    if stemmed:
        analyser = cg.Analyser(tokens=list_content_stems, min_df=2)
        corpus = cg.Corpus.from_texts(list(corpus.texts or []), ids=corpus.ids, analyser=analyser)
    return _select(corpus.counts, classes, WORDS[name], OUTSIDERS[name])


@cache
def read_posts_with(outside: tuple[str, ...], folder: Path) -> LabelledCounts:
    """The four branches of the newsgroups, with the posts of some other groups as outsiders."""
    corpus, groups = read_newsgroups(folder, None, 5)
    branches = np.array([branch_of(group) for group in groups.tolist()])
    seen = np.flatnonzero((branches != "") | np.isin(groups, outside))
    return _select(corpus.counts[seen], branches[seen], WORDS[NEWS], OUTSIDERS[NEWS])


def _select(counts: csr_array, classes: np.ndarray, n_words: int, n_outsiders: int) -> LabelledCounts:
    """Some of the outsiders (of no class, ""), drawn at random, and the words that most documents have."""
    outside = np.flatnonzero(classes == "")
    drawn = np.random.default_rng(0).permutation(outside)[:n_outsiders]
    kept = np.sort(np.concatenate([np.flatnonzero(classes != ""), drawn]))
    counts = csr_array(counts[kept])
    documents = np.bincount(counts.indices, minlength=counts.shape[1])
    words = np.sort(np.argsort(-documents, kind="stable")[:n_words])
    return LabelledCounts(csr_array(counts[:, words]), classes[kept], classes[kept] != "")


def _read_posts(folder: Path) -> tuple[cg.Corpus, np.ndarray]:
    corpus, groups = read_newsgroups(folder, None, 5)
    return corpus, np.array([branch_of(group) for group in groups.tolist()])


def _read_pages(folder: Path) -> tuple[cg.Corpus, np.ndarray]:
    corpus, classes = read_webkb(folder, (*PAGES, *STAFF))
    return corpus, np.where(np.isin(classes, PAGES), classes, "")
