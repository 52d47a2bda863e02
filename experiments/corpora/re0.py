"""The set re0 of Reuters stories, with its words found again in the texts of Reuters-21578.

The file of re0 has counts without words and classes without names. Its rows are the training stories of the
split ModApte whose first topic is one of thirteen, in the order of their numbers (the two topics of money are
one class): the classes of all 1,504 rows agree. So a column is the word whose counts in these stories are the
same. Porter's stems give 2,477 of the 2,886 columns exactly; for the others the word with the nearest counts
is taken if the cosine is at least .9 and no other column has it. The rest stay numbered.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csc_array
from sklearn.feature_extraction.text import CountVectorizer

from experiments.corpora.counted import CountData, read_counts
from experiments.corpora.folder import read_lines
from experiments.corpora.porter import list_stems
from experiments.corpora.reuters import FILE as STORIES

if TYPE_CHECKING:
    from pathlib import Path

FILE = "tmdata_re0.npz"
CLASSES = [
    *("housing", "money", "trade", "reserves", "cpi", "interest", "gnp"),
    *("retail", "ipi", "jobs", "lei", "bop", "wpi"),
]
NEAREST = 0.9


@cache
def read_re0(folder: Path) -> CountData:
    """The counts of re0, its classes by name, and its words; those not found again are numbered."""
    data = read_counts(folder, FILE.removesuffix(".npz"), CLASSES)
    texts, classes = read_stories(folder)
    if classes != data.labels.tolist():
        raise SystemExit(f"the stories of {STORIES} are not the rows of {FILE}; use the files of one source")
    vectorizer = CountVectorizer(analyzer=list_stems)
    counts = csc_array(vectorizer.fit_transform(texts))
    stems = vectorizer.get_feature_names_out()
    places = match_columns(csc_array(data.counts), counts)
    words = [
        str(stems[place]) if place >= 0 else f"re0 {column}" for column, place in enumerate(places.tolist())
    ]
    return CountData(data.counts, data.labels, words)


def read_stories(folder: Path) -> tuple[list[str], list[str]]:
    """The texts and classes of the stories that re0 consists of, in its order."""
    about = "one story in a line, as JSON with the fields topics, modapte, title and text"
    texts, classes = [], []
    for story in read_lines(folder / STORIES, about):
        name = name_class(story["topics"]) if story["modapte"] == "train" else ""
        if name in CLASSES:
            texts.append(f"{story['title']}\n{story['text']}")
            classes.append(name)
    return texts, classes


def name_class(topics: list[str]) -> str:
    """The first topic; money-fx and money-supply are one class."""
    first = topics[0] if topics else ""
    return "money" if first.startswith("money-") else first


def match_columns(columns: csc_array, words: csc_array) -> np.ndarray:
    """By column the word with the nearest counts, -1 if none is near; a word is the nearest of one column."""
    norms = [np.sqrt(np.maximum(matrix.multiply(matrix).sum(axis=0), 1e-12)) for matrix in (columns, words)]
    cosines = (columns.T @ words).toarray() / np.outer(*norms)
    best, nearest = cosines.argmax(axis=1), cosines.max(axis=1)
    places, taken = np.full(len(best), -1), set()
    for column in np.argsort(-nearest, kind="stable").tolist():
        if nearest[column] >= NEAREST and best[column] not in taken:
            places[column] = best[column]
            taken.add(best[column])
    return places
