"""The cells of the paper on Universum (2011): defaults, starts, the paper's grid, lines of its figures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.corpora.outsiders import NEWS, Labelled, labelled
from experiments.paper004_rejecting import rejected
from experiments.published.paper004 import CORPORA, METHODS, PUBLISHED
from experiments.runner.declared import Cell, Other, Task

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.kept import Run

TARGET_WEIGHTS = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
OUTSIDER_WEIGHTS = (0.001, 0.01, 0.1, 1.0, 10.0)
BALANCES = OUTSIDER_WEIGHTS
AS_PUBLISHED = {"outsiders": "all", "select": 0.1}
UNSCALED = {"n_init": 1, "scale": 1.0}
ONE = {"n_init": 1}
# of what the paper's tables compare
SEEDS = 5


@dataclass(frozen=True)
class Outside:
    """A set with outsiders, which only `m2dcu` sees; `start` is the method whose groups it begins with."""

    corpus: str
    told: bool
    start: str = ""

    def task(self, data: Path, seed: int) -> Task:
        """The same at every seed, but for the groups to begin with."""
        part = labelled(self.corpus, data)
        seen = np.ones_like(part.inside) if self.told else part.inside
        given: dict[str, Any] = {"n_clusters": part.n_classes}
        if self.start:
            given["init"] = groups_of(self.start, part, seed)
        knowledge = part.knowledge() if self.told else None
        counts, labels = part.counts[np.flatnonzero(seen)], part.labels[seen]
        return Task(counts, labels, knowledge, given, further=objective, judged=part.inside[seen])


def objective(model: Any) -> dict[str, Any]:
    """What the method minimised."""
    return {"objective": model.history_[-1]}


def groups_of(method: str, part: Labelled, seed: int) -> np.ndarray:
    """The groups of another method as a start; outsiders are in none."""
    model = cg.make(method, n_clusters=part.n_classes, random_state=seed)
    groups = np.full(len(part.inside), -1)
    groups[part.inside] = model.fit(part.counts[np.flatnonzero(part.inside)]).labels_
    return groups


def cell(corpus: str, method: str, seeds: int | None = None, **given: Any) -> Cell:
    """A method on a set, with the parameters that are not the defaults."""
    setting = Outside(corpus, method == "m2dcu", given.get("init", ""))
    published = {} if given else {name: own[corpus][METHODS.index(method)] for name, own in PUBLISHED.items()}
    parameters = {name: value for name, value in given.items() if name != "init"}
    return Cell(_key(corpus, method, given), method, setting, parameters, published, seeds)


def _key(corpus: str, method: str, given: dict[str, Any]) -> str:
    told = ", ".join(f"{name} {value}" for name, value in given.items())
    return " | ".join((corpus, method, told or "defaults"))


def _rejecting(weight: float) -> Other:
    """How many documents held out are rejected, by what outsiders cost."""
    given = {"n_init": 5, "reject": 0.9, "outsider_weight": weight}

    def figures(data: Path, seed: int) -> Run:
        return rejected(labelled(NEWS, data), given, seed)

    return Other(_key(NEWS, "m2dcu", given), figures)


DEFAULTS = {corpus: {method: cell(corpus, method, SEEDS) for method in METHODS} for corpus in CORPORA}
VARIANTS = {
    corpus: {
        "m2dcu .1": cell(corpus, "m2dcu", SEEDS, **AS_PUBLISHED),
        "m2dcu 6.4": cell(corpus, "m2dcu", SEEDS, outsider_weight=6.4),
        "m2dcu gmm": cell(corpus, "m2dcu", SEEDS, init="gmm", n_init=1),
    }
    for corpus in CORPORA
}
REJECTING = {weight: _rejecting(weight) for weight in (0.0, 6.4, 64.0)}
# the starts decide much, so that fewer of them hide what outsiders add
FEW_STARTS = {
    corpus: {method: cell(corpus, method, n_init=5) for method in ("m2dcu", "m2dcu-0")} for corpus in CORPORA
}
BY_TARGETS = {
    (corpus, method): {w: cell(corpus, method, **UNSCALED, target_weight=w) for w in TARGET_WEIGHTS}
    for corpus in CORPORA
    for method in ("m2dcu-0", "cpm3c")
}
BY_OUTSIDERS = {
    (corpus, "m2dcu"): {
        w: cell(corpus, "m2dcu", **AS_PUBLISHED, **UNSCALED, outsider_weight=w) for w in OUTSIDER_WEIGHTS
    }
    for corpus in CORPORA
}
on_news = partial(cell, NEWS, "m2dcu", **ONE)
FIGURES = {
    "004 Figure 2": {
        "at the scale found": {w: on_news(outsider_weight=w) for w in (0.0, *OUTSIDER_WEIGHTS, 64.0)},
        "rows of unit length": BY_OUTSIDERS[NEWS, "m2dcu"],
    },
    "004 Figure 3": {
        "scale 2.83": {w: on_news(scale=2.83, target_weight=w) for w in TARGET_WEIGHTS},
        "rows of unit length, m2dcu-0": BY_TARGETS[NEWS, "m2dcu-0"],
    },
    "004 Figure 4": {
        "at the scale found": {0.0: on_news(outsider_weight=64.0)}
        | {slack: on_news(balance=slack) for slack in BALANCES},
    },
}
EVERY: tuple[Cell | Other, ...] = (
    *(
        one
        for cells in (*DEFAULTS.values(), *VARIANTS.values(), *FEW_STARTS.values())
        for one in cells.values()
    ),
    *(one for cells in (*BY_OUTSIDERS.values(), *BY_TARGETS.values()) for one in cells.values()),
    *REJECTING.values(),
    *(one for lines in FIGURES.values() for cells in lines.values() for one in cells.values()),
)
CELLS = tuple({one.key: one for one in EVERY}.values())
