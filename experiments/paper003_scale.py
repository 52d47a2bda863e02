"""Time by documents and by links: what the world paper (2015) says of linear time, and Figure 7 at its scale.

`chinc` on 20 Newsgroups with one start and at most ten rounds, so that runs differ in size alone. *Documents*
are every eighth, fourth or second post, or all, with the people, organisations and places of Freebase and
their sub-types. *Links* need 50 million pairs, as many as Figure 7 ends with; our linked entities are in half
a million. So words stand for entities there: words that are nouns of WordNet have the class of their first
meaning (noun.person, noun.location and so on) as sub-type, equal ones together, others apart. 10,001 such
words are in 50,005,000 links. They are implied and never listed. Linear time means here that the time per
document is at most 1.3 times that of the next smaller part.
"""

from __future__ import annotations

import csv
import gzip
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from colligate.network import subtype_knowledge
from experiments.corpora.folder import read_lines
from experiments.corpora.newsgroups import FILE
from experiments.knowledge_bases import list_sources
from experiments.linked_news import THREE, link_news, read_news
from experiments.runner.experiment import Cell, Entry, Experiment, TableSpec, Task
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.runner.store import Run

BASE = "freebase"
WORDNET = ("wordnet30_senses.tsv.gz", "wordnet30.jsonl.gz")
EVERY = (8, 4, 2, 1)
LINKED_WORDS = (1_001, 10_001)
ONCE = {"n_clusters": 20, "n_word_clusters": 128, "n_init": 1, "max_iter": 10, "tol": 0.0}
PER_DOCUMENT = "log seconds per document"


@dataclass(frozen=True)
class Part:
    """Every so many posts, with the entities of a base and their sub-types."""

    every: int

    def task(self, data: Path, seed: int) -> Task:
        """The posts begin at another place for each seed."""
        corpus, labels = read_news(None, data)
        selected = slice(seed % self.every, None, self.every)
        texts = None if corpus.texts is None else list(corpus.texts)[selected]
        part = replace(corpus, ids=corpus.ids[selected], counts=corpus.counts[selected], texts=texts)
        table, present = link_news(BASE, None, data, THREE[BASE]).mentions, set(part.ids)
        rows = [row for row, document in enumerate(table["document"]) if document in present]
        mentions = {name: [column[row] for row in rows] for name, column in table.items()}
        network = cg.Network.from_tables(part, mentions)

        def figures(_: Any) -> dict[str, int]:
            return {"documents": len(part)}

        return Task(network, labels[selected], subtype_knowledge(mentions), ONCE, further=figures)


@dataclass(frozen=True)
class Nouns:
    """All posts, with so many of their nouns linked by the classes of WordNet, the most frequent ones."""

    n_words: int

    def task(self, data: Path, seed: int) -> Task:
        """The same at every seed."""
        corpus, labels = read_news(None, data)
        classes = read_noun_classes(data)
        totals = np.asarray(corpus.counts.sum(axis=0)).ravel()
        nouns = [int(place) for place in np.argsort(-totals, kind="stable") if corpus.words[place] in classes]
        groups: dict[str, list[int]] = {}
        for place in nouns[: self.n_words]:
            groups.setdefault(classes[corpus.words[place]], []).append(place)
        count = sum(map(len, groups.values()))

        def figures(_: Any) -> dict[str, int]:
            return {"documents": len(labels), "words": count, "links": count * (count - 1) // 2}

        knowledge = cg.Knowledge().groups(words=groups, apart=1.0)
        return Task(cg.Network.from_corpus(corpus), labels, knowledge, ONCE, further=figures)


@cache
def read_noun_classes(folder: Path) -> dict[str, str]:
    """By word the class of its first meaning as a noun."""
    about = "one synset in a line, as JSON with the fields id and lex"
    classes = {synset["id"]: synset["lex"] for synset in read_lines(folder / WORDNET[1], about)}
    with gzip.open(folder / WORDNET[0], "rt", encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {
            row["lemma"]: classes[row["synset"]]
            for row in rows
            if row["pos"] == "n" and row["sense_number"] == "1"
        }


BY_DOCUMENTS = {every: Cell(f"every {every} | chinc", "chinc", Part(every)) for every in EVERY}
BY_LINKS = {count: Cell(f"{count} nouns | chinc", "chinc", Nouns(count), seeds=1) for count in LINKED_WORDS}
COLUMNS = {"NMI": "nmi", "seconds of the processor": "processor_seconds"}


def log_seconds_per_document(run: Run) -> float:
    """The logarithm of the time that a document takes."""
    return float(np.log(run["processor_seconds"] / run["documents"]))


def table_by_links() -> TableSpec:
    """Figure 7 at its scale."""
    return TableSpec(
        "NMI and seconds of ten rounds by implied links of words",
        "linked words",
        {
            f"{count:,}": {
                head: Entry(one.key, figure) for head, figure in {"links": "links", **COLUMNS}.items()
            }
            for count, one in BY_LINKS.items()
        },
        "Words instead of entities, of which there are too few here, by their classes in WordNet. "
        "The paper took 1.2 million seconds for 50 million links.",
        "003 Figure 7",
    )


STORED = StoredRuns("paper003_scale")
EXPERIMENT = Experiment(
    name="paper003_scale",
    paper="003",
    about="time of chinc by documents and by links, up to 50 million",
    corpora=(FILE, *list_sources(BASE), *WORDNET),
    cells=(*BY_DOCUMENTS.values(), *BY_LINKS.values()),
    tables=(
        TableSpec(
            "Seconds of ten rounds by the number of documents",
            "posts",
            {
                "all" if every == 1 else f"every {every}": {
                    head: Entry(one.key, figure)
                    for head, figure in {"documents": "documents", **COLUMNS}.items()
                }
                for every, one in BY_DOCUMENTS.items()
            },
            "One start. All links of the sub-types of Freebase.",
            "003 Figure 8",
        ),
        *((table_by_links(),) if any(one.key in STORED.cells for one in BY_LINKS.values()) else ()),
    ),
    seeds=10,
    derived={PER_DOCUMENT: log_seconds_per_document},
)
