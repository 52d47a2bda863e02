"""Precision of the three semantic filters on judged mentions, as in the paper's tables 4 and 5.

    python -m experiments.judged_precision BASES [--sample FILE …] [--data FOLDER]

BASES is a folder that `experiments.knowledge_bases` made; each FILE is one of `experiments/judged`, by
default the last, which nothing was tuned on. A decision is right if the mention has the right boundaries and
the type is that of what the text speaks of. "Place for team" also takes a place for the team that is called
after it, and "entity" wants the right entity as well. Intervals are Wilson's, of 95 %. Coverage is the
share of all names found that a filter takes for people, organisations or places, and of the documents with
such a name.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.table import Table

from experiments.corpora.folder import DEFAULT
from experiments.judged_sample import BASE, by_filter, decided

if TYPE_CHECKING:
    from colligate.world.filters.readings import Reading
    from colligate.world.linked import Linked

SAMPLE = Path(__file__).with_name("judged") / "third.jsonl"
PRECISION = {"fbsf": 0.751, "dfbsf": 0.890, "cbsf": 0.916}
ERRORS = {
    "entity recognition": ("22.2%", "35.9%", "38.6%"),
    "entity disambiguation": ("66.7%", "50.7%", "47.8%"),
    "subordinate clause": ("11.1%", "13.4%", "13.6%"),
}
"""As published; the last is an error of relations, which single mentions have not."""
TEAM = "of which a place for a team"
Judged = dict[str, Any]
Decision = tuple[Judged, "Reading"]


def decisions(linked: Linked, judged: list[Judged]) -> list[Decision]:
    """The judged mentions that a filter decided, with its decisions."""
    at = {(linked.ids[row[0]], row[2], row[3]): find for find, row in enumerate(linked.found.hits.tolist())}
    finds = ((one, at.get((one["document"], one["start"], one["end"]))) for one in judged)
    read = ((one, linked.readings[linked.case[find]]) for one, find in finds if find is not None)
    return [(one, reading) for one, reading in read if reading is not None]


def is_right(one: Judged, reading: Reading) -> bool:
    return reading.type in one["right"]


def is_place(one: Judged, reading: Reading) -> bool:
    return is_right(one, reading) or (one["team"] and reading.type == "location")


def is_entity(one: Judged, reading: Reading) -> bool:
    return is_place(one, reading) and reading.entity in one["entity"]


def wilson(right: int, many: int, z: float = 1.96) -> tuple[float, float]:
    """The interval of a share."""
    share, extra = right / many, z * z / many
    middle = (share + extra / 2) / (1 + extra)
    half = z * np.sqrt(share * (1 - share) / many + extra / (4 * many)) / (1 + extra)
    return middle - half, middle + half


def share(right: int, many: int) -> str:
    if not many:
        return "–"
    low, high = wilson(right, many)
    return f"{right / many:.3f} ({low:.3f}–{high:.3f})"


def precision(several: dict[str, Linked], judged: list[Judged]) -> Table:
    """Table 4, with what stands beside precision."""
    table = Table("filter", "published", "decided", "type", "place for team", "entity", "names", "documents")
    for name, linked in several.items():
        some = decisions(linked, judged)
        rights = [sum(right(*one) for one in some) for right in (is_right, is_place, is_entity)]
        taken = decided(linked)
        documents = len(np.unique(linked.found.document[taken])) / len(linked.ids)
        told = [share(right, len(some)) for right in rights]
        many = f"{len(some)} of {len(judged)}"
        table.add_row(name, f"{PRECISION[name]:.3f}", many, *told, f"{taken.mean():.1%}", f"{documents:.1%}")
    return table


def errors(several: dict[str, Linked], judged: list[Judged]) -> Table:
    """Table 5: the published shares and the obtained numbers and shares, by filter."""
    table = Table("error", *(f"{name} {column}" for name in several for column in ("published", "obtained")))
    counts = [wrong(decisions(linked, judged)) for linked in several.values()]
    for kind in (*ERRORS, TEAM):
        cells = []
        for at, count in enumerate(counts):
            all_of_them = sum(count[one] for one in ERRORS)
            cells += [ERRORS[kind][at] if kind in ERRORS else ""]
            cells += [f"{count[kind]} ({count[kind] / max(all_of_them, 1):.1%})"]
        table.add_row(kind, *cells)
    return table


def wrong(some: list[Decision]) -> Counter[str]:
    missed = [one for one, reading in some if not is_right(one, reading)]
    return Counter(f"entity {one['error']}" for one in missed) + Counter(
        TEAM for one in missed if one["team"]
    )


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("bases", type=Path, help="the folder of knowledge bases")
    parser.add_argument("--sample", type=Path, nargs="+", default=[SAMPLE], help="judged mentions")
    parser.add_argument("--data", type=Path, default=DEFAULT, help="the folder of corpora")
    given = parser.parse_args()
    several = by_filter(given.data, given.bases, BASE)
    for sample in given.sample:
        judged = [json.loads(line) for line in sample.read_text(encoding="utf-8").splitlines()]
        Console(width=170).print(sample.stem, precision(several, judged), errors(several, judged))


if __name__ == "__main__":
    main()
