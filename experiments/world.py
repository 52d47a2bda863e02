"""What 20 Newsgroups speaks of, by the knowledge bases of the data folder; and what finding it costs.

    python -m experiments.world BASES [BASE …] [--data FOLDER] [--filter cbsf] [--recogniser MODEL]
    python -m experiments.world BASES BASE --links
    python -m experiments.world BASES --names 1000000

BASES is a folder that `experiments.knowledge_bases` made. The first form prints, for each knowledge base, how
many documents speak of an entity, how many entities of each type they speak of, and how many triples their
sentences say (as in the paper's figure 4), with the documents per second. The second counts the links between
documents of two groups from shared names, and the right ones (as in table 1 of the paper on constrained
co-clustering). The third tells the memory of a gazetteer.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table

from colligate.world.base import open_base
from colligate.world.filters import FILTERS
from colligate.world.linking import link
from colligate.world.mentions.gazetteer import Gazetteer
from colligate.world.shared_names import shared_names
from experiments.data import DEFAULT, newsgroups
from experiments.judged_sample import TYPES

if TYPE_CHECKING:
    from colligate.world.linked import Linked

GROUPS = ("alt.atheism", "comp.graphics")
SHARED = (1, 2, 3, 5, 8, 11)
SHOWN_TYPES = 8


def linked(options: argparse.Namespace, base: str, **more: object) -> Linked:
    """20 Newsgroups linked to one knowledge base."""
    corpus, _ = newsgroups(options.data, None, 5)
    given = {"filter": options.filter, "recogniser": options.recogniser, "n_jobs": options.jobs} | more
    types = TYPES[base] if options.three else None
    return link(corpus.ids, list(corpus.texts or []), open_base(options.bases / base), types=types, **given)


def figures(options: argparse.Namespace) -> Table:
    """One row for each knowledge base."""
    table = Table("base", "documents", "mentions", "entities", "by type", "triples", "documents/s")
    for base in options.base:
        began = time.perf_counter()
        found = linked(options, base)
        speed = len(found.ids) / (time.perf_counter() - began)
        kinds = Counter(found.entities["type"]).most_common(SHOWN_TYPES)
        told = (
            f"{len(set(found.mentions['document'])) / len(found.ids):.0%}",
            f"{sum(found.mentions['count']):,}",
            f"{len(found.entities['entity']):,}",
            ", ".join(f"{kind} {many:,}" for kind, many in kinds),
            f"{len(found.triples):,}",
            f"{speed:,.0f}",
        )
        table.add_row(base, *told)
    return table


def links(options: argparse.Namespace) -> Table:
    """Links between the documents of two groups by how many names they must share."""
    corpus, group = newsgroups(options.data, GROUPS, 2)
    found = link(
        corpus.ids, list(corpus.texts or []), open_base(options.bases / options.base[0]), n_jobs=options.jobs
    )
    table = Table("shared names", "links", "right", "names shared on average")
    for least in SHARED:
        pairs = shared_names(corpus.ids, found.mentions, at_least=least)
        right = np.mean(group[pairs.pairs[:, 0]] == group[pairs.pairs[:, 1]]) if len(pairs) else float("nan")
        table.add_row(f"≥ {least}", f"{len(pairs):,}", f"{right:.1%}", f"{np.mean(pairs.shared):.1f}")
    return table


def memory(options: argparse.Namespace) -> Table:
    """The memory of a gazetteer of so many names: pairs and triples of words of 20 Newsgroups."""
    corpus, _ = newsgroups(options.data, None, 5)
    words = [word.capitalize() for word in corpus.words if word.isalpha() and len(word) > 3]
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, len(words), (options.names, 3)).tolist()
    names = (
        (f"e{at}", f"{words[a]} {words[b]}{f' {words[c]}' if c % 2 else ''}")
        for at, (a, b, c) in enumerate(drawn)
    )
    before, began = resident(), time.perf_counter()
    gazetteer = Gazetteer(names)
    seconds, grown = time.perf_counter() - began, resident() - before
    table = Table("names", "seconds to build", "MB")
    table.add_row(f"{len(gazetteer):,}", f"{seconds:.1f}", f"{grown:,.0f}")
    return table


def resident() -> float:
    """The memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * 4096 / 1e6


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("bases", type=Path, help="the folder of knowledge bases")
    parser.add_argument("base", nargs="*", default=["figer", "dbpedia"], help="their names")
    parser.add_argument("--data", type=Path, default=DEFAULT, help="the folder of corpora")
    parser.add_argument("--filter", choices=sorted(FILTERS), default="cbsf")
    parser.add_argument("--recogniser", help="a spaCy model")
    parser.add_argument("--three", action="store_true", help="people, organisations and places only")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--links", action="store_true", help="links from shared names")
    parser.add_argument("--names", type=int, help="the size of a gazetteer")
    options = parser.parse_args()
    made = memory if options.names else links if options.links else figures
    Console(width=140).print(made(options))


if __name__ == "__main__":
    main()
