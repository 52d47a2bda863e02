"""Logical forms in SPARQL: every form is a pattern around one variable, or two for a relation."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from colligate.world.base.forms import Entity, Intersection, Join, Relation
from colligate.world.base.terms import iri

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.world.base.forms import Form, Unary


def form_query(form: Form, limit: int) -> str:
    """The query for what a form stands for, in the order of the ids."""
    if isinstance(form, Relation):
        columns, where = "?x ?y", _triple("?x", form, "?y") + " FILTER(isIRI(?x) && isIRI(?y))"
    else:
        columns, where = "?x", _pattern(form, "?x", count(1)) + " FILTER(isIRI(?x))"
    return f"SELECT DISTINCT {columns} WHERE {{ {where} }} ORDER BY {columns} LIMIT {int(limit)}"


def _pattern(form: Unary, variable: str, numbers: Iterator[int]) -> str:
    if isinstance(form, Entity):
        number = next(numbers)
        there = f"{{ {variable} ?p{number} ?o{number} }} UNION {{ ?s{number} ?p{number} {variable} }}"
        return f"VALUES {variable} {{ {iri(form.id)} }} FILTER EXISTS {{ {there} }}"
    if isinstance(form, Intersection):
        return f"{_pattern(form.left, variable, numbers)} {_pattern(form.right, variable, numbers)}"
    return _join(form, variable, numbers)


def _join(form: Join, variable: str, numbers: Iterator[int]) -> str:
    if isinstance(form.of, Entity):
        return _triple(variable, form.relation, iri(form.of.id))
    other = f"?v{next(numbers)}"
    return f"{_triple(variable, form.relation, other)} {_pattern(form.of, other, numbers)}"


def _triple(head: str, relation: Relation, tail: str) -> str:
    if relation.inverse:
        head, tail = tail, head
    return f"{head} {iri(relation.id)} {tail} ."
