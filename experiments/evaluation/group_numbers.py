"""The suggested number of groups, beside the number of classes and the minima of description lengths.

Description lengths choose from a list of numbers, up to 32 and up to 100. They are those of short runs of the
mixture of `colligate` with each number; the co-clusters are those of `itcc` with one start. Only that start
is random, so one seed is enough. The mutual information is that of a full run with the suggested number,
and with the number of classes.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

import colligate as cg
from colligate.methods.colligate import Colligate
from colligate.methods.mixture.problem import first_groups
from colligate.result.metrics import evaluate
from experiments.evaluation.corpora import CORPORA, count_classes, count_matrix, list_files, read_network
from experiments.evaluation.description_length import co_clusters, every_word, words_in_use
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from experiments.runner.store import Run

    Curve = list[tuple[int, float]]

NUMBERS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 26, 32, 40, 52, 64, 80, 100)
MIN_GROUP_SIZE = 5
WIDER = 100
LIMITS = {32: "groups", WIDER: "groups_of_more"}
OURS = "suggested"


def suggest_numbers(corpus: str, data: Path, seed: int) -> Run:
    """What is suggested up to each limit."""
    network, labels = read_network(corpus, data)
    suggestions = {name: cg.suggest_clusters(network, most=most) for most, name in LIMITS.items()}
    numbers: Run = {name: one.n_clusters for name, one in suggestions.items()}
    widest, n_classes = suggestions[LIMITS[WIDER]], count_classes(labels)
    return {
        **numbers,
        "classes": n_classes,
        "is_clear": widest.is_clear,
        "plausible": [one.n_clusters for one in widest.plausible],
        "nmi": measure_groups(network, labels, widest.n_clusters, seed),
        "nmi_of_classes": measure_groups(network, labels, n_classes, seed),
        "curve": widest.curve,
    }


def measure_groups(network: cg.Network, labels: np.ndarray, n_clusters: int, seed: int) -> float:
    """The mutual information of groups and classes, with so many groups."""
    result = cg.make("colligate", n_clusters=n_clusters, random_state=seed).fit(network).result_
    return evaluate(labels, result.labels[network.centre])["nmi"]


def minimise_lengths(curve: Callable[[str, Path], Curve], corpus: str, data: Path, seed: int) -> Run:
    """Where a description length is lowest up to each limit."""
    lengths = curve(corpus, data)
    numbers: Run = {name: find_minimum(lengths, most) for most, name in LIMITS.items()}
    return {**numbers, "classes": count_classes(read_network(corpus, data)[1]), "curve": lengths}


def find_minimum(curve: Curve, most: int) -> int:
    """The number up to a limit at which a curve is lowest."""
    return min((pair for pair in curve if pair[0] <= most), key=lambda pair: pair[1])[0]


@cache
def group_for_each_number(corpus: str, data: Path) -> list[tuple[int, np.ndarray]]:
    """The groups of a short run with each number."""
    method = Colligate(n_clusters=1, concentration=5.0, length_exponent=0.5, embeddings=None)
    method.constants = replace(method.constants, n_gain_runs=0)
    network = read_network(corpus, data)[0]
    largest = np.count_nonzero(network.nonempty(network.centre)) // MIN_GROUP_SIZE
    with threadpool_limits(1):
        problem = method.problem(network, {})
        return [
            (number, first_groups(problem.with_groups(number)).argmax(axis=1))
            for number in NUMBERS
            if number <= largest
        ]


def group_by_mixtures(length: Callable[[Any, np.ndarray], float], corpus: str, data: Path) -> Curve:
    """The length of the groups of each number."""
    matrix = count_matrix(read_network(corpus, data)[0])
    return [(number, length(matrix, groups)) for number, groups in group_for_each_number(corpus, data)]


def group_by_co_clusters(corpus: str, data: Path) -> Curve:
    """The length of the co-clusters of `itcc`, of which there are six of words for each of documents."""
    network, curve = read_network(corpus, data)[0], []
    for number, _ in group_for_each_number(corpus, data):
        model = cg.make("itcc", n_clusters=number, n_init=1, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            result = model.fit(network).result_
        groups, of_words = (np.maximum(result.labels[kind], 0) for kind in ("documents", "words"))
        curve.append((number, co_clusters(count_matrix(network), groups, of_words)))
    return curve


WAYS: dict[str, Callable[[str, Path, int], Run]] = {
    OURS: suggest_numbers,
    "every word": partial(minimise_lengths, partial(group_by_mixtures, every_word)),
    "words in use": partial(minimise_lengths, partial(group_by_mixtures, words_in_use)),
    "co-clusters": partial(minimise_lengths, group_by_co_clusters),
}


def key(corpus: str, way: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {way}"


EXPERIMENT = Experiment(
    name="evaluation.group_numbers",
    paper="own",
    about="the number of groups suggested, and where description lengths are least, on eleven corpora",
    corpora=list_files(CORPORA),
    cells=tuple(
        Measurement(key(corpus, way), partial(find, corpus))
        for corpus in reversed(CORPORA)
        for way, find in WAYS.items()
    ),
    tables=tuple(
        TableSpec(
            f"Number of groups, up to {most}",
            "corpus",
            {
                corpus: {"classes": Entry(key(corpus, OURS), "classes")}
                | {way: Entry(key(corpus, way), name) for way in WAYS}
                for corpus in CORPORA
            },
        )
        for most, name in LIMITS.items()
    ),
    seeds=1,
    quick=Quick(("CSTR | ",)),
)
