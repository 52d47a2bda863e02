"""Answers to free queries as tables, whatever kind of query it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.world.base.interface import Table
from colligate.world.base.terms import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable


def table_of(answer: Any) -> Table:
    """The answer of the store to SELECT as its columns, to ASK as true or false, to CONSTRUCT as triples."""
    from pyoxigraph import QueryBoolean, QuerySolutions

    if isinstance(answer, QueryBoolean):
        return table_of_truth(bool(answer))
    if not isinstance(answer, QuerySolutions):
        return table_of_triples(answer)
    columns = tuple(variable.value for variable in answer.variables)
    return Table(columns, tuple(tuple(map(text_of, solution)) for solution in answer))


def table_of_truth(answer: bool) -> Table:
    """The answer to ASK as one cell."""
    return Table(("answer",), (("true" if answer else "false",),))


def table_of_triples(triples: Iterable[Any]) -> Table:
    """Triples as rows, in the order of their texts."""
    rows = {tuple(map(text_of, (each.subject, each.predicate, each.object))) for each in triples}
    return Table(("subject", "predicate", "object"), tuple(sorted(rows, key=str)))
