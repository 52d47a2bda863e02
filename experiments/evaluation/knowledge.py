"""The effect of each kind of knowledge, alone and with all others, right and partly wrong.

Figures are those of the documents that no statement names; gains are over the groups without knowledge on the
same documents. Outsiders are a separate task: the documents of one class, drawn for each seed, belong to no
group, and a tenth of them is marked.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from experiments.evaluation.corpora import NEWS, WEB, count_classes, list_files, read_network
from experiments.evaluation.fits import (
    compare_groupings,
    fit_network,
    fit_with_statements,
    fit_without_knowledge,
)
from experiments.evaluation.statements import (
    make_labels,
    make_links,
    make_many_links,
    make_seed_words,
    make_word_links,
)
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from experiments.evaluation.statements import Statements, User
    from experiments.runner.store import Run

CORPORA = (NEWS, WEB, "la1", "CSTR", "R8", "re0")
# the others come without their words
NAMED = (NEWS, WEB, "R8")
SEEDS = 10
WORDS, FEW, MORE, LINKED, MANY = "seed words", "1 % labels", "5 % labels", "links", "250,000 links"
TOGETHER, OUTSIDE, ALL = "words together", "outsiders", "everything"
KINDS: dict[str, tuple[Callable[[User], Statements], ...]] = {
    WORDS: (make_seed_words,),
    FEW: (make_labels(0.01),),
    MORE: (make_labels(0.05),),
    LINKED: (make_links,),
    MANY: (make_many_links,),
    TOGETHER: (make_word_links,),
}
KINDS[ALL] = (*KINDS[WORDS], *KINDS[MORE], *KINDS[LINKED], *KINDS[TOGETHER])
WRONG = (0.2, 0.4)
MAY_BE_WRONG = (WORDS, FEW, MORE, LINKED, ALL)
MARKED = 0.1


def measure_outsiders(corpus: str, data: Path, seed: int) -> Run:
    """The figures of the documents inside, the unmarked outsiders that are found, the insiders lost."""
    network, labels = read_network(corpus, data)
    inside, marked = draw_outsiders(labels, seed)
    knowledge = cg.Knowledge().outside(marked.tolist())
    groups = fit_network(network, count_classes(labels) - 1, knowledge, seed).labels[network.centre]
    bare = fit_without_knowledge(corpus, count_classes(labels) - 1, data, seed)
    return {
        **compare_groupings(labels, groups, bare, inside),
        "documents": int(inside.sum()),
        "statements": len(marked),
        **count_rejected(groups, inside, marked),
    }


def draw_outsiders(labels: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Which documents are inside, all but those of one class, and the outsiders that are marked."""
    rng = np.random.default_rng([seed, 7])
    inside = labels != rng.choice(np.unique(labels))
    outside = rng.permutation(np.flatnonzero(~inside))
    return inside, np.sort(outside[: max(1, round(MARKED * len(outside)))])


def count_rejected(groups: np.ndarray, inside: np.ndarray, marked: np.ndarray) -> Run:
    """The shares of the unmarked outsiders and of the insiders that are in no group."""
    unmarked = ~inside
    unmarked[marked] = False
    return {
        "found_outside": float((groups[unmarked] < 0).mean()),
        "lost_inside": float((groups[inside] < 0).mean()),
    }


def key(corpus: str, kind: str, wrong: float = 0.0) -> str:
    """How a cell is called."""
    return f"{corpus} | {kind}" + (f" | {wrong:.0%} wrong" if wrong else "")


def list_kinds(corpus: str) -> list[str]:
    """The kinds of knowledge that a corpus can have."""
    selected = [kind for kind in KINDS if kind != MANY or corpus == NEWS]
    selected = [kind for kind in selected if kind != TOGETHER or corpus in NAMED]
    return [*selected, OUTSIDE]


def make_cells(corpus: str) -> list[Measurement]:
    """All cells of a corpus."""
    all_cells = [
        Measurement(
            key(corpus, kind), partial(fit_with_statements, corpus, _says(corpus, kind), 0.0), seeds=SEEDS
        )
        for kind in list_kinds(corpus)
        if kind != OUTSIDE
    ]
    all_cells.append(Measurement(key(corpus, OUTSIDE), partial(measure_outsiders, corpus), seeds=SEEDS))
    all_cells += [
        Measurement(
            key(corpus, kind, wrong),
            partial(fit_with_statements, corpus, _says(corpus, kind), wrong),
            seeds=SEEDS,
        )
        for wrong in WRONG
        for kind in MAY_BE_WRONG
    ]
    return all_cells


def _says(corpus: str, kind: str) -> tuple[Callable[[User], Statements], ...]:
    return tuple(say for say in KINDS[kind] if say is not make_word_links or corpus in NAMED)


COLUMNS = {"NMI": "nmi", "accuracy": "accuracy", "NMI without": "bare_nmi", "gain": "gain"}
EXPERIMENT = Experiment(
    name="evaluation.knowledge",
    paper="own",
    about="colligate with every kind of knowledge, right and partly wrong",
    corpora=list_files(CORPORA),
    cells=tuple(one for corpus in reversed(CORPORA) for one in make_cells(corpus)),
    tables=tuple(
        TableSpec(
            f"Knowledge on {corpus}",
            "knowledge",
            {
                one.key.partition(" | ")[2]: {name: Entry(one.key, of) for name, of in COLUMNS.items()}
                for one in make_cells(corpus)
            },
        )
        for corpus in CORPORA
    ),
    quick=Quick(("CSTR | 5 % labels",)),
)
