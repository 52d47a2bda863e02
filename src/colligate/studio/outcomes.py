"""What the last run made of each statement: its verdict and the reason, its strength, and its trust.

A statement may have several lines in the knowledge file. It is judged by the lines that the user stated. A
statement without such a line is judged by the exemplars it added, or by all documents of its label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.knowledge import find_kind
from colligate.questions.answers import EXEMPLAR_SUFFIX
from colligate.result.audit import STATUSES
from colligate.studio.actions import find_action
from colligate.studio.knowledge import find_number, log_actions, number_sources

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Statement
    from colligate.result.audit import Audit
    from colligate.studio.project import Entry
    from colligate.studio.run_views import RunView

SEVERITY = ("", "kept", "unknown", "contradicted", "broken")
BROKEN_LINKS = {"together": "they are in different groups", "apart": "they are in one group"}
"""The reason for types other than documents, whose groups have no lasting numbers."""


@dataclass(frozen=True)
class Outcome:
    """The worst verdict of the lines of a statement and its reason, the most strength, the least trust."""

    verdict: str = ""
    strength: float | None = None
    trust: float | None = None
    reason: str = ""

    def combine(self, verdict: str, strength: float, trust: float | None, reason: str) -> Outcome:
        """Return the outcome with one more line."""
        return Outcome(
            max(self.verdict, verdict, key=SEVERITY.index),
            max(self.strength or 0.0, strength),
            min((value for value in (self.trust, trust) if value is not None), default=None),
            self.reason or reason,
        )


def judge_statements(view: RunView, names: Mapping[int, str], entries: list[Entry]) -> dict[int, Outcome]:
    """Return the outcomes of the statements of a run by number; `names` are those of the groups."""
    stated: dict[int, Outcome] = {}
    exemplars: dict[int, Outcome] = {}
    labelled: dict[str, Outcome] = {}
    audit, sources = view.result.audit(), number_sources(entries)
    strength, trust = audit.statements.strength.tolist(), _list_trust(audit)
    labels = _list_labels(audit, view.result.centre)
    for row, note in enumerate(audit.statements.note):
        status, seq, updates = STATUSES[audit.status[row]], find_number(note, sources), list[Any]()
        if seq is not None:
            updates.append((exemplars if note.endswith(EXEMPLAR_SUFFIX) else stated, seq))
        if labels[row]:
            updates.append((labelled, labels[row]))
        for outcomes, key in updates:
            outcome = outcomes.get(key, Outcome())
            is_first = status == "broken" and not outcome.reason
            reason = explain_broken(view, names, audit.statements[row], status) if is_first else ""
            outcomes[key] = outcome.combine(status, strength[row], trust[row], reason)
    return _judge_by_labels(entries, labelled) | exemplars | stated


def _list_labels(audit: Audit, centre: str) -> list[str]:
    """List the label that each line gives to a document; empty for other lines."""
    statements = audit.statements
    is_label = (statements.kind == "label") & (statements.type == centre)
    return [label if flag else "" for label, flag in zip(statements.object, is_label.tolist(), strict=True)]


def _judge_by_labels(entries: list[Entry], labelled: Mapping[str, Outcome]) -> dict[int, Outcome]:
    """Judge statements about groups by all documents of their labels."""
    log, outcomes = log_actions(entries), dict[int, Outcome]()
    for entry in entries:
        labels = find_action(entry.kind).judged_labels(entry.body)
        for label in dict.fromkeys(map(log.current_label, labels)):
            if (part := labelled.get(label)) is not None:
                whole = outcomes.get(entry.seq, Outcome())
                outcomes[entry.seq] = whole.combine(
                    part.verdict, part.strength or 0.0, part.trust, part.reason
                )
    return outcomes


def _list_trust(audit: Audit) -> list[float | None]:
    """List the trust in each line; None if the method does not estimate it."""
    if audit.trust is None:
        return [None] * len(audit)
    return [None if np.isnan(value) else round(value, 4) for value in audit.trust.tolist()]


def mark_exemplars(audit: Audit) -> NDArray[np.bool_]:
    """Mark the lines of the knowledge that label exemplars, which the user did not state."""
    return np.array([note.endswith(EXEMPLAR_SUFFIX) for note in audit.statements.note], dtype=bool)


def count_statuses(audit: Audit, chosen: NDArray[np.bool_]) -> dict[str, int]:
    """Count the chosen lines by status."""
    counts = np.bincount(audit.status[chosen], minlength=len(STATUSES)).tolist()
    return dict(zip(STATUSES, counts, strict=True))


def explain_broken(view: RunView, names: Mapping[int, str], statement: Statement, status: str) -> str:
    """Describe where the objects of a broken statement are; empty for other statements.

    The note on a statement about a group has the size or whatever else the group has.
    """
    if status != "broken" or find_kind(statement.kind).about_groups:
        return ""
    if statement.type != view.result.centre:
        return BROKEN_LINKS.get(statement.kind, "")
    first = _name_home(view, names, statement.subject)
    if statement.kind not in BROKEN_LINKS:
        return f"it is in {first}" if first else ""
    second = _name_home(view, names, statement.object)
    if first == second:
        return f"both are in {first}"
    return f"{statement.subject} is in {first}, {statement.object} in {second}"


def _name_home(view: RunView, names: Mapping[int, str], document: str | int | None) -> str:
    row = view.row_of.get(str(document))
    if row is None:
        return ""
    identity = int(view.identities[row])
    return f"group {identity + 1}, {names[identity]}" if identity >= 0 else "no group"
