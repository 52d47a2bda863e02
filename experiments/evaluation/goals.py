"""The goals of the method and the results of the stored runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from experiments.evaluation import embeddings, group_numbers_tables, labels, names, no_knowledge
from experiments.evaluation.corpora import CORPORA, NEWS
from experiments.evaluation.knowledge import FEW, LINKED, MANY, MORE, WORDS
from experiments.evaluation.knowledge import key as knowledge_key

if TYPE_CHECKING:
    from pathlib import Path

from experiments.runner.store import StoredRuns

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
        values = StoredRuns(self.experiment, results).values(self.key, self.figure)
        return float(np.mean(list(values.values()))) if values else np.nan


def _news_goal(says: str, kind: str, asked: float, figure: str = "nmi") -> Goal:
    return Goal(
        f"20 newsgroups, {says}: {NAMES[figure]}",
        asked,
        "evaluation.knowledge",
        knowledge_key(NEWS, kind),
        figure,
    )


GOALS = (
    Goal(
        "20 newsgroups, no knowledge: NMI",
        0.75,
        "evaluation.no_knowledge",
        no_knowledge.key(NEWS, no_knowledge.OURS),
    ),
    _news_goal("10 seed words a group", WORDS, 0.80),
    _news_goal("1 % labels", FEW, 0.80),
    _news_goal("1 % labels", FEW, 0.85, "accuracy"),
    _news_goal("5 % labels", MORE, 0.82),
    _news_goal("5 % labels", MORE, 0.88, "accuracy"),
    _news_goal("5,000 links, documents in none", LINKED, 0.80),
    _news_goal("250,000 links, all documents", MANY, 0.90),
    Goal(
        "20 newsgroups, names of five coarse groups alone: micro-F1",
        0.85,
        "evaluation.names",
        names.FIVE,
        "accuracy",
    ),
)


def goal_rows(results: Path) -> list[tuple[str, str, str, str]]:
    """Every goal: what was asked, what was obtained, and whether it is met."""
    table_rows = []
    for goal in GOALS:
        value = goal.obtained(results)
        known = np.isfinite(value)
        verdict = _verdict(value >= goal.asked) if known else "not computed"
        table_rows.append((goal.says, f"≥ {goal.asked:.2f}", f"{value:.3f}" if known else "–", verdict))
    ranks = {corpus: rank_without_knowledge(results, corpus) for corpus in CORPORA}
    table_rows.append(_goal_everywhere("No knowledge: first or tied by NMI", ranks, (FIRST, TIED)))
    ranks = {corpus: rank_with_labels(results, corpus) for corpus in CORPORA}
    table_rows.append(_goal_everywhere("1 % labels: above all classifiers by accuracy", ranks, (FIRST,)))
    return [*table_rows, *group_numbers_tables.goal_rows(results)]


def _goal_everywhere(
    says: str, ranks: Mapping[str, str], enough: tuple[str, ...]
) -> tuple[str, str, str, str]:
    met = [corpus for corpus, place in ranks.items() if place in enough]
    missed = ", ".join(corpus for corpus in ranks if corpus not in met)
    result = f"{len(met)} of {len(ranks)}" + (f"; not on {missed}" if missed else "")
    return says, f"{len(ranks)} corpora", result, _verdict(not missed)


def rank_without_knowledge(results: Path, corpus: str, figure: str = "nmi") -> str:
    """Whether `colligate` is first without knowledge, or at most a deviation below the first.

    It has words alone; the others have sentences too, where a model has read them.
    """
    kept, read = StoredRuns("evaluation.no_knowledge", results), StoredRuns("evaluation.embeddings", results)
    rivals = [
        kept.values(no_knowledge.key(corpus, name), figure)
        for name in no_knowledge.NAMES
        if name != no_knowledge.OURS
    ]
    rivals += [
        read.values(embeddings.key(corpus, embeddings.SENTENCES, name), figure)
        for name in (embeddings.KMEANS, embeddings.TOPICS)
    ]
    return rank_among(kept.values(no_knowledge.key(corpus, no_knowledge.OURS), figure), rivals)


def rank_with_labels(results: Path, corpus: str) -> str:
    """The same with 1 % labels, by accuracy."""
    kept = StoredRuns("evaluation.labels", results)
    rivals = [labels.key(corpus, name) for name in labels.NAMERS if name != labels.OURS]
    ours = kept.values(labels.key(corpus, labels.OURS), "accuracy")
    return rank_among(ours, [kept.values(one, "accuracy") for one in rivals])


def rank_among(ours: Values, rivals: list[Values]) -> str:
    """First by the mean, tied within the larger deviation of the two, or below."""
    rival_values = [np.array(list(rival.values())) for rival in rivals if rival]
    if not ours or not rival_values:
        return BELOW
    our_values = np.array(list(ours.values()))
    best = max(rival_values, key=lambda values: float(values.mean()))
    if our_values.mean() >= best.mean():
        return FIRST
    return TIED if best.mean() - our_values.mean() <= max(best.std(), our_values.std()) else BELOW


def _verdict(met: bool) -> str:
    return "met" if met else "missed"
