"""Tables of entities, classes or triples as triples; the columns of a table decide which of these it is.

entity, name [, aliases, type, subtype]     one entity; `|` separates several aliases, types or sub-types
class, parent [, label]                     one class and those above it
head, relation, tail                        one triple
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from colligate._storage.plain_file import open_plain
from colligate.corpus.readers.delimited import detect_delimiter
from colligate.corpus.readers.encoding import (
    detect_encoding,
    file_size,
    format_suffix,
    open_input,
    read_lines,
    wrap_input_errors,
)
from colligate.entities.kb.sparql import (
    CLASS,
    ENTITY,
    RDFS,
    RELATION,
    STANDARD,
    is_valid_unicode,
    mint_iri,
)
from colligate.errors import CorpusError, EncodingError, KnowledgeBaseError, Parameter
from colligate.progress import ProgressMeter, ignore_events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyoxigraph import Quad

    from colligate.progress import Listener

TABLES = (".csv", ".tsv", ".parquet")
SEPARATOR = "|"
"""Separates several values in one cell."""
COLUMN_SYNONYMS = {
    "types": "type",
    "subtypes": "subtype",
    "alias": "aliases",
    "parents": "parent",
    "superclass": "parent",
    "superclasses": "parent",
}
_BATCH_ROWS = 4096
Cells = dict[str, str]
Row = tuple[str, Cells]
"""Where a row is, and its cells by column."""
Fact = tuple[str, str, str, bool]
"""Head, relation and tail, and whether the tail is a name."""


def read_table(path: Path, listener: Listener) -> Iterator[Quad]:
    """Yield the triples of a table's rows."""
    columns = read_columns(path)
    for where, row in read_rows(path, listener):
        cells = {role: row[column] for column, role in columns.used.items()}
        try:
            yield from map(_make_quad, columns.layout.facts(cells))
        except KnowledgeBaseError as error:
            raise KnowledgeBaseError(f"{where}: {error}") from None


def entity_facts(cells: Cells) -> Iterator[Fact]:
    """Yield the name, the aliases, the types and the sub-types of an entity; these are below its type."""
    entity = mint_iri(ENTITY, _require(cells, "entity"))
    if name := cells.get("name"):
        yield entity, STANDARD.label, name, True
    for alias in _split(cells, "aliases"):
        yield entity, STANDARD.alias, alias, True
    types, subtypes = _split(cells, "type"), _split(cells, "subtype")
    if subtypes and len(types) != 1:
        raise KnowledgeBaseError(
            f"a row with sub-types must have exactly one type; this row has {len(types)}. Write a row for "
            "each type"
        )
    for kind in types:
        yield entity, STANDARD.type, mint_iri(CLASS, kind), False
    for subtype in subtypes:
        is_iri = mint_iri(CLASS, subtype) == subtype
        # named within its type: a sub-type `other` of two types is two classes
        below = mint_iri(CLASS, subtype if is_iri else f"{types[0]}/{subtype}")
        yield entity, STANDARD.type, below, False
        yield below, STANDARD.subclass, mint_iri(CLASS, types[0]), False


def class_facts(cells: Cells) -> Iterator[Fact]:
    """Yield the label of a class, and the classes right above it."""
    kind = mint_iri(CLASS, _require(cells, "class"))
    yield kind, STANDARD.type, f"{RDFS}Class", False
    if label := cells.get("label"):
        yield kind, STANDARD.label, label, True
    for parent in _split(cells, "parent"):
        yield kind, STANDARD.subclass, mint_iri(CLASS, parent), False


def triple_facts(cells: Cells) -> Iterator[Fact]:
    """Yield a triple between entities."""
    head, relation, tail = (_require(cells, name) for name in ("head", "relation", "tail"))
    yield mint_iri(ENTITY, head), mint_iri(RELATION, relation), mint_iri(ENTITY, tail), False


class Layout(NamedTuple):
    """What a table contains, the columns it needs and those it may have, and how a row is read."""

    content: str
    required: tuple[str, ...]
    optional: tuple[str, ...]
    facts: Callable[[Cells], Iterator[Fact]]


LAYOUTS = (
    Layout("triples", ("head", "relation", "tail"), (), triple_facts),
    Layout("entities", ("entity", "name"), ("aliases", "type", "subtype"), entity_facts),
    Layout("classes", ("class", "parent"), ("label",), class_facts),
)


@dataclass(frozen=True)
class TableColumns:
    """The layout of a table, its columns with the roles they have, and the columns that are not read."""

    layout: Layout
    used: dict[str, str]
    unused: tuple[str, ...]


