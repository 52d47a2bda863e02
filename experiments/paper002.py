"""Words, documents and categories together: Tables 2 to 4 and Figure 3 of the triplet paper (2009).

HT1 to HT7 (`experiments.corpora.triplets` says how they differ from the paper's), with links among so many
documents that they are a share of all pairs. Three forms of the data:

- *all labels*: words chosen, and a documents × categories matrix made, from the labels of all documents, as
  in the paper. The answer is then in the data, with or without links.
- *linked*: the most frequent words, and the matrix from the labels of the linked documents alone.
- *words*: the most frequent words and no matrix.

Accuracy is that of all documents, as published, and of those that no link names, over ten seeds, as in the
paper (five where only Figure 3 shows it). Cells *as printed* (in the form *all labels*) run the paper's
algorithms on term frequencies from one random start. The paper does not say how many groups of words it has;
with fewer than there are groups of documents, words could not tell these apart, so there are as many. The
goals are that `ssnmf` is above the published figure with all labels, and above `nmf-triplet` and `src`
without.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.corpora.triplets import (
    MOST_WORDS,
    NAMES,
    count_categories,
    draw_labelled,
    list_categories,
    list_files,
    read_triplet,
)
from experiments.mutual_information import mutual_information
from experiments.published.paper002 import ACCURACY, CATEGORIES, IMPORTANCE
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec, Task
from experiments.runner.tables import list_missed_gains

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.store import Run, StoredRuns

ALL, LINKED, WORDS = "all labels", "linked", "words"
BASELINES, SHARES = ("src", "nmf-triplet"), (0.01, 0.05, 0.10, 0.15)
BETWEEN_SEEDS = 5
PRINTED = {"reading": "printed", "weighting": "counts", "n_init": 1}


@dataclass(frozen=True)
class Triplet:
    """A set in one of the forms, with the labels of so many documents that all their pairs are a share."""

    name: str
    form: str
    share: float

    def task(self, data: Path, seed: int) -> Task:
        """Which documents are told is drawn anew for each seed."""
        labels, above = read_triplet(data, self.name, seed).labels, list_categories(self.name)
        known = np.zeros(len(labels), dtype=bool)
        if self.share:
            known = draw_labelled(labels, self.share, seed)
        named = {int(document): str(labels[document]) for document in np.flatnonzero(known)}
        parameters = {"n_clusters": len(above)}
        if self.form != WORDS:
            parameters["n_entity_clusters"] = len(np.unique(above))
        knowledge = cg.Knowledge().label(named) if named else None
        further = partial(_further_figures, above, bool(named))
        return Task(self.network(data, known, seed), labels, knowledge, parameters, {"free": ~known}, further)

    def network(self, data: Path, known: np.ndarray, seed: int) -> cg.Network:
        """The data in this form."""
        whole = read_triplet(data, self.name, seed)
        if self.form == WORDS:
            return whole.most_frequent(MOST_WORDS).network()
        if self.form == LINKED:
            return whole.most_frequent(MOST_WORDS).network(("categories", count_categories(whole, known)))
        order = np.argsort(-mutual_information(whole.counts, whole.labels), kind="stable")
        everyone = np.ones(len(whole.labels), dtype=bool)
        part = whole.of_words(np.sort(order[:MOST_WORDS]))
        return part.network(("categories", count_categories(whole, everyone)))


def _further_figures(above: np.ndarray, learned: bool, model: Any) -> dict[str, Any]:
    """How well categories are grouped, and what the relations count."""
    result = model.result_
    clustered = "categories" in result.labels
    return {
        "categories": result.evaluate(above, kind="categories")["accuracy"] if clustered else None,
        "importance": result.model["modality_importance"].tolist() if learned else None,
    }


def make_cell(name: str, method: str, form: str, share: float = 0.0) -> Cell:
    """A method on a set."""
    key = f"{name} | {method} | {form} | {share:.0%} of pairs"
    # the shares between the fewest and the most links are in no claim
    seeds = BETWEEN_SEEDS if share in SHARES[1:-1] else None
    return Cell(key, method, Triplet(name, form, share), {}, _published(name, method, form, share), seeds)


def make_printed(name: str, share: float) -> Cell:
    """`ssnmf` as the paper had it."""
    one = make_cell(name, "ssnmf", ALL, share)
    parameters = {**PRINTED, "n_word_clusters": len(list_categories(name))}
    key = f"{one.key} | as printed"
    return Cell(key, one.method, one.setting, parameters, one.published)


def _published(name: str, method: str, form: str, share: float) -> dict[str, float]:
    """What the paper prints of its own form: with the most links, and importance with the fewest."""
    column = NAMES.index(name)
    if form != ALL or share not in (0.0, SHARES[0], SHARES[-1]):
        return {}
    if share == SHARES[0]:
        words, categories = IMPORTANCE[column]
        return {"importance_of_words": words, "importance_of_categories": categories}
    return {"accuracy": ACCURACY[method][column], "categories": CATEGORIES[method][column]}


def make_series(name: str, form: str) -> dict[str, Cell]:
    """The cells of a set in one form; methods without knowledge have no linked documents."""
    free = WORDS if form == LINKED else form
    guided = {f"ssnmf {share:.0%}": make_cell(name, "ssnmf", form, share) for share in SHARES}
    return {method: make_cell(name, method, free) for method in BASELINES} | guided


SERIES = {form: {name: make_series(name, form) for name in NAMES} for form in (ALL, LINKED, WORDS)}


# the shares of Tables 2 to 4
PRINTED_SHARES = (SHARES[0], SHARES[-1])
AS_PRINTED = {name: {share: make_printed(name, share) for share in PRINTED_SHARES} for name in NAMES}
MOST = f"ssnmf {SHARES[-1]:.0%}"
IMPORTANCE_FIGURES = {"words": "importance_of_words", "categories": "importance_of_categories"}
SETTLED = "How ssnmf judges its metric was chosen on some of these sets, with labels in view."
LABELS = {
    ALL: "As in the paper: words and the matrix of categories are made from the labels of ALL documents.",
    LINKED: f"The matrix of categories is made from the labels of the linked documents alone. {SETTLED}",
    WORDS: f"Words and links alone. {SETTLED}",
}
CELLS = {one.key: one for sets in SERIES.values() for row in sets.values() for one in row.values()} | {
    one.key: one for cells in AS_PRINTED.values() for one in cells.values()
}


def list_missed_goals(kept: StoredRuns) -> list[str]:
    """Where `ssnmf` with the most links is not above what it should be above."""
    goals = []
    for name in NAMES:
        best = SERIES[ALL][name][MOST]
        reached = np.mean([*kept.values(best.key, "accuracy").values()] or [0.0])
        if reached <= best.published["accuracy"]:
            goals.append(f"{best.key}: accuracy {reached:.3f}, published {best.published['accuracy']:.3f}")
        for form in (LINKED, WORDS):
            cells = SERIES[form][name]
            rivals = {method: cells[method].key for method in BASELINES}
            goals += list_missed_gains(kept, cells[MOST].key, rivals, "accuracy")
    return goals


def read_importance(place: int, run: Run) -> float | None:
    """What words (0) or categories (1) count, where that was learned and both are there."""
    importance = run["importance"]
    return importance[place] if importance and len(importance) > place else None


def table_beside_published(figure: str, title: str, of: str) -> TableSpec:
    """Tables 2 and 3: all methods in the form of the paper."""
    rows = {
        name: {column: Entry(cells[column].key, figure) for column in (*BASELINES, MOST)}
        | {f"{MOST}, as printed": Entry(AS_PRINTED[name][SHARES[-1]].key, figure)}
        for name, cells in SERIES[ALL].items()
    }
    return TableSpec(title, "set", rows, LABELS[ALL], of)


def table_of_importance() -> TableSpec:
    """Table 4: what each relation counts for documents, with the fewest links; the larger, the more."""
    rows = {
        name: {
            f"{kind}, {form}": Entry(make_cell(name, "ssnmf", form, SHARES[0]).key, figure)
            for form in (ALL, LINKED)
            for kind, figure in IMPORTANCE_FIGURES.items()
        }
        | {
            f"{kind}, as printed": Entry(AS_PRINTED[name][SHARES[0]].key, figure)
            for kind, figure in IMPORTANCE_FIGURES.items()
        }
        for name in NAMES
    }
    note = (
        "The published weights and those as printed are not scaled, so only which of the two is larger can "
        "be compared with ours, which sum to 1."
    )
    return TableSpec(
        "Importance of words and of categories with 1% of pairs", "set", rows, note, "002 Table 4"
    )


def table_by_share(form: str, figure: str, whose: str) -> TableSpec:
    """Figure 3: `ssnmf` by the share of linked pairs, beside the methods without."""
    rows = {
        name: {column: Entry(one.key, figure) for column, one in cells.items()}
        for name, cells in SERIES[form].items()
    }
    if form == ALL:
        for name, cells_by_share in AS_PRINTED.items():
            entries = {f"ssnmf {share:.0%}": Entry(one.key, figure) for share, one in cells_by_share.items()}
            rows[f"{name}, as printed"] = entries
    chart = "% of all pairs linked" if figure == "accuracy" else ""
    return TableSpec(f"Accuracy of {whose}; {form}", "set", rows, LABELS[form], "002 Figure 3", chart)


EXPERIMENT = Experiment(
    name="paper002",
    paper="002",
    about="words, documents and categories together, by the share of linked pairs",
    corpora=tuple(dict.fromkeys(file for name in NAMES for file in list_files(name))),
    cells=tuple(CELLS.values()),
    tables=(
        table_beside_published("accuracy", "Accuracy of documents", "002 Table 2"),
        table_beside_published("categories", "Accuracy of categories", "002 Table 3"),
        table_of_importance(),
        *(
            table_by_share(form, figure, whose)
            for form in SERIES
            for figure, whose in (("accuracy", "all documents"), ("free_accuracy", "documents in no link"))
        ),
    ),
    seeds=10,
    quick=Quick(
        (
            "HT7 | src | words",
            "HT7 | nmf-triplet | words",
            "HT7 | ssnmf | words | 15%",
            "HT7 | ssnmf | all labels | 15%",
        )
    ),
    derived={
        figure: partial(read_importance, position)
        for position, figure in enumerate(IMPORTANCE_FIGURES.values())
    },
    missed=list_missed_goals,
)
