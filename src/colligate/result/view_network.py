"""What the report shows of a network beyond documents and words: further types, and the relations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.knowledge.wording import singular
from colligate.report.view import Nouns, ObjectGroupView, RelationView, TypeView
from colligate.result.contributions import kept_shares
from colligate.result.view_groups import further_types

if TYPE_CHECKING:
    from colligate.result.contributions import Contribution
    from colligate.result.result import Result

MEMBERS_SHOWN = 12


def type_views(result: Result) -> list[TypeView]:
    """Every further type that was grouped, with its groups."""
    found = result.contributions()
    return [_type(result, kind, found) for kind in further_types(result) if kind in result.labels]


def relation_views(result: Result) -> list[RelationView]:
    """Every relation with what it contributed; nothing where there is only one, or nothing is known of it."""
    found = result.contributions()
    if len(found) < 2:
        return []
    entries = {relation.name: relation.matrix.nnz for relation in result.network.relations}
    shares = kept_shares(found)
    return [
        RelationView(
            name=part.relation,
            entries=entries[part.relation],
            weight=part.weight,
            before=part.before,
            after=part.after,
            share=shares[part.relation],
            by_group=part.share[result.centre].tolist() if result.centre in part.share else None,
        )
        for part in found
    ]


def _type(result: Result, kind: str, found: tuple[Contribution, ...]) -> TypeView:
    told_by = _told_by(found, kind, result.n_groups(kind))
    groups = [
        ObjectGroupView(
            group.number,
            group.name,
            group.size,
            [name for name, _ in group.members],
            group.goes_with,
            told_by[group.number],
        )
        for group in result.groups(kind, MEMBERS_SHOWN)
    ]
    return TypeView(Nouns(singular(kind), kind), len(result.network.types[kind]), groups)


def _told_by(found: tuple[Contribution, ...], kind: str, n_groups: int) -> list[list[tuple[str, float]]]:
    """By group of a type: its relations with their shares, the largest first; none where only one tells."""
    own = [(part.relation, part.share[kind]) for part in found if kind in part.share]
    if len(own) < 2:
        return [[] for _ in range(n_groups)]
    return [
        sorted(((name, float(share[at])) for name, share in own if share[at] > 0), key=lambda told: -told[1])
        for at in range(n_groups)
    ]
