"""What the last run made of each statement: its verdict and the reason, its strength, and its trust.

A statement about a group is judged by that group, whatever it is called. Other statements are judged by their
lines in the knowledge file.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.knowledge import find_kind
from colligate.knowledge.statements import EXEMPLAR_SUFFIX, FROZEN_SUFFIX
from colligate.result.audit import STATUSES
from colligate.studio.actions import find_action
from colligate.studio.knowledge import find_number, number_sources, superseded

if TYPE_CHECKING:
    from colligate.knowledge import Statement
    from colligate.result.audit import Audit
    from colligate.studio.actions.state import RunState

SEVERITY = ("", "kept", "unknown", "contradicted", "broken")
BROKEN_LINKS = {"together": "they are typical of different groups", "apart": "they are typical of one group"}
"""The reason for types other than documents."""


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


def judge_statements(run: RunState) -> dict[int, Outcome]:
    """Return the outcomes of the statements of a run by number.

    A statement about a group is judged by the group that it names. The lines of the knowledge file judge the
    others, and have the strength and trust of all.
    """
    view, outcomes = run.view, dict[int, Outcome]()
    audit, sources = view.result.audit(), number_sources(run.entries)
    strength, trust = audit.statements.strength.tolist(), _list_trust(audit)
    for row, note in enumerate(audit.statements.note):
        seq = None if note.endswith((EXEMPLAR_SUFFIX, FROZEN_SUFFIX)) else find_number(note, sources)
        if seq is not None:
            status, outcome = STATUSES[audit.status[row]], outcomes.get(seq, Outcome())
            is_first = status == "broken" and not outcome.reason
            reason = explain_broken(run, audit.statements[row], status) if is_first else ""
            outcomes[seq] = outcome.combine(status, strength[row], trust[row], reason)
    for entry in run.entries:
        verdict = find_action(entry.kind).judge(entry.body, run)
        outcome = outcomes.get(entry.seq, Outcome())
        # a contradicted line is not used, wherever its document is
        if verdict is not None and outcome.verdict not in ("contradicted", "unknown"):
            outcomes[entry.seq] = replace(
                outcome, verdict="kept" if verdict.kept else "broken", reason=verdict.reason
            )
    return outcomes


def count_outcomes(run: RunState) -> tuple[Counter[str], Counter[str]]:
    """Count the statements by verdict, and the changes to groups, which have no line in the knowledge file.

    The lines of the user's knowledge file are statements too. The report counts the same statements.
    """
    audit, sources = run.view.result.audit(), number_sources(run.entries)
    outcomes, replaced = judge_statements(run), superseded(run.entries)
    statements, numbers = Counter[str](), set[int | None](replaced)
    notes = audit.statements.note
    for line, status in zip(audit.first_lines.tolist(), audit.outcomes.tolist(), strict=True):
        number = find_number(notes[line], sources)
        statements[STATUSES[status] if number is None else outcomes[number].verdict] += 1
        numbers.add(number)
    changes = Counter(outcome.verdict for number, outcome in outcomes.items() if number not in numbers)
    return statements, changes


def _list_trust(audit: Audit) -> list[float | None]:
    """List the trust in each line; None if the method does not estimate it."""
    if audit.trust is None:
        return [None] * len(audit)
    return [None if np.isnan(value) else round(value, 4) for value in audit.trust.tolist()]


def explain_broken(run: RunState, statement: Statement, status: str) -> str:
    """Describe where the objects of a broken statement are; empty for other statements.

    The note on a statement about a group has the size or whatever else the group has.
    """
    if status != "broken" or find_kind(statement.kind).about_groups:
        return ""
    if statement.type != run.view.result.centre:
        return BROKEN_LINKS.get(statement.kind, "")
    first = run.name_place(run.place(str(statement.subject)))
    if statement.kind not in BROKEN_LINKS:
        return f"it is in {first}"
    second = run.name_place(run.place(str(statement.object)))
    if first == second:
        return f"both are in {first}"
    return f"{statement.subject} is in {first}, {statement.object} in {second}"
