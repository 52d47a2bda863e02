"""The experiments by name, in the order in which they are listed and run."""

from __future__ import annotations

import importlib
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from experiments.runner.declared import Experiment

NAMES = (
    "asked",
    "bundled",
    "foundation",
    "networks",
    "own.alone",
    "own.knowledge",
    "own.rivals",
    "own.embedded",
    "own.uneven",
    "own.labels",
    "own.ablation",
    "own.fresh",
    "own.numbers",
    "own.tuning",
    "peers",
    "sets",
    "paper000",
    "paper001",
    "paper001_news",
    "paper001_names",
    "paper001_pairs",
    "paper001_reasons",
    "paper002",
    "paper002_words",
    "paper002_figure2",
    "paper002_figure4",
    "paper003",
    "paper003_filters",
    "paper003_entities",
    "paper003_figures",
    "paper003_reasons",
    "paper004",
    "paper004_sets",
    "paper004_reasons",
)


def find(name: str) -> Experiment:
    """The experiment that `experiments/NAME.py` declares."""
    found: Experiment = importlib.import_module(f"experiments.{name}").EXPERIMENT
    return found


def chosen(names: Sequence[str]) -> list[Experiment]:
    """The experiments of some names; all where there are none."""
    for name in names:
        if name not in NAMES:
            near = get_close_matches(name, NAMES, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise SystemExit(f"there is no experiment {name!r}.{hint} Experiments: {', '.join(NAMES)}.")
    return [find(name) for name in names or NAMES]
