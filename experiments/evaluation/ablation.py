"""An ablation of `colligate`: one part is left out, or fixed, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.methods.mixture.constants import Constants
from colligate.result.metrics import evaluate
from experiments.evaluation.corpora import (
    NEWS,
    RESTARTS,
    WEB,
    CorpusSetting,
    count_classes,
    list_files,
    read_network,
)
from experiments.evaluation.fits import fit_network, fit_with_statements
from experiments.evaluation.knowledge import KINDS, LINKED, MORE, WORDS
from experiments.runner.experiment import Cell, Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from experiments.runner.store import Run

CORPORA = (NEWS, WEB, "la1", "re0")
WHOLE = "complete"
PARAMETERS: dict[str, dict[str, Any]] = {
    WHOLE: {},
    "no directions": {"concentration": 0.0},
    "one run": {"n_ensemble": 1},
    "exponent .5": {"length_exponent": 0.5},
    "exponent 1": {"length_exponent": 1.0},
    "smoothing .1": {"smoothing": 0.1},
    "no word vectors": {"embeddings": None},
}
# other values of the method's constants; a grid of one value is not estimated
Changes = dict[str, Any]
STARTS: dict[str, Changes] = {
    "no weights of words": {"n_gain_runs": 0},
    "no finer runs": {"overcluster_factor": 1},
    "finer runs merged in one way": {"size_exponents": Constants().size_exponents[:1]},
}
LABELS: dict[str, Changes] = {
    WHOLE: {},
    "no classifier": {"betas": (0.0,), "default_beta": 0.0},
    "beta = .5": {"betas": (Constants().default_beta,)},
    "reliability 1": {"error_rates": (1e-300,)},
    "whole reliability": {"reliability_power": 1.0},
    "lambda_max = 1": {"lambda_max": 1.0},
}
PARTLY_WRONG = f"{MORE}, a fifth wrong"
PARTS: dict[str, dict[str, Changes]] = {
    MORE: LABELS,
    PARTLY_WRONG: LABELS,
    WORDS: {WHOLE: {}, "seed words at the start only": {"seed_scale": 0.0}},
    LINKED: {
        WHOLE: {},
        "links of log 100 nats": {"link_nats": float(np.log(100.0))},
    },
}
SEEDS = {NEWS: 2, WEB: 10, "la1": 10, "re0": 10}


def change_constants(corpus: str, knowledge: str, changes: Changes, data: Path, seed: int) -> Run:
    """Compute the figures with knowledge, or with a fifth of it wrong, at other constants."""
    kind, _, wrong = knowledge.partition(", ")
    constants = replace(Constants(), **changes)
    return fit_with_statements(corpus, KINDS[kind], 0.2 if wrong else 0.0, data, seed, constants)


def change_starts(corpus: str, changes: Changes, data: Path, seed: int) -> Run:
    """Compute the figures without knowledge at other constants."""
    network, labels = read_network(corpus, data)
    result = fit_network(network, count_classes(labels), None, seed, replace(Constants(), **changes))
    figures = evaluate(labels, result.labels[network.centre])
    return {name: figures[name] for name in ("nmi", "accuracy")}


def key(corpus: str, knowledge: str, part: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {knowledge} | {part}"


ALONE = "no knowledge"
ROWS = [(ALONE, part) for part in (*PARAMETERS, *STARTS)]
ROWS += [(kind, part) for kind in PARTS for part in PARTS[kind]]


def make_cell(corpus: str, knowledge: str, part: str) -> Cell | Measurement:
    """One part on one corpus."""
    cell_key = key(corpus, knowledge, part)
    if part in STARTS:
        return Measurement(cell_key, partial(change_starts, corpus, STARTS[part]), seeds=SEEDS[corpus])
    if knowledge == ALONE:
        parameters: Mapping[str, Any] = {"n_ensemble": RESTARTS, **PARAMETERS[part]}
        return Cell(cell_key, "colligate", CorpusSetting(corpus), parameters, seeds=SEEDS[corpus])
    return Measurement(
        cell_key, partial(change_constants, corpus, knowledge, PARTS[knowledge][part]), seeds=SEEDS[corpus]
    )


def make_table(title: str, figure: str) -> TableSpec:
    """What is left of a figure without each part."""
    rows = {
        f"{knowledge}, {part}": {corpus: Entry(key(corpus, knowledge, part), figure) for corpus in CORPORA}
        for knowledge, part in ROWS
    }
    return TableSpec(title, "part", rows)


EXPERIMENT = Experiment(
    name="evaluation.ablation",
    paper="own",
    about="an ablation of colligate",
    corpora=list_files(CORPORA),
    cells=tuple(make_cell(corpus, *row) for corpus in reversed(CORPORA) for row in ROWS),
    tables=(make_table("NMI without a part", "nmi"), make_table("Accuracy without a part", "accuracy")),
    quick=Quick(("re0 | no knowledge | one run",)),
)
