"""Loading any file that a knowledge base can be made of.

Reading RDF files: N-Triples, Turtle, RDF/XML and JSON-LD, plain or compressed.

Looking through an RDF/XML file before it is parsed for its triples.

The parser of triples takes a file that is cut short for a whole one, and lets a few lines of nested entities
grow to any size. The parser of XML in the standard library tells both, with the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO
from xml.parsers import expat

from colligate.corpus.readers.encoding import file_size, format_suffix, open_input
from colligate.entities.kb.load_tables import TABLES, read_table
from colligate.errors import KnowledgeBaseError
from colligate.progress import ProgressMeter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pyoxigraph import Quad, RdfFormat, Store

    from colligate.progress import Listener


SUPPORTED = ".nt, .ttl, .rdf, .owl, .xml, .jsonld, .csv, .tsv (each also .gz or .zst) and .parquet"

FORMATS = {
    ".nt": "N_TRIPLES",
    ".ttl": "TURTLE",
    ".rdf": "RDF_XML",
    ".owl": "RDF_XML",
    ".xml": "RDF_XML",
    ".jsonld": "JSON_LD",
}
LONGEST_ENTITY = 1000
"""Entities of RDF/XML stand for the beginnings of IRIs, which are short."""


def load_files(store: Store, paths: Sequence[Path], listener: Listener) -> None:
    """Put the triples of all files into a store; whatever is wrong with one of them is told by its name."""
    for path in paths:
        if not path.is_file():
            raise KnowledgeBaseError(f"there is no file {path}; check the name and the folder")
        store.bulk_extend(_quads(path, listener))


def _quads(path: Path, listener: Listener) -> Iterator[Quad]:
    suffix = format_suffix(path)
    if suffix in FORMATS:
        return read_rdf(path, listener)
    if suffix in TABLES:
        return read_table(path, listener)
    what = f"files ending in {suffix}" if suffix else "files without a suffix"
    raise KnowledgeBaseError(f"cannot load {path}: {what} are not supported; use {SUPPORTED}")


def read_rdf(path: Path, listener: Listener) -> Iterator[Quad]:
    """The triples of a file, from whatever graph, in the default graph; blank nodes are those of this file.

    What is malformed is told with its line.
    """
    from pyoxigraph import Quad

    kind = _format(path)
    if FORMATS[format_suffix(path)] == "RDF_XML":
        check_xml(path)
    meter = ProgressMeter(listener, f"loading {path.name}", file_size(path))
    with open_input(path) as opened:
        try:
            for quad in _parsed(opened.stream, kind):
                meter.update(opened.position)
                yield Quad(quad.subject, quad.predicate, quad.object)
        except SyntaxError as error:
            line = error.lineno or _line_of(path, kind)
            raise KnowledgeBaseError(f"{path}:{line}: {error.msg}; mend the file") from error
    meter.finish()


def _parsed(stream: BinaryIO | _Lines, kind: RdfFormat) -> Iterator[Quad]:
    from pyoxigraph import parse

    quads: Any = parse(input=stream, format=kind, rename_blank_nodes=True)  # type: ignore[arg-type]
    yield from quads


def _format(path: Path) -> RdfFormat:
    from pyoxigraph import RdfFormat

    found: RdfFormat = getattr(RdfFormat, FORMATS[format_suffix(path)])
    return found


class _Lines:
    """A file handed out line by line, so that the number of lines read tells where the parser stopped."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.number = 0

    def read(self, most: int = -1) -> bytes:
        """The next line, or as much of it as is asked for."""
        line = self._stream.readline(most)
        self.number += line.endswith(b"\n")
        return line


def _line_of(path: Path, kind: RdfFormat) -> int:
    """The line on which a parser stops that does not tell it by itself."""
    with open_input(path) as opened:
        lines = _Lines(opened.stream)
        try:
            for _ in _parsed(lines, kind):
                pass
        except SyntaxError:
            pass
        return max(lines.number, 1)


def check_xml(path: Path) -> None:
    """Refuse a file that is not XML from its beginning to its end, or whose entities can grow."""
    parser = expat.ParserCreate()

    def entity(name: str, _: bool, value: str | None, *__: object) -> None:
        if value is None or "&" in value or "%" in value or len(value) > LONGEST_ENTITY:
            raise KnowledgeBaseError(
                f"{path}:{parser.CurrentLineNumber}: the entity {name!a:.60} is nested, long or from "
                "elsewhere, and such entities can grow without end; write out what it stands for"
            )

    parser.EntityDeclHandler = entity
    try:
        with open_input(path) as opened:
            parser.ParseFile(opened.stream)
    except expat.ExpatError as error:
        raise KnowledgeBaseError(
            f"{path}:{error.lineno}: this is not XML: {expat.ErrorString(error.code)}; mend the file"
        ) from error
