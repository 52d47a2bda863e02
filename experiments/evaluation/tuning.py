"""The constants of `colligate`, with lower and higher values, on the tuning corpora."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.evaluation.ablation import PARTLY_WRONG, Changes, change_constants
from experiments.evaluation.corpora import RESTARTS, CorpusSetting, list_files
from experiments.evaluation.knowledge import FEW, LINKED, MORE, WORDS
from experiments.evaluation.markdown import describe_runs, format_table
from experiments.runner.experiment import Cell, Entry, Experiment, Measurement, Quick, TableSpec
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from pathlib import Path


CORPORA = ("oh0", "oh15", "tr41", "k1a", "la2", "fbis", "hitech")
SEEDS = 1
ALONE = "no knowledge"
# by kind of knowledge and constant, the values tried; the first is the one in use
PARAMETERS: dict[str, tuple[float, ...]] = {
    "concentration": (5.0, 0.0, 2.5, 10.0),
    "smoothing": (1.0, 0.3, 3.0),
}
# the weight of the classifier as the labels left out say, and not the same everywhere
FOUND = None
CONSTANTS: dict[tuple[str, str], tuple[float | None, ...]] = {
    (FEW, "beta"): (FOUND, 0.25, 0.5, 1.0, 2.0),
    (MORE, "beta"): (FOUND, 0.25, 0.5, 1.0, 2.0),
    (MORE, "classifier_c"): (10.0, 3.0, 30.0),
    (MORE, "lambda_max"): (3.0, 1.0, 10.0),
    (MORE, "reliability_power"): (0.2, 1.0, 0.5, 0.05),
    (PARTLY_WRONG, "reliability_power"): (0.2, 1.0, 0.5, 0.05),
    (LINKED, "link_nats"): tuple(factor * float(np.log(100.0)) for factor in (4.0, 1.0, 2.0, 8.0)),
    (WORDS, "seed_scale"): (0.2, 0.1, 0.4),
}
ROWS = [(ALONE, name, value) for name, values in PARAMETERS.items() for value in values] + [
    (kind, name, value) for (kind, name), values in CONSTANTS.items() for value in values
]


def _changes(name: str, value: float | None) -> Changes:
    if name != "beta":
        return {name: value}
    return {} if value is FOUND else {"betas": (value,), "default_beta": value}


def key(corpus: str, kind: str, name: str, value: float | None) -> str:
    """How a cell is called."""
    return f"{corpus} | {kind} | {name} = {_format_value(value)}"


def _format_value(value: float | None) -> str:
    return "found" if value is FOUND else f"{value:.3g}"


def make_cell(corpus: str, kind: str, name: str, value: float | None) -> Cell | Measurement:
    """One value on one corpus."""
    cell_key = key(corpus, kind, name, value)
    if kind == ALONE:
        parameters: dict[str, Any] = {"n_ensemble": RESTARTS, name: value}
        return Cell(cell_key, "colligate", CorpusSetting(corpus), parameters, seeds=SEEDS)
    return Measurement(cell_key, partial(change_constants, corpus, kind, _changes(name, value)), seeds=SEEDS)


def compose_tables(results: Path) -> list[str]:
    """The means over the corpora."""
    kept = StoredRuns.of(EXPERIMENT, results)
    rows = [
        (
            kind,
            name,
            _format_value(value),
            *(_mean(kept, (kind, name, value), of) for of in ("nmi", "accuracy")),
        )
        for kind, name, value in ROWS
    ]
    return [
        format_table(("knowledge", "constant", "value", "NMI", "accuracy"), rows),
        describe_runs(EXPERIMENT, kept),
    ]


def _mean(kept: StoredRuns, row: tuple[str, str, float | None], figure: str) -> str:
    """Of all corpora alike."""
    figures = [list(kept.values(key(corpus, *row), figure).values()) for corpus in CORPORA]
    return f"{np.mean([np.mean(each) for each in figures]):.3f}" if all(figures) else "–"


def _format_row(title: str, figure: str) -> TableSpec:
    rows = {
        f"{kind}, {name} = {_format_value(value)}": {
            corpus: Entry(key(corpus, kind, name, value), figure) for corpus in CORPORA
        }
        for kind, name, value in ROWS
    }
    return TableSpec(title, "constant", rows)


EXPERIMENT = Experiment(
    name="evaluation.tuning",
    paper="own",
    about="the constants of colligate on the corpora they were chosen on",
    corpora=list_files(CORPORA),
    cells=tuple(make_cell(corpus, *row) for corpus in CORPORA for row in ROWS),
    tables=(_format_row("NMI by constants", "nmi"), _format_row("Accuracy by constants", "accuracy")),
    quick=Quick(("oh0 | no knowledge | smoothing = 3",)),
)
