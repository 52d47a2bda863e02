"""Reading what an endpoint sent: a table in JSON, triples, or rubbish."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from colligate.errors import EndpointError
from colligate.world.base.answers import table_of_triples, table_of_truth
from colligate.world.base.interface import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.world.base.answering import Row
    from colligate.world.base.client import Answer

SHOWN = 60
TRIPLES = ("application/n-triples", "text/plain")
_COLUMN = re.compile(r"\(.*? AS \?(\w+)\)|\?(\w+)")


def rows_of(answer: Answer, url: str, query: str) -> list[Row]:
    """The rows of an answer to a SELECT of ours: its columns in their order, and everything bound."""
    with _readable(answer, url):
        table = _asked(_table(json.loads(answer.body)), query)
    return [_bound(row, url) for row in table.rows]


def numbers_of(answer: Answer, url: str, query: str) -> tuple[int, ...]:
    """The one row of an answer to a query that counts."""
    rows = rows_of(answer, url, query)
    with _readable(answer, url):
        (row,) = rows
        numbers = tuple(map(int, row))
        if min(numbers) < 0:
            raise ValueError("a count below zero")
    return numbers


def table_from(answer: Answer, url: str) -> Table:
    """Any answer as a table."""
    from pyoxigraph import RdfFormat, parse

    with _readable(answer, url):
        if answer.kind in TRIPLES:
            return table_of_triples(parse(input=answer.body, format=RdfFormat.N_TRIPLES))
        found = json.loads(answer.body)
        if isinstance(found, dict) and isinstance(found.get("boolean"), bool):
            return table_of_truth(found["boolean"])
        return _table(found)


def _asked(table: Table, query: str) -> Table:
    """The table with the columns that a query names, and no others."""
    asked = [one or other for one, other in _COLUMN.findall(query.partition(" WHERE ")[0])]
    if set(asked) != set(table.columns):
        raise ValueError(f"columns {table.columns} where {asked} were asked for")
    order = [table.columns.index(name) for name in asked]
    return Table(tuple(asked), tuple(tuple(row[at] for at in order) for row in table.rows))


def _table(found: Any) -> Table:
    """A table in the JSON of SPARQL; lookups fail on anything else."""
    columns = tuple(found["head"]["vars"])
    rows = found["results"]["bindings"]
    return Table(columns, tuple(tuple(_cell(row.get(name)) for name in columns) for row in rows))


def _cell(term: Any) -> str | None:
    if term is None:
        return None
    value = term["value"]
    if not isinstance(value, str):
        raise TypeError("a value is no text")
    return f"_:{value}" if term["type"] == "bnode" else value


def _bound(row: tuple[str | None, ...], url: str) -> Row:
    cells = tuple(cell for cell in row if cell is not None)
    if len(cells) != len(row):
        raise EndpointError(f"{url} leaves parts of an answer empty; it does not speak SPARQL 1.1")
    return cells


@contextmanager
def _readable(answer: Answer, url: str) -> Iterator[None]:
    try:
        yield
    except (SyntaxError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        begins = answer.body[:SHOWN].decode("utf-8", "replace")
        raise EndpointError(
            f"{url} answers with something that is no answer to a query ({answer.kind}, {begins!a}…: "
            f"{error!r:.120}); check that this is the address of a SPARQL endpoint"
        ) from error
