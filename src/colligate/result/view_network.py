"""What the report shows of a network beyond documents and words: further types, and the relations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.report.view import Nouns, ObjectGroupView, RelationView, TypeView
from colligate.result.nouns import singular
from colligate.result.view_groups import further_types

if TYPE_CHECKING:
    from colligate.result.result import Result

MEMBERS_SHOWN = 12


def type_views(result: Result) -> list[TypeView]:
    """Every further type that was grouped, with its groups."""
    return [_type(result, kind) for kind in further_types(result) if kind in result.labels]


def relation_views(result: Result) -> list[RelationView]:
    """Every relation with what it contributed; nothing where there is only one, or nothing is known of it."""
    found = result.contributions()
    if len(found) < 2:
        return []
    kept = sum(part.weight * part.after for part in found)
    entries = {relation.name: relation.matrix.nnz for relation in result.network.relations}
    return [
        RelationView(
            name=part.relation,
            entries=entries[part.relation],
            weight=part.weight,
            before=part.before,
            after=part.after,
            share=part.weight * part.after / kept if kept else 0.0,
            by_group=part.share.tolist() if part.kind == result.centre else None,
        )
        for part in found
    ]


def _type(result: Result, kind: str) -> TypeView:
    groups = [
        ObjectGroupView(
            group.number, group.name, group.size, [name for name, _ in group.members], group.goes_with
        )
        for group in result.groups(kind, MEMBERS_SHOWN)
    ]
    return TypeView(Nouns(singular(kind), kind), len(result.network.types[kind]), groups)
