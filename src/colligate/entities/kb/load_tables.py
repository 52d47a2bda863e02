"""Plain tables of entities, of classes or of triples; which of them a table is, its columns tell.

entity, name [, aliases, type, subtype]     one entity; aliases, types and sub-types stand between |
class, parent [, label]                     one class and those above it
head, relation, tail                        one triple

Rows of CSV, TSV and Parquet files as texts by column, each with the place where it stands.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from colligate.corpus.readers.delimited import detect_delimiter
from colligate.corpus.readers.encoding import (
    detect_encoding,
    file_size,
    format_suffix,
    open_input,
    read_lines,
)
from colligate.entities.kb.sparql import CLASS, ENTITY, RDFS, RELATION, STANDARD, is_valid_unicode, mint_iri
from colligate.errors import CorpusError, EncodingError, KnowledgeBaseError
from colligate.progress import ProgressMeter, ignore_events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyoxigraph import Quad

    from colligate.progress import Listener


COLUMN_SYNONYMS = {
    "types": "type",
    "subtypes": "subtype",
    "alias": "aliases",
    "parents": "parent",
    "superclass": "parent",
    "superclasses": "parent",
}
"""Further names of columns."""
Cells = dict[str, str]
Fact = tuple[str, str, str, bool]
"""Head, relation and tail, and whether the tail is a name."""

SEPARATOR = "|"
"""What stands between several values of one cell."""
TABLES = (".csv", ".tsv", ".parquet")
Row = tuple[str, dict[str, str]]
ROWS = 4096


def read_table(path: Path, listener: Listener) -> Iterator[Quad]:
    """The triples that the rows of a table stand for."""
    columns = _columns(path)
    facts = _facts_of(path, columns)
    for place, row in read_rows(path, listener):
        cells = {columns[name]: text for name, text in row.items() if name in columns}
        try:
            yield from map(_quad, facts(cells))
        except KnowledgeBaseError as error:
            raise KnowledgeBaseError(f"{place}: {error}") from None


def entity_facts(cells: Cells) -> Iterator[Fact]:
    """An entity: its name, its aliases, its types, and its sub-types, which are classes below its type."""
    entity = mint_iri(ENTITY, _needed(cells, "entity"))
    if name := cells.get("name"):
        yield entity, STANDARD.label, name, True
    for alias in _several(cells, "aliases"):
        yield entity, STANDARD.alias, alias, True
    types, subtypes = _several(cells, "type"), _several(cells, "subtype")
    if subtypes and len(types) != 1:
        raise KnowledgeBaseError(
            f"sub-types need one type to be below; got {len(types)} types. Write a row for each type"
        )
    for kind in types:
        yield entity, STANDARD.type, mint_iri(CLASS, kind), False
    for subtype in subtypes:
        below = mint_iri(CLASS, f"{types[0]}/{subtype}" if mint_iri(CLASS, subtype) != subtype else subtype)
        yield entity, STANDARD.type, below, False
        yield below, STANDARD.subclass, mint_iri(CLASS, types[0]), False


def class_facts(cells: Cells) -> Iterator[Fact]:
    """A class: its label, and the classes right above it."""
    kind = mint_iri(CLASS, _needed(cells, "class"))
    yield kind, STANDARD.type, f"{RDFS}Class", False
    if label := cells.get("label"):
        yield kind, STANDARD.label, label, True
    for parent in _several(cells, "parent"):
        yield kind, STANDARD.subclass, mint_iri(CLASS, parent), False


def triple_facts(cells: Cells) -> Iterator[Fact]:
    """A triple, between entities."""
    head, relation, tail = (_needed(cells, name) for name in ("head", "relation", "tail"))
    yield mint_iri(ENTITY, head), mint_iri(RELATION, relation), mint_iri(ENTITY, tail), False


LAYOUTS: tuple[tuple[tuple[str, ...], Callable[[Cells], Iterator[Fact]]], ...] = (
    (("head", "relation", "tail"), triple_facts),
    (("entity", "name"), entity_facts),
    (("class", "parent"), class_facts),
)


def _columns(path: Path) -> dict[str, str]:
    """By the name of a column what we call it."""
    header = read_header(path)
    names = {name: COLUMN_SYNONYMS.get(name.casefold(), name.casefold()) for name in header}
    for name in dict.fromkeys(names.values()):
        if (same := [column for column in header if names[column] == name]) and len(same) > 1:
            raise KnowledgeBaseError(
                f"{path}:1: {' and '.join(map(repr, same))} are the same column; keep one"
            )
    return names


def _facts_of(path: Path, columns: dict[str, str]) -> Callable[[Cells], Iterator[Fact]]:
    for needed, facts in LAYOUTS:
        if set(needed) <= set(columns.values()):
            return facts
    known = "; ".join(", ".join(needed) for needed, _ in LAYOUTS)
    raise KnowledgeBaseError(
        f"{path}:1: the columns tell neither entities, classes nor triples; it needs {known}. "
        f"It has {', '.join(map(repr, columns)) or 'none'}"
    )


def _needed(cells: Cells, name: str) -> str:
    if not cells.get(name):
        raise KnowledgeBaseError(f"{name!r} is empty; fill it in, or leave the row out")
    return cells[name]


def _several(cells: Cells, name: str) -> list[str]:
    return [text for part in cells.get(name, "").split(SEPARATOR) if (text := part.strip())]


def _quad(fact: Fact) -> Quad:
    from pyoxigraph import Literal, NamedNode, Quad

    head, relation, tail, is_name = fact
    if not is_valid_unicode(tail):
        raise KnowledgeBaseError(f"{tail!a:.80} holds half a character; mend its encoding")
    return Quad(NamedNode(head), NamedNode(relation), Literal(tail) if is_name else NamedNode(tail))


def read_header(path: Path) -> tuple[str, ...]:
    """The names of the columns."""
    if format_suffix(path) == ".parquet":
        return tuple(_parquet(path).schema_arrow.names)
    with open_input(path) as opened:
        lines = read_lines(opened, _encoding(path), newline="")
        first = next(lines, "")
        cells = next(csv.reader([first], delimiter=_delimiter(path, first)), [])
    return tuple(cell.strip() for cell in cells)


def read_rows(path: Path, listener: Listener) -> Iterator[Row]:
    """The rows in order; a cell without a value is empty."""
    return _parquet_rows(path) if format_suffix(path) == ".parquet" else _delimited_rows(path, listener)


def _delimited_rows(path: Path, listener: Listener) -> Iterator[Row]:
    header = read_header(path)
    meter = ProgressMeter(listener, f"loading {path.name}", file_size(path))
    with open_input(path) as opened:
        lines = read_lines(opened, _encoding(path), newline="")
        reader = csv.reader(lines, delimiter=_delimiter(path, next(lines, "")), strict=True)
        while True:
            place = f"{path}:{reader.line_num + 2}"
            try:
                cells = next(reader, None)
            except csv.Error as error:
                raise KnowledgeBaseError(f"{place}: malformed row ({error}); mend its quotes") from error
            if cells is None:
                break
            meter.update(opened.position)
            if cells:
                yield place, _by_column(header, cells, place)
    meter.finish()


def _encoding(path: Path) -> str:
    """The encoding of a table; none can be told here, so the advice is another than for documents."""
    try:
        return detect_encoding(path, None, ignore_events)
    except (EncodingError, CorpusError) as error:
        told = str(error).rpartition("; ")[0]
        raise KnowledgeBaseError(f"{told}; write the table in UTF-8") from error


def _by_column(header: tuple[str, ...], cells: list[str], place: str) -> dict[str, str]:
    if len(cells) != len(header):
        raise KnowledgeBaseError(f"{place}: {len(cells)} cell(s) where the header has {len(header)}")
    return dict(zip(header, map(str.strip, cells), strict=True))


def _delimiter(path: Path, header: str) -> str:
    return "\t" if format_suffix(path) == ".tsv" else detect_delimiter(header)


def _parquet_rows(path: Path) -> Iterator[Row]:
    number = 0
    for batch in _parquet(path).iter_batches(ROWS):
        for row in batch.to_pylist():
            number += 1
            place = f"{path}, row {number}"
            yield place, {name: _text(value, name, place) for name, value in row.items()}


def _parquet(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file_size(path)
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise KnowledgeBaseError(f"cannot read {path} as Parquet: {error}") from error


def _text(value: Any, name: str, place: str) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return SEPARATOR.join(_text(each, name, place) for each in value)
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value).strip()
    raise KnowledgeBaseError(f"{place}: {name!r} must be text; got {type(value).__name__}")
