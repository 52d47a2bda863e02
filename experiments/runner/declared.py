"""What an experiment is made of: cells, each a method on a task, and the tables that show them.

A setting is data too: it says how the task of a seed is made (corpus, preprocessing, knowledge), and makes it
when it is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import numpy as np

    import colligate as cg
    from experiments.runner.kept import Kept, Run


def nothing(_: Any) -> dict[str, Any]:
    """No further figures."""
    return {}


def no_goals(_: Kept) -> list[str]:
    """No goal, so none is missed."""
    return []


@dataclass(frozen=True, eq=False)
class Task:
    """What a method is given at one seed, and what its groups are judged by.

    `judged` masks the documents that are judged, where these are not all. `parts` are further sets of
    documents to judge, as masks by name: `free` gives `free_nmi` and so on. `further` makes other figures of
    the fitted method.
    """

    data: Any
    labels: np.ndarray
    knowledge: cg.Knowledge | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, np.ndarray] = field(default_factory=dict)
    further: Callable[[Any], Mapping[str, Any]] = nothing
    judged: np.ndarray | None = None


class Setting(Protocol):
    """How the task of a seed is made from the data folder."""

    def task(self, data: Path, seed: int) -> Task:
        """The task of one seed."""
        ...


@dataclass(frozen=True, eq=False)
class Cell:
    """A method in a setting, run once for each seed; `published` are the paper's figures by name.

    `seeds` is how many, where that is not the number of the experiment.
    """

    key: str
    method: str
    setting: Setting
    parameters: Mapping[str, Any] = field(default_factory=dict)
    published: Mapping[str, float] = field(default_factory=dict)
    seeds: int | None = None


@dataclass(frozen=True, eq=False)
class Other:
    """Figures that no single fit gives, made of the data folder for each seed."""

    key: str
    figures: Callable[[Path, int], Run]
    published: Mapping[str, float | str] = field(default_factory=dict)
    seeds: int | None = None


@dataclass(frozen=True)
class Entry:
    """One figure of one cell, as a table shows it.

    With `over`, another cell, it is the share of runs that are above that cell (`sign` 1) or below it (-1).
    """

    key: str
    figure: str = "nmi"
    over: str = ""
    sign: int = 1


@dataclass(frozen=True, eq=False)
class Shown:
    """Rows of columns of entries.

    `of` is the table or figure of a paper that they remake, as in *001 Figure 2*; none where the paper has no
    such table. `chart` names what the columns are numbers of, where the rows are to be drawn as lines.
    """

    title: str
    corner: str
    rows: Mapping[str, Mapping[str, Entry]]
    note: str = ""
    of: str = ""
    chart: str = ""


@dataclass(frozen=True, eq=False)
class Quick:
    """The part of an experiment that a quick run computes: cells with such a word in the key, and seeds."""

    only: tuple[str, ...]
    seeds: int = 1


@dataclass(frozen=True, eq=False)
class Experiment:
    """Cells and the tables they make.

    `corpora` are the files of the data folder that it needs; `derived` figures are made of the stored ones;
    `missed` names the goals that the stored results do not reach.
    """

    name: str
    paper: str
    about: str
    corpora: tuple[str, ...]
    cells: tuple[Cell | Other, ...]
    tables: tuple[Shown, ...]
    seeds: int = 5
    quick: Quick | None = None
    derived: Mapping[str, Callable[[Run], float | None]] = field(default_factory=dict)
    missed: Callable[[Kept], list[str]] = no_goals

    def runs(self, cell: Cell | Other) -> int:
        """How many runs a cell is to have."""
        return self.seeds if cell.seeds is None else cell.seeds

    def cell(self, key: str) -> Cell | Other:
        """The cell of a key."""
        return next(cell for cell in self.cells if cell.key == key)
