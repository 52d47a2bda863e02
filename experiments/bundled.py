"""Six newsgroups that come with the repository: k-means and co-clustering, with and without links.

Small enough for the tests, which ask for the order of the methods and not for digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from experiments.random_links import draw_links
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec, Task
from tools.golden.corpora import read_posts

if TYPE_CHECKING:
    from pathlib import Path

LINKS = 2_000
METHODS = {"kmeans": 0, "itcc": 0, "ckmeans": LINKS, "citcc": LINKS}


@dataclass(frozen=True)
class Posts:
    """The posts of the golden files with a number of random links made from labels."""

    links: int

    def task(self, data: Path, seed: int) -> Task:
        """The data folder is not asked."""
        corpus, labels = _read_posts()
        knowledge, free = draw_links(labels, self.links, seed)
        return Task(corpus.counts, labels, knowledge, {"n_clusters": 6}, {"free": free})


@cache
def _read_posts() -> tuple[cg.Corpus, np.ndarray]:
    posts = read_posts()
    corpus = cg.Corpus.from_texts(
        [post["text"] for post in posts], analyser=cg.Analyser(min_df=2, keep_markup=True)
    )
    return corpus, np.array([post["group"] for post in posts])


CELLS = {name: Cell(f"{name} | {links} links", name, Posts(links)) for name, links in METHODS.items()}
COLUMNS = {"NMI": "nmi", "accuracy": "accuracy", "NMI in no link": "free_nmi", "seconds": "seconds"}

EXPERIMENT = Experiment(
    name="bundled",
    paper="001",
    about="the bundled newsgroups, with and without links",
    corpora=(),
    cells=tuple(CELLS.values()),
    tables=(
        TableSpec(
            "The bundled newsgroups",
            "method",
            {
                one.key: {heading: Entry(one.key, figure) for heading, figure in COLUMNS.items()}
                for one in CELLS.values()
            },
        ),
    ),
    seeds=3,
    quick=Quick(("",), seeds=2),
)
