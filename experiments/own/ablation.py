"""What the parts of `colligate` bring: each is left out, or set to what is usual, nothing else changes."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.methods.mixture import calibration, ensemble, priors
from experiments.own.fits import told
from experiments.own.knowledge import KINDS, LINKED, MORE, WORDS
from experiments.own.sets import NEWS, RESTARTS, WEB, Plain, files
from experiments.runner.declared import Cell, Entry, Experiment, Other, Quick, Shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from types import ModuleType

    from experiments.runner.kept import Run

CORPORA = (NEWS, WEB, "la1", "re0")
WHOLE = "as it is"
PARAMETERS: dict[str, dict[str, Any]] = {
    WHOLE: {},
    "no directions": {"concentration": 0.0},
    "one run": {"n_ensemble": 1},
    "exponent .5": {"length_exponent": 0.5},
    "every word counts": {"length_exponent": 1.0},
    "smoothing .1": {"smoothing": 0.1},
}
# constants of modules, since nobody but us should change them
Constant = tuple["ModuleType", str, Any]
LABELS: dict[str, tuple[Constant, ...]] = {
    WHOLE: (),
    "no classifier": ((priors, "taught", lambda *_: None),),
    "its weight not found": ((ensemble, "found_faith", lambda *_: calibration.USUAL_FAITH),),
    "no trust": ((ensemble, "found_trust", lambda problem, *_: _believed(problem.n_statements)),),
    "by the whole of trust": ((priors, "LENIENCY", 1.0),),
    "labels count once": ((priors, "KNOWN", 1.0),),
}
PARTLY_WRONG = f"{MORE}, a fifth wrong"
PARTS: dict[str, dict[str, tuple[Constant, ...]]] = {
    MORE: LABELS,
    PARTLY_WRONG: LABELS,
    WORDS: {WHOLE: (), "at the start alone": ((priors, "VOTE", 0.0),)},
    LINKED: {
        WHOLE: (),
        "as sure as a hundred to one": ((priors, "SAID", float(np.log(100.0))),),
        "never uneven": ((ensemble, "more_probable", lambda *_: False),),
    },
}
SEEDS = {NEWS: 2, WEB: 10, "la1": 10, "re0": 10}


def _believed(n_statements: int) -> tuple[np.ndarray, np.ndarray]:
    return np.ones(n_statements), np.zeros(n_statements, dtype=bool)


@contextmanager
def with_constants(changes: tuple[Constant, ...]) -> Iterator[None]:
    """Other constants for a while."""
    before = [(module, name, getattr(module, name)) for module, name, _ in changes]
    try:
        for module, name, value in changes:
            setattr(module, name, value)
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)


def changed(corpus: str, knowledge: str, changes: tuple[Constant, ...], data: Path, seed: int) -> Run:
    """The figures with knowledge, or with a fifth of it wrong, at other constants."""
    kind, _, wrong = knowledge.partition(", ")
    return told(corpus, KINDS[kind], 0.2 if wrong else 0.0, data, seed, with_constants(changes))


def key(corpus: str, knowledge: str, part: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {knowledge} | {part}"


ALONE = "no knowledge"
ROWS = [(ALONE, part) for part in PARAMETERS] + [(kind, part) for kind in PARTS for part in PARTS[kind]]


def cell(corpus: str, knowledge: str, part: str) -> Cell | Other:
    """One part on one corpus."""
    own = key(corpus, knowledge, part)
    if knowledge == ALONE:
        given: Mapping[str, Any] = {"n_ensemble": RESTARTS, **PARAMETERS[part]}
        return Cell(own, "colligate", Plain(corpus), given, seeds=SEEDS[corpus])
    return Other(own, partial(changed, corpus, knowledge, PARTS[knowledge][part]), seeds=SEEDS[corpus])


def table(title: str, figure: str) -> Shown:
    """What is left of a figure without each part."""
    rows = {
        f"{knowledge}, {part}": {corpus: Entry(key(corpus, knowledge, part), figure) for corpus in CORPORA}
        for knowledge, part in ROWS
    }
    return Shown(title, "part", rows)


EXPERIMENT = Experiment(
    name="own.ablation",
    paper="own",
    about="what the parts of colligate bring",
    corpora=files(CORPORA),
    cells=tuple(cell(corpus, *row) for corpus in reversed(CORPORA) for row in ROWS),
    tables=(table("NMI without a part", "nmi"), table("Accuracy without a part", "accuracy")),
    quick=Quick(("re0 | no knowledge | one run",)),
)
