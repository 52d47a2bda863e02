"""`colligate` without knowledge but that subjects are of very different sizes, whether they are or not."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from experiments.own import alone
from experiments.own.fits import fitted
from experiments.own.others import judged
from experiments.own.sets import CORPORA, files, n_classes, read
from experiments.own.shown import made, spread, table
from experiments.runner.declared import Entry, Experiment, Other, Quick, Shown
from experiments.runner.kept import Kept

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.kept import Run

SEEDS = 10
FIGURES = {"NMI": "nmi", "accuracy": "accuracy"}


def ours(corpus: str, data: Path, seed: int) -> Run:
    """The figures, and the share of the largest class."""
    network, labels = read(corpus, data)
    result = fitted(network, n_classes(labels), None, seed, uneven_sizes=True)
    largest = np.unique(labels, return_counts=True)[1].max() / len(labels)
    return {**judged(labels, result.labels[network.centre]), "largest": float(largest)}


def tables(results: Path) -> list[str]:
    """By corpus, the one with the largest class first."""
    kept, plain = Kept.of(EXPERIMENT, results), Kept.of(alone.EXPERIMENT, results)
    rows = []
    for corpus in sorted(CORPORA, key=lambda corpus: -_largest(kept, corpus)):
        row = [corpus, f"{_largest(kept, corpus):.2f}"]
        for figure in FIGURES.values():
            row += [spread(plain, alone.key(corpus, alone.OURS), figure), spread(kept, corpus, figure)]
        rows.append(row)
    heads = [head for figure in FIGURES for head in (figure, f"{figure}, `uneven_sizes`")]
    return [table(("corpus", "largest class", *heads), rows), made(EXPERIMENT, kept)]


def _largest(kept: Kept, corpus: str) -> float:
    return max(kept.values(corpus, "largest").values(), default=0.0)


EXPERIMENT = Experiment(
    name="own.uneven",
    paper="own",
    about="colligate with uneven_sizes, on eleven corpora",
    corpora=files(CORPORA),
    cells=tuple(Other(corpus, partial(ours, corpus), seeds=SEEDS) for corpus in alone.SMALL_FIRST),
    tables=(
        Shown(
            "With uneven_sizes",
            "corpus",
            {corpus: {name: Entry(corpus, of) for name, of in FIGURES.items()} for corpus in CORPORA},
        ),
    ),
    quick=Quick(("CSTR",)),
)
