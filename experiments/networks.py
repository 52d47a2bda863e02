"""Words alone, with entities, with the sub-types of entities as groups; papers with authors and venues.

    python -m experiments.networks [--data FOLDER] [--seeds 5] [--again]

Prints mean and deviation over seeds of the NMI of documents with their groups and, on 20 Newsgroups, of the
clusters of entities with their sub-types: over entities of exactly one sub-type, each type by the number of
those. There are as many clusters of a type as it has sub-types, which the knowledge base tells. With `chinc`
these are the sub-types that were told: the figure says how far they are kept, not that they were found. In
rows with *held out*, the sub-types of a fifth of the entities are not told, and these alone are judged.
Published figures come from a network of all of Freebase, linked by a semantic parser; the area of a paper in
DBLP is that of its venue. Finished cells are kept in `experiments/results/networks.json`, with the commit
that made them. Exits with 1 if the goal is missed.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

import colligate as cg
from colligate.network import subtype_knowledge
from experiments.agreement import agreement, n_subtypes, pooled
from experiments.cells import Runs, computed, goal, mean, spread
from experiments.data import dblp, newsgroups
from experiments.mentions import mentions

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

HEADINGS = dict.fromkeys(("corpus", "method", "objects"), "left") | dict.fromkeys(
    ("weights", "published", "NMI", "accuracy", "entities", "by type", "s"), "right"
)
NEWS, PAPERS = "20 newsgroups", "DBLP"
PARAMETERS = {NEWS: {"n_clusters": 20, "n_word_clusters": 128}, PAPERS: {"n_clusters": 4}}
AGREEMENT = 0.75
LOSS = 0.01
HELD_OUT = 0.2


@dataclass(frozen=True)
class Cell:
    """One row of the table: a method on words and, with them, entities of a knowledge base or other types."""

    corpus: str
    method: str
    objects: tuple[str, ...] = ()
    weights: str = "–"
    published: str = "–"
    held_out: bool = False

    @property
    def key(self) -> str:
        """How the cell is called in the stored results."""
        told = f"{self.corpus} | {self.method} | {' + '.join(('words', *self.objects))} | {self.weights}"
        return told + " | held out" * self.held_out


WORDS_ALONE = Cell(NEWS, "itcc", published=".501")
GUIDED = tuple(
    Cell(NEWS, "chinc", (base,), "share", published)
    for base, published in (("figer", ".631"), ("dbpedia", "–"))
)
CELLS = (
    WORDS_ALONE,
    Cell(NEWS, "hinc", ("figer",), "share", ".571"),
    GUIDED[0],
    Cell(NEWS, "chinc", ("figer",), "share", held_out=True),
    Cell(NEWS, "hinc", ("dbpedia",), "share"),
    GUIDED[1],
    Cell(NEWS, "chinc", ("dbpedia",), "share", held_out=True),
    Cell(PAPERS, "itcc"),
    *(
        Cell(PAPERS, "hinc", objects, weights)
        for objects in (("authors",), ("authors", "venues"))
        for weights in ("share", "learned")
    ),
)


@cache
def read(corpus: str, data: Path) -> tuple[cg.Corpus, np.ndarray, pd.DataFrame | None]:
    """A corpus, the group of each document, and who wrote it where, if that is known."""
    return dblp(data) if corpus == PAPERS else (*newsgroups(data, None, 5), None)


@cache
def table(name: str, objects: tuple[str, ...], data: Path) -> pd.DataFrame:
    """The mentions of the objects beside the words."""
    corpus, _, known = read(name, data)
    return mentions(corpus, data, objects[0]) if known is None else known[known["type"].isin(objects)]


def split(entities: pd.DataFrame, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The mentions of the entities whose sub-types are told, and of those whose sub-types are not."""
    names = np.sort(entities["name"].unique())
    drawn = np.random.default_rng(seed).permutation(names)[: int(HELD_OUT * len(names))]
    left = entities["name"].isin(drawn)
    return entities[~left], entities[left]


def run(cell: Cell, data: Path, seed: int) -> dict[str, Any]:
    """One seed of one cell."""
    corpus, labels, _ = read(cell.corpus, data)
    given: dict[str, Any] = dict(PARAMETERS[cell.corpus])
    network, typed, knowledge = cg.Network.from_corpus(corpus), None, None
    if cell.objects:
        entities = table(cell.corpus, cell.objects, data)
        network = cg.Network.from_tables(corpus, entities)
        given["relation_weights"] = cell.weights
        typed = entities if "subtype" in entities else None
    if typed is not None:
        given["n_entity_clusters"] = n_subtypes(typed)
    if cell.method == "chinc":
        told, typed = split(typed, seed) if cell.held_out else (typed, typed)
        knowledge = subtype_knowledge(told)
    began = time.perf_counter()
    model = cg.make(cell.method, random_state=seed, **given).fit(network, knowledge=knowledge)
    seconds = time.perf_counter() - began
    figures = model.result_.evaluate(labels)
    return {
        "nmi": figures["nmi"],
        "accuracy": figures["accuracy"],
        "entities": {} if typed is None else agreement(model.result_, typed),
        "sweeps": model.n_iter_,
        "seconds": round(seconds, 2),
    }


def row(cell: Cell, runs: Runs) -> tuple[str, ...]:
    kinds = runs[0]["entities"]
    by_type = [f"{kind} {np.mean([run['entities'][kind]['nmi'] for run in runs]):.2f}" for kind in kinds]
    return (
        cell.corpus + ", held out" * cell.held_out,
        cell.method,
        " + ".join(("words", *cell.objects)),
        cell.weights,
        cell.published,
        spread([run["nmi"] for run in runs]),
        spread([run["accuracy"] for run in runs]),
        spread([pooled(run) for run in runs]) if kinds else "–",
        ", ".join(by_type) or "–",
        f"{mean(runs, 'seconds'):.1f}",
    )


def main() -> int:
    kept = computed("networks", __doc__, CELLS, run)
    console = Console(width=200)
    console.print(kept.table(HEADINGS, {cell.key: row(cell, kept.cells[cell.key]) for cell in CELLS}))
    least = mean(kept.cells[WORDS_ALONE.key], "nmi") - LOSS
    reached = False
    for cell in GUIDED:
        runs = kept.cells[cell.key]
        entities, documents = float(np.mean([pooled(run) for run in runs])), mean(runs, "nmi")
        told = f"entities {goal(AGREEMENT, entities)}, documents {goal(least, documents, 3)}"
        console.print(f"sub-types of {cell.objects[0]}: {told}")
        reached |= entities >= AGREEMENT and documents >= least
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