def read_columns(path: Path) -> TableColumns:
    """Read the header of a table and decide what its columns contain."""
    header = read_header(path)
    roles = {name: COLUMN_SYNONYMS.get(name.casefold(), name.casefold()) for name in header}
    for role in dict.fromkeys(roles.values()):
        if len(same := [column for column in header if roles[column] == role]) > 1:
            raise KnowledgeBaseError(
                f"{path}:1: {' and '.join(map(repr, same))} are two names of the same column; keep one "
                "of the two columns"
            )
    for layout in LAYOUTS:
        if set(layout.required) <= set(roles.values()):
            accepted = (*layout.required, *layout.optional)
            used = {column: role for column, role in roles.items() if role in accepted}
            return TableColumns(layout, used, tuple(column for column in header if column not in used))
    needed = "; ".join(
        f"a table of {layout.content} has the columns {', '.join(layout.required)}" for layout in LAYOUTS
    )
    raise KnowledgeBaseError(
        f"{path}:1: this is not a table of triples, entities or classes: {needed}. The columns of this table "
        f"are {', '.join(map(repr, header)) or 'none'}"
    )


def _require(cells: Cells, name: str) -> str:
    if not cells.get(name):
        raise KnowledgeBaseError(f"{name!r} is empty; fill it in, or leave the row out")
    return cells[name]


def _split(cells: Cells, name: str) -> list[str]:
    return [text for part in cells.get(name, "").split(SEPARATOR) if (text := part.strip())]


def _make_quad(fact: Fact) -> Quad:
    from pyoxigraph import Literal, NamedNode, Quad

    head, relation, tail, is_name = fact
    if not is_valid_unicode(tail):
        raise KnowledgeBaseError(
            f"{tail!a:.80} contains an invalid character (an unpaired surrogate); write the table again in "
            "UTF-8"
        )
    return Quad(NamedNode(head), NamedNode(relation), Literal(tail) if is_name else NamedNode(tail))


def read_header(path: Path) -> tuple[str, ...]:
    """Read the names of the columns."""
    if format_suffix(path) == ".parquet":
        return tuple(_open_parquet(path).schema_arrow.names)
    with open_input(path) as source:
        lines = read_lines(source, _detect_encoding(path), newline="")
        first = next(lines, "")
        cells = next(csv.reader([first], delimiter=_detect_delimiter(path, first)), [])
    return tuple(cell.strip() for cell in cells)


def read_rows(path: Path, listener: Listener) -> Iterator[Row]:
    """Read the rows in order, each with its position; a cell without a value is empty."""
    if format_suffix(path) == ".parquet":
        return _read_parquet_rows(path)
    return _read_delimited_rows(path, listener)


def _read_delimited_rows(path: Path, listener: Listener) -> Iterator[Row]:
    header = read_header(path)
    meter = ProgressMeter(listener, f"loading {path.name}", file_size(path))
    with open_input(path) as source:
        lines = read_lines(source, _detect_encoding(path), newline="")
        # strict, since an unclosed quote would otherwise swallow the rest of the file
        reader = csv.reader(lines, delimiter=_detect_delimiter(path, next(lines, "")), strict=True)
        while True:
            # the header was read before the reader began, and rows are counted from 1
            where = f"{path}:{reader.line_num + 2}"
            try:
                cells = next(reader, None)
            except csv.Error as error:
                raise KnowledgeBaseError(f"{where}: malformed row ({error}); correct its quotes") from error
            if cells is None:
                break
            meter.update(source.position)
            if not cells:
                continue
            if len(cells) != len(header):
                raise KnowledgeBaseError(
                    f"{where}: the row has {len(cells)} cell(s), but the header has {len(header)}; if a cell "
                    "contains a delimiter or a line break, put it in quotes"
                )
            yield where, dict(zip(header, map(str.strip, cells), strict=True))
    meter.finish()


def _detect_encoding(path: Path) -> str:
    """Detect the encoding of a table; where documents take an option, the advice is another."""
    try:
        return detect_encoding(path, None, ignore_events)
    except (EncodingError, CorpusError) as error:
        if not any(isinstance(part, Parameter) for part in error.args):
            raise KnowledgeBaseError(*error.args) from error
        reason = str(error).rpartition("; ")[0]
        raise KnowledgeBaseError(f"{reason}; write the table in UTF-8") from error


def _detect_delimiter(path: Path, header: str) -> str:
    return "\t" if format_suffix(path) == ".tsv" else detect_delimiter(header)


def _read_parquet_rows(path: Path) -> Iterator[Row]:
    number = 0
    for batch in _open_parquet(path).iter_batches(_BATCH_ROWS):
        for row in batch.to_pylist():
            number += 1
            where = f"{path}, row {number}"
            yield where, {name: _cell_text(value, name, where) for name, value in row.items()}


def _open_parquet(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with wrap_input_errors(path):
        open_plain(path).close()
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise KnowledgeBaseError(f"cannot read {path} as Parquet: {error}") from error


def _cell_text(value: Any, name: str, where: str) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return SEPARATOR.join(_cell_text(each, name, where) for each in value)
    # in Python, True is an int
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value).strip()
    raise KnowledgeBaseError(f"{where}: {name!r} must be text; got {type(value).__name__}")
