"""Words alone, with entities, with the sub-types of entities as groups; papers with authors and venues.

On 20 Newsgroups the clusters of entities are compared with their sub-types: over entities with exactly one
sub-type, each type weighted by their number. A type has as many clusters as sub-types in the knowledge base.
`chinc` gets these sub-types as knowledge, so its figure shows how far they are kept. In rows with *held out*,
the sub-types of a fifth of the entities are withheld, and only these are judged. Published figures come from
a network of all of Freebase, linked by a semantic parser; the area of a paper in DBLP is that of its venue.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from colligate.network import subtype_knowledge
from experiments.agreement import count_subtypes, measure_agreement, pool_agreement
from experiments.corpora import dblp as papers
from experiments.corpora import newsgroups as posts
from experiments.mentions import find_mentions
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec, Task

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from experiments.runner.store import Run, StoredRuns

NEWS, PAPERS = "20 newsgroups", "DBLP"
PARAMETERS = {NEWS: {"n_clusters": 20, "n_word_clusters": 128}, PAPERS: {"n_clusters": 4}}
BASES = {"figer": "freebase_figer_entities.tsv.gz", "dbpedia": "dbpedia_entities.tsv.gz"}
FURTHER = ("dbpedia_ontology_classes.tsv.gz", "wordnet30_senses.tsv.gz")
AGREEMENT, LOSS, HELD_OUT = 0.75, 0.01, 0.2
COLUMNS = {
    "NMI": "nmi",
    "accuracy": "accuracy",
    "entities and sub-types, NMI": "entities",
    "seconds": "seconds",
}


@dataclass(frozen=True)
class Objects:
    """Words and, with them, entities of a knowledge base or other types; `told` of them with sub-types."""

    corpus: str
    objects: tuple[str, ...] = ()
    guided: bool = False
    held_out: bool = False

    def task(self, data: Path, seed: int) -> Task:
        """The network is that of every seed; which sub-types are held out is drawn anew."""
        corpus, labels, _ = _read_corpus(self.corpus, data)
        parameters: dict[str, Any] = dict(PARAMETERS[self.corpus])
        if not self.objects:
            return Task(
                cg.Network.from_corpus(corpus),
                labels,
                None,
                parameters,
                {},
                partial(_measure_agreement, None),
            )
        mentions = _read_table(self.corpus, self.objects, data)
        typed = mentions if "subtype" in mentions else None
        if typed is not None:
            parameters["n_entity_clusters"] = count_subtypes(typed)
        known, judged = split_subtypes(typed, seed) if self.held_out else (typed, typed)
        knowledge = subtype_knowledge(known) if self.guided else None
        network = cg.Network.from_tables(corpus, mentions)
        return Task(network, labels, knowledge, parameters, {}, partial(_measure_agreement, judged))


def _measure_agreement(typed: pd.DataFrame | None, model: Any) -> dict[str, Any]:
    return {"entities": {} if typed is None else measure_agreement(model.result_, typed)}


@cache
def _read_corpus(corpus: str, data: Path) -> tuple[cg.Corpus, np.ndarray, pd.DataFrame | None]:
    """A corpus, the group of each document, and who wrote it where, if that is known."""
    return papers.read_dblp(data) if corpus == PAPERS else (*posts.read_newsgroups(data, None, 5), None)


@cache
def _read_table(name: str, objects: tuple[str, ...], data: Path) -> pd.DataFrame:
    """The mentions of the objects beside the words."""
    corpus, _, known = _read_corpus(name, data)
    return find_mentions(corpus, data, objects[0]) if known is None else known[known["type"].isin(objects)]


def split_subtypes(entities: pd.DataFrame, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The mentions of the entities whose sub-types are told, and of those whose sub-types are not."""
    names = np.sort(entities["name"].unique())
    drawn = np.random.default_rng(seed).permutation(names)[: int(HELD_OUT * len(names))]
    left = entities["name"].isin(drawn)
    return entities[~left], entities[left]


def make_cell(
    corpus: str,
    method: str,
    objects: tuple[str, ...] = (),
    weights: str = "–",
    published: float | None = None,
    *,
    held_out: bool = False,
) -> Cell:
    """One row of the table."""
    key = f"{corpus} | {method} | {' + '.join(('words', *objects))} | {weights}" + " | held out" * held_out
    setting = Objects(corpus, objects, method == "chinc", held_out)
    parameters = {"relation_weights": weights} if objects else {}
    return Cell(key, method, setting, parameters, {} if published is None else {"nmi": published})


WORDS_ALONE = make_cell(NEWS, "itcc", published=0.501)
GUIDED = tuple(
    make_cell(NEWS, "chinc", (base,), "share", published)
    for base, published in (("figer", 0.631), ("dbpedia", None))
)
CELLS = (
    WORDS_ALONE,
    make_cell(NEWS, "hinc", ("figer",), "share", 0.571),
    GUIDED[0],
    make_cell(NEWS, "chinc", ("figer",), "share", held_out=True),
    make_cell(NEWS, "hinc", ("dbpedia",), "share"),
    GUIDED[1],
    make_cell(NEWS, "chinc", ("dbpedia",), "share", held_out=True),
    make_cell(PAPERS, "itcc"),
    *(
        make_cell(PAPERS, "hinc", objects, weights)
        for objects in (("authors",), ("authors", "venues"))
        for weights in ("share", "learned")
    ),
)


def pool_entities(run: Run) -> float | None:
    """The agreement of entities with their sub-types over all types, where a run has any."""
    return pool_agreement(run) if run["entities"] else None


def list_missed_goals(kept: StoredRuns) -> list[str]:
    """Sub-types of one base at least should be kept, and documents lose nothing by them."""
    least = _mean(kept, WORDS_ALONE, "nmi") - LOSS
    goals = []
    for one in GUIDED:
        agreement, documents = _mean(kept, one, "entities"), _mean(kept, one, "nmi")
        if agreement >= AGREEMENT and documents >= least:
            return []
        goals.append(
            f"{one.key}: entities {agreement:.3f}, goal {AGREEMENT}; "
            f"documents {documents:.3f}, goal {least:.3f}"
        )
    return goals


def _mean(kept: StoredRuns, one: Cell, figure: str) -> float:
    return float(np.mean([*kept.values(one.key, figure).values()] or [0.0]))


def _make_row(one: Cell) -> dict[str, Entry]:
    return {heading: Entry(one.key, figure) for heading, figure in COLUMNS.items()}


EXPERIMENT = Experiment(
    name="networks",
    paper="003",
    about="words alone, with entities, with the sub-types of entities; papers with authors and venues",
    corpora=(posts.FILE, papers.FILE, *BASES.values(), *FURTHER),
    cells=CELLS,
    tables=(
        TableSpec(
            "Networks of words, entities and sub-types",
            "cell",
            {one.key: _make_row(one) for one in CELLS},
            "Label-free; the area of a paper in DBLP is that of its venue.",
            of="003 Table 6",
        ),
    ),
    quick=Quick((f"{PAPERS} | itcc", "words + authors | share"), seeds=1),
    derived={"entities": pool_entities},
    missed=list_missed_goals,
)
