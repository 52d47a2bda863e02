"""The cells of the triplet paper (2009): a method on a set in one of three forms, with a share of pairs."""

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
    super_groups,
    told_documents,
    triplet,
)
from experiments.published.paper002 import ACCURACY, CATEGORIES, IMPORTANCE
from experiments.runner.declared import Cell, Task
from experiments.telling import mutual_information

if TYPE_CHECKING:
    from pathlib import Path

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
