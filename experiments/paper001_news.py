"""Links on documents of all twenty newsgroups: do the factorisations gain by them, as on two groups?

50,000 random pairs, made from labels, name nearly every document; most of them are apart. Each cell has one
restart. The goal is that links do not lower the NMI.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.corpora.counted import CountData, count_corpus
from experiments.corpora.newsgroups import FILE, GROUPS, read_newsgroups
from experiments.random_links import draw_pairs
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec, Task
from experiments.runner.tables import list_missed_gains

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.store import Run, StoredRuns

LINKS = 50_000
GUIDED = {"csnmf": "snmf", "cstrinmf": "strinmf"}
KEPT = ("kept_together", "kept_apart")


@dataclass(frozen=True)
class Links:
    """All newsgroups, with or without the links."""

    with_links: bool

    def task(self, data: Path, seed: int) -> Task:
        """The links are drawn anew for each seed, and looked at in either case."""
        news, knowledge = read_corpus(data), None
        pairs = draw_pairs(news.labels, LINKS, seed)
        if self.with_links:
            knowledge = cg.Knowledge().together(documents=pairs[0]).apart(documents=pairs[1])
        parameters = {"n_clusters": len(GROUPS), "n_init": 1}
        return Task(news.counts, news.labels, knowledge, parameters, further=partial(count_kept, pairs))


def count_kept(pairs: tuple[np.ndarray, np.ndarray], model: Any) -> dict[str, Any]:
    """The shares of links together, and apart, that the groups keep."""
    same = [float(np.equal(*model.labels_[linked_pairs.T]).mean()) for linked_pairs in pairs]
    return {"kept": [same[0], 1.0 - same[1]]}


def share_kept(place: int, run: Run) -> float:
    """Of a stored run, the share of links together (0) or apart (1) that are kept."""
    return float(run["kept"][place])


@cache
def read_corpus(data: Path) -> CountData:
    return count_corpus(*read_newsgroups(data, None, 5))


def make_cell(method: str, links: int = 0) -> Cell:
    """A method with or without links."""
    return Cell(f"{method} | {links} links", method, Links(links > 0))


def list_missed_goals(kept: StoredRuns) -> list[str]:
    """Methods that lose by links."""
    return [
        goal
        for guided, bare in GUIDED.items()
        for goal in list_missed_gains(kept, make_cell(guided, LINKS).key, {bare: make_cell(bare).key}, "nmi")
    ]


CELLS = tuple(one for name, bare in GUIDED.items() for one in (make_cell(bare), make_cell(name, LINKS)))
COLUMNS = {"NMI": "nmi", "links together kept": KEPT[0], "links apart kept": KEPT[1], "seconds": "seconds"}

EXPERIMENT = Experiment(
    name="paper001_news",
    paper="001",
    about="factorisations on all newsgroups, with 50,000 links",
    corpora=(FILE,),
    cells=CELLS,
    tables=(
        TableSpec(
            "All newsgroups: NMI, and the shares of links that are kept",
            "cell",
            {one.key: {head: Entry(one.key, figure) for head, figure in COLUMNS.items()} for one in CELLS},
        ),
    ),
    seeds=3,
    quick=Quick(("snmf | 0 ",)),
    derived={name: partial(share_kept, position) for position, name in enumerate(KEPT)},
    missed=list_missed_goals,
)
