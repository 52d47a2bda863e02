"""Embeddings beside words in `colligate`, and other methods on the same embeddings.

`glove` is the mean of a text's word vectors, `minilm` a sentence model, which would take long on the larger
corpora.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from experiments.evaluation import no_knowledge
from experiments.evaluation.baselines import embed_corpus, evaluate_labels, run_bertopic_on, run_kmeans
from experiments.evaluation.corpora import WEB, count_classes, list_files, read_network
from experiments.evaluation.fits import fit_network
from experiments.evaluation.markdown import describe_runs, format_spread, format_table
from experiments.runner.experiment import Entry, Experiment, Measurement, TableSpec
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.store import Run

GLOVE, SENTENCES = "glove", "minilm"
CORPORA = ("DBLP titles", WEB, "R8")
OURS, KMEANS, TOPICS = "colligate", "k-means", "BERTopic"
SEEDS = 10


def run_colligate(corpus: str, model: str, data: Path, seed: int) -> Run:
    """`colligate` with words and embeddings."""
    network, labels = read_network(corpus, data)
    result = fit_network(
        network, count_classes(labels), None, seed, embeddings=embed_corpus(corpus, model, data)
    )
    kappa = result.model["kappa"][1:].sum()
    return {**evaluate_labels(labels, result.labels[network.centre]), "kappa": float(kappa)}


def run_embedded_kmeans(corpus: str, model: str, data: Path, seed: int) -> Run:
    """K-means on the embeddings."""
    return run_kmeans(embed_corpus(corpus, model, data), read_network(corpus, data)[1], seed)


def run_embedded_bertopic(corpus: str, model: str, data: Path, seed: int) -> Run:
    """BERTopic on the embeddings."""
    return run_bertopic_on(corpus, embed_corpus(corpus, model, data), data, seed)


RUNS = {OURS: run_colligate, KMEANS: run_embedded_kmeans, TOPICS: run_embedded_bertopic}
# k-means on word vectors is in `evaluation.no_knowledge`
NAMES = {GLOVE: (OURS,), SENTENCES: (OURS, KMEANS, TOPICS)}


def key(corpus: str, model: str, name: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {model} | {name}"


def make_cells() -> tuple[Measurement, ...]:
    """All of them."""
    return tuple(
        Measurement(key(corpus, model, name), partial(RUNS[name], corpus, model), seeds=SEEDS)
        for corpus in CORPORA
        for model in NAMES
        for name in NAMES[model]
    )


def compose_tables(results: Path) -> list[str]:
    """Words alone, then each model, by NMI."""
    kept, words = StoredRuns.of(EXPERIMENT, results), StoredRuns.of(no_knowledge.EXPERIMENT, results)
    rows = []
    for corpus in CORPORA:
        bare, means = (
            format_spread(words, no_knowledge.key(corpus, name), "nmi")
            for name in (no_knowledge.OURS, no_knowledge.GLOVE)
        )
        glove, *sentences = (
            format_spread(kept, key(corpus, model, name), "nmi") for model in NAMES for name in NAMES[model]
        )
        rows.append((corpus, bare, glove, means, *sentences))
    headings = (
        "corpus",
        "`colligate`, its defaults",
        "with GloVe",
        "GloVe + k-means",
        "`colligate` with MiniLM",
        "MiniLM + k-means",
        "BERTopic on MiniLM",
    )
    return [format_table(headings, rows), describe_runs(EXPERIMENT, kept)]


COLUMNS = {"NMI": "nmi", "accuracy": "accuracy"}
EXPERIMENT = Experiment(
    name="evaluation.embeddings",
    paper="own",
    about="colligate with embeddings beside words, and others on the same embeddings",
    corpora=list_files(CORPORA),
    cells=make_cells(),
    tables=(
        TableSpec(
            "Embeddings",
            "cell",
            {
                one.key: {title: Entry(one.key, figure) for title, figure in COLUMNS.items()}
                for one in make_cells()
            },
        ),
    ),
)
