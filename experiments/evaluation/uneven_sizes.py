"""`colligate` without knowledge and with `uneven_sizes`, on corpora with even and uneven sizes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from experiments.evaluation import no_knowledge
from experiments.evaluation.baselines import evaluate_labels
from experiments.evaluation.corpora import CORPORA, count_classes, list_files, read_network
from experiments.evaluation.fits import fit_network
from experiments.evaluation.markdown import describe_runs, format_spread, format_table
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.store import Run

SEEDS = 10
FIGURES = {"NMI": "nmi", "accuracy": "accuracy"}


def run_colligate(corpus: str, data: Path, seed: int) -> Run:
    """The figures, and the share of the largest class."""
    network, labels = read_network(corpus, data)
    result = fit_network(network, count_classes(labels), None, seed, uneven_sizes=True)
    largest = np.unique(labels, return_counts=True)[1].max() / len(labels)
    return {**evaluate_labels(labels, result.labels[network.centre]), "largest": float(largest)}


def compose_tables(results: Path) -> list[str]:
    """By corpus, the one with the largest class first."""
    kept, plain = StoredRuns.of(EXPERIMENT, results), StoredRuns.of(no_knowledge.EXPERIMENT, results)
    rows = []
    for corpus in sorted(CORPORA, key=lambda corpus: -_largest_share(kept, corpus)):
        row = [corpus, f"{_largest_share(kept, corpus):.2f}"]
        for figure in FIGURES.values():
            row += [
                format_spread(plain, no_knowledge.key(corpus, no_knowledge.OURS), figure),
                format_spread(kept, corpus, figure),
            ]
        rows.append(row)
    heads = [head for figure in FIGURES for head in (figure, f"{figure}, `uneven_sizes`")]
    return [format_table(("corpus", "largest class", *heads), rows), describe_runs(EXPERIMENT, kept)]


def _largest_share(kept: StoredRuns, corpus: str) -> float:
    return max(kept.values(corpus, "largest").values(), default=0.0)


EXPERIMENT = Experiment(
    name="evaluation.uneven_sizes",
    paper="own",
    about="colligate with uneven_sizes, on eleven corpora",
    corpora=list_files(CORPORA),
    cells=tuple(
        Measurement(corpus, partial(run_colligate, corpus), seeds=SEEDS)
        for corpus in no_knowledge.SMALL_FIRST
    ),
    tables=(
        TableSpec(
            "With uneven_sizes",
            "corpus",
            {corpus: {name: Entry(corpus, of) for name, of in FIGURES.items()} for corpus in CORPORA},
        ),
    ),
    quick=Quick(("CSTR",)),
)
