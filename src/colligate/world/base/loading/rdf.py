"""Reading RDF files: N-Triples, Turtle, RDF/XML and JSON-LD, plain or compressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

from colligate.corpus.readers.meter import Meter
from colligate.corpus.readers.opening import opening, plain_suffix, size_of
from colligate.errors import KnowledgeBaseError
from colligate.world.base.loading.xml_files import check_xml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyoxigraph import Quad, RdfFormat

    from colligate.progress import Listener

FORMATS = {
    ".nt": "N_TRIPLES",
    ".ttl": "TURTLE",
    ".rdf": "RDF_XML",
    ".owl": "RDF_XML",
    ".xml": "RDF_XML",
    ".jsonld": "JSON_LD",
}


def rdf_quads(path: Path, listener: Listener) -> Iterator[Quad]:
    """The triples of a file, from whatever graph, in the default graph; blank nodes are those of this file.

    What is malformed is told with its line.
    """
    from pyoxigraph import Quad

    kind = _format(path)
    if FORMATS[plain_suffix(path)] == "RDF_XML":
        check_xml(path)
    meter = Meter(listener, f"loading {path.name}", size_of(path))
    with opening(path) as opened:
        try:
            for quad in _parsed(opened.stream, kind):
                meter.at(opened.position)
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

    found: RdfFormat = getattr(RdfFormat, FORMATS[plain_suffix(path)])
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
    with opening(path) as opened:
        lines = _Lines(opened.stream)
        try:
            for _ in _parsed(lines, kind):
                pass
        except SyntaxError:
            pass
        return max(lines.number, 1)
