"""HT1 to HT7 of the triplet paper: documents of several classes, which belong to a few categories.

HT1 to HT5 are classes of two of the sets that the paper used, with the counts of Porter's stems that these
sets come with: oh15 (abstracts of MEDLINE) or wap (pages of Yahoo!), and re0 (stories of Reuters), whose
words `experiments.corpora.re0` finds again. Both parts share the words that both have. Our HT1 has 883
documents instead of 899. The paper says that HT4 is from oh5, which has other classes; taken from oh15 it has
the published number. HT6 and HT7 are random posts, as many of each group as published, drawn for each seed
from the release "bydate".
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

import colligate as cg
from experiments.corpora import re0
from experiments.corpora.counted import CountData, count_corpus, join_words, read_counts
from experiments.corpora.newsgroups import FILE, read_newsgroups
from experiments.mutual_information import informative_words

if TYPE_CHECKING:
    from pathlib import Path

Parts = tuple[tuple[str, tuple[str, ...]], ...]
STORED: dict[str, Parts] = {
    "HT1": (("oh15", ("Adenosine-Diphosphate", "Aluminum", "Cell-Movement")), ("re0", ("cpi", "money"))),
    "HT2": (
        ("oh15", ("Blood-Coagulation-Factors", "Enzyme-Activation", "Staphylococcal-Infections")),
        ("re0", ("jobs", "reserves")),
    ),
    "HT3": (
        ("oh15", ("Aluminum", "Blood-Coagulation-Factors", "Blood-Vessels")),
        ("re0", ("housing", "retail")),
    ),
    "HT4": (("oh15", ("Aluminum", "Cell-Movement", "Staphylococcal-Infections")), ("re0", ("cpi", "wpi"))),
    "HT5": (("wap", ("Media", "Film", "Music")), ("re0", ("cpi", "jobs"))),
}
POSTED: dict[str, tuple[int, Parts]] = {
    "HT6": (
        100,
        (
            ("sport", ("rec.sport.baseball", "rec.sport.hockey")),
            ("politics", ("talk.politics.guns", "talk.politics.mideast", "talk.politics.misc")),
        ),
    ),
    "HT7": (
        50,
        (
            ("computers", ("comp.graphics", "comp.os.ms-windows.misc")),
            ("vehicles", ("rec.autos", "rec.motorcycles")),
            ("science", ("sci.crypt", "sci.electronics")),
        ),
    ),
}
NAMES = (*STORED, *POSTED)
# as published: of the words, and of the words that speak for a class
MOST_WORDS = 1_000


@cache
def read_triplet(folder: Path, name: str, seed: int) -> CountData:
    """The documents of a set, with all words."""
    if name in POSTED:
        return _read_post_triplet(folder, name, seed)
    return join_words(*(_read_classes(folder, source, names) for source, names in STORED[name]))


def select_words(folder: Path, name: str, seed: int = 0) -> tuple[cg.Corpus, np.ndarray]:
    """The same as a corpus, with the words that occur."""
    data = read_triplet(folder, name, seed)
    used = np.flatnonzero(np.bincount(data.counts.indices, minlength=data.counts.shape[1]))
    words = [str(data.words[position]) for position in used.tolist()]
    return cg.Corpus.from_counts(csr_array(data.counts[:, used]), words), data.labels


def list_files(name: str) -> tuple[str, ...]:
    """The files of the data folder that a set is made of."""
    if name in POSTED:
        return (FILE,)
    return (*(f"tmdata_{source}.npz" for source, _ in STORED[name]), re0.STORIES)


def list_categories(name: str) -> np.ndarray:
    """The category of each class, in the order of the names of the classes."""
    above = {group: category for category, names in _parts(name) for group in names}
    return np.array([above[group] for group in list_classes(name)])


def list_classes(name: str) -> list[str]:
    """The names of the classes of a set, in their order."""
    return sorted(group for _, names in _parts(name) for group in names)


def count_categories(data: CountData, known: np.ndarray) -> csr_array:
    """Documents × classes: the share of the words that speak for a class which a document has.

    Which words do is learned from the documents whose classes are `known`.
    """
    counts, labels = data.counts[known], data.labels[known]
    columns = []
    for name in np.unique(data.labels):
        words = informative_words(counts, labels == name, MOST_WORDS)
        columns.append(np.diff(csr_array(data.counts[:, words]).indptr) / MOST_WORDS)
    return csr_array(np.column_stack(columns))


def draw_labelled(labels: np.ndarray, share: float, seed: int) -> np.ndarray:
    """Documents of each class, so many that the pairs among them are a share of all pairs."""
    rng = np.random.default_rng([seed, round(1_000 * share)])
    is_labelled = np.zeros(len(labels), dtype=bool)
    for name in np.unique(labels):
        members = np.flatnonzero(labels == name)
        is_labelled[rng.permutation(members)[: max(1, round(np.sqrt(share) * len(members)))]] = True
    return is_labelled


def _parts(name: str) -> Parts:
    return POSTED[name][1] if name in POSTED else STORED[name]


def _read_classes(folder: Path, source: str, names: tuple[str, ...]) -> CountData:
    data = re0.read_re0(folder) if source == "re0" else read_counts(folder, f"tmdata_{source}")
    return data.of_documents(np.flatnonzero(np.isin(data.labels, names)))


def _read_post_triplet(folder: Path, name: str, seed: int) -> CountData:
    each, parts = POSTED[name]
    groups = tuple(group for _, names in parts for group in names)
    data, rng = _read_posts(folder, groups), np.random.default_rng(seed)
    drawn = [rng.permutation(np.flatnonzero(data.labels == group))[:each] for group in groups]
    return data.of_documents(np.sort(np.concatenate(drawn)))


@cache
def _read_posts(folder: Path, groups: tuple[str, ...]) -> CountData:
    return count_corpus(*read_newsgroups(folder, groups, 2))
