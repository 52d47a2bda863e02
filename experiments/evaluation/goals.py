"""The goals of the method and the results of the stored runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from experiments.evaluation import (
    embeddings,
    group_numbers_tables,
    knowledge,
    labels,
    names,
    no_knowledge,
    short_texts,
)
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
        0.77,
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
    ranks = {corpus: rank_without_knowledge(results, corpus, "accuracy") for corpus in CORPORA}
    table_rows.append(_goal_everywhere("No knowledge: first or tied by accuracy", ranks, (FIRST, TIED)))
    table_rows += [_short_goal(results), *_knowledge_goals(results), _certainty_goal(results)]
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


def _short_goal(results: Path) -> tuple[str, str, str, str]:
    """Short texts: first by NMI among the methods that were run."""
    kept = StoredRuns(short_texts.EXPERIMENT.name, results)
    rivals = [name for name in short_texts.RUNS if name not in (short_texts.OURS, short_texts.WORDS_ALONE)]
    ranks = {
        corpus: rank_among(
            kept.values(short_texts.key(corpus, short_texts.OURS), "nmi"),
            [kept.values(short_texts.key(corpus, name), "nmi") for name in rivals],
        )
        for corpus in short_texts.CORPORA
    }
    return _goal_everywhere("Short texts: first by NMI", ranks, (FIRST,))


def _knowledge_goals(results: Path) -> list[tuple[str, str, str, str]]:
    """Knowledge never hurts: no mean gain is below 0 by more than the deviation of the gains."""
    kept, table_rows = StoredRuns("evaluation.knowledge", results), []
    for wrong in (0.0, 0.2):
        costs = {}
        for corpus in knowledge.CORPORA:
            for kind in knowledge.list_kinds(corpus) if wrong == 0.0 else knowledge.MAY_BE_WRONG:
                gains = np.array(list(kept.values(knowledge_key(corpus, kind, wrong), "gain").values()))
                # one run has no spread
                if len(gains) > 1:
                    costs[f"{corpus}, {kind}"] = gains.mean() < -gains.std()
        below = [name for name, is_below in costs.items() if is_below]
        result = f"{len(costs) - len(below)} of {len(costs)}" + (f"; not {'; '.join(below)}" if below else "")
        says = "Knowledge that is right" if wrong == 0.0 else "A fifth of the knowledge wrong"
        says += ": NMI not below none beyond the spread over seeds"
        table_rows.append((says, f"{len(costs)} cells", result, _verdict(not below)))
    return table_rows


def _certainty_goal(results: Path) -> tuple[str, str, str, str]:
    """The calibration error of confidence on the reporting corpora."""
    kept = StoredRuns("evaluation.certainty", results)
    errors = {corpus: list(kept.values(corpus, "commonest_error").values()) for corpus in CORPORA}
    ranks = {corpus: FIRST if np.mean(each) <= 0.05 else BELOW for corpus, each in errors.items() if each}
    return _goal_everywhere("Calibration error of confidence at most .05", ranks, (FIRST,))


def rank_without_knowledge(results: Path, corpus: str, figure: str = "nmi") -> str:
    """Whether `colligate` is first without knowledge, or at most a deviation below the first.

    It has its defaults; the others have sentences too, where a model has read them.
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
