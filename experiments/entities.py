"""The entities of the knowledge bases in the data folder: names, each with its type and sub-types.

A type is a top-level class and a sub-type its direct child: below `person` in FIGER, below `Person`, `Place`
and so on in the ontology of DBpedia. Left out is what a name alone does not tell: titles such as `Windows
(musical group)`, whose brackets say that the name usually means something else, and entities whose classes
lie below several types. YAGO has no such sub-types: below its person are thousands of classes such as
`19th-century French people`.
"""

from __future__ import annotations

import csv
import gzip
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Entity = tuple[str, tuple[str, ...]]
"""The type of an entity and its sub-types, sorted."""

FIGER = {"person": "people", "organization": "organisations", "location": "places"}
DBPEDIA = {"Person": "people", "Organisation": "organisations", "Place": "places", "Work": "works"}
COMMON = 10
"""A word that WordNet met so often in its texts is an everyday word."""


def read_entities(folder: Path, base: str) -> dict[str, Entity]:
    """The names of a knowledge base, each of one type."""
    entities_by_type: dict[str, dict[str, set[str]]] = defaultdict(dict)
    for name, kind, subtypes in BASES[base](folder):
        entities_by_type[name].setdefault(kind, set()).update(subtypes)
    alone = ((name, *kinds.items()) for name, kinds in entities_by_type.items() if len(kinds) == 1)
    return {name: (kind, tuple(sorted(subtypes))) for name, (kind, subtypes) in alone if kind}


def read_common_words(folder: Path) -> set[str]:
    """Everyday English words in lower case."""
    counts: Counter[str] = Counter()
    for row in _read_rows(folder, "wordnet30_senses"):
        counts[row["lemma"]] += int(row["tag_count"])
    return {lemma for lemma, count in counts.items() if count >= COMMON}


def _read_figer(folder: Path) -> Iterator[tuple[str, str, set[str]]]:
    """Freebase by the types of FIGER, of which `person-artist` means artist below person."""
    for row in _read_rows(folder, "freebase_figer_entities"):
        classes = row["figer_types"].split("|")
        top = _figer_type(classes)
        if "(" not in row["wikipedia_title"]:
            subtypes = {
                below for kind, below in (one.split("-", 1) for one in classes if "-" in one) if kind == top
            }
            yield row["wikipedia_title"], FIGER.get(top, ""), subtypes


def _figer_type(classes: list[str]) -> str:
    """The type: firms are also found among engineers, cities among organisations, schools among places."""
    if "person" in classes:
        return "person"
    if any(kind.startswith("location-") for kind in classes):
        return "location"
    if any(kind.startswith("organization") for kind in classes):
        return "organization"
    return "location" if "location" in classes else ""


def _read_dbpedia(folder: Path) -> Iterator[tuple[str, str, set[str]]]:
    """DBpedia by the classes of its ontology."""
    below = {
        row["class"]: _step(row["path"].split(" > "))
        for row in _read_rows(folder, "dbpedia_ontology_classes")
    }
    for row in _read_rows(folder, "dbpedia_entities"):
        steps = [below[kind] for kind in row["types"].split("|") if kind in below]
        kinds = {kind for kind, _ in steps if kind}
        if "(" not in row["entity"]:
            yield row["name"], kinds.pop() if len(kinds) == 1 else "", {step for _, step in steps if step}


def _step(path: list[str]) -> tuple[str, str]:
    """The type that a path leads through, and the class below it."""
    for top, after in zip(path, [*path[1:], ""], strict=True):
        if top in DBPEDIA:
            return DBPEDIA[top], after
    return "", ""


def _read_rows(folder: Path, name: str) -> Iterator[dict[str, str]]:
    with gzip.open(folder / f"{name}.tsv.gz", "rt", encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


BASES = {"figer": _read_figer, "dbpedia": _read_dbpedia}
