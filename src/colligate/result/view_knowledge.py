"""The knowledge as the report shows it: what became of every statement, and what it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.report.view import AuditView, ChangeView, StatementView, TrustView
from colligate.result.audit import DOUBTFUL
from colligate.result.view_groups import document_id, document_text

if TYPE_CHECKING:
    from colligate.result.audit import Audit
    from colligate.result.result import Result

STATEMENTS_SHOWN = 200
NO_GROUP = "no group"


def audit_view(result: Result) -> AuditView | None:
    """The account of the knowledge, with the statements to read first; None without knowledge."""
    if result.compiled is None:
        return None
    audit = result.audit()
    titles = _titles(audit, (result.centre, result.terms))
    statements = [
        StatementView(
            number=row.number,
            text=row.text,
            kind=titles[row.kind, row.type],
            source=row.source,
            status=row.status,
            cost=row.cost,
            note=row.note,
            doubtful=row.trust is not None and row.trust < DOUBTFUL,
        )
        for row in (audit.statement(at) for at in audit.worth_reading(STATEMENTS_SHOWN).tolist())
    ]
    by_kind = {titles[key]: counts for key, counts in audit.by_kind_and_type().items()}
    trusted = [
        TrustView(titles[own.kind, own.type], own.source, own.statements, own.trust, own.doubtful)
        for own in audit.sources()
    ]
    return AuditView(len(audit), by_kind, statements, audit.contradictions, trusted)


def _titles(audit: Audit, usual: tuple[str, str]) -> dict[tuple[str, str], str]:
    """What statements of a kind about a type are called: the type is named wherever it could be another."""
    found = list(audit.by_kind_and_type())
    kinds, plain = [kind for kind, _ in found], all(type_name in usual for _, type_name in found)
    return {
        (kind, type_name): kind if plain and kinds.count(kind) == 1 else f"{kind} · {type_name}"
        for kind, type_name in found
    }


def change_view(result: Result) -> ChangeView | None:
    """Where the objects of the centre went because of the knowledge; None where it was not compared."""
    changes = result.changes()
    if changes is None or result.before is None:
        return None
    before, after = (*result.names_before, NO_GROUP), (*result.group_names, NO_GROUP)
    rows, columns = (
        size if changes.flow.sum(axis=1 - side)[-1] else size - 1
        for side, size in enumerate(changes.flow.shape)
    )
    old, new = result.before[result.centre], result.labels[result.centre]
    examples = [
        (document_id(result, at), before[old[at]], after[new[at]], document_text(result, at))
        for at in changes.examples.tolist()
    ]
    return ChangeView(
        moved=int(changes.moved.sum()),
        total=changes.moved.size,
        agreement=changes.agreement,
        before_names=before[:rows],
        after_names=after[:columns],
        flow=changes.flow[:rows, :columns].tolist(),
        examples=examples,
    )
