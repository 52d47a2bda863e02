"""Entities found in 20 Newsgroups with four knowledge bases: Figure 4 of the world paper (2015), and more.

    python -m experiments.paper003_entities [--data FOLDER] [--only WORD …] [--again]

The first table counts what linking finds, with everything by default; the paper draws its figure without
numbers. *of words* is the number of mentions for every word of the documents. The second tells what a
classifier that knows the labels makes of it: accuracy of multinomial naive Bayes in three-fold
cross-validation, over the documents that speak of an entity. It says how much entities can tell at all, and
how much of it words do not tell already. Finished cells are kept in
`experiments/results/paper003_entities.json`.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import MultinomialNB

import colligate as cg
from colligate.result.metrics import evaluate
from experiments.cells import Kept, computed
from experiments.linked_news import linked, news
from experiments.paper003 import features

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from scipy import sparse

    from colligate.world.tables import Table

BASES = ("freebase", "figer", "yago", "dbpedia")
SEVERAL, SHOWN_TYPES = 3, 6
FOUND = {"base": "left"} | dict.fromkeys(
    ("documents ≥ 1", f"≥ {SEVERAL}", "mentions", "entities", "sub-types", "triples", "distinct", "of words"),
    "right",
)
TOLD = {"base": "left"} | dict.fromkeys(
    ("documents", "words", "entities", "sub-types", "words + entities"), "right"
)


@dataclass(frozen=True)
class Cell:
    """A knowledge base."""

    base: str

    @property
    def key(self) -> str:
        """How the cell is called in the stored results."""
        return self.base


def by_subtype(mentions: Table) -> Table:
    """The same mentions as objects of one type, which are the sub-types."""
    columns = (mentions[name] for name in ("document", "type", "subtype", "count"))
    rows = [
        (document, f"{kind}: {subtype}", count)
        for document, kind, subtypes, count in zip(*columns, strict=True)
        for subtype in subtypes
    ]
    names = ("document", "name", "count")
    table: Table = {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    return table | {"type": ["sub-types"] * len(rows)}


def predicted(matrix: sparse.csr_array, labels: np.ndarray) -> np.ndarray:
    """The group of each document as told by the others, with their labels."""
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    return np.asarray(cross_val_predict(MultinomialNB(alpha=0.1), matrix, labels, cv=folds))


def told(corpus: cg.Corpus, labels: np.ndarray, mentions: Table) -> dict[str, float]:
    """What words, entities and sub-types tell of the groups of the documents that have any entity."""
    every = features(cg.Network.from_tables(corpus, mentions))
    n_words = len(corpus.words)
    parts = {
        "words": every[:, :n_words],
        "entities": every[:, n_words:],
        "subtypes": features(cg.Network.from_tables(corpus, by_subtype(mentions)))[:, n_words:],
        "both": every,
    }
    some = np.diff(parts["entities"].indptr) > 0
    guesses = {name: predicted(part, labels)[some] for name, part in parts.items()}
    accuracy = {f"told_by_{name}": float(np.mean(guess == labels[some])) for name, guess in guesses.items()}
    return {"nmi": evaluate(labels[some], guesses["entities"])["nmi"], **accuracy}


def run(cell: Cell, data: Path, _: int) -> dict[str, Any]:
    """All figures of one knowledge base."""
    (corpus, labels), found = news(None, data), linked(cell.base, None, data)
    mentions, entities = found.mentions, found.entities
    spoken = Counter(mentions["document"])
    ends = zip(*(found.relations[name] for name in ("head", "relation", "tail")), strict=True)
    return {
        "documents": len(spoken) / len(corpus),
        "several": sum(many >= SEVERAL for many in spoken.values()) / len(corpus),
        "mentions": sum(mentions["count"]),
        "entities": len(entities["entity"]),
        "types": dict(Counter(entities["type"]).most_common()),
        "subtypes": len(set(chain.from_iterable(entities["subtype"]))),
        "triples": len(found.triples),
        "distinct": len(set(ends)),
        "of_words": sum(mentions["count"]) / float(corpus.counts.sum()),
        **told(corpus, labels, mentions),
    }


def found_row(base: str, run: Mapping[str, Any]) -> tuple[str, ...]:
    counts = (f"{run[name]:,}" for name in ("mentions", "entities", "subtypes", "triples", "distinct"))
    return base, f"{run['documents']:.1%}", f"{run['several']:.1%}", *counts, f"{run['of_words']:.2%}"


def told_row(base: str, run: Mapping[str, Any]) -> tuple[str, ...]:
    names = ("words", "entities", "subtypes", "both")
    return base, f"{run['documents']:.1%}", *(f"{run[f'told_by_{name}']:.3f}" for name in names)


def print_tables(kept: Kept, console: Console) -> None:
    runs = {base: kept.cells[base][0] for base in BASES if base in kept.cells}
    found = {base: found_row(base, run) for base, run in runs.items()}
    console.print(kept.table(FOUND, found, "Figure 4: entities of 20 Newsgroups"))
    for base, run in runs.items():
        types = ", ".join(f"{kind} {many:,}" for kind, many in list(run["types"].items())[:SHOWN_TYPES])
        console.print(f"{base}, entities by type ({len(run['types'])} types): {types}")
    judged = {base: told_row(base, run) for base, run in runs.items()}
    console.print(kept.table(TOLD, judged, "Accuracy of a classifier that knows the labels"))


def main() -> int:
    print_tables(computed("paper003_entities", __doc__, map(Cell, BASES), run, seeds=1), Console(width=160))
    return 0


if __name__ == "__main__":
    sys.exit(main())
