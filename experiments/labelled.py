"""The sets of the paper on outsiders (2011): documents of one of the wanted classes, and outsiders.

Documents and outsiders, beside those of the paper's Table 2: 20 Newsgroups 16,075 and 2,768 (16,060 and
2,768); WebKB 4,199 and 3,660 (3,223, of five classes, and 3,660); RCV1, of which there is but a sample, 857
and 1,453 (19,619 and 7,592); Reuters-21578, stories with a body: of the six largest topics 8,098 and 2,192
(8,050 and 2,192), of the next ten 1,701 and 4,233 (1,689 and 4,233). The paper does not name its topics;
these give its sizes. Words are the most frequent, as many as there, but not stemmed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

import colligate as cg
from experiments.data import lines, newsgroups

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

NEWS, WEB, RCV1, LARGEST, NEXT = "20 newsgroups", "WebKB", "RCV1", "Reuters, 6 largest", "Reuters, next 10"
SUPERGROUPS = ("comp", "rec", "sci", "talk")
PAGES, STAFF = ("course", "faculty", "project", "student"), ("other", "staff")
STORIES = ("ECAT", "C151", "M14")
# words and outsiders of the paper's Table 2
WORDS = {NEWS: 6600, WEB: 4560, RCV1: 8625, LARGEST: 927, NEXT: 927}
OUTSIDERS = {NEWS: 2768, WEB: 3660, RCV1: 7592, LARGEST: 2192, NEXT: 4233}


@dataclass(frozen=True, eq=False)
class Labelled:
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
def labelled(name: str, folder: Path) -> Labelled:
    """One of the sets, by its name."""
    read: dict[str, Callable[[Path], tuple[csr_array, np.ndarray]]] = {
        NEWS: _supergroups,
        WEB: _pages,
        RCV1: _stories,
        LARGEST: lambda data: _reuters(data, 0, 6),
        NEXT: lambda data: _reuters(data, 6, 16),
    }
    counts, classes = read[name](folder)
    return _chosen(counts, classes, WORDS[name], OUTSIDERS[name])


def _chosen(counts: csr_array, classes: np.ndarray, n_words: int, n_outsiders: int) -> Labelled:
    """Some of the outsiders (of no class, ""), drawn at random, and the words that most documents have."""
    outside = np.flatnonzero(classes == "")
    drawn = np.random.default_rng(0).permutation(outside)[:n_outsiders]
    kept = np.sort(np.concatenate([np.flatnonzero(classes != ""), drawn]))
    counts = csr_array(counts[kept])
    documents = np.bincount(counts.indices, minlength=counts.shape[1])
    words = np.sort(np.argsort(-documents, kind="stable")[:n_words])
    return Labelled(csr_array(counts[:, words]), classes[kept], classes[kept] != "")


def _supergroups(folder: Path) -> tuple[csr_array, np.ndarray]:
    corpus, groups = newsgroups(folder, None, 5)
    tops = [group.split(".")[0] for group in groups.tolist()]
    return corpus.counts, np.array([top if top in SUPERGROUPS else "" for top in tops])


def _pages(folder: Path) -> tuple[csr_array, np.ndarray]:
    about = "one page in a line, as JSON with the fields url, label, university, title and text"
    pages = [page for page in lines(folder / "webkb.jsonl.gz", about) if page["label"] in (*PAGES, *STAFF)]
    classes = [page["label"] if page["label"] in PAGES else "" for page in pages]
    return _counted([page["text"] for page in pages]), np.array(classes)


def _stories(folder: Path) -> tuple[csr_array, np.ndarray]:
    about = "one story in a line, as JSON with the fields id, topics and bow"
    stories = list(lines(folder / "rcv1_sample_bow.jsonl.gz", about))
    texts = [" ".join(" ".join([word] * count) for word, count in story["bow"].items()) for story in stories]
    return _of_one(_counted(texts), [set(story["topics"]) for story in stories], STORIES)


def _reuters(folder: Path, first: int, last: int) -> tuple[csr_array, np.ndarray]:
    """Stories with a body and a topic; wanted are the topics between two places by their size."""
    about = "one story in a line, as JSON with the fields id, topics, title and text"
    stories = [story for story in lines(folder / "reuters21578.jsonl.gz", about) if story["text"]]
    sizes = Counter(topic for story in stories for topic in story["topics"])
    wanted = [topic for topic, _ in sizes.most_common(last)][first:]
    stories = [story for story in stories if story["topics"]]
    texts = [f"{story['title']}\n{story['text']}" for story in stories]
    return _of_one(_counted(texts), [set(story["topics"]) for story in stories], wanted)


def _of_one(
    counts: csr_array, topics: Sequence[set[Any]], wanted: Sequence[str]
) -> tuple[csr_array, np.ndarray]:
    """The class of documents with one of the wanted topics, "" for none; those with several are left out."""
    found = [[topic for topic in wanted if topic in own] for own in topics]
    kept = np.flatnonzero([len(own) < 2 for own in found])
    return csr_array(counts[kept]), np.array([found[at][0] if found[at] else "" for at in kept.tolist()])


def _counted(texts: list[str]) -> csr_array:
    return cg.Corpus.from_texts(texts, analyser=cg.Analyser(min_df=2)).counts
