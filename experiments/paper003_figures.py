"""Clusters of entities, sweeps, links and seconds: Figures 5 to 8 of the world paper (2015).

`chinc` on all of 20 Newsgroups with Freebase and YAGO, as in Table 6, but with one start, and with twice as
many clusters of every type as groups, as in the paper. Figure 5 varies the clusters of one type, Figure 6 the
number of sweeps. Figure 7 uses the sub-types of more and more entities: first of one type, then of two, then
of all three; without any it is `hinc`. Links are the pairs of entities of one type with known sub-types; they
are implied and never listed. Figure 8 has the stories of the six largest topics of Reuters-21578 beside the
newsgroups, since our RCV1 has no text. The paper draws its figures without digits. Rows *as printed* give
every relation the weight 1, a link the paper's weight, and drop the mass of an object in the label step; they
have one start, which links do not shape, and 20 rounds, for the ends of each line on the newsgroups.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.entities.linker import link
from colligate.entities.network import common_mentions, entity_network
from colligate.network import subtype_knowledge
from experiments.corpora import newsgroups, reuters
from experiments.knowledge_bases import list_sources
from experiments.linked_news import THREE, link_news, open_linked_base, read_news
from experiments.paper003 import BASES, PRINTED, ROUNDS, printed_parameters
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec, Task

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import colligate as cg
    from colligate.entities.linker import LinkingResult
    from colligate.entities.tables import Table

NEWS, STORIES = "20 newsgroups", "Reuters, 6 largest"
GROUPS = {NEWS: 20, STORIES: 6}
WORD_CLUSTERS = {NEWS: 128, STORIES: 64}
ENTITY_CLUSTERS, SWEEPS = (2, 8, 40, 128), (1, 2, 5, 20, 80)
ALL, NONE = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0)
TOLD = (NONE, (0.5, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0))
NAMES = {"nmi": "NMI", "processor_seconds": "seconds of the processor"}
# what claims compare, on the newsgroups, and the ends of the lines as printed
JUDGED_CLUSTERS, JUDGED_SWEEPS, OTHER_SEEDS, ENDS = (2, 40), (None, 1, 20), 3, (NONE, ALL)


@dataclass(frozen=True)
class Shares:
    """A corpus with the entities of a base, and the share of each type whose sub-types are told."""

    corpus: str
    base: str
    subtype_shares: tuple[float, float, float]

    def task(self, data: Path, seed: int) -> Task:
        """The same network at every seed; which sub-types are told is drawn anew."""
        network, mentions, labels = link_described(self.corpus, self.base, data)
        table, links = self.known(mentions, seed)
        sizes = {kind: len(network.types[kind]) for kind in THREE[self.base]}

        def figures(_: Any) -> dict[str, int]:
            return {"documents": len(labels), "entities": sum(sizes.values()), "links": links}

        knowledge = subtype_knowledge(table) if links else None
        parameters = {"n_clusters": GROUPS[self.corpus], "n_word_clusters": WORD_CLUSTERS[self.corpus]}
        return Task(network, labels, knowledge, {**parameters, "n_init": 1}, further=figures)

    def known(self, mentions: Table, seed: int) -> tuple[Table, int]:
        """The mentions of the entities whose sub-types are told, and how many pairs these are in."""
        drawn, links = set(), 0
        keys = zip(mentions["type"], mentions["name"], mentions["subtype"], strict=True)
        typed = sorted({(kind, name) for kind, name, subtypes in keys if subtypes})
        for kind, share in zip(THREE[self.base], self.subtype_shares, strict=True):
            names = [key for key in typed if key[0] == kind]
            order = np.random.default_rng(seed).permutation(len(names))[: round(share * len(names))]
            drawn |= {names[position] for position in order.tolist()}
            links += len(order) * (len(order) - 1) // 2
        rows = zip(mentions["type"], mentions["name"], strict=True)
        kept = [position for position, key in enumerate(rows) if key in drawn]
        return {name: [column[position] for position in kept] for name, column in mentions.items()}, links


@cache
def link_described(corpus: str, name: str, data: Path) -> tuple[cg.Network, Table, np.ndarray]:
    """Documents, words and entities, the mentions of these, and the group of each document."""
    documents, labels = read_corpus(corpus, data)
    linking = link_corpus(corpus, name, data)
    return entity_network(documents, linking), common_mentions(linking), labels


def read_corpus(corpus: str, data: Path) -> tuple[cg.Corpus, np.ndarray]:
    return (
        read_news(None, data) if corpus == NEWS else reuters.read_topics(data, 0, GROUPS[STORIES], min_df=5)
    )


def link_corpus(corpus: str, name: str, data: Path) -> LinkingResult:
    if corpus == NEWS:
        return link_news(name, None, data, THREE[name])
    documents, _ = read_corpus(corpus, data)
    return link(
        documents.ids, list(documents.texts or []), open_linked_base(name, data), types=THREE[name], n_jobs=1
    )


def make_cell(
    name: str,
    subtype_shares: tuple[float, float, float] = ALL,
    corpus: str = NEWS,
    clusters: Mapping[str, int] | None = None,
    sweeps: int | None = None,
    *,
    printed: bool = False,
) -> Cell:
    """`chinc` with one start; twice as many clusters of a type as groups, unless said otherwise."""
    n_clusters = dict.fromkeys(THREE[name], 2 * GROUPS[corpus]) | dict(clusters or {})
    counts = " + ".join(map(str, n_clusters.values()))
    shares = " + ".join(f"{share:g}" for share in subtype_shares)
    key = f"{corpus} | {name} | told {shares} | {counts} clusters"
    parameters: dict[str, Any] = {"n_entity_clusters": n_clusters}
    if printed:
        key, parameters = f"{key} | {PRINTED}", {**parameters, **printed_parameters("chinc")}
    if sweeps:
        key, parameters = f"{key} | {sweeps} sweeps", {**parameters, "max_iter": sweeps}
    few = set(n_clusters.values()) <= set(JUDGED_CLUSTERS)
    judged = corpus == NEWS and few and sweeps in JUDGED_SWEEPS
    seeds = None if judged else OTHER_SEEDS
    return Cell(key, "chinc", Shares(corpus, name, subtype_shares), parameters, seeds=seeds)


BY_CLUSTERS = {
    f"{BASES[name]}, {kind}": {n: make_cell(name, clusters={kind: n}) for n in ENTITY_CLUSTERS}
    for name in BASES
    for kind in THREE[name]
}
BY_SWEEPS = {title: {n: make_cell(name, sweeps=n) for n in SWEEPS} for name, title in BASES.items()}
BY_TOLD = {
    title: {shares: make_cell(name, shares) for shares in (*TOLD, ALL)} for name, title in BASES.items()
}
BY_CORPUS = {
    f"{corpus}, {title}": make_cell(name, corpus=corpus) for corpus in GROUPS for name, title in BASES.items()
}
PRINTED_CLUSTERS = {
    f"{title}, {kind}, {PRINTED}": {
        n: make_cell(name, clusters={kind: n}, printed=True) for n in JUDGED_CLUSTERS
    }
    for name, title in BASES.items()
    for kind in THREE[name]
}
PRINTED_SWEEPS = {
    f"{title}, {PRINTED}": {
        1: make_cell(name, sweeps=1, printed=True),
        ROUNDS: make_cell(name, printed=True),
    }
    for name, title in BASES.items()
}
PRINTED_TOLD = {
    f"{title}, {PRINTED}": {shares: make_cell(name, shares, printed=True) for shares in ENDS}
    for name, title in BASES.items()
}
BY_CORPUS |= {f"{NEWS}, {title}, {PRINTED}": make_cell(name, printed=True) for name, title in BASES.items()}
SERIES = (
    *(*BY_CLUSTERS.values(), *BY_SWEEPS.values(), *BY_TOLD.values(), BY_CORPUS),
    *(*PRINTED_CLUSTERS.values(), *PRINTED_SWEEPS.values(), *PRINTED_TOLD.values()),
)
CELLS = {one.key: one for row in SERIES for one in row.values()}
COLUMNS = {
    "documents": "documents",
    "entities": "entities",
    "links": "links",
    "NMI": "nmi",
    "seconds of the processor": "processor_seconds",
}


def table_by_links() -> TableSpec:
    """Figure 7: a row for every step, from no link to all of three types."""
    columns = {"links": "links", **{head: figure for figure, head in NAMES.items()}}
    rows = {
        f"{name}, {' + '.join(f'{share:.0%}' for share in shares)}": {
            head: Entry(one.key, figure) for head, figure in columns.items()
        }
        for name, cells in (BY_TOLD | PRINTED_TOLD).items()
        for shares, one in cells.items()
    }
    note = (
        f"The shares are of {', '.join(THREE['freebase'])}, in this order. Label-free: sub-types come from "
        "the knowledge base."
    )
    return TableSpec(
        "NMI and seconds by links of entities", "base, given sub-types", rows, note, "003 Figure 7"
    )


def table_by_sweeps(figure: str) -> TableSpec:
    """Figure 6: one of its two axes."""
    rows = {
        name: {f"{n} sweep{'s' * (n > 1)}": Entry(one.key, figure) for n, one in cells.items()}
        for name, cells in (BY_SWEEPS | PRINTED_SWEEPS).items()
    }
    title, chart = f"{NAMES[figure]} by the number of sweeps", "sweeps at most" if figure == "nmi" else ""
    note = "A run that no sweep changes any more ends earlier."
    title = title[0].upper() + title[1:]
    return TableSpec(title, "base", rows, note, "003 Figure 6", chart, common_seeds=True)


EXPERIMENT = Experiment(
    name="paper003_figures",
    paper="003",
    about="chinc by clusters of entities, sweeps and links, with seconds",
    corpora=(newsgroups.FILE, reuters.FILE, *list_sources(*BASES)),
    cells=tuple(CELLS.values()),
    tables=(
        TableSpec(
            "NMI by the number of clusters of one type of entities",
            "base, type",
            {
                name: {f"{n} clusters": Entry(one.key) for n, one in cells.items()}
                for name, cells in (BY_CLUSTERS | PRINTED_CLUSTERS).items()
            },
            "The other two types have 40 clusters each.",
            "003 Figure 5",
            "clusters of one type",
            common_seeds=True,
        ),
        *map(table_by_sweeps, NAMES),
        table_by_links(),
        TableSpec(
            "Seconds by corpus and knowledge base, all links",
            "corpus, base",
            {
                name: {head: Entry(one.key, figure) for head, figure in COLUMNS.items()}
                for name, one in BY_CORPUS.items()
            },
            "One start.",
            "003 Figure 8",
        ),
    ),
    seeds=10,
    quick=Quick((f"{STORIES} | freebase",)),
)
