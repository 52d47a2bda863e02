"""What each kind of knowledge brings, alone and with all others, right and partly wrong.

Figures are those of the documents that no statement names; gains are over the groups without knowledge on
the same documents. Outsiders are a task of their own: the documents of one class, drawn for each seed, are
to be in no group, and a tenth of them is marked.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from experiments.evaluation.corpora import NEWS, WEB, files, n_classes, read
from experiments.evaluation.fits import compared, fitted, told, untold
from experiments.evaluation.statements import document_labels, links, many_links, seed_words, words_together
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from experiments.evaluation.statements import Said, User
    from experiments.runner.store import Run

CORPORA = (NEWS, WEB, "la1", "CSTR", "R8", "re0")
# the others come without their words
NAMED = (NEWS, WEB, "R8")
SEEDS = 10
WORDS, FEW, MORE, LINKED, MANY = "seed words", "1 % labels", "5 % labels", "links", "250,000 links"
TOGETHER, OUTSIDE, ALL = "words together", "outsiders", "everything"
KINDS: dict[str, tuple[Callable[[User], Said], ...]] = {
    WORDS: (seed_words,),
    FEW: (document_labels(0.01),),
    MORE: (document_labels(0.05),),
    LINKED: (links,),
    MANY: (many_links,),
    TOGETHER: (words_together,),
}
KINDS[ALL] = (*KINDS[WORDS], *KINDS[MORE], *KINDS[LINKED], *KINDS[TOGETHER])
WRONG = (0.2, 0.4)
MAY_BE_WRONG = (WORDS, FEW, MORE, LINKED, ALL)
MARKED = 0.1


def outsiders(corpus: str, data: Path, seed: int) -> Run:
    """The figures of the documents inside, the unmarked outsiders that are found, the insiders lost."""
    network, labels = read(corpus, data)
    inside, marked = drawn_outsiders(labels, seed)
    knowledge = cg.Knowledge().outside(marked.tolist())
    groups = fitted(network, n_classes(labels) - 1, knowledge, seed).labels[network.centre]
    bare = untold(corpus, n_classes(labels) - 1, data, seed)
    return {
        **compared(labels, groups, bare, inside),
        "documents": int(inside.sum()),
        "statements": len(marked),
        **in_no_group(groups, inside, marked),
    }


def drawn_outsiders(labels: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Which documents are inside, all but those of one class, and the outsiders that are marked."""
    rng = np.random.default_rng([seed, 7])
    inside = labels != rng.choice(np.unique(labels))
    outside = rng.permutation(np.flatnonzero(~inside))
    return inside, np.sort(outside[: max(1, round(MARKED * len(outside)))])


def in_no_group(groups: np.ndarray, inside: np.ndarray, marked: np.ndarray) -> Run:
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


def kinds(corpus: str) -> list[str]:
    """The kinds of knowledge that a corpus can have."""
    found = [kind for kind in KINDS if kind != MANY or corpus == NEWS]
    found = [kind for kind in found if kind != TOGETHER or corpus in NAMED]
    return [*found, OUTSIDE]


def cells(corpus: str) -> list[Measurement]:
    """All cells of a corpus."""
    found = [
        Measurement(key(corpus, kind), partial(told, corpus, _says(corpus, kind), 0.0), seeds=SEEDS)
        for kind in kinds(corpus)
        if kind != OUTSIDE
    ]
    found.append(Measurement(key(corpus, OUTSIDE), partial(outsiders, corpus), seeds=SEEDS))
    found += [
        Measurement(key(corpus, kind, wrong), partial(told, corpus, _says(corpus, kind), wrong), seeds=SEEDS)
        for wrong in WRONG
        for kind in MAY_BE_WRONG
    ]
    return found


def _says(corpus: str, kind: str) -> tuple[Callable[[User], Said], ...]:
    return tuple(say for say in KINDS[kind] if say is not words_together or corpus in NAMED)


COLUMNS = {"NMI": "nmi", "accuracy": "accuracy", "NMI without": "bare_nmi", "gain": "gain"}
EXPERIMENT = Experiment(
    name="evaluation.knowledge",
    paper="own",
    about="colligate with every kind of knowledge, right and partly wrong",
    corpora=files(CORPORA),
    cells=tuple(one for corpus in reversed(CORPORA) for one in cells(corpus)),
    tables=tuple(
        TableSpec(
            f"Knowledge on {corpus}",
            "knowledge",
            {
                one.key.partition(" | ")[2]: {name: Entry(one.key, of) for name, of in COLUMNS.items()}
                for one in cells(corpus)
            },
        )
        for corpus in CORPORA
    ),
    quick=Quick(("CSTR | 5 % labels",)),
)
