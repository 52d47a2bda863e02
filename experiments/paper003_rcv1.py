"""A sample of RCV1: Table 6 and Figure 4 of the world paper (2015) on MCAT, CCAT and ECAT.

The paper has 19,813 to 47,494 stories of each branch; our sample has 244 to 626 with exactly one of the
lowest topics, which are the groups to find. The order of words is not stored, so names are runs of
capitalised words, or single ones, that a knowledge base has (`experiments.corpora.rcv1`), and there are
hardly any relations between entities. CITCC gets as many links from labels for each story as in the paper.
Cells *as printed* have the paper's weights of relations and links, and its step, from a start that links do
not shape. Cells *tenths* count the entities in every tenth document, of 20 Newsgroups too, so that bases can
be compared over parts of a set.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.entities.linker import link
from colligate.entities.network import common_mentions, entity_network
from colligate.network import subtype_knowledge
from experiments.corpora import newsgroups, rcv1
from experiments.knowledge_bases import list_sources
from experiments.linked_news import THREE, link_news, open_linked_base, read_news
from experiments.paper003 import BASES, make_features, printed_parameters
from experiments.published.paper003 import CORPORA, NMI
from experiments.published.sets import RCV1
from experiments.random_links import draw_links
from experiments.runner.experiment import Cell, Entry, Experiment, Measurement, Quick, TableSpec, Task

if TYPE_CHECKING:
    from pathlib import Path

    import colligate as cg
    from colligate.entities.linker import LinkingResult

NEWS, LINKS, PARTS = "20NG", 250_000, 10
PRINTED = "as printed"
LINKED = {**BASES, "union": "all bases"}


@cache
def link_branch(branch: str, base: str, data: Path) -> LinkingResult:
    """The stories of a branch linked to a knowledge base."""
    opened = open_linked_base(base, data)
    corpus, _ = rcv1.read_branch(data, branch, frozenset(name for _, name in opened.names()))
    return link(corpus.ids, list(corpus.texts or []), opened, types=THREE[base], n_jobs=1)


@cache
def read_branch(branch: str, data: Path) -> tuple[cg.Corpus, np.ndarray]:
    """The stories of a branch, and the lowest topic of each."""
    return rcv1.read_branch(data, branch)


@dataclass(frozen=True)
class Stories:
    """The stories of a branch, described by words and the entities of a knowledge base, if any."""

    branch: str
    method: str
    base: str = ""

    def task(self, data: Path, seed: int) -> Task:
        """The same at every seed, but for links from labels."""
        corpus, labels = read_branch(self.branch, data)
        parameters = {"n_clusters": len(np.unique(labels))}
        if not self.base:
            n_links = round(LINKS / RCV1[self.branch][2] * len(labels)) if self.method == "citcc" else 0
            return Task(corpus.counts, labels, draw_links(labels, n_links, seed)[0], parameters)
        linked = link_branch(self.branch, self.base, data)
        network = entity_network(corpus, linked)
        if self.method not in ("hinc", "chinc"):
            return Task(make_features(network), labels, None, parameters)
        knowledge = subtype_knowledge(common_mentions(linked)) if self.method == "chinc" else None
        return Task(network, labels, knowledge, parameters)


def make_cell(branch: str, method: str, base: str = "", *, printed: bool = False) -> Cell:
    """A method on a branch, with words and the entities of a knowledge base, if any."""
    features = f"words + {BASES[base]}" if base else "words"
    key = " | ".join((branch, method, f"words + {base}" if base else "words", *([PRINTED] * printed)))
    published = {"nmi": NMI[method, features][CORPORA.index(branch)]}
    parameters: dict[str, Any] = printed_parameters(method) if printed else {}
    return Cell(key, method, Stories(branch, method, base), parameters, published)


def count_entities(branch: str, base: str, data: Path, _: int) -> dict[str, Any]:
    """What linking finds in a branch."""
    (corpus, _labels), linked = read_branch(branch, data), link_branch(branch, base, data)
    mentions = linked.mentions
    return {
        "documents": len(set(mentions["document"])) / len(corpus),
        "mentions": sum(mentions["count"]),
        "entities": len(set(mentions["entity"])),
        "triples": len(linked.triples),
    }


def count_part(corpus: str, base: str, data: Path, part: int) -> dict[str, int]:
    """The entities of every tenth document of a branch or of the newsgroups, beginning with one of ten."""
    if corpus == NEWS:
        ids, linked = read_news(None, data)[0].ids, link_news(base, None, data, THREE[base])
    else:
        ids, linked = read_branch(corpus, data)[0].ids, link_branch(corpus, base, data)
    present, mentions = set(ids[part::PARTS]), linked.mentions
    keys = zip(mentions["document"], mentions["entity"], strict=True)
    return {"entities": len({entity for document, entity in keys if document in present})}


ROWS = (("kmeans", ("", *BASES)), ("itcc", ("", *BASES)), ("citcc", ("",)), ("hinc", tuple(BASES)))
TABLE = {
    branch: [
        *(make_cell(branch, method, base) for method, bases in ROWS for base in bases),
        *(make_cell(branch, "chinc", base) for base in BASES),
        make_cell(branch, "citcc", printed=True),
        *(make_cell(branch, method, base, printed=True) for method in ("hinc", "chinc") for base in BASES),
    ]
    for branch in RCV1
}
FOUND = {
    (branch, base): Measurement(f"{branch} | {base}", partial(count_entities, branch, base), seeds=1)
    for branch in RCV1
    for base in LINKED
}
TENTHS = tuple(
    Measurement(f"{corpus} | {base} | tenths", partial(count_part, corpus, base), seeds=PARTS)
    for corpus in (NEWS, *RCV1)
    for base in BASES
)


def make_table() -> TableSpec:
    """Table 6: a row for each method, a column for each branch."""
    names = [one.key.partition(" | ")[2] for one in TABLE["MCAT"]]
    rows = {
        name: {branch: Entry(cells[place].key) for branch, cells in TABLE.items()}
        for place, name in enumerate(names)
    }
    note = "Label-free, except citcc: its links come from labels, as in the paper. NMI."
    return TableSpec("A sample of RCV1, by branch", "cell", rows, note, "003 Table 6")


EXPERIMENT = Experiment(
    name="paper003_rcv1",
    paper="003",
    about="a sample of RCV1: words, with entities as features, as a network, with sub-types",
    corpora=(newsgroups.FILE, rcv1.FILE, rcv1.HIERARCHY, *list_sources(*LINKED)),
    cells=(*(one for cells in TABLE.values() for one in cells), *FOUND.values(), *TENTHS),
    tables=(
        make_table(),
        TableSpec(
            "Entities of the sample of RCV1",
            "branch, base",
            {
                f"{branch}, {base}": {
                    head: Entry(one.key, figure)
                    for head, figure in (
                        ("documents ≥ 1", "documents"),
                        *((name, name) for name in ("mentions", "entities", "triples")),
                    )
                }
                for (branch, base), one in FOUND.items()
            },
            "Names are runs of capitalised words or single ones, without their order in the story.",
            "003 Figure 4",
        ),
    ),
    seeds=10,
    quick=Quick(("ECAT | itcc | words", "ECAT | kmeans | words")),
)
