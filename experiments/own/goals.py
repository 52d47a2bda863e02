"""The goals of the method beside what the stored runs obtain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from experiments.own import alone, embedded, labels, nearness
from experiments.own.knowledge import FEW, LINKED, MANY, MORE, WORDS
from experiments.own.knowledge import key as told
from experiments.own.sets import CORPORA, NEWS

if TYPE_CHECKING:
    from pathlib import Path

from experiments.runner.kept import Kept

Values = Mapping[int, float]
FIRST, TIED, BELOW = "first", "tied", "below"
NAMES = {"nmi": "NMI", "accuracy": "accuracy"}


@dataclass(frozen=True)
class Goal:
    """A figure that a cell is to reach."""

    says: str
    asked: float
    experiment: str
    key: str
    figure: str = "nmi"

    def obtained(self, results: Path) -> float:
        """The mean over seeds."""
        values = Kept(self.experiment, results).values(self.key, self.figure)
        return float(np.mean(list(values.values()))) if values else np.nan


def _news(says: str, kind: str, asked: float, figure: str = "nmi") -> Goal:
    return Goal(f"20 newsgroups, {says}: {NAMES[figure]}", asked, "own.knowledge", told(NEWS, kind), figure)


GOALS = (
    Goal("20 newsgroups, no knowledge: NMI", 0.75, "own.alone", alone.key(NEWS, alone.OURS)),
    _news("10 seed words a group", WORDS, 0.80),
    _news("1 % labels", FEW, 0.80),
    _news("1 % labels", FEW, 0.85, "accuracy"),
    _news("5 % labels", MORE, 0.82),
    _news("5 % labels", MORE, 0.88, "accuracy"),
    _news("5,000 links, documents in none", LINKED, 0.80),
    _news("250,000 links, all documents", MANY, 0.90),
)


def rows(results: Path) -> list[tuple[str, str, str, str]]:
    """Every goal: what was asked, what was obtained, and whether it is met."""
    found = []
    for goal in GOALS:
        value = goal.obtained(results)
        known = np.isfinite(value)
        verdict = _verdict(value >= goal.asked) if known else "not computed"
        found.append((goal.says, f"≥ {goal.asked:.2f}", f"{value:.3f}" if known else "–", verdict))
    ranks = {corpus: rank(results, corpus) for corpus in CORPORA}
    found.append(_everywhere("No knowledge: first or tied by NMI", ranks, (FIRST, TIED)))
    ranks = {corpus: above(results, corpus) for corpus in CORPORA}
    found.append(_everywhere("1 % labels: above all classifiers by accuracy", ranks, (FIRST,)))
    return [*found, *nearness.goals(results)]


def _everywhere(says: str, ranks: Mapping[str, str], enough: tuple[str, ...]) -> tuple[str, str, str, str]:
    met = [corpus for corpus, found in ranks.items() if found in enough]
    missed = ", ".join(corpus for corpus in ranks if corpus not in met)
    told = f"{len(met)} of {len(ranks)}" + (f"; not on {missed}" if missed else "")
    return says, f"{len(ranks)} corpora", told, _verdict(not missed)


def rank(results: Path, corpus: str, figure: str = "nmi") -> str:
    """Whether `colligate` is first without knowledge, or at most a deviation below the first.

    It has words alone; the others have sentences too, where a model has read them.
    """
    kept, read = Kept("own.alone", results), Kept("own.embedded", results)
    rivals = [kept.values(alone.key(corpus, name), figure) for name in alone.NAMES if name != alone.OURS]
    rivals += [
        read.values(embedded.key(corpus, embedded.SENTENCES, name), figure)
        for name in (embedded.KMEANS, embedded.TOPICS)
    ]
    return placed(kept.values(alone.key(corpus, alone.OURS), figure), rivals)


def above(results: Path, corpus: str) -> str:
    """The same with 1 % labels, by accuracy."""
    kept = Kept("own.labels", results)
    rivals = [labels.key(corpus, name) for name in labels.NAMERS if name != labels.OURS]
    ours = kept.values(labels.key(corpus, labels.OURS), "accuracy")
    return placed(ours, [kept.values(one, "accuracy") for one in rivals])


def placed(ours: Values, rivals: list[Values]) -> str:
    """First by the mean, tied within the larger deviation of the two, or below."""
    found = [np.array(list(own.values())) for own in rivals if own]
    if not ours or not found:
        return BELOW
    own = np.array(list(ours.values()))
    best = max(found, key=lambda values: float(values.mean()))
    if own.mean() >= best.mean():
        return FIRST
    return TIED if best.mean() - own.mean() <= max(best.std(), own.std()) else BELOW


def _verdict(met: bool) -> str:
    return "met" if met else "missed"
