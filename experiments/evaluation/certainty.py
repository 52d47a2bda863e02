"""Whether confidence says how often documents are where they belong, and whether it orders errors.

A document is an error if its class is not the commonest one of its group. By the stricter reading, *matched*,
groups and classes are matched one to one first, so that all documents of a group beyond the number of classes
are errors, though words can tell nothing of that. The calibration error is the mean distance of confidence
and the share of right documents, over ten classes of confidence of equal width. The AUC is the probability
that a right document has a higher value than an error; .5 is chance.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import roc_auc_score

import colligate as cg
from experiments.corpora.catalogue import load_corpus
from experiments.corpora.short import NAMES as SHORT
from experiments.evaluation.corpora import CORPORA as REPORTED
from experiments.evaluation.corpora import NEWS, count_classes, list_files
from experiments.evaluation.fits import fit_network
from experiments.evaluation.markdown import describe_runs, format_mean, format_table
from experiments.evaluation.names import CORPORA as NAMED
from experiments.evaluation.names import GLOSSES
from experiments.evaluation.subtypes import DESCRIPTIONS
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.store import Run

SEEDS, LARGEST, BINS = 3, 3_000, 10
COUNTED = (
    *("oh0", "oh5", "oh10", "oh15", "tr11", "tr12", "tr23", "tr31", "tr41", "tr45"),
    *("k1a", "k1b", "la2", "fbis", "hitech"),
)
DESCRIBED = ("descriptions of FB15k", "glosses of WordNet")
TUNING = (*COUNTED, *SHORT, *DESCRIBED)
REPORTING = ("CSTR", "re0", "wap", "la1", "WebKB", "R8", "DBLP titles", "OHSUMED", NEWS, "R52")


@cache
def read_sample(corpus: str, data: Path) -> tuple[cg.Network, np.ndarray]:
    """A corpus and the class of each document; of texts, at most `LARGEST`, the same ones at every seed."""
    read = NAMED[corpus].read if corpus in DESCRIBED else partial(load_corpus, REPORTED.get(corpus, corpus))
    documents, labels = read(data)
    if documents.texts is None or len(labels) <= LARGEST:
        return cg.Network.from_corpus(documents), labels
    texts = list(documents.texts)
    drawn = np.sort(np.random.default_rng(0).permutation(len(texts))[:LARGEST])
    return cg.Network.from_corpus(cg.Corpus.from_texts([texts[i] for i in drawn.tolist()])), labels[drawn]


def measure_certainty(corpus: str, data: Path, seed: int) -> Run:
    """The calibration error of confidence, and how well confidence and agreement order errors."""
    network, labels = read_sample(corpus, data)
    result = fit_network(network, count_classes(labels), None, seed)
    groups = result.labels[network.centre]
    placed = groups >= 0
    confidence = result.confidence[placed].astype(np.float64)
    agreement = result.model["agreement"][placed]
    doubt, n_groups = float(result.model["doubt"]), result.n_groups()
    # confidence as it were without doubt, the inverse of eq. 16
    certain = (confidence - doubt / n_groups) / max(1.0 - doubt, 1e-9)
    figures: Run = {"confidence": float(confidence.mean()), "doubt": doubt}
    for name, right in find_right(groups[placed], labels[placed]).items():
        figures |= {
            f"{name}_right": float(right.mean()),
            f"{name}_error": calibration_error(confidence, right),
            f"{name}_error_no_doubt": calibration_error(certain, right),
            f"{name}_auc": _auc(confidence, right),
            f"{name}_agreement_auc": _auc(agreement, right),
        }
    return figures


def find_right(groups: np.ndarray, labels: np.ndarray) -> dict[str, np.ndarray]:
    """Which documents have the class of their group: its commonest, or the one that it is matched with."""
    _, classes = np.unique(labels, return_inverse=True)
    size = int(max(groups.max(), classes.max())) + 1
    table = np.zeros((size, size))
    np.add.at(table, (groups, classes), 1.0)
    matched = linear_sum_assignment(-table)[1]
    return {"commonest": table.argmax(axis=1)[groups] == classes, "matched": matched[groups] == classes}


def calibration_error(confidence: np.ndarray, right: np.ndarray) -> float:
    """The expected calibration error."""
    number = np.minimum((confidence * BINS).astype(int), BINS - 1)
    gaps = np.bincount(number, confidence - right, BINS)
    return float(np.abs(gaps).sum() / max(len(right), 1))


def _auc(values: np.ndarray, right: np.ndarray) -> float | None:
    return float(roc_auc_score(right, values)) if 0 < right.mean() < 1 else None


COLUMNS = {
    "right": "commonest_right",
    "mean confidence": "confidence",
    "calibration error": "commonest_error",
    "without doubt": "commonest_error_no_doubt",
    "AUC of confidence": "commonest_auc",
    "AUC of agreement": "commonest_agreement_auc",
    "matched: right": "matched_right",
    "matched: calibration error": "matched_error",
    "matched: AUC of confidence": "matched_auc",
    "matched: AUC of agreement": "matched_agreement_auc",
}


def compose_tables(results: Path) -> list[str]:
    """All figures by corpus, and their means over corpora."""
    kept = StoredRuns.of(EXPERIMENT, results)
    tables = []
    for corpora, title in ((REPORTING, "Reporting sets"), (TUNING, "Tuning sets")):
        rows = [
            (corpus, *(format_mean(kept, corpus, name) for name in COLUMNS.values())) for corpus in corpora
        ]
        rows.append(("mean", *(_mean_of_corpora(kept, corpora, name) for name in COLUMNS.values())))
        tables += [f"**{title}.**", format_table(("corpus", *COLUMNS), rows)]
    return [*tables, describe_runs(EXPERIMENT, kept)]


def _mean_of_corpora(kept: StoredRuns, corpora: tuple[str, ...], figure: str) -> str:
    values = [list(kept.values(corpus, figure).values()) for corpus in corpora]
    means = [np.mean(of_corpus) for of_corpus in values if of_corpus]
    return f"{np.mean(means):.3f}" if means else "–"


EXPERIMENT = Experiment(
    name="evaluation.certainty",
    paper="own",
    about="whether the confidence of colligate is calibrated and orders errors",
    corpora=(
        *list_files((*COUNTED, *SHORT, *REPORTING)),
        *(DESCRIPTIONS, GLOSSES),
    ),
    cells=tuple(
        Measurement(corpus, partial(measure_certainty, corpus), seeds=SEEDS)
        for corpus in (*REPORTING, *TUNING)
    ),
    tables=tuple(
        TableSpec(
            title,
            "corpus",
            {corpus: {name: Entry(corpus, figure) for name, figure in COLUMNS.items()} for corpus in corpora},
        )
        for corpora, title in ((REPORTING, "Certainty: reporting sets"), (TUNING, "Certainty: tuning sets"))
    ),
    quick=Quick(("CSTR",)),
)
