"""A table of an experiment, for the terminal and for a page: mean ± deviation, published in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table

from experiments.runner.paired import gains

if TYPE_CHECKING:
    from experiments.runner.declared import Entry, Experiment, Shown
    from experiments.runner.kept import Kept

NONE = "–"


def terminal(shown: Shown, experiment: Experiment, kept: Kept) -> Table:
    """The table for a terminal."""
    table = Table(title=shown.title, caption=made(shown, experiment, kept))
    table.add_column(shown.corner, no_wrap=True)
    for heading in headings(shown):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in cells(shown, experiment, kept):
        table.add_row(*row)
    return table


def markdown(shown: Shown, experiment: Experiment, kept: Kept) -> str:
    """The table for a page."""
    first = [shown.corner, *headings(shown)]
    rows = ([name.replace(" | ", ", "), *texts] for name, *texts in cells(shown, experiment, kept))
    lines = [first, ["---", *("---:" for _ in first[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def headings(shown: Shown) -> list[str]:
    """The columns that occur in any row."""
    return list(dict.fromkeys(heading for row in shown.rows.values() for heading in row))


def cells(shown: Shown, experiment: Experiment, kept: Kept) -> list[list[str]]:
    """The texts of the rows."""
    columns = headings(shown)
    return [
        [name, *(text(row[heading], experiment, kept) if heading in row else NONE for heading in columns)]
        for name, row in shown.rows.items()
    ]


def text(entry: Entry, experiment: Experiment, kept: Kept) -> str:
    """Mean and deviation of an entry over the seeds that have it, or its words, and what was published."""
    if entry.over:
        return share(entry, kept)
    values = list(kept.values(entry.key, entry.figure).values())
    told = published(experiment, entry)
    if any(isinstance(one, str) for one in (*values, told)):
        return (str(values[0]) if values else NONE) + ("" if told is None else f" [{told}]")
    digits = _digits(values or [told], entry.figure)
    return _spread(values, digits) + ("" if told is None else f" [{told:,.{digits}f}]")


def share(entry: Entry, kept: Kept) -> str:
    """The share of runs that are above another cell, or below it."""
    found = gains(*(kept.values(key, entry.figure) for key in (entry.key, entry.over)))
    return f"{np.mean(np.sign(found) == entry.sign):.0%}" if len(found) else NONE


def published(experiment: Experiment, entry: Entry) -> Any:
    """The paper's figure, if it has one."""
    return experiment.cell(entry.key).published.get(entry.figure)


def made(shown: Shown, experiment: Experiment, kept: Kept) -> str:
    """How many seeds the cells have that are computed, the commits that made them, what the brackets are."""
    keys = list(dict.fromkeys(entry.key for row in shown.rows.values() for entry in row.values()))
    seeds = sorted({len(kept.cells[key]) for key in keys if key in kept.cells})
    told = f"seeds: {', '.join(map(str, seeds)) or NONE}; computed at {', '.join(kept.commits(keys)) or NONE}"
    entries = [entry for row in shown.rows.values() for entry in row.values()]
    brackets = any(published(experiment, entry) is not None for entry in entries)
    return told + "; in brackets: published" * brackets


def _digits(values: list[Any], figure: str) -> int:
    """Counts are shown whole, seconds with one digit, shares with three."""
    if all(isinstance(value, int) for value in values):
        return 0
    return 1 if "seconds" in figure else 3


def _spread(values: list[float], digits: int) -> str:
    if not values:
        return NONE
    mean = f"{np.mean(values):,.{digits}f}"
    return f"{mean}±{np.std(values):.3f}" if digits == 3 and len(values) > 1 else mean
