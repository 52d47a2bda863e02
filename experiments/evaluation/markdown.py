"""Figures of stored runs as text for the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from experiments.evaluation import no_knowledge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from experiments.runner.experiment import Experiment
    from experiments.runner.store import StoredRuns

NONE = "–"
# parts of keys that are listed; of more, only the number is given
MOST_NAMED = 6


def format_spread(kept: StoredRuns, key: str, figure: str) -> str:
    """Mean ± deviation, and over how many seeds."""
    values = list(kept.values(key, figure).values())
    if len(values) < 2:
        return f"{values[0]:.3f} (1)" if values else NONE
    return f"{np.mean(values):.3f}±{np.std(values):.3f} ({len(values)})"


def format_mean(kept: StoredRuns, key: str, figure: str) -> str:
    """The mean alone."""
    values = list(kept.values(key, figure).values())
    return f"{np.mean(values):.3f}" if values else NONE


def format_count(kept: StoredRuns, key: str, figure: str) -> str:
    """A count, about the same at every seed."""
    values = list(kept.values(key, figure).values())
    return f"{np.mean(values):,.0f}" if values else NONE


def format_method(name: str) -> str:
    """The name of one of our methods as code."""
    return f"`{name}`" if name in no_knowledge.METHODS else name


def describe_runs(experiment: Experiment, kept: StoredRuns) -> str:
    """The command, and the commits that made the runs; of several, with the cells of each."""
    keys = [cell.key for cell in experiment.cells]
    commits = kept.commits(keys)
    if len(commits) > 1:
        commits = [f"{commit} ({_name_cells(kept, keys, commit)})" for commit in commits]
    return f"`python -m experiments run {experiment.name}`; computed at {', '.join(commits) or NONE}."


def _name_cells(kept: StoredRuns, keys: Sequence[str], commit: str) -> str:
    """The cells that have runs of a commit: what each part of their keys is, or how many there are."""
    made = [key.split(" | ") for key in keys if commit in kept.commits([key])]
    n_parts = max(map(len, made))
    values = [list(dict.fromkeys(key[place] for key in made if place < len(key))) for place in range(n_parts)]
    return "; ".join(", ".join(each) if len(each) <= MOST_NAMED else f"{len(each)} cases" for each in values)


def format_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [headings, ["---", *("---:" for _ in headings[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
