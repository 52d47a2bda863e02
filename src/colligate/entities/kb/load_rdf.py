"""RDF files (N-Triples, Turtle, RDF/XML, JSON-LD), and the choice of a reader for any file."""

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
MAX_XML_ENTITY = 1000
"""XML entities in RDF abbreviate the beginnings of IRIs, which are short."""


def load_files(store: Store, paths: Sequence[Path], listener: Listener) -> None:
    """Put the triples of all files into a store; an error names the file."""
    for path in paths:
        if not path.is_file():
            raise KnowledgeBaseError(f"there is no file {path}; check the name and the folder")
        store.bulk_extend(_read_quads(path, listener))


def _read_quads(path: Path, listener: Listener) -> Iterator[Quad]:
    suffix = format_suffix(path)
    if suffix in FORMATS:
        return read_rdf(path, listener)
    if suffix in TABLES:
        return read_table(path, listener)
    what = f"files ending in {suffix}" if suffix else "files without a suffix"
    raise KnowledgeBaseError(f"cannot load {path}: {what} are not supported; use {SUPPORTED}")


def read_rdf(path: Path, listener: Listener) -> Iterator[Quad]:
    """Yield the triples of all graphs of a file, with blank nodes renamed; an error names the line."""
    from pyoxigraph import Quad, RdfFormat

    name = FORMATS[format_suffix(path)]
    format: RdfFormat = getattr(RdfFormat, name)
    if name == "RDF_XML":
        check_xml(path)
    meter = ProgressMeter(listener, f"loading {path.name}", file_size(path))
    with open_input(path) as source:
        try:
            for quad in _parse(source.stream, format):
                meter.update(source.position)
                # a new quad without the graph: all graphs of a file become one
                yield Quad(quad.subject, quad.predicate, quad.object)
        except SyntaxError as error:
            line = error.lineno or _find_error_line(path, format)
            raise KnowledgeBaseError(f"{path}:{line}: {error.msg}; correct the file") from error
    meter.finish()


def _parse(stream: BinaryIO | _LineReader, format: RdfFormat) -> Iterator[Quad]:
    from pyoxigraph import parse

    # two files may use one name for different blank nodes
    quads: Any = parse(input=stream, format=format, rename_blank_nodes=True)  # type: ignore[arg-type]
    yield from quads


class _LineReader:
    """A file that is read line by line, so that the number of lines shows where the parser stopped."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.n_lines = 0

    def read(self, size: int = -1) -> bytes:
        """Read the next line, or at most `size` bytes of it."""
        line = self._stream.readline(size)
        self.n_lines += line.endswith(b"\n")
        return line


def _find_error_line(path: Path, format: RdfFormat) -> int:
    """Find the line on which a parser stops that does not report it."""
    with open_input(path) as source:
        lines = _LineReader(source.stream)
        try:
            for _ in _parse(lines, format):
                pass
        except SyntaxError:
            pass
        return max(lines.n_lines, 1)


def check_xml(path: Path) -> None:
    """Refuse a file that is not complete XML, or whose entities can grow without limit.

    The RDF parser accepts a truncated file and expands nested entities to any size; expat reports both, with
    the line.
    """
    parser = expat.ParserCreate()

    def check_entity(name: str, _: bool, value: str | None, *__: object) -> None:
        # external entities read other files, and nested ones grow exponentially ("billion laughs")
        if value is None or "&" in value or "%" in value or len(value) > MAX_XML_ENTITY:
            raise KnowledgeBaseError(
                f"{path}:{parser.CurrentLineNumber}: the XML entity {name!a:.60} is nested, long or "
                "external. Such entities can grow without limit. Write its content into the file instead."
            )

    parser.EntityDeclHandler = check_entity
    try:
        with open_input(path) as source:
            parser.ParseFile(source.stream)
    except expat.ExpatError as error:
        raise KnowledgeBaseError(
            f"{path}:{error.lineno}: this is not XML: {expat.ErrorString(error.code)}; correct the file"
        ) from error
