"""Ids and texts as they may stand in a query: nothing that comes from outside can end its own quotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from colligate.errors import KnowledgeBaseError

if TYPE_CHECKING:
    from collections.abc import Iterable

ENTITY, CLASS, RELATION = (f"urn:colligate:{kind}:" for kind in ("entity", "class", "relation"))
"""What the ids of a table begin with once they are in a store."""

_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\\x7f-\xa0\ud800-\udfff]*")
_ABSOLUTE = re.compile(r"(?:https?://|urn:)", re.IGNORECASE)
_PLAIN = re.compile(r"[^ !#-\[\]-~\u00a1-\u1fff\u2c00-\ud7ff]")
_UNPAIRED = re.compile(r"[\ud800-\udfff]")
_UNQUOTED = "/:_.-~()',!*&=+$@;"


def is_iri(text: str) -> bool:
    """Whether a text can stand between < and > in a query."""
    return _IRI.fullmatch(text) is not None


def iri(text: str) -> str:
    """An id as SPARQL; whatever could end it or reach beyond it is refused."""
    if not is_iri(text):
        raise KnowledgeBaseError(f"{text!a:.80} is no id of a knowledge base; ids are IRIs such as http://…")
    return f"<{text}>"


def iris(texts: Iterable[str]) -> str:
    """Ids as SPARQL, one after another."""
    return " ".join(map(iri, texts))


def can_be_stored(text: str) -> bool:
    """Whether a text is one: half a character, as a broken decoding leaves it, is in no store."""
    return _UNPAIRED.search(text) is None


def literal(text: str, language: str = "") -> str:
    """A text as SPARQL: quotes, backslashes, control characters and marks of direction are escaped."""
    tag = f"@{language}" if language else ""
    return f'"{_PLAIN.sub(_escaped, text)}"{tag}'


def minted(kind: str, text: str) -> str:
    """The id of something that a table calls `text`: itself where it is an IRI, otherwise one of ours."""
    if _ABSOLUTE.match(text) and is_iri(text):
        return text
    return kind + quote(text, safe=_UNQUOTED)


def plain(id: str) -> str:
    """What the table called it, for ids that were made of a table; others stay as they are."""
    for kind in (ENTITY, CLASS, RELATION):
        if id.startswith(kind):
            return unquote(id.removeprefix(kind))
    return id


def text_of(term: Any) -> str | None:
    """A term of an answer as text; None where nothing is bound."""
    from pyoxigraph import BlankNode, Literal, NamedNode

    if term is None:
        return None
    if isinstance(term, NamedNode | Literal):
        return term.value
    return f"_:{term.value}" if isinstance(term, BlankNode) else str(term)


def _escaped(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\u{number:04X}" if number < 0x10000 else f"\\U{number:08X}"
