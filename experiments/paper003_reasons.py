"""Why entities do not raise the NMI of 20 Newsgroups, and what was tried to make them.

    python -m experiments.paper003_reasons [--data FOLDER] [--seeds 3] [--only WORD …] [--again]

Variants of the row `chinc`, Freebase of `experiments.paper003`, one thing changed in each, on every fourth
post, against `itcc` with words alone at the same seeds. Rows with *labels* choose by the groups that are to
be found, or would have to be chosen by them: they tell what would be, and are no way to cluster. Finished
cells are kept in `experiments/results/paper003_reasons.json`.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

import colligate as cg
from experiments import paper003_variants as variants
from experiments.cells import Runs, computed, spread
from experiments.paper003 import WORD_CLUSTERS
from experiments.paper003_variants import Setup

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEADINGS = {"about": "left", "what is changed": "left", "method": "left"} | dict.fromkeys(
    ("labels", "NMI", "over words alone", "better in"), "right"
)

RANDOM = {"init": "random", "word_init": "random"}


@dataclass(frozen=True)
class Cell:
    """One thing that is changed, and what makes it."""

    about: str
    changed: str
    made: Callable[[Path], Setup]
    method: str = "chinc"
    labels: bool = False

    @property
    def key(self) -> str:
        """How the cell is called in the stored results."""
        return f"{self.about} | {self.changed} | {self.method}"


def without_names(data: Path) -> Setup:
    return Setup(cg.Network.from_corpus(variants.nameless(data)), method="itcc")


def names_as_entities(data: Path) -> Setup:
    return variants.guided(data, variants.mentions_of(data), variants.nameless(data))


def words_alone(data: Path, **parameters: Any) -> Setup:
    return Setup(cg.Network.from_corpus(variants.posts(data)[0]), method="itcc", parameters=parameters)


ALONE = Cell("words", "alone", words_alone, "itcc")
CELLS = (
    ALONE,
    Cell("entities", "as in Table 6", variants.plain),
    Cell("linking", f"confidence of at least {variants.SURE}", variants.sure),
    Cell("linking", "entities of mostly one group", variants.telling, labels=True),
    Cell("weights", "twice the share", partial(variants.times, 2.0), labels=True),
    Cell("weights", "five times the share", partial(variants.times, 5.0), labels=True),
    Cell("weights", "twenty times the share", partial(variants.times, 20.0), labels=True),
    Cell("weights", "learned", partial(variants.plain, relation_weights="learned")),
    Cell("sub-types", "drawn at random", variants.shuffled),
    Cell("sub-types", "together only", variants.together_only),
    Cell("sub-types", "as objects, all types", variants.with_subtypes, "hinc"),
    Cell("redundancy", "words that are in no name", without_names, "itcc"),
    Cell("redundancy", "words that are in no name, entities", names_as_entities),
    Cell("starts", "random, words alone", partial(words_alone, **RANDOM), "itcc"),
    Cell("starts", "random, entities", partial(variants.plain, **RANDOM)),
    Cell("tries", "all types as one", variants.as_one_type, "hinc"),
    Cell("tries", "all types as one, facts between entities", variants.with_facts, "hinc"),
    Cell("tries", "of two documents at least, tf-idf", variants.of_several),
    Cell(
        "tries", f"{variants.MANY} clusters a type", partial(variants.plain, n_entity_clusters=variants.MANY)
    ),
    Cell("tries", "documents that share five names linked", variants.linked_documents),
)


def run(cell: Cell, data: Path, seed: int) -> dict[str, Any]:
    """One seed of one cell."""
    setup = cell.made(data)
    given = {"n_clusters": 20, "n_word_clusters": WORD_CLUSTERS, **setup.parameters}
    began = time.perf_counter()
    model = cg.make(setup.method, random_state=seed, **given).fit(setup.network, knowledge=setup.knowledge)
    seconds = time.perf_counter() - began
    figures = model.result_.evaluate(variants.posts(data)[1])
    return {"nmi": figures["nmi"], "accuracy": figures["accuracy"], "seconds": round(seconds, 2)}


def row(cell: Cell, runs: Runs, alone: Runs) -> tuple[str, ...]:
    gains = [own["nmi"] - other["nmi"] for own, other in zip(runs, alone, strict=False)]
    return (
        *(cell.about, cell.changed, cell.method),
        "yes" if cell.labels else "–",
        spread([run["nmi"] for run in runs]),
        f"{np.mean(gains):+.3f}",
        f"{sum(gain > 0 for gain in gains)} of {len(gains)}",
    )


def main() -> int:
    kept = computed("paper003_reasons", __doc__, CELLS, run, seeds=3)
    there = [cell for cell in CELLS if cell.key in kept.cells]
    rows = {cell.key: row(cell, kept.cells[cell.key], kept.cells[ALONE.key]) for cell in there}
    Console(width=160).print(kept.table(HEADINGS, rows, "Variants of chinc with Freebase, every fourth post"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
