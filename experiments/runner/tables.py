"""The tables of an experiment for the terminal and for a page: mean ± deviation, published in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from experiments.runner.experiment import Entry, Experiment, TableSpec
    from experiments.runner.store import StoredRuns

NONE = "–"


def format_terminal(spec: TableSpec, experiment: Experiment, stored: StoredRuns) -> Table:
    """Make the table for a terminal."""
    table = Table(title=spec.title, caption=describe_runs(spec, experiment, stored))
    table.add_column(spec.corner, no_wrap=True)
    for heading in _list_columns(spec):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in format_rows(spec, experiment, stored):
        table.add_row(*row)
    return table


def format_markdown(spec: TableSpec, experiment: Experiment, stored: StoredRuns) -> str:
    """Make the table for a page."""
    head = [spec.corner, *_list_columns(spec)]
    rows = ([name.replace(" | ", ", "), *texts] for name, *texts in format_rows(spec, experiment, stored))
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def list_headings(spec: TableSpec) -> list[str]:
    """List the columns that occur in any row."""
    return list(dict.fromkeys(heading for row in spec.rows.values() for heading in row))


def _list_columns(spec: TableSpec) -> list[str]:
    return [*list_headings(spec), *(("mean", "goal") if spec.goal else ())]


def format_rows(spec: TableSpec, experiment: Experiment, stored: StoredRuns) -> list[list[str]]:
    """Write the name and the entries of every row, and the means if there is a goal for them."""
    columns = list_headings(spec)
    rows = []
    for name, row in spec.rows.items():
        runs = select_runs(spec, row, stored)
        texts = (format_entry(row[head], experiment, runs) if head in row else NONE for head in columns)
        rows.append([name, *texts])
    return _add_means(rows, spec, stored) if spec.goal else rows


def select_runs(spec: TableSpec, row: Mapping[str, Entry], stored: StoredRuns) -> StoredRuns:
    """Return the runs that a row shows."""
    return stored.at_common_seeds(entry.key for entry in row.values()) if spec.common_seeds else stored


def _add_means(rows: list[list[str]], spec: TableSpec, stored: StoredRuns) -> list[list[str]]:
    """Add the mean of each row with its goal, and a row with the mean of each column and of all."""
    columns = list_headings(spec)
    means = np.full((len(rows), len(columns)), np.nan)
    for i, row in enumerate(spec.rows.values()):
        for j, head in enumerate(columns):
            values = list(stored.values(row[head].key, row[head].figure).values()) if head in row else []
            means[i, j] = np.mean(values) if values else np.nan
    ends = [[*row, _format_mean(mean), spec.goal] for row, mean in zip(rows, means, strict=True)]
    return [*ends, ["mean", *map(_format_mean, means.T), _format_mean(means), spec.goal]]


def _format_mean(values: np.ndarray) -> str:
    computed = values[~np.isnan(values)]
    return f"{computed.mean():.3f}" if computed.size else NONE


def format_entry(entry: Entry, experiment: Experiment, stored: StoredRuns) -> str:
    """Write mean and deviation over the seeds that have the figure, or its text, and the published figure."""
    if entry.over:
        return format_share(entry, stored)
    values = list(stored.values(entry.key, entry.figure).values())
    published = published_figure(experiment, entry)
    if any(isinstance(value, str) for value in (*values, published)):
        return (str(values[0]) if values else NONE) + ("" if published is None else f" [{published}]")
    digits = _count_digits(values or [published], entry.figure)
    return _format_spread(values, digits) + ("" if published is None else f" [{published:,.{digits}f}]")


def format_share(entry: Entry, stored: StoredRuns) -> str:
    """Write the share of runs that are above another cell, or below it."""
    gains = paired_gains(*(stored.values(key, entry.figure) for key in (entry.key, entry.over)))
    return f"{np.mean(np.sign(gains) == entry.sign):.0%}" if len(gains) else NONE


def published_figure(experiment: Experiment, entry: Entry) -> Any:
    """Look up the paper's figure, or None."""
    return experiment.cell(entry.key).published.get(entry.figure)


def describe_runs(spec: TableSpec, experiment: Experiment, stored: StoredRuns) -> str:
    """Name the numbers of seeds and the commits of the runs, and explain the brackets."""
    keys = list(dict.fromkeys(entry.key for row in spec.rows.values() for entry in row.values()))
    shown = [(select_runs(spec, row, stored), entry) for row in spec.rows.values() for entry in row.values()]
    lengths = {len(runs.cells[entry.key]) for runs, entry in shown if entry.key in runs.cells}
    seeds = ", ".join(map(str, sorted(lengths)))
    text = f"seeds: {seeds or NONE}; computed at {', '.join(stored.commits(keys)) or NONE}"
    entries = [entry for row in spec.rows.values() for entry in row.values()]
    brackets = any(published_figure(experiment, entry) is not None for entry in entries)
    return text + "; in brackets: published" * brackets


def _count_digits(values: list[Any], figure: str) -> int:
    """Show counts whole, seconds with one digit and shares with three."""
    if all(isinstance(value, int) for value in values):
        return 0
    return 1 if "seconds" in figure else 3


def _format_spread(values: list[float], digits: int) -> str:
    if not values:
        return NONE
    mean = f"{np.mean(values):,.{digits}f}"
    return f"{mean}±{np.std(values):.3f}" if digits == 3 and len(values) > 1 else mean


def paired_gains(above: Mapping[int, float], below: Mapping[int, float]) -> np.ndarray:
    """Subtract two figures seed by seed: both cells had the same data and knowledge at a seed."""
    return np.array([above[seed] - below[seed] for seed in sorted(set(above) & set(below))])


def list_missed_gains(stored: StoredRuns, key: str, rivals: Mapping[str, str], figure: str) -> list[str]:
    """List the rivals that a cell is not above on average, with the mean gains."""
    missed = []
    for name, rival in rivals.items():
        gains = paired_gains(stored.values(key, figure), stored.values(rival, figure))
        if not len(gains) or gains.mean() <= 0:
            missed.append(f"{key}, {figure}, above {name}: {_describe_gains(gains)}")
    return missed


def _describe_gains(gains: np.ndarray) -> str:
    if not len(gains):
        return "not computed"
    error = gains.std(ddof=1) / np.sqrt(len(gains)) if len(gains) > 1 else np.inf
    return f"{gains.mean():+.3f} ± {error:.3f}, above at {int((gains > 0).sum())} of {len(gains)} seeds"
