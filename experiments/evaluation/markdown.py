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
    """The command, and the commits that made the runs."""
    commits = ", ".join(kept.commits(list(kept.cells))) or NONE
    return f"`python -m experiments run {experiment.name}`; computed at {commits}."


def format_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [headings, ["---", *("---:" for _ in headings[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
