"""1 % labels: `colligate` beside classifiers that learn from the same documents, on the others.

Accuracy is of names, for all alike: a group of `colligate` has the name of most labelled documents in it.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.evaluation.baselines import read_singular_vectors
from experiments.evaluation.corpora import CORPORA, counts, files, n_classes, read
from experiments.evaluation.fits import fitted
from experiments.evaluation.statements import User, document_labels
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from experiments.runner.store import Run

    Named = Callable[[str, Path, np.ndarray, int], np.ndarray]

SHARE = 0.01
SEEDS = 10


def by_groups(corpus: str, data: Path, told: np.ndarray, seed: int) -> np.ndarray:
    """The names that the groups of `colligate` have."""
    network, labels = read(corpus, data)
    knowledge = document_labels(SHARE)(User(network, labels, seed)).knowledge
    groups = np.asarray(fitted(network, n_classes(labels), knowledge, seed).labels[network.centre])
    names, at = np.unique(labels, return_inverse=True)
    votes = np.zeros((groups.max() + 2, len(names)))
    np.add.at(votes, (groups[told], at[told]), 1.0)
    return np.asarray(names[votes.argmax(axis=1)][groups])


def by_counts(make: Callable[[], Any], corpus: str, data: Path, told: np.ndarray, _: int) -> np.ndarray:
    """A classifier that sees counts."""
    network, labels = read(corpus, data)
    matrix = _rows(counts(network))
    return np.asarray(make().fit(matrix[told], labels[told]).predict(matrix))


def by_regression(corpus: str, data: Path, told: np.ndarray, _: int) -> np.ndarray:
    """Logistic regression on tf-idf."""
    from sklearn.linear_model import LogisticRegression

    matrix, labels = _tfidf(corpus, data), read(corpus, data)[1]
    return np.asarray(
        LogisticRegression(C=10.0, max_iter=300).fit(matrix[told], labels[told]).predict(matrix)
    )


def by_spreading(corpus: str, data: Path, told: np.ndarray, _: int) -> np.ndarray:
    """Label spreading among the nearest neighbours by singular vectors."""
    from sklearn.semi_supervised import LabelSpreading

    names, at = np.unique(read(corpus, data)[1], return_inverse=True)
    given = np.full(len(at), -1)
    given[told] = at[told]
    model = LabelSpreading(kernel="knn", n_neighbors=7, max_iter=100).fit(
        read_singular_vectors(corpus, data), given
    )
    return np.asarray(names[model.transduction_])


def multinomial() -> Any:
    from sklearn.naive_bayes import MultinomialNB

    return MultinomialNB()


def complement() -> Any:
    from sklearn.naive_bayes import ComplementNB

    return ComplementNB()


OURS = "colligate"
NAMERS: dict[str, Named] = {
    OURS: by_groups,
    "naive Bayes": partial(by_counts, multinomial),
    "complement naive Bayes": partial(by_counts, complement),
    "logistic regression": by_regression,
    "label spreading": by_spreading,
}


def rest(corpus: str, named: Named, data: Path, seed: int) -> Run:
    """The accuracy on the documents without a label."""
    network, labels = read(corpus, data)
    told = document_labels(SHARE)(User(network, labels, seed)).named
    right = named(corpus, data, told, seed) == labels
    right = np.delete(right, told)
    return {"accuracy": float(right.mean()), "labels": len(told)}


def key(corpus: str, name: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {name}"


@cache
def _tfidf(corpus: str, data: Path) -> Any:
    from sklearn.feature_extraction.text import TfidfTransformer

    matrix = _rows(counts(read(corpus, data)[0]))
    return TfidfTransformer(sublinear_tf=True).fit_transform(matrix)


def _rows(matrix: Any) -> Any:
    from scipy.sparse import csr_matrix

    return csr_matrix(matrix)


EXPERIMENT = Experiment(
    name="evaluation.labels",
    paper="own",
    about="colligate and classifiers with 1 % labels on eleven corpora",
    corpora=files(CORPORA),
    cells=tuple(
        Measurement(key(corpus, name), partial(rest, corpus, named), seeds=SEEDS)
        for corpus in reversed(CORPORA)
        for name, named in NAMERS.items()
    ),
    tables=(
        TableSpec(
            "Accuracy with 1 % labels, on the documents without",
            "corpus",
            {corpus: {name: Entry(key(corpus, name), "accuracy") for name in NAMERS} for corpus in CORPORA},
        ),
    ),
    quick=Quick(("CSTR | naive", "CSTR | colligate")),
)
