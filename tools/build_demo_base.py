"""Build the slice of DBpedia that `colligate demo` finds entities with.

    python -m tools.build_demo_base [--data FOLDER]

The slice holds every entity of the data folder's DBpedia whose name occurs in the texts of the demo, whatever
the name means there; the classes of these entities and their superclasses; and the facts between them. Names
of one word that the whole of DBpedia shows to be given names, family names or common nouns are left out.
`link` also uses what else a knowledge base holds, so it finds slightly more with the slice than with the
whole. The subject of a text is not used. As in `experiments.knowledge_bases`, Agent is left out of the
hierarchy, so that persons and organisations are types. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from colligate.entities.kb import build, open_base
from colligate.entities.kb.sparql import RDFS, STANDARD, decode_id, quote_iri, quote_literal
from colligate.entities.mentions.filters import filter_mentions
from colligate.entities.mentions.gazetteer import Gazetteer
from colligate.entities.mentions.search import MentionFinder, find_mentions
from experiments.corpora.folder import DATA_FOLDER
from experiments.knowledge_bases import CLASSES, ENTITIES, TRIPLES, read_dbpedia, split_list, write_table

if TYPE_CHECKING:
    from collections.abc import Iterator

DEMO = Path(str(files("colligate") / "demo"))
TARGET = DEMO / "dbpedia.nt.gz"
RESOURCE, ONTOLOGY = "http://dbpedia.org/resource/", "http://dbpedia.org/ontology/"
MAX_BYTES = 300_000


def find_entities(data: Path) -> set[str]:
    """Find the entities of DBpedia whose names occur in the texts."""
    texts = cg.Corpus.read(DEMO / "articles.jsonl.gz").texts or []
    with tempfile.TemporaryDirectory() as folder:
        tables = [write_table(Path(folder), *table) for table in read_dbpedia(data).items()]
        build(tables, Path(folder) / "kb")
        base = open_base(Path(folder) / "kb")
        gazetteer = Gazetteer(base.names())
        mentions = find_mentions(MentionFinder(gazetteer), texts, jobs=1)
        # names of several words stay: they may support the names beside them
        several = mentions.name[np.frombuffer(gazetteer.words, dtype=np.uint8)[mentions.name] > 1]
        kept = np.union1d(filter_mentions(mentions, gazetteer, base).name, several)
    return {decode_id(owner.entity) for name in kept.tolist() for owner in gazetteer.owners(name)}


def slice_lines(data: Path, kept: set[str]) -> Iterator[str]:
    """List the triples of the slice."""
    tables = read_dbpedia(data)
    kinds: set[str] = set()
    for entity, name, _, types, _ in tables[ENTITIES]:
        if entity in kept:
            yield format_triple(RESOURCE + entity, STANDARD.label, quote_literal(name))
            yield from (
                format_triple(RESOURCE + entity, STANDARD.type, quote_iri(ONTOLOGY + kind))
                for kind in split_list(types)
            )
            kinds.update(split_list(types))
    yield from class_lines(
        {kind: (label, split_list(above)) for kind, label, above in tables[CLASSES]}, kinds
    )
    for head, relation, tail in tables[TRIPLES]:
        if head in kept and tail in kept:
            yield format_triple(RESOURCE + head, ONTOLOGY + relation, quote_iri(RESOURCE + tail))


def class_lines(classes: dict[str, tuple[str, list[str]]], kinds: set[str]) -> Iterator[str]:
    """List the triples of classes and of all their superclasses."""
    waiting, seen = sorted(kinds & classes.keys()), set(kinds)
    while waiting:
        label, above = classes[kind := waiting.pop()]
        yield format_triple(ONTOLOGY + kind, STANDARD.type, quote_iri(f"{RDFS}Class"))
        yield format_triple(ONTOLOGY + kind, STANDARD.label, quote_literal(label))
        yield from (
            format_triple(ONTOLOGY + kind, STANDARD.subclass, quote_iri(ONTOLOGY + parent))
            for parent in above
        )
        waiting.extend(sorted(classes.keys() & set(above) - seen))
        seen.update(above)


def format_triple(head: str, relation: str, tail: str) -> str:
    """Write a triple as a line of N-Triples."""
    return f"{quote_iri(head)} {quote_iri(relation)} {tail} .\n"


def main() -> None:
    """Write the slice."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--data", type=Path, default=DATA_FOLDER, help="the folder of knowledge bases")
    data = parser.parse_args().data
    kept = find_entities(data)
    lines = sorted(set(slice_lines(data, kept)))
    content = gzip.compress("".join(lines).encode(), compresslevel=9, mtime=0)
    if len(content) > MAX_BYTES:
        raise SystemExit(f"the slice has {len(content):,} bytes, more than {MAX_BYTES:,}")
    TARGET.write_bytes(content)
    print(f"{TARGET}: {len(kept):,} entities, {len(lines):,} triples, {len(content):,} bytes")


if __name__ == "__main__":
    main()
