"""`colligate` on short texts, beside k-means and BERTopic on the same word vectors, and GSDMM.

The vector of a text is that of WordLlama: the mean of the vectors of its word pieces, at unit length, with
stop words. `colligate` and GSDMM count the words of the default analyser, without stop words.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from experiments.corpora.short import NAMES as SETS
from experiments.evaluation.baselines import embed_by_words, evaluate_labels, run_bertopic_on, run_kmeans
from experiments.evaluation.corpora import count_classes, count_matrix, list_files, read_network
from experiments.evaluation.fits import fit_network
from experiments.evaluation.gsdmm import run_gsdmm
from experiments.evaluation.markdown import NONE, describe_runs, format_spread, format_table
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from experiments.runner.store import Run

CORPORA = (*SETS, "DBLP titles")
SEEDS = 5
# the two largest sets take minutes for each seed
FEWER_SEEDS = {"short_biomedical": 3, "short_googlenews": 2}
FIGURES = {"NMI": "nmi", "accuracy": "accuracy"}
OURS, WORDS_ALONE, KMEANS, TOPICS, GSDMM = (
    "colligate",
    "colligate, words alone",
    "k-means",
    "BERTopic",
    "GSDMM",
)
HEADINGS = ("`colligate`", "`colligate`, words alone", "k-means", "BERTopic", "GSDMM")
# of SCCL (Zhang et al., NAACL 2021, arXiv 2103.12953); NMI from memory, not checked
PUBLISHED = {
    "short_tweets": {"nmi": 0.892, "accuracy": 0.782},
    "short_biomedical": {"nmi": 0.415, "accuracy": 0.462},
    "short_googlenews": {"nmi": 0.949, "accuracy": 0.898},
}


def run_colligate(embeddings: str | None, corpus: str, data: Path, seed: int) -> Run:
    """`colligate` with or without word vectors, and how many documents it puts in no group."""
    network, labels = read_network(corpus, data)
    result = fit_network(network, count_classes(labels), None, seed, embeddings=embeddings)
    groups = result.labels[network.centre]
    kappa = result.model["kappa"][1:].sum()
    return {
        **evaluate_labels(labels, groups),
        "no_group": int((groups < 0).sum()),
        "kappa": float(kappa),
    }


def run_embedded_kmeans(corpus: str, data: Path, seed: int) -> Run:
    """K-means on the vectors of the texts."""
    return run_kmeans(embed_short_texts(corpus, data), read_network(corpus, data)[1], seed)


def run_embedded_bertopic(corpus: str, data: Path, seed: int) -> Run:
    """BERTopic on the vectors of the texts."""
    return run_bertopic_on(corpus, embed_short_texts(corpus, data), data, seed)


def run_mixture(corpus: str, data: Path, seed: int) -> Run:
    """GSDMM with as many groups as there are classes."""
    network, labels = read_network(corpus, data)
    groups = run_gsdmm(count_matrix(network), count_classes(labels), seed)
    return {**evaluate_labels(labels, groups), "groups": len(np.unique(groups))}


@cache
def embed_short_texts(corpus: str, data: Path) -> np.ndarray:
    """The vectors of WordLlama for whole texts, which all seeds share."""
    known = read_network(corpus, data)[0].corpus
    assert known is not None
    assert known.texts is not None
    return embed_by_words(known.texts)


RUNS: dict[str, Callable[[str, Path, int], Run]] = {
    OURS: partial(run_colligate, "auto"),
    WORDS_ALONE: partial(run_colligate, None),
    KMEANS: run_embedded_kmeans,
    TOPICS: run_embedded_bertopic,
    GSDMM: run_mixture,
}


def key(corpus: str, name: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {name}"


def compose_tables(results: Path) -> list[str]:
    """Every method on every set, and the published figures."""
    kept = StoredRuns.of(EXPERIMENT, results)
    sections = []
    for title, figure in FIGURES.items():
        rows = []
        for corpus in CORPORA:
            published = PUBLISHED.get(corpus, {}).get(figure)
            sccl = NONE if published is None else f"{published:.3f}"
            rows.append((corpus, *(format_spread(kept, key(corpus, name), figure) for name in RUNS), sccl))
        sections += [f"**{title[0].upper()}{title[1:]}.**", format_table(("texts", *HEADINGS, "SCCL"), rows)]
    return [*sections, describe_runs(EXPERIMENT, kept)]


EXPERIMENT = Experiment(
    name="evaluation.short_texts",
    paper="own",
    about="colligate and others on short texts, with the same word vectors",
    corpora=list_files(CORPORA),
    cells=tuple(
        Measurement(key(corpus, name), partial(run, corpus), seeds=FEWER_SEEDS.get(corpus, SEEDS))
        for corpus in CORPORA
        for name, run in RUNS.items()
    ),
    tables=tuple(
        TableSpec(
            f"Short texts: {title}",
            "texts",
            {corpus: {name: Entry(key(corpus, name), figure) for name in RUNS} for corpus in CORPORA},
        )
        for title, figure in FIGURES.items()
    ),
    # without the cell that needs another program
    quick=Quick(tuple(f"short_tweets | {method}" for method in ("colligate", "k-means", "GSDMM"))),
)
