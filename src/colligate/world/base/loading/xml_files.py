"""Looking through an RDF/XML file before it is parsed for its triples.

The parser of triples takes a file that is cut short for a whole one, and lets a few lines of nested entities
grow to any size. The parser of XML in the standard library tells both, with the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.parsers import expat

from colligate.corpus.readers.opening import opening
from colligate.errors import KnowledgeBaseError

if TYPE_CHECKING:
    from pathlib import Path

LONGEST_ENTITY = 1000
"""Entities of RDF/XML stand for the beginnings of IRIs, which are short."""


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
        with opening(path) as opened:
            parser.ParseFile(opened.stream)
    except expat.ExpatError as error:
        raise KnowledgeBaseError(
            f"{path}:{error.lineno}: this is not XML: {expat.ErrorString(error.code)}; mend the file"
        ) from error
