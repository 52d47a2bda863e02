"""Embeddings beside words in `colligate`, and what others make of the same embeddings.

`glove` is the mean of a text's word vectors, `minilm` a model of sentences, with which reading the larger
corpora would take long.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from experiments.own import alone
from experiments.own.fits import fitted
from experiments.own.others import clustered, found_topics, judged, vectors
from experiments.own.sets import WEB, files, n_classes, read
from experiments.own.shown import made, spread, table
from experiments.runner.declared import Entry, Experiment, Other, Quick, Shown
from experiments.runner.kept import Kept

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.kept import Run

GLOVE, SENTENCES = "glove", "minilm"
CORPORA = ("DBLP titles", WEB, "R8")
OURS, KMEANS, TOPICS = "colligate", "k-means", "BERTopic"
SEEDS = 10


def ours(corpus: str, model: str, data: Path, seed: int) -> Run:
    """`colligate` with words and embeddings."""
    network, labels = read(corpus, data)
    result = fitted(network, n_classes(labels), None, seed, embeddings=vectors(corpus, model, data))
    kappa = result.model["kappa"][1:].sum()
    return {**judged(labels, result.labels[network.centre]), "kappa": float(kappa)}


def kmeans(corpus: str, model: str, data: Path, seed: int) -> Run:
    """K-means on the embeddings."""
    return clustered(vectors(corpus, model, data), read(corpus, data)[1], seed)


def topics(corpus: str, model: str, data: Path, seed: int) -> Run:
    """BERTopic on the embeddings."""
    return found_topics(corpus, vectors(corpus, model, data), data, seed)


RUNS = {OURS: ours, KMEANS: kmeans, TOPICS: topics}
# k-means on word vectors is in `own.alone`
NAMES = {GLOVE: (OURS,), SENTENCES: (OURS, KMEANS, TOPICS)}


def key(corpus: str, model: str, name: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {model} | {name}"


def cells() -> tuple[Other, ...]:
    """All of them."""
    return tuple(
        Other(key(corpus, model, name), partial(RUNS[name], corpus, model), seeds=SEEDS)
        for corpus in CORPORA
        for model in NAMES
        for name in NAMES[model]
    )


def tables(results: Path) -> list[str]:
    """Words alone, then each model, by NMI."""
    kept, words = Kept.of(EXPERIMENT, results), Kept.of(alone.EXPERIMENT, results)
    rows = []
    for corpus in CORPORA:
        bare, means = (spread(words, alone.key(corpus, name), "nmi") for name in (alone.OURS, alone.GLOVE))
        glove, *sentences = (
            spread(kept, key(corpus, model, name), "nmi") for model in NAMES for name in NAMES[model]
        )
        rows.append((corpus, bare, glove, means, *sentences))
    headings = (
        "corpus",
        "`colligate`, words alone",
        "with GloVe",
        "GloVe + k-means",
        "`colligate` with MiniLM",
        "MiniLM + k-means",
        "BERTopic on MiniLM",
    )
    return [table(headings, rows), made(EXPERIMENT, kept)]


COLUMNS = {"NMI": "nmi", "accuracy": "accuracy"}
EXPERIMENT = Experiment(
    name="own.embedded",
    paper="own",
    about="colligate with embeddings beside words, and others on the same embeddings",
    corpora=files(CORPORA),
    cells=cells(),
    tables=(
        Shown(
            "Embeddings",
            "cell",
            {one.key: {told: Entry(one.key, figure) for told, figure in COLUMNS.items()} for one in cells()},
        ),
    ),
    quick=Quick(("DBLP titles | glove | colligate",)),
)
