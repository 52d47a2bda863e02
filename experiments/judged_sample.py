"""Mentions of 20 Newsgroups drawn at random, to be judged by reading.

    python -m experiments.judged_sample --seed 1 --size 300 --to FILE [--base freebase] [--data FOLDER]

Drawn are mentions for which at least one of the three filters decides for people, organisations or places. A
line of FILE is a mention: where it is, the text around it, and what its name may stand for by the knowledge
base. It does not tell what the filters decided, so that whoever judges it cannot know.
`experiments.paper003_filters` scores the judgements.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.entities.types import FILTERS, resolve_filter
from experiments.corpora.folder import DATA_FOLDER
from experiments.linked_news import THREE, link_news

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from colligate.entities.linker import LinkingResult
    from colligate.entities.types.candidates import Candidate

BASE = "freebase"
AROUND = 160


@cache
def link_by_filter(data: Path, base: str) -> dict[str, LinkingResult]:
    """20 Newsgroups linked to a knowledge base, as each filter decides."""
    linking = link_news(base, None, data, THREE[base])
    choices = {name: resolve_filter(name).choose(linking.cases) for name in FILTERS}
    return {name: replace(linking, choice=choice) for name, choice in choices.items()}


def is_decided(linking: LinkingResult) -> np.ndarray:
    """Which finds the filter has taken for something."""
    return np.array([one is not None for one in linking.decisions])[linking.case]


def draw_mentions(several: dict[str, LinkingResult], size: int, seed: int) -> list[int]:
    """Finds that any filter decided, at random."""
    positions = np.flatnonzero(np.any([is_decided(linking) for linking in several.values()], axis=0))
    return np.sort(np.random.default_rng(seed).permutation(positions)[:size]).tolist()


def describe_mentions(
    linking: LinkingResult, finds: list[int], types: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    """What whoever judges may know of each find."""
    for find in finds:
        document, name, start, end, *_ = linking.occurrences.hits[find].tolist()
        text = linking.texts[document]
        around = f"{text[max(start - AROUND, 0) : start]}[[{text[start:end]}]]{text[end : end + AROUND]}"
        yield {
            "document": linking.ids[document],
            "start": start,
            "end": end,
            "excerpt": " ".join(around.split()),
            "candidates": list_candidates(linking.cases.candidates[name], types),
        }


def list_candidates(
    candidates: Iterable[Candidate], types: tuple[str, ...]
) -> dict[str, dict[str, list[str]]]:
    """By entity the types of interest that it has, each with its sub-types."""
    candidates_by_name: dict[str, dict[str, list[str]]] = {}
    for one in candidates:
        if one.type in types:
            candidates_by_name.setdefault(one.entity, {})[one.type] = list(one.subtypes)
    return candidates_by_name


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--base", choices=sorted(THREE), default=BASE)
    parser.add_argument("--data", type=Path, default=DATA_FOLDER, help="the folder of corpora")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=300)
    parser.add_argument("--to", type=Path, default=Path("mentions.jsonl"), help="where to write them")
    options = parser.parse_args()
    several = link_by_filter(options.data, options.base)
    finds = draw_mentions(several, options.size, options.seed)
    linking = next(iter(several.values()))
    with options.to.open("w", encoding="utf-8") as stream:
        for row in describe_mentions(linking, finds, THREE[options.base]):
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
