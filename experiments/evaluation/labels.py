"""1 % labels: `colligate` beside classifiers trained on the same documents, judged on the others.

Accuracy is that of predicted classes for all: a group of `colligate` predicts the class of most labelled
documents in it.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.evaluation.baselines import read_singular_vectors
from experiments.evaluation.corpora import CORPORA, count_classes, count_matrix, list_files, read_network
from experiments.evaluation.fits import fit_network
from experiments.evaluation.statements import User, make_labels
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from experiments.runner.store import Run

    Named = Callable[[str, Path, np.ndarray, int], np.ndarray]

SHARE = 0.01
SEEDS = 10


def predict_by_groups(corpus: str, data: Path, labelled: np.ndarray, seed: int) -> np.ndarray:
    """The names that the groups of `colligate` have."""
    network, labels = read_network(corpus, data)
    knowledge = make_labels(SHARE)(User(network, labels, seed)).knowledge
    groups = np.asarray(fit_network(network, count_classes(labels), knowledge, seed).labels[network.centre])
    names, classes = np.unique(labels, return_inverse=True)
    votes = np.zeros((groups.max() + 2, len(names)))
    np.add.at(votes, (groups[labelled], classes[labelled]), 1.0)
    return np.asarray(names[votes.argmax(axis=1)][groups])


def predict_by_counts(
    make: Callable[[], Any], corpus: str, data: Path, labelled: np.ndarray, _: int
) -> np.ndarray:
    """A classifier that sees counts."""
    network, labels = read_network(corpus, data)
    matrix = _rows(count_matrix(network))
    return np.asarray(make().fit(matrix[labelled], labels[labelled]).predict(matrix))


def predict_by_regression(corpus: str, data: Path, labelled: np.ndarray, _: int) -> np.ndarray:
    """Logistic regression on tf-idf."""
    from sklearn.linear_model import LogisticRegression

    matrix, labels = _compute_tfidf(corpus, data), read_network(corpus, data)[1]
    return np.asarray(
        LogisticRegression(C=10.0, max_iter=300).fit(matrix[labelled], labels[labelled]).predict(matrix)
    )


def predict_by_spreading(corpus: str, data: Path, labelled: np.ndarray, _: int) -> np.ndarray:
    """Label spreading among the nearest neighbours by singular vectors."""
    from sklearn.semi_supervised import LabelSpreading

    names, classes = np.unique(read_network(corpus, data)[1], return_inverse=True)
    partial_labels = np.full(len(classes), -1)
    partial_labels[labelled] = classes[labelled]
    model = LabelSpreading(kernel="knn", n_neighbors=7, max_iter=100).fit(
        read_singular_vectors(corpus, data), partial_labels
    )
    return np.asarray(names[model.transduction_])


def make_multinomial() -> Any:
    from sklearn.naive_bayes import MultinomialNB

    return MultinomialNB()


def make_complement() -> Any:
    from sklearn.naive_bayes import ComplementNB

    return ComplementNB()


OURS = "colligate"
NAMERS: dict[str, Named] = {
    OURS: predict_by_groups,
    "naive Bayes": partial(predict_by_counts, make_multinomial),
    "complement naive Bayes": partial(predict_by_counts, make_complement),
    "logistic regression": predict_by_regression,
    "label spreading": predict_by_spreading,
}


def evaluate_rest(corpus: str, named: Named, data: Path, seed: int) -> Run:
    """The accuracy on the documents without a label."""
    network, labels = read_network(corpus, data)
    labelled = make_labels(SHARE)(User(network, labels, seed)).named
    right = named(corpus, data, labelled, seed) == labels
    right = np.delete(right, labelled)
    return {"accuracy": float(right.mean()), "labels": len(labelled)}


def key(corpus: str, name: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {name}"


@cache
def _compute_tfidf(corpus: str, data: Path) -> Any:
    from sklearn.feature_extraction.text import TfidfTransformer

    matrix = _rows(count_matrix(read_network(corpus, data)[0]))
    return TfidfTransformer(sublinear_tf=True).fit_transform(matrix)


def _rows(matrix: Any) -> Any:
    from scipy.sparse import csr_matrix

    return csr_matrix(matrix)


EXPERIMENT = Experiment(
    name="evaluation.labels",
    paper="own",
    about="colligate and classifiers with 1 % labels on eleven corpora",
    corpora=list_files(CORPORA),
    cells=tuple(
        Measurement(key(corpus, name), partial(evaluate_rest, corpus, named), seeds=SEEDS)
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
