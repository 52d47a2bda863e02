"""ITCC and CITCC on two newsgroups and on all twenty, with and without links made from labels.

Links are random pairs of documents. In rows with *held out* they are drawn among nine tenths of the
documents, so that some are left that no link names; these are judged by themselves. The last rows have the
published weight of a link: with our start, which links shape, with one that they do not, and as printed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.corpora.catalogue import find_source, load_corpus
from experiments.corpora.newsgroups import PAIR
from experiments.random_links import draw_links
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec, Task

if TYPE_CHECKING:
    from pathlib import Path

    import colligate as cg
    from experiments.runner.store import StoredRuns

TWO, ALL = "atheism/graphics", "20 newsgroups"
CORPORA = {TWO: f"20ng/{'+'.join(PAIR)}", ALL: "20ng"}
CLUSTERS = {TWO: (2, 16), ALL: (20, 128)}
COLUMNS = {"NMI": "nmi", "accuracy": "accuracy", "NMI in no link": "free_nmi", "documents in no link": "free"}


UNSHAPED = {"init": "svd", "word_init": "svd"}
PRINTED = "as printed"
VARIANTS: dict[str, dict[str, Any]] = {
    "weight 1": {"link_weight": 1.0},
    "weight 1, start without links": {"link_weight": 1.0, **UNSHAPED},
    PRINTED: {"link_weight": 1.0, "reading": "printed", **UNSHAPED},
}
UNPRINTED = tuple(name for name in VARIANTS if name != PRINTED)
# of what claims compare, and of other variants
JUDGED_SEEDS, FEW_SEEDS = 10, 2


@dataclass(frozen=True)
class Links:
    """Newsgroups, counted, with a number of random links made from labels."""

    corpus: str
    links: int = 0
    held_out: bool = False

    def task(self, data: Path, seed: int) -> Task:
        """The corpus is that of every seed, the links are drawn anew."""
        corpus, labels = _read_posts(CORPORA[self.corpus], data)
        knowledge, free = draw_links(labels, self.links, seed, held_out=self.held_out)
        further = partial(_statements, knowledge)
        parameters = {"n_clusters": CLUSTERS[self.corpus][0]}
        return Task(corpus.counts, labels, knowledge, parameters, {"free": free}, further)


@cache
def _read_posts(name: str, data: Path) -> tuple[cg.Corpus, np.ndarray]:
    return load_corpus(name, data)


def _statements(knowledge: cg.Knowledge | None, model: Any) -> dict[str, Any]:
    return {"statements": model.result_.audit().counts() if knowledge else {}}


def make_cell(
    corpus: str,
    method: str,
    links: int = 0,
    *,
    held_out: bool = False,
    published: float | None = None,
    variant: str = "",
    seeds: int | None = None,
) -> Cell:
    """One row of the table; `variant` is a name of VARIANTS."""
    key = f"{corpus} | {method} | {links} links" + " | held out" * held_out + f" | {variant}" * bool(variant)
    parameters = {} if method == "kmeans" else {"n_word_clusters": CLUSTERS[corpus][1]}
    published_figures = {} if published is None else {"nmi": published}
    every = {**parameters, **VARIANTS.get(variant, {})}
    return Cell(key, method, Links(corpus, links, held_out), every, published_figures, seeds)


CELLS = (
    make_cell(TWO, "kmeans", published=0.623),
    make_cell(TWO, "itcc", published=0.842),
    make_cell(TWO, "citcc", 1_000),
    make_cell(TWO, "citcc", 5_000),
    make_cell(TWO, "citcc", 5_000, held_out=True),
    make_cell(ALL, "kmeans", published=0.429, seeds=JUDGED_SEEDS),
    make_cell(ALL, "itcc", published=0.501, seeds=JUDGED_SEEDS),
    make_cell(ALL, "citcc", 5_000),
    make_cell(ALL, "citcc", 50_000),
    make_cell(ALL, "citcc", 250_000, published=0.569, seeds=JUDGED_SEEDS),
    make_cell(ALL, "citcc", 250_000, held_out=True),
    *(make_cell(ALL, "citcc", 250_000, variant=variant, seeds=FEW_SEEDS) for variant in UNPRINTED),
    make_cell(ALL, "citcc", 250_000, variant=PRINTED, seeds=JUDGED_SEEDS),
)
GOALS = {
    f"{TWO} | itcc | 0 links": 0.82,
    f"{TWO} | citcc | 1000 links": 0.93,
    f"{TWO} | citcc | 5000 links": 0.98,
    f"{ALL} | itcc | 0 links": 0.66,
    f"{ALL} | citcc | 250000 links": 0.80,
}


def list_missed_goals(kept: StoredRuns) -> list[str]:
    """The goals that are not reached."""
    means = {key: float(np.mean([*kept.values(key, "nmi").values()] or [0.0])) for key in GOALS}
    return [f"{key}: NMI {means[key]:.3f}, goal {GOALS[key]:.2f}" for key in GOALS if means[key] < GOALS[key]]


def _make_row(one: Cell) -> dict[str, Entry]:
    figures = {**COLUMNS, "seconds": "seconds"}
    return {heading: Entry(one.key, figure) for heading, figure in figures.items()}


EXPERIMENT = Experiment(
    name="foundation",
    paper="001, 003",
    about="ITCC and CITCC on two and on all newsgroups, by the number of links",
    corpora=find_source(CORPORA[ALL]).files,
    cells=CELLS,
    tables=(
        TableSpec(
            "Newsgroups, by the number of links from labels",
            "cell",
            {one.key: _make_row(one) for one in CELLS},
            of="003 Table 6",
        ),
    ),
    quick=Quick((f"{TWO} |",), seeds=2),
    missed=list_missed_goals,
)
