"""Entities in 20 Newsgroups with four knowledge bases and their union: Figure 4 of the world paper (2015).

The first table counts the results of linking with default parameters; the paper draws its figure without
numbers. *mentions for a word* is the number of mentions per word of the documents. The second table has the
accuracy of a classifier with all labels (multinomial naive Bayes, three-fold cross-validation) over the
documents with an entity. It shows how much information about the groups entities have, and how much of it
words do not have.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import MultinomialNB

import colligate as cg
from colligate.result.metrics import evaluate
from experiments.corpora.newsgroups import FILE
from experiments.knowledge_bases import list_sources
from experiments.linked_news import link_news, read_news
from experiments.paper003 import make_features
from experiments.runner.experiment import Entry, Experiment, Measurement, TableSpec

if TYPE_CHECKING:
    from pathlib import Path

    from scipy import sparse

    from colligate.entities.tables import Table

CLASSIFIED = ("freebase", "figer", "yago", "dbpedia")
BASES = (*CLASSIFIED, "union")
SEVERAL = 3
FOUND = {
    "documents ≥ 1": "documents",
    f"documents ≥ {SEVERAL}": "several",
    "mentions": "mentions",
    "entities": "entities",
    "sub-types": "subtypes",
    "triples": "triples",
    "distinct triples": "distinct",
    "mentions for a word": "of_words",
}
TOLD = {
    "documents": "documents",
    "words": "told_by_words",
    "entities": "told_by_entities",
    "sub-types": "told_by_subtypes",
    "words and entities": "told_by_both",
}


def evaluate_subtypes(mentions: Table) -> Table:
    """The same mentions as objects of one type, which are the sub-types."""
    columns = (mentions[name] for name in ("document", "type", "subtype", "count"))
    rows = [
        (document, f"{kind}: {subtype}", count)
        for document, kind, subtypes, count in zip(*columns, strict=True)
        for subtype in subtypes
    ]
    names = ("document", "name", "count")
    table: Table = {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    return table | {"type": ["sub-types"] * len(rows)}


def predict_groups(matrix: sparse.csr_array, labels: np.ndarray) -> np.ndarray:
    """The group of each document as told by the others, with their labels."""
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    return np.asarray(cross_val_predict(MultinomialNB(alpha=0.1), matrix, labels, cv=folds))


def measure_information(corpus: cg.Corpus, labels: np.ndarray, mentions: Table) -> dict[str, float]:
    """What words, entities and sub-types tell of the groups of the documents that have any entity."""
    every = make_features(cg.Network.from_tables(corpus, mentions))
    n_words = len(corpus.words)
    parts = {
        "words": every[:, :n_words],
        "entities": every[:, n_words:],
        "subtypes": make_features(cg.Network.from_tables(corpus, evaluate_subtypes(mentions)))[:, n_words:],
        "both": every,
    }
    has_entities = np.diff(parts["entities"].indptr) > 0
    guesses = {name: predict_groups(part, labels)[has_entities] for name, part in parts.items()}
    accuracy = {
        f"told_by_{name}": float(np.mean(guess == labels[has_entities])) for name, guess in guesses.items()
    }
    return {"nmi": evaluate(labels[has_entities], guesses["entities"])["nmi"], **accuracy}


def count_entities(base: str, data: Path, _: int) -> dict[str, Any]:
    """All figures of one knowledge base."""
    (corpus, labels), linking = read_news(None, data), link_news(base, None, data)
    mentions, entities = linking.mentions, linking.entities
    spoken = Counter(mentions["document"])
    ends = zip(*(linking.relations[name] for name in ("head", "relation", "tail")), strict=True)
    return {
        "documents": len(spoken) / len(corpus),
        "several": sum(many >= SEVERAL for many in spoken.values()) / len(corpus),
        "mentions": sum(mentions["count"]),
        "entities": len(entities["entity"]),
        "types": dict(Counter(entities["type"]).most_common()),
        "subtypes": len(set(chain.from_iterable(entities["subtype"]))),
        "triples": len(linking.triples),
        "distinct": len(set(ends)),
        "of_words": sum(mentions["count"]) / float(corpus.counts.sum()),
        **(measure_information(corpus, labels, mentions) if base in CLASSIFIED else {}),
    }


def make_table(title: str, columns: dict[str, str], bases: tuple[str, ...], of: str = "") -> TableSpec:
    """A row for every base."""
    rows = {base: {head: Entry(base, figure) for head, figure in columns.items()} for base in bases}
    return TableSpec(title, "base", rows, of=of)


EXPERIMENT = Experiment(
    name="paper003_entities",
    paper="003",
    about="what linking finds in the newsgroups, by knowledge base",
    corpora=(FILE, *list_sources(*BASES)),
    cells=tuple(Measurement(base, partial(count_entities, base)) for base in BASES),
    tables=(
        make_table("Entities of 20 Newsgroups", FOUND, BASES, "003 Figure 4"),
        make_table("Accuracy of a classifier that KNOWS THE LABELS, by what it sees", TOLD, CLASSIFIED),
    ),
    seeds=1,
)
