"""Build the slice of DBpedia that `colligate demo` finds entities with.

    python -m experiments.build_demo_base [--data FOLDER]

The slice holds every entity of the data folder's DBpedia that goes by a name which the posts of the demo
hold, whatever the name means there; the classes of these entities and those above them; and the facts between
them. Names of one word that DBpedia as a whole gives away as given names, family names or common nouns are
left out. `link` also decides by what else a knowledge base holds, so with the slice it finds somewhat more
than with the whole. Which newsgroup a post is from is not looked at. As in `experiments.knowledge_bases`,
Agent is left out of the hierarchy, so that persons and organisations are types. The same input gives the same
bytes.
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
from experiments.corpora.folder import DEFAULT
from experiments.knowledge_bases import CLASSES, ENTITIES, TRIPLES, dbpedia, split, written

if TYPE_CHECKING:
    from collections.abc import Iterator

DEMO = Path(str(files("colligate") / "demo"))
TARGET = DEMO / "dbpedia.nt.gz"
RESOURCE, ONTOLOGY = "http://dbpedia.org/resource/", "http://dbpedia.org/ontology/"
LARGEST = 300_000


def named(data: Path) -> set[str]:
    """The entities of DBpedia that go by a name which the posts hold."""
    texts = cg.Corpus.read(DEMO / "newsgroups.jsonl.gz").texts or []
    with tempfile.TemporaryDirectory() as folder:
        tables = [written(Path(folder), *table) for table in dbpedia(data).items()]
        build(tables, Path(folder) / "kb")
        base = open_base(Path(folder) / "kb")
        gazetteer = Gazetteer(base.names())
        found = find_mentions(MentionFinder(gazetteer), texts, jobs=1)
        # one that has to do with several words may still tell of the names beside it
        several = found.name[np.frombuffer(gazetteer.words, dtype=np.uint8)[found.name] > 1]
        kept = np.union1d(filter_mentions(found, gazetteer, base).name, several)
    return {decode_id(owner.entity) for name in kept.tolist() for owner in gazetteer.owners(name)}


def slice_of(data: Path, kept: set[str]) -> Iterator[str]:
    """The lines of the slice."""
    tables = dbpedia(data)
    kinds: set[str] = set()
    for entity, name, _, types, _ in tables[ENTITIES]:
        if entity in kept:
            yield line(RESOURCE + entity, STANDARD.label, quote_literal(name))
            yield from (
                line(RESOURCE + entity, STANDARD.type, quote_iri(ONTOLOGY + kind)) for kind in split(types)
            )
            kinds.update(split(types))
    yield from hierarchy({kind: (label, split(above)) for kind, label, above in tables[CLASSES]}, kinds)
    for head, relation, tail in tables[TRIPLES]:
        if head in kept and tail in kept:
            yield line(RESOURCE + head, ONTOLOGY + relation, quote_iri(RESOURCE + tail))


def hierarchy(classes: dict[str, tuple[str, list[str]]], kinds: set[str]) -> Iterator[str]:
    """The lines of some classes and of all above them."""
    waiting, seen = sorted(kinds & classes.keys()), set(kinds)
    while waiting:
        label, above = classes[kind := waiting.pop()]
        yield line(ONTOLOGY + kind, STANDARD.type, quote_iri(f"{RDFS}Class"))
        yield line(ONTOLOGY + kind, STANDARD.label, quote_literal(label))
        yield from (
            line(ONTOLOGY + kind, STANDARD.subclass, quote_iri(ONTOLOGY + parent)) for parent in above
        )
        waiting.extend(sorted(classes.keys() & set(above) - seen))
        seen.update(above)


def line(head: str, relation: str, tail: str) -> str:
    return f"{quote_iri(head)} {quote_iri(relation)} {tail} .\n"


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--data", type=Path, default=DEFAULT, help="the folder of knowledge bases")
    data = parser.parse_args().data
    kept = named(data)
    lines = sorted(set(slice_of(data, kept)))
    content = gzip.compress("".join(lines).encode(), compresslevel=9, mtime=0)
    if len(content) > LARGEST:
        raise SystemExit(f"the slice has {len(content):,} bytes, more than {LARGEST:,}")
    TARGET.write_bytes(content)
    print(f"{TARGET}: {len(kept):,} entities, {len(lines):,} triples, {len(content):,} bytes")


if __name__ == "__main__":
    main()
