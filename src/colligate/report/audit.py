"""The account of the knowledge in sentences and in a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from colligate.report.numbers import count, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.view import AuditView, StatementView

READ_FIRST = ("broken", "contradicted", "unknown", "kept")
_TOLD = {
    "broken": ("was broken", "were broken"),
    "contradicted": ("is contradicted by others", "are contradicted by others"),
    "unknown": ("names something that is not there", "name something that is not there"),
}
_SIGNS = {"kept": "✓", "broken": "✕", "contradicted": "≠", "unknown": "?"}


@dataclass(frozen=True)
class AuditTable:
    """Counts by kind (rows) and status (columns), with their sums."""

    statuses: Sequence[str]
    rows: Sequence[tuple[str, Sequence[int]]]
    sums: Sequence[int]


def audit_table(audit: AuditView) -> AuditTable:
    """Only the statuses that occur, the best one first."""
    present = {status for counts in audit.by_kind.values() for status in counts}
    known = [status for status in reversed(READ_FIRST) if status in present]
    statuses = known + sorted(present.difference(READ_FIRST))
    rows = [(kind, [counts.get(status, 0) for status in statuses]) for kind, counts in audit.by_kind.items()]
    return AuditTable(statuses, rows, [_number(audit, status) for status in statuses])


def audit_sentence(audit: AuditView) -> str:
    """What became of the knowledge, in one or two plain sentences."""
    doubtful = sum(own.doubtful for own in audit.trusted)
    verb = "disagrees" if doubtful == 1 else "disagree"
    doubt = f" {count(doubtful)} of them {verb} with everything else." if doubtful else ""
    return _outcome(audit) + doubt


def _outcome(audit: AuditView) -> str:
    kept = _number(audit, "kept")
    if kept == audit.total:
        told = "The one statement was kept." if kept == 1 else f"All {count(kept)} statements were kept."
        return told if kept else "There was no statement to keep."
    were = "was" if kept == 1 else "were"
    rest = [
        f"{count(number)} {one if number == 1 else many}"
        for status, (one, many) in _TOLD.items()
        if (number := _number(audit, status))
    ]
    told = f"{count(kept)} of {counted(audit.total, 'statement')} {were} kept"
    return (
        f"{told}; {' and '.join([', '.join(rest[:-1]), rest[-1]] if len(rest) > 1 else rest)}."
        if rest
        else told + "."
    )


def read_first(statements: Sequence[StatementView]) -> list[StatementView]:
    """Broken and contradicted statements first, and the costly before the cheap."""
    return sorted(
        statements, key=lambda statement: (_rank(statement), _cheapness(statement), statement.number)
    )


def kept_for_nothing(statement: StatementView) -> bool:
    """Whether there is nothing to say about a statement but that it was kept."""
    return statement.status == "kept" and statement.cost == 0 and not statement.doubtful


def sign(status: str) -> str:
    """A sign for a status, so that it is not told by colour alone."""
    return _SIGNS.get(status, "•")


def _number(audit: AuditView, status: str) -> int:
    return sum(counts.get(status, 0) for counts in audit.by_kind.values())


def _rank(statement: StatementView) -> int:
    return READ_FIRST.index(statement.status) if statement.status in READ_FIRST else len(READ_FIRST)


def _cheapness(statement: StatementView) -> float:
    return -statement.cost if math.isfinite(statement.cost) else math.inf
