"""Entities as features, as a network, and with sub-types, against words: Table 6 of the world paper (2015).

    python -m experiments.paper003 [--data FOLDER] [--seeds 5] [--only WORD …] [--again]

All of 20 Newsgroups; no label is used by any method. Prints mean and deviation over seeds of the NMI of
documents with their groups. Knowledge bases are Freebase (FB15k) and YAGO of the data folder, which are small
parts of the published ones; people, organisations and places are the types, as published. *words + BASE* has
entities as further columns, `hinc` makes them types of a network with the triples that sentences say, `chinc`
adds sub-types: same together, others apart. The goal is that `chinc` gains .03 over words alone; if it is
missed, the command exits with 1, and `python -m experiments.paper003_reasons` tells why. Finished cells are
kept in `experiments/results/paper003.json`.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console
from scipy import sparse

import colligate as cg
from colligate.network import subtype_knowledge
from colligate.world.network import common_mentions, entity_network
from experiments.cells import Kept, Runs, computed, goal, mean, spread
from experiments.linked_news import THREE, linked, news

if TYPE_CHECKING:
    from pathlib import Path

    from colligate.network import Network

GAIN = 0.03
WORD_CLUSTERS = 128
HEADINGS = {"method": "left", "objects": "left"} | dict.fromkeys(
    ("published", "NMI", "accuracy", "over words alone", "s"), "right"
)


@dataclass(frozen=True)
class Cell:
    """A method on words and the entities of a knowledge base, if any."""

    method: str
    base: str = ""
    published: str = "–"

    @property
    def key(self) -> str:
        """How the cell is called in the stored results."""
        return f"{self.method} | {self.objects}"

    @property
    def objects(self) -> str:
        """What the documents are described by."""
        return f"words + {self.base}" if self.base else "words"


WORDS_ALONE = Cell("itcc", published=".501")
GUIDED = (Cell("chinc", "freebase", ".631"), Cell("chinc", "yago", ".600"))
CELLS = (
    Cell("kmeans", published=".429"),
    Cell("kmeans", "freebase", ".447"),
    Cell("kmeans", "yago", ".437"),
    WORDS_ALONE,
    Cell("itcc", "freebase", ".525"),
    Cell("itcc", "yago", ".513"),
    Cell("hinc", "freebase", ".571"),
    Cell("hinc", "yago", ".541"),
    *GUIDED,
)
ALONE = {cell.method: cell for cell in CELLS if not cell.base}


def network_of(cell: Cell, data: Path) -> Network:
    """Documents, words, and people, organisations and places."""
    corpus, _ = news(None, data)
    if not cell.base:
        return cg.Network.from_corpus(corpus)
    return entity_network(corpus, linked(cell.base, None, data, THREE[cell.base]))


def features(network: Network) -> sparse.csr_array:
    """Everything that describes documents as columns of one matrix."""
    described = [each.matrix for each in network.relations if each.rows == network.centre]
    return sparse.csr_array(sparse.hstack(described).tocsr())


def run(cell: Cell, data: Path, seed: int) -> dict[str, Any]:
    """One seed of one cell."""
    network, knowledge = network_of(cell, data), None
    if cell.method == "chinc":
        knowledge = subtype_knowledge(common_mentions(linked(cell.base, None, data, THREE[cell.base])))
    given = {} if cell.method == "kmeans" else {"n_word_clusters": WORD_CLUSTERS}
    model = cg.make(cell.method, n_clusters=20, random_state=seed, **given)
    began = time.perf_counter()
    model.fit(network if cell.method in ("hinc", "chinc") else features(network), knowledge=knowledge)
    seconds = time.perf_counter() - began
    figures = model.result_.evaluate(news(None, data)[1])
    return {
        "nmi": figures["nmi"],
        "accuracy": figures["accuracy"],
        "sweeps": model.n_iter_,
        "seconds": round(seconds, 2),
    }


def row(cell: Cell, runs: Runs, alone: Runs) -> tuple[str, ...]:
    gain = f"{mean(runs, 'nmi') - mean(alone[: len(runs)], 'nmi'):+.3f}" if cell.base and alone else "–"
    figures = (spread([run[figure] for run in runs]) for figure in ("nmi", "accuracy"))
    return cell.method, cell.objects, cell.published, *figures, gain, f"{mean(runs, 'seconds'):.1f}"


def gain_reached(kept: Kept, console: Console) -> bool:
    """Whether `chinc` gains enough over words alone, if all runs for that are there."""
    alone, *guided = (kept.cells.get(cell.key, []) for cell in (WORDS_ALONE, *GUIDED))
    if not alone or not all(guided):
        return False
    least, best = mean(alone, "nmi") + GAIN, max(mean(runs, "nmi") for runs in guided)
    console.print(f"chinc, the better of both: {goal(least, best, 3)} ({best:.3f})")
    return best >= least


def main() -> int:
    kept, console = computed("paper003", __doc__, CELLS, run), Console(width=160)
    alone = {cell: kept.cells.get(ALONE.get(cell.method, WORDS_ALONE).key, []) for cell in CELLS}
    there = [cell for cell in CELLS if cell.key in kept.cells]
    rows = {cell.key: row(cell, kept.cells[cell.key], alone[cell]) for cell in there}
    console.print(kept.table(HEADINGS, rows, "Table 6: NMI on 20 Newsgroups, mean ± deviation over seeds"))
    return 0 if gain_reached(kept, console) else 1


if __name__ == "__main__":
    sys.exit(main())
