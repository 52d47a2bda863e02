"""Words, documents and categories together: Tables 2 to 4 and Figure 3 of the triplet paper (2009).

HT1 to HT7 (`experiments.corpora.triplets` says how they differ from the paper's), with links among so many
documents that they are a share of all pairs. Three forms of the data:

- *all labels*: words chosen, and a documents × categories matrix made, from the labels of all documents, as
  in the paper. The answer is then in the data, with or without links.
- *linked*: the most frequent words, and the matrix from the labels of the linked documents alone.
- *words*: the most frequent words and no matrix.

Accuracy is that of all documents, as published, and of those that no link names, over five seeds; the paper
has ten. The goals are that `ssnmf` is above the published figure with all labels, and above `nmf-triplet` and
`src` without.
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
    category_matrix,
    files,
    super_groups,
    told_documents,
    triplet,
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


@dataclass(frozen=True)
class Triplet:
    """A set in one of the forms, with the labels of so many documents that all their pairs are a share."""

    name: str
    form: str
    share: float

    def task(self, data: Path, seed: int) -> Task:
        """Which documents are told is drawn anew for each seed."""
        labels, above = triplet(data, self.name, seed).labels, super_groups(self.name)
        known = np.zeros(len(labels), dtype=bool)
        if self.share:
            known = told_documents(labels, self.share, seed)
        named = {int(at): str(labels[at]) for at in np.flatnonzero(known)}
        given = {"n_clusters": len(above)}
        if self.form != WORDS:
            given["n_entity_clusters"] = len(np.unique(above))
        knowledge = cg.Knowledge().label(named) if named else None
        further = partial(_told, above, bool(named))
        return Task(self.network(data, known, seed), labels, knowledge, given, {"free": ~known}, further)

    def network(self, data: Path, known: np.ndarray, seed: int) -> cg.Network:
        """The data in this form."""
        whole = triplet(data, self.name, seed)
        if self.form == WORDS:
            return whole.most_frequent(MOST_WORDS).network()
        if self.form == LINKED:
            return whole.most_frequent(MOST_WORDS).network(("categories", category_matrix(whole, known)))
        order = np.argsort(-mutual_information(whole.counts, whole.labels), kind="stable")
        everyone = np.ones(len(whole.labels), dtype=bool)
        part = whole.of_words(np.sort(order[:MOST_WORDS]))
        return part.network(("categories", category_matrix(whole, everyone)))


def _told(above: np.ndarray, learned: bool, model: Any) -> dict[str, Any]:
    """How well categories are grouped, and what the relations count."""
    result = model.result_
    clustered = "categories" in result.labels
    return {
        "categories": result.evaluate(above, kind="categories")["accuracy"] if clustered else None,
        "importance": result.model["modality_importance"].tolist() if learned else None,
    }


def cell(name: str, method: str, form: str, share: float = 0.0) -> Cell:
    """A method on a set."""
    key = f"{name} | {method} | {form} | {share:.0%} of pairs"
    return Cell(key, method, Triplet(name, form, share), {}, _published(name, method, form, share))


def _published(name: str, method: str, form: str, share: float) -> dict[str, float]:
    """What the paper prints of its own form: with the most links, and importance with the fewest."""
    at = NAMES.index(name)
    if form != ALL or share not in (0.0, SHARES[0], SHARES[-1]):
        return {}
    if share == SHARES[0]:
        words, categories = IMPORTANCE[at]
        return {"importance_of_words": words, "importance_of_categories": categories}
    return {"accuracy": ACCURACY[method][at], "categories": CATEGORIES[method][at]}


def series(name: str, form: str) -> dict[str, Cell]:
    """The cells of a set in one form; methods without knowledge have no linked documents."""
    free = WORDS if form == LINKED else form
    guided = {f"ssnmf {share:.0%}": cell(name, "ssnmf", form, share) for share in SHARES}
    return {method: cell(name, method, free) for method in BASELINES} | guided


SERIES = {form: {name: series(name, form) for name in NAMES} for form in (ALL, LINKED, WORDS)}


MOST = f"ssnmf {SHARES[-1]:.0%}"
IMPORTANCE_FIGURES = {"words": "importance_of_words", "categories": "importance_of_categories"}
SETTLED = "How ssnmf judges its metric was settled on some of these sets, with labels in sight."
LABELS = {
    ALL: "As in the paper: words and the matrix of categories are made from the labels of ALL documents. "
    "There are five runs; the paper has ten.",
    LINKED: f"The matrix of categories is made from the labels of the linked documents alone. {SETTLED}",
    WORDS: f"Words and links alone. {SETTLED}",
}
CELLS = {one.key: one for sets in SERIES.values() for own in sets.values() for one in own.values()}


def missed(kept: StoredRuns) -> list[str]:
    """Where `ssnmf` with the most links is not above what it should be above."""
    told = []
    for name in NAMES:
        best = SERIES[ALL][name][MOST]
        reached = np.mean([*kept.values(best.key, "accuracy").values()] or [0.0])
        if reached <= best.published["accuracy"]:
            told.append(f"{best.key}: accuracy {reached:.3f}, published {best.published['accuracy']:.3f}")
        for form in (LINKED, WORDS):
            own = SERIES[form][name]
            rivals = {method: own[method].key for method in BASELINES}
            told += list_missed_gains(kept, own[MOST].key, rivals, "accuracy")
    return told


def part(place: int, run: Run) -> float | None:
    """What words (0) or categories (1) count, where that was learned and both are there."""
    found = run["importance"]
    return found[place] if found and len(found) > place else None


def beside(figure: str, title: str, of: str) -> TableSpec:
    """Tables 2 and 3: all methods in the form of the paper."""
    rows = {
        name: {column: Entry(own[column].key, figure) for column in (*BASELINES, MOST)}
        for name, own in SERIES[ALL].items()
    }
    return TableSpec(title, "set", rows, LABELS[ALL], of)


def importance() -> TableSpec:
    """Table 4: what each relation counts for documents, with the fewest links; the larger, the more."""
    rows = {
        name: {
            f"{kind}, {form}": Entry(cell(name, "ssnmf", form, SHARES[0]).key, figure)
            for form in (ALL, LINKED)
            for kind, figure in IMPORTANCE_FIGURES.items()
        }
        for name in NAMES
    }
    return TableSpec("Importance of words and of categories with 1% of pairs", "set", rows, of="002 Table 4")


def by_share(form: str, figure: str, whose: str) -> TableSpec:
    """Figure 3: `ssnmf` by the share of linked pairs, beside the methods without."""
    rows = {
        name: {column: Entry(one.key, figure) for column, one in own.items()}
        for name, own in SERIES[form].items()
    }
    chart = "% of all pairs linked" if figure == "accuracy" else ""
    return TableSpec(f"Accuracy of {whose}; {form}", "set", rows, LABELS[form], "002 Figure 3", chart)


EXPERIMENT = Experiment(
    name="paper002",
    paper="002",
    about="words, documents and categories together, by the share of linked pairs",
    corpora=tuple(dict.fromkeys(file for name in NAMES for file in files(name))),
    cells=tuple(CELLS.values()),
    tables=(
        beside("accuracy", "Accuracy of documents", "002 Table 2"),
        beside("categories", "Accuracy of categories", "002 Table 3"),
        importance(),
        *(
            by_share(form, figure, whose)
            for form in SERIES
            for figure, whose in (("accuracy", "all documents"), ("free_accuracy", "documents in no link"))
        ),
    ),
    seeds=5,
    quick=Quick(("HT7 | src | words", "HT7 | nmf-triplet | words", "HT7 | ssnmf | words | 15%")),
    derived={figure: partial(part, at) for at, figure in enumerate(IMPORTANCE_FIGURES.values())},
    missed=missed,
)
