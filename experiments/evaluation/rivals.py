"""The methods of the papers, and k-means with links, with the same knowledge as `colligate`.

All get the same statements of the same user, have eight restarts and default parameters, and are judged on
the documents that no statement names. With documents and words alone `chinc` is `citcc` and is not run twice.
A method is left out if one fit takes more than half a minute.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.evaluation.corpora import RESTARTS, WEB, count_classes, list_files, read_network
from experiments.evaluation.knowledge import (
    KINDS,
    LINKED,
    MORE,
    OUTSIDE,
    WORDS,
    count_rejected,
    draw_outsiders,
)
from experiments.evaluation.statements import User, join_statements
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec, Task

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.experiment import Setting
    from experiments.runner.store import Run

OURS = "colligate"
CORPORA = ("CSTR", "la1", WEB)
TAKERS = {
    LINKED: (OURS, "citcc", "ssnmf", "ckmeans"),
    MORE: (OURS, "citcc", "ssnmf", "m2dcu", "ckmeans"),
    WORDS: (OURS, "cp", "citcc"),
    OUTSIDE: (OURS, "m2dcu", "citcc"),
}
LONG = (("la1", "ckmeans"), (WEB, "ckmeans"))
SEEDS = 5


@dataclass(frozen=True)
class StatementSetting:
    """A corpus with statements of one kind; judged are the documents that none of them names."""

    corpus: str
    kind: str

    def task(self, data: Path, seed: int) -> Task:
        """The statements of a seed."""
        network, labels = read_network(self.corpus, data)
        statements = join_statements(say(User(network, labels, seed)) for say in KINDS[self.kind])
        judged = ~np.isin(np.arange(len(labels)), statements.named)
        return Task(
            network, labels, statements.knowledge, {"n_clusters": count_classes(labels)}, judged=judged
        )


@dataclass(frozen=True)
class OutsiderSetting:
    """A corpus where one class belongs to no group and a tenth of it is marked; judged are the others."""

    corpus: str

    def task(self, data: Path, seed: int) -> Task:
        """The class of a seed."""
        network, labels = read_network(self.corpus, data)
        inside, marked = draw_outsiders(labels, seed)

        def placed(model: Any) -> Run:
            return count_rejected(model.labels_, inside, marked)

        knowledge, number = cg.Knowledge().outside(marked.tolist()), {"n_clusters": count_classes(labels) - 1}
        return Task(network, labels, knowledge, number, judged=inside, further=placed)


def key(corpus: str, kind: str, name: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {kind} | {name}"


def make_cell(corpus: str, kind: str, name: str) -> Cell:
    """A method on a corpus with one kind of knowledge."""
    restarts = {"n_ensemble" if name == OURS else "n_init": RESTARTS}
    setting: Setting = OutsiderSetting(corpus) if kind == OUTSIDE else StatementSetting(corpus, kind)
    return Cell(key(corpus, kind, name), name, setting, restarts)


def make_table(kind: str) -> TableSpec:
    """Every method that takes a kind of knowledge, on every corpus."""
    rows = {
        name: {
            f"{corpus} {title}": Entry(key(corpus, kind, name), figure)
            for corpus in CORPORA
            if (corpus, name) not in LONG
            for title, figure in (("NMI", "nmi"), ("accuracy", "accuracy"))
        }
        for name in TAKERS[kind]
    }
    return TableSpec(f"Methods that take {kind}", "method", rows)


EXPERIMENT = Experiment(
    name="evaluation.rivals",
    paper="own",
    about="colligate and the papers' methods with the same knowledge",
    corpora=list_files(CORPORA),
    cells=tuple(
        make_cell(corpus, kind, name)
        for corpus in CORPORA
        for kind in TAKERS
        for name in TAKERS[kind]
        if (corpus, name) not in LONG
    ),
    tables=tuple(make_table(kind) for kind in TAKERS),
    seeds=SEEDS,
    quick=Quick(("CSTR | seed words", "CSTR | outsiders")),
)
