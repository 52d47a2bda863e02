"""Mentions of 20 Newsgroups drawn at random, to be judged by reading.

    python -m experiments.judged_sample BASES --seed 1 --size 300 --to FILE [--base freebase] [--data FOLDER]

BASES is a folder that `experiments.knowledge_bases` made. Drawn are mentions for which at least one of the
three filters decides for people, organisations or places. A line of FILE is a mention: where it is, the
text around it, and what its name may stand for by the knowledge base. It does not tell what the filters
decided, so that whoever judges it cannot know. `experiments.judged_precision` scores the judgements.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.world.base import open_base
from colligate.world.filters import FILTERS, filter_of
from colligate.world.linking import link
from experiments.corpora.folder import DEFAULT
from experiments.corpora.newsgroups import newsgroups

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from colligate.world.filters.readings import Reading
    from colligate.world.linked import Linked

BASE = "freebase"
TYPES = {
    "freebase": ("people", "organization", "location"),
    "figer": ("person", "organization", "location"),
    "yago": ("person", "organization", "location"),
    "dbpedia": ("person", "organisation", "place"),
}
"""The paper's three types, as the knowledge bases call them."""
AROUND = 160


def by_filter(data: Path, bases: Path, base: str) -> dict[str, Linked]:
    """20 Newsgroups linked to a knowledge base, as each filter decides."""
    corpus, _ = newsgroups(data, None, 5)
    found = link(corpus.ids, list(corpus.texts or []), open_base(bases / base), types=TYPES[base], n_jobs=1)
    choices = {name: filter_of(name).choose(found.cases) for name in FILTERS}
    return {name: replace(found, choice=choice) for name, choice in choices.items()}


def decided(linked: Linked) -> np.ndarray:
    """Which finds the filter has taken for something."""
    return np.array([one is not None for one in linked.readings])[linked.case]


def drawn(several: dict[str, Linked], size: int, seed: int) -> list[int]:
    """Finds that any filter decided, at random."""
    some = np.flatnonzero(np.any([decided(linked) for linked in several.values()], axis=0))
    return np.sort(np.random.default_rng(seed).permutation(some)[:size]).tolist()


def told(linked: Linked, finds: list[int], types: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """What whoever judges may know of each find."""
    for find in finds:
        document, name, start, end, *_ = linked.found.hits[find].tolist()
        text = linked.texts[document]
        around = f"{text[max(start - AROUND, 0) : start]}[[{text[start:end]}]]{text[end : end + AROUND]}"
        yield {
            "document": linked.ids[document],
            "start": start,
            "end": end,
            "excerpt": " ".join(around.split()),
            "candidates": candidates(linked.cases.readings[name], types),
        }


def candidates(readings: Iterable[Reading], types: tuple[str, ...]) -> dict[str, dict[str, list[str]]]:
    """By entity the types of interest that it has, each with its sub-types."""
    found: dict[str, dict[str, list[str]]] = {}
    for one in readings:
        if one.type in types:
            found.setdefault(one.entity, {})[one.type] = list(one.subtypes)
    return found


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("bases", type=Path, help="the folder of knowledge bases")
    parser.add_argument("--base", choices=sorted(TYPES), default=BASE)
    parser.add_argument("--data", type=Path, default=DEFAULT, help="the folder of corpora")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=300)
    parser.add_argument("--to", type=Path, default=Path("mentions.jsonl"), help="where to write them")
    given = parser.parse_args()
    several = by_filter(given.data, given.bases, given.base)
    finds = drawn(several, given.size, given.seed)
    some = next(iter(several.values()))
    with given.to.open("w", encoding="utf-8") as stream:
        for row in told(some, finds, TYPES[given.base]):
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
