"""The shares of classes over time on Reuters-21578, by `Result.over` and by BERTopic's `topics_over_time`.

The stories have dates and classes, so the share of every class in every period is known. Groups are found
without knowledge, as many as there are classes or three times as many, because the classes are very uneven.
Each group stands for the class that most of its stories have.
The error is the total variation distance of the shares that the groups give from the true ones, averaged over
the stories; the correlation is that of the two series of a class, averaged over classes. A line that does not
know the time gives every period the true shares of all stories. Calendar months and days are judged apart:
the days are those of the first seven weeks. Intervals are judged by a fifth of the stories: how often the
share of a group among all stories of a period is within the interval that the fifth gives.
BERTopic gets the vectors of WordLlama, which `colligate` uses too, and its outliers are placed.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from colligate.result.column_tables import find_interval
from experiments.corpora.folder import read_lines
from experiments.corpora.reuters import FILE
from experiments.evaluation.baselines import embed_by_words, make_bertopic, place_outliers
from experiments.evaluation.markdown import describe_runs, format_mean, format_spread, format_table
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from experiments.runner.store import Run

MONTHS, DAYS = "months", "days"
# the first date that is left out
ENDS = {MONTHS: "1987-12", DAYS: "1987-04-16"}
N_CLASSES, N_STORIES = 10, 4_000
# the periods, and the number of groups
CASES = ((MONTHS, 10), (MONTHS, 30), (DAYS, 10))
FIFTH = 5
SEEDS = 3
OURS, TOPICS, INTERVALS = "Result.over", "BERTopic, topics_over_time", "intervals"
FIGURES = {
    "error": "error of the shares",
    "error_without_time": "error without time",
    "correlation": "correlation with the true shares",
}


@cache
def read_stories(periods: str, data: Path) -> tuple[list[str], list[str], np.ndarray]:
    """The texts, dates and classes of the stories with one of the largest topics and no other."""
    about = "one story in a line, as JSON with the fields title, text, date and topics"
    stories = [one for one in read_lines(data / FILE, about) if one["text"] and len(one["topics"]) == 1]
    dates = [find_date(story["date"]) for story in stories]
    largest = dict(Counter(story["topics"][0] for story in stories).most_common(N_CLASSES))
    kept = [
        (f"{story['title']}\n{story['text']}", date, story["topics"][0])
        for story, date in zip(stories, dates, strict=True)
        if story["topics"][0] in largest and date < ENDS[periods]
    ]
    rows = np.sort(np.random.default_rng(0).permutation(len(kept))[:N_STORIES])
    texts, days, classes = zip(*(kept[row] for row in rows), strict=True)
    return list(texts), list(days), np.asarray(classes)


def find_date(text: str) -> str:
    """The day of a date of Reuters, such as 26-FEB-1987 15:01:01.79."""
    return datetime.strptime(text.split()[0].title(), "%d-%b-%Y").date().isoformat()


def count_over(
    periods: str, n_groups: int, data: Path, seed: int
) -> tuple[np.ndarray, dict[tuple[str, int], int]]:
    """The groups of `colligate`, and their documents in each period by `Result.over`."""
    result = fit_stories(periods, n_groups, data, seed)
    table = result.over("date", time=True).to_arrow().to_pydict()
    unit = next(iter(table))
    cells = zip(table[unit], table["cluster"], table["documents"], strict=True)
    return np.asarray(result.labels["documents"]), {(period, group): n for period, group, n in cells}


@cache
def fit_stories(periods: str, n_groups: int, data: Path, seed: int) -> cg.Result:
    """The groups of `colligate`."""
    texts, dates, _ = read_stories(periods, data)
    corpus = cg.Corpus.from_texts(texts, columns={"date": dates})
    return cg.make("colligate", n_clusters=n_groups, random_state=seed).fit(corpus).result_


def count_topics_over_time(
    periods: str, n_groups: int, data: Path, seed: int
) -> tuple[np.ndarray, dict[tuple[str, int], int]]:
    """The topics of BERTopic, and their documents in each period by `topics_over_time`."""
    texts, dates, _ = read_stories(periods, data)
    model = make_bertopic(seed, n_groups)
    topics = place_outliers(model, texts, model.fit_transform(texts, embed_by_words(texts))[0])
    # texts as timestamps need an argument that pandas 3 no longer has
    starts = [datetime.fromisoformat(f"{label_period(periods, date)}-01"[:10]) for date in dates]
    table = model.topics_over_time(texts, starts, topics=topics.tolist())
    cells: dict[tuple[str, int], int] = {}
    for topic, frequency, moment in table[["Topic", "Frequency", "Timestamp"]].values:
        cells[label_period(periods, moment.date().isoformat()), int(topic)] = int(frequency)
    return topics, cells


def label_period(periods: str, date: str) -> str:
    """The period of a date, as `Result.over` calls it."""
    return date[:7] if periods == MONTHS else date


WAYS: dict[str, Callable[[str, int, Path, int], tuple[np.ndarray, dict[tuple[str, int], int]]]] = {
    OURS: count_over,
    TOPICS: count_topics_over_time,
}


def judge_shares(periods: str, n_groups: int, way: str, data: Path, seed: int) -> Run:
    """The shares of classes in each period by the groups, beside the true ones."""
    _, dates, classes = read_stories(periods, data)
    groups, cells = WAYS[way](periods, n_groups, data, seed)
    names = np.unique(classes)
    labels = sorted({label_period(periods, date) for date in dates})
    truth = np.zeros((len(labels), len(names)))
    for date, name in zip(dates, classes, strict=True):
        truth[labels.index(label_period(periods, date)), np.searchsorted(names, name)] += 1
    counted = np.zeros_like(truth)
    for (period, group), number in cells.items():
        if number:
            members = classes[groups == group]
            counted[labels.index(period), np.searchsorted(names, find_majority(members))] += number
    present = int((counted.sum(axis=0) > 0).sum())
    return {**compare_shares(truth, counted), "classes": present, "counted": int(counted.sum())}


def find_majority(members: np.ndarray) -> str:
    """The commonest class, the first by name if several are."""
    names, sizes = np.unique(members, return_counts=True)
    return str(names[sizes.argmax()])


def compare_shares(truth: np.ndarray, counted: np.ndarray) -> Run:
    """The error of shares, that of a line without time, and the mean correlation of the series of a class."""
    true, ours = (table / np.maximum(table.sum(axis=1, keepdims=True), 1) for table in (truth, counted))
    weights = truth.sum(axis=1) / truth.sum()
    overall = truth.sum(axis=0) / truth.sum()
    # a class that no group stands for has a series without change, and tells nothing about time
    series = [
        0.0 if one.std() == 0 or other.std() == 0 else float(np.corrcoef(one, other)[0, 1])
        for one, other in zip(true.T, ours.T, strict=True)
    ]
    return {
        "error": float(weights @ np.abs(true - ours).sum(axis=1) / 2),
        "error_without_time": float(weights @ np.abs(true - overall).sum(axis=1) / 2),
        "correlation": float(np.mean(series)),
    }


def judge_intervals(periods: str, data: Path, seed: int) -> Run:
    """How often the share among all stories is within the interval of a fifth of them."""
    _, dates, _ = read_stories(periods, data)
    groups = np.asarray(fit_stories(periods, N_CLASSES, data, seed).labels["documents"])
    codes = np.unique([label_period(periods, date) for date in dates], return_inverse=True)[1]
    part = np.random.default_rng(seed).permutation(len(groups))[::FIFTH]
    tables = []
    for rows in (np.arange(len(groups)), part):
        table = np.zeros((codes.max() + 1, N_CLASSES), dtype=np.int64)
        np.add.at(table, (codes[rows], groups[rows]), 1)
        tables.append(table)
    everything, counts = tables
    totals = counts.sum(axis=1, keepdims=True)
    low, high = find_interval(counts, totals)
    share = everything / everything.sum(axis=1, keepdims=True)
    within = ((low <= share) & (share <= high))[totals[:, 0] > 0]
    return {"coverage": float(within.mean()), "cells": within.size}


def key(periods: str, n_groups: int, way: str) -> str:
    """How a cell is called."""
    return f"{periods} | {n_groups} groups | {way}"


def compose_tables(results: Path) -> list[str]:
    """The shares by every way, and the intervals."""
    kept = StoredRuns.of(EXPERIMENT, results)
    rows = [
        [periods, str(n_groups), f"`{way}`" if way == OURS else way]
        + [format_spread(kept, key(periods, n_groups, way), figure) for figure in FIGURES]
        + [format_mean(kept, key(periods, n_groups, way), "classes")]
        for periods, n_groups in CASES
        for way in WAYS
    ]
    covered = ", ".join(
        f"{format_mean(kept, key(periods, N_CLASSES, INTERVALS), 'coverage')} by {periods}"
        for periods in ENDS
    )
    return [
        format_table(("periods", "groups", "", *FIGURES.values(), "classes with a group"), rows),
        f"The 95% intervals of a fifth of the stories held the share among all stories: {covered}.",
        describe_runs(EXPERIMENT, kept),
    ]


EXPERIMENT = Experiment(
    name="evaluation.over_time",
    paper="own",
    about="the shares of classes over time on the dates of Reuters-21578",
    corpora=(FILE,),
    cells=(
        *(
            Measurement(key(periods, n_groups, way), partial(judge_shares, periods, n_groups, way))
            for periods, n_groups in CASES
            for way in WAYS
        ),
        *(
            Measurement(key(periods, N_CLASSES, INTERVALS), partial(judge_intervals, periods))
            for periods in ENDS
        ),
    ),
    tables=tuple(
        TableSpec(
            title.capitalize(),
            "periods",
            {
                f"{periods}, {n_groups} groups": {
                    way: Entry(key(periods, n_groups, way), figure) for way in WAYS
                }
                for periods, n_groups in CASES
            },
        )
        for figure, title in FIGURES.items()
    ),
    seeds=SEEDS,
    quick=Quick((key(MONTHS, N_CLASSES, OURS),)),
)
