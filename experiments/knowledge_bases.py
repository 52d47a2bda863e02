"""Knowledge bases of the data folder as `colligate kb build` makes them, and the union of all.

    python -m experiments.knowledge_bases OUT [BASE …] [--data FOLDER]

Each becomes a folder OUT/BASE. A type is a class at the top and a sub-type its direct child: the domain and
the type in Freebase (`/location/citytown`), coarse and fine in FIGER (`person-artist`), the coarse type and
the WordNet class above an entity's categories in YAGO, and the ontology in DBpedia, there without Agent, so
that Person and Organisation are at the top. The union has the people, organisations and places of all of them
and of FB13; entities of the same title are one, with the sub-types of all bases. The table tells what is in
each, and what building it costs.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from colligate.entities.kb import build, open_base
from experiments.corpora.folder import DATA_FOLDER, read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Row = tuple[str, ...]
ENTITIES = ("entity", "name", "aliases", "type", "subtype")
CLASSES = ("class", "label", "parent")
TRIPLES = ("head", "relation", "tail")
ADMINISTRATIVE = {"common", "base", "user", "freebase", "dataworld"}
"""Domains of Freebase that are about its upkeep and tell nothing of an entity."""
Tables = dict[Row, "Iterable[Row]"]
SOURCES = {
    "freebase": ("freebase_fb15k_entities.jsonl.gz", "freebase_fb15k_triples.tsv.gz"),
    "figer": ("freebase_figer_entities.tsv.gz", "freebase_fb15k_triples.tsv.gz"),
    "yago": ("yago_taxonomy.tsv.gz", "yago_entities.tsv.gz", "yago_triples.tsv.gz"),
    "dbpedia": ("dbpedia_entities.tsv.gz", "dbpedia_ontology_classes.tsv.gz", "dbpedia_triples.tsv.gz"),
    "union": (
        *("freebase_fb15k_entities.jsonl.gz", "freebase_fb15k_triples.tsv.gz"),
        *("freebase_figer_entities.tsv.gz", "freebase_fb13_triples.tsv.gz"),
        *("yago_taxonomy.tsv.gz", "yago_entities.tsv.gz", "yago_triples.tsv.gz"),
        *("dbpedia_entities.tsv.gz", "dbpedia_triples.tsv.gz"),
    ),
}
"""The files of the data folder that each is made of."""


def read_freebase(folder: Path) -> Tables:
    """FB15k: every entity has several types, of several domains, which texts have to tell apart."""

    def entities() -> Iterator[Row]:
        about = "one entity in a line, as JSON with the fields mid, name, label, aliases and types_…"
        for entity in read_lines(folder / "freebase_fb15k_entities.jsonl.gz", about):
            aliases = "|".join(dict.fromkeys([entity["label"] or "", *entity["aliases"]]))
            domains: dict[str, list[str]] = defaultdict(list)
            for kind in (*entity["types_from_relations"], *entity["types_fb15ket_sample"]):
                _, domain, *rest = kind.split("/")
                if domain not in ADMINISTRATIVE:
                    domains[domain].append("/".join(rest))
            for domain, kinds in (domains or {"": []}).items():
                yield entity["mid"], entity["name"], aliases, domain, "|".join(kinds)

    return {ENTITIES: entities(), TRIPLES: read_triples(folder, "freebase_fb15k")}


def read_figer(folder: Path) -> Tables:
    """FIGER: entities of Freebase by title of Wikipedia, with the facts of FB15k that are between them."""

    def entities() -> Iterator[Row]:
        for row in read_rows(folder, "freebase_figer_entities"):
            kinds: dict[str, list[str]] = defaultdict(list)
            for coarse, _, fine in (kind.partition("-") for kind in row["figer_types"].split("|")):
                kinds[coarse].extend([fine] if fine else [])
            for coarse, fine in kinds.items():
                yield row["mid"], strip_brackets(row["wikipedia_title"]), "", coarse, "|".join(fine)

    known = {row["mid"] for row in read_rows(folder, "freebase_figer_entities")}
    among = (fact for fact in read_triples(folder, "freebase_fb15k") if fact[0] in known and fact[2] in known)
    return {ENTITIES: entities(), TRIPLES: among}


def read_yago(folder: Path) -> Tables:
    """YAGO: the categories of Wikipedia are replaced by the WordNet class above them."""
    above = {row["class"]: row["superclass"] for row in read_rows(folder, "yago_taxonomy")}

    def entities() -> Iterator[Row]:
        for row in read_rows(folder, "yago_entities"):
            kinds = name_wordnet_classes(split_list(row["types"]), above) if row["coarse"] else []
            names = (kind for kind in kinds if kind != row["coarse"])
            yield row["entity"], row["name"], "", row["coarse"], "|".join(names)

    return {ENTITIES: entities(), TRIPLES: read_triples(folder, "yago")}


def read_dbpedia(folder: Path) -> Tables:
    """DBpedia by its ontology. Location, which is not in it, stands beside Place and its like everywhere."""

    def entities() -> Iterator[Row]:
        for row in read_rows(folder, "dbpedia_entities"):
            kinds = [kind for kind in split_list(row["types"]) if kind != "Location"]
            yield row["entity"], row["name"], "", "|".join(kinds), ""

    def classes() -> Iterator[Row]:
        for row in read_rows(folder, "dbpedia_ontology_classes"):
            yield row["class"], row["label"], "|".join(set(split_list(row["parents"])) - {"Agent"})

    return {ENTITIES: entities(), CLASSES: classes(), TRIPLES: read_triples(folder, "dbpedia")}


THREE = ("person", "organization", "location")
FB13_TYPES = {
    **dict.fromkeys(("parents", "children", "spouse"), "person"),
    **dict.fromkeys(("place_of_birth", "place_of_death", "location", "nationality"), "location"),
    "institution": "organization",
}
"""What the tails of the relations of FB13 are; its heads are people."""


def read_union(folder: Path) -> Tables:
    """All bases together: Freebase with its aliases, FIGER, FB13, YAGO and DBpedia."""
    titles = {
        row["mid"]: restore_spaces(row["wikipedia_title"])
        for row in read_rows(folder, "freebase_figer_entities")
    }

    def entities() -> Iterator[Row]:
        about = "one entity in a line, as JSON with the fields mid, name, label, aliases, coarse and types_…"
        for entity in read_lines(folder / "freebase_fb15k_entities.jsonl.gz", about):
            title = titles.setdefault(entity["mid"], entity["name"])
            aliases = "|".join(dict.fromkeys([entity["label"] or "", *entity["aliases"]]))
            fine = "|".join(kind.partition("-")[2] for kind in entity["types_figer"] if "-" in kind)
            yield title, strip_brackets(entity["name"]), aliases, entity["coarse"], fine
        for row in read_rows(folder, "freebase_figer_entities"):
            title = titles[row["mid"]]
            for coarse, _, fine in (kind.partition("-") for kind in row["figer_types"].split("|")):
                yield title, strip_brackets(title), "", coarse, fine
        yield from read_fb13_entities(folder)
        for table in ("yago", "dbpedia"):
            for row in read_rows(folder, f"{table}_entities"):
                kinds = split_list(row["types"])
                subtypes = kinds if table == "dbpedia" else name_wordnet_classes(kinds, above)
                names = (one.lower() for one in subtypes if one.lower() not in THREE)
                yield restore_spaces(row["entity"]), row["name"], "", row["coarse"], "|".join(names)

    def facts() -> Iterator[Row]:
        for name in ("freebase_fb15k", "freebase_fb13", "yago", "dbpedia"):
            spell = title_case if name == "freebase_fb13" else restore_spaces
            for head, relation, tail in read_triples(folder, name):
                yield titles.get(head) or spell(head), relation, titles.get(tail) or spell(tail)

    above = {row["class"]: row["superclass"] for row in read_rows(folder, "yago_taxonomy")}
    return {ENTITIES: (row for row in entities() if row[3] in THREE), TRIPLES: facts()}


def read_fb13_entities(folder: Path) -> Iterator[Row]:
    """The people of FB13 with their professions, and what they are related to."""
    professions: dict[str, list[str]] = defaultdict(list)
    others: dict[tuple[str, str], None] = {}
    for head, relation, tail in read_triples(folder, "freebase_fb13"):
        professions[head].extend([tail] if relation == "profession" else [])
        if relation in FB13_TYPES:
            others[tail, FB13_TYPES[relation]] = None
    for head, kinds in professions.items():
        yield title_case(head), title_case(head), "", "person", "|".join(dict.fromkeys(kinds))
    for tail, kind in others:
        yield title_case(tail), title_case(tail), "", kind, ""


def name_wordnet_classes(kinds: list[str], above: dict[str, str]) -> list[str]:
    """The WordNet classes of categories of YAGO."""
    classes = (kind if kind.startswith("wordnet_") else above.get(kind) for kind in kinds)
    return sorted({wordnet_name(kind) for kind in classes if kind})


def restore_spaces(name: str) -> str:
    return name.replace("_", " ")


def title_case(name: str) -> str:
    return restore_spaces(name).title()


BASES: dict[str, Callable[[Path], Tables]] = {
    "freebase": read_freebase,
    "figer": read_figer,
    "yago": read_yago,
    "dbpedia": read_dbpedia,
    "union": read_union,
}


def list_sources(*bases: str) -> tuple[str, ...]:
    """The files of the data folder that some knowledge bases are made of."""
    return tuple(dict.fromkeys(file for base in bases for file in SOURCES[base]))


def read_triples(folder: Path, name: str) -> Iterator[Row]:
    for row in read_rows(folder, f"{name}_triples"):
        yield row["head"], row["relation"], row["tail"]


def read_rows(folder: Path, name: str) -> Iterator[dict[str, str]]:
    """The rows of a table of the data folder; nothing in it is quoted."""
    with gzip.open(folder / f"{name}.tsv.gz", "rt", encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)


def split_list(cell: str) -> list[str]:
    return [part for part in cell.split("|") if part]


def strip_brackets(title: str) -> str:
    return title.rpartition(" (")[0] or title if title.endswith(")") else title


def wordnet_name(kind: str) -> str:
    return kind.removeprefix("wordnet_").rpartition("_")[0] or kind


def measure_build(base: str, data: Path, out: Path) -> Row:
    """Make one knowledge base, and tell what is in it and how fast."""
    with tempfile.TemporaryDirectory() as folder:
        files = [
            write_table(Path(folder), columns, content) for columns, content in BASES[base](data).items()
        ]
        began = time.perf_counter()
        counts = build(files, out / base, overwrite=True)
        seconds = time.perf_counter() - began
    opened = open_base(out / base)
    tops = sum(not parents for parents in opened.hierarchy().parents.values())
    began = time.perf_counter()
    speed = sum(1 for _ in opened.names()) / (time.perf_counter() - began)
    size = sum(path.stat().st_size for path in (out / base).rglob("*") if path.is_file())
    numbers = (counts.triples, counts.entities, counts.names, counts.classes, tops, counts.relations)
    return (
        base,
        *(f"{number:,}" for number in numbers),
        f"{seconds:.1f}",
        f"{size / 2**20:.0f}",
        f"{speed:,.0f}",
    )


def write_table(folder: Path, columns: Row, content: Iterable[Row]) -> Path:
    path = folder / f"{columns[0]}.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(content)
    return path


HEADINGS = (
    "base",
    "triples",
    "entities",
    "names",
    "classes",
    "at the top",
    "relations",
    "seconds to build",
    "MB",
    "names per second",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("bases", nargs="*", default=list(BASES), metavar="BASE", help=", ".join(BASES))
    parser.add_argument("--data", type=Path, default=DATA_FOLDER)
    options = parser.parse_args()
    table = Table(*HEADINGS)
    for base in options.bases:
        table.add_row(*measure_build(base, options.data, options.out))
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
