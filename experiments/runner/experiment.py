"""What an experiment is: cells, each a method on a task, and the tables that show them; and all by name.

A setting says how the task of a seed is made (corpus, preprocessing, knowledge). Nothing is read or computed
before a run needs it.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import numpy as np

    import colligate as cg
    from experiments.runner.store import Run, StoredRuns

# the order in which experiments are listed and run
NAMES = (
    "questions",
    "control",
    "bundled",
    "foundation",
    "networks",
    "evaluation.no_knowledge",
    "evaluation.knowledge",
    "evaluation.rivals",
    "evaluation.embeddings",
    "evaluation.short_texts",
    "evaluation.names",
    "evaluation.uneven_sizes",
    "evaluation.subtypes",
    "evaluation.trust",
    "evaluation.certainty",
    "evaluation.labels",
    "evaluation.ablation",
    "evaluation.icd10",
    "evaluation.group_numbers",
    "evaluation.hierarchy",
    "evaluation.over_time",
    "evaluation.update",
    "evaluation.tuning",
    "peers",
    "sets",
    "paper000",
    "paper001",
    "paper001_words",
    "paper001_news",
    "paper001_names",
    "paper001_pairs",
    "paper001_reasons",
    "paper002",
    "paper002_words",
    "paper002_figure2",
    "paper002_figure4",
    "paper003",
    "paper003_rcv1",
    "paper003_filters",
    "paper003_entities",
    "paper003_figures",
    "paper003_scale",
    "paper003_reasons",
    "paper004",
    "paper004_porter",
    "paper004_sets",
    "paper004_reasons",
)


def no_figures(_: Any) -> dict[str, Any]:
    """Add no further figures."""
    return {}


def no_goals(_: StoredRuns) -> list[str]:
    """Have no goal, so miss none."""
    return []


@dataclass(frozen=True, eq=False)
class Task:
    """The input of a method at one seed, and the labels that its groups are compared with.

    `judged` masks the documents that are compared, where these are not all. `parts` are further masks of
    documents by name: `free` gives `free_nmi` and so on. `further` computes other figures from the fitted
    method.
    """

    data: Any
    labels: np.ndarray
    knowledge: cg.Knowledge | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, np.ndarray] = field(default_factory=dict)
    further: Callable[[Any], Mapping[str, Any]] = no_figures
    judged: np.ndarray | None = None


class Setting(Protocol):
    """How the task of a seed is made from the data folder."""

    def task(self, data: Path, seed: int) -> Task:
        """Make the task of one seed."""
        ...


@dataclass(frozen=True, eq=False)
class Cell:
    """A method in a setting, run once for each seed; `published` are the paper's figures by name.

    `seeds` is the number of seeds where it differs from that of the experiment.
    """

    key: str
    method: str
    setting: Setting
    parameters: Mapping[str, Any] = field(default_factory=dict)
    published: Mapping[str, float] = field(default_factory=dict)
    seeds: int | None = None


@dataclass(frozen=True, eq=False)
class Measurement:
    """A cell whose figures do not come from one fit: a function of the data folder and the seed."""

    key: str
    figures: Callable[[Path, int], Run]
    published: Mapping[str, float | str] = field(default_factory=dict)
    seeds: int | None = None


@dataclass(frozen=True)
class Entry:
    """One figure of one cell in a table.

    With `over`, another cell, it is the share of runs that are above that cell (`sign` 1) or below it (-1).
    """

    key: str
    figure: str = "nmi"
    over: str = ""
    sign: int = 1


@dataclass(frozen=True, eq=False)
class TableSpec:
    """Rows of columns of entries.

    `of` is the table or figure of a paper that they reproduce, such as *001 Figure 2*; empty where the paper
    has none. `chart` says what the columns count, where the rows are also drawn as lines. `scatter` are two
    columns, where the runs of each row are drawn as points, the first column against the second. With a
    `goal`, such as `≥ 0.95`, the mean of each row stands beside it, and a last row has the means of the
    columns. `common_seeds` shows each row at the seeds that all its cells have, where some have more.
    """

    title: str
    corner: str
    rows: Mapping[str, Mapping[str, Entry]]
    note: str = ""
    of: str = ""
    chart: str = ""
    goal: str = ""
    scatter: tuple[str, str] | None = None
    common_seeds: bool = False


@dataclass(frozen=True, eq=False)
class Quick:
    """The part of an experiment that a quick run computes: cells with such a word in the key, and seeds."""

    only: tuple[str, ...]
    seeds: int = 1


@dataclass(frozen=True, eq=False)
class Experiment:
    """Cells and their tables.

    `corpora` are the files of the data folder that it needs; `derived` figures are computed from the stored
    ones; `missed` names the goals that the stored results do not reach.
    """

    name: str
    paper: str
    about: str
    corpora: tuple[str, ...]
    cells: tuple[Cell | Measurement, ...]
    tables: tuple[TableSpec, ...]
    seeds: int = 5
    quick: Quick | None = None
    derived: Mapping[str, Callable[[Run], float | None]] = field(default_factory=dict)
    missed: Callable[[StoredRuns], list[str]] = no_goals

    def n_runs(self, cell: Cell | Measurement) -> int:
        """How many runs a cell has when it is complete."""
        return self.seeds if cell.seeds is None else cell.seeds

    def cell(self, key: str) -> Cell | Measurement:
        """Find the cell of a key."""
        return next(cell for cell in self.cells if cell.key == key)


def load_experiment(name: str) -> Experiment:
    """Import the experiment that `experiments/NAME.py` declares."""
    experiment: Experiment = importlib.import_module(f"experiments.{name}").EXPERIMENT
    return experiment


def select_experiments(names: Sequence[str]) -> list[Experiment]:
    """Load experiments by name; all of them without a name."""
    for name in names:
        if name not in NAMES:
            near = get_close_matches(name, NAMES, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise SystemExit(f"there is no experiment {name!r}.{hint} Experiments: {', '.join(NAMES)}.")
    return [load_experiment(name) for name in names or NAMES]
