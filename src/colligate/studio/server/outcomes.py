"""What a run made of what was said: verdicts with their reasons, strengths, and how far it is trusted.

A line that the studio added, a document that stands for its group, is told apart from what a person said: a
statement is judged by its own lines, and by those it added only where it has no others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.questions.stand_ins import MARK
from colligate.result.audit import STATUSES
from colligate.studio.project.compiling import number_of
from colligate.studio.server.reasons import reason_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.result.audit import Audit
    from colligate.studio.run_view import RunView


@dataclass(frozen=True)
class Outcome:
    """What a run made of a statement: the worst of its lines and why, the strongest, the least trusted."""

    verdict: str = ""
    strength: float | None = None
    trust: float | None = None
    reason: str = ""

    def and_also(self, verdict: str, strength: float, trust: float | None, reason: str) -> Outcome:
        """The same with one more line."""
        trusted = [one for one in (self.trust, trust) if one is not None]
        return Outcome(
            _worse(self.verdict, verdict),
            max(self.strength or 0.0, strength),
            min(trusted, default=None),
            self.reason or reason,
        )


def outcomes_of(view: RunView, names: Mapping[int, str]) -> dict[int, Outcome]:
    """What became of the statements of the journal; `names` are those of the groups."""
    own: dict[int, Outcome] = {}
    added: dict[int, Outcome] = {}
    audit = view.result.audit()
    strength, trust = audit.statements.strength.tolist(), _trust(audit)
    for number, note in enumerate(audit.statements.note):
        if (seq := number_of(note)) is not None:
            part, status = (added if note.endswith(MARK) else own), STATUSES[audit.status[number]]
            broken = status == "broken" and not part.get(seq, Outcome()).reason
            reason = reason_of(view, names, audit.statements[number], status) if broken else ""
            part[seq] = part.get(seq, Outcome()).and_also(status, strength[number], trust[number], reason)
    return added | own


def _trust(audit: Audit) -> list[float | None]:
    """How far each line is trusted; None where the method does not tell."""
    if audit.trust is None:
        return [None] * len(audit)
    return [None if np.isnan(one) else round(one, 4) for one in audit.trust.tolist()]


def standing_in(audit: Audit) -> NDArray[np.bool_]:
    """Which lines of the knowledge a person did not say: documents that stand for their group."""
    return np.array([note.endswith(MARK) for note in audit.statements.note], dtype=bool)


def counts_of(audit: Audit, chosen: NDArray[np.bool_]) -> dict[str, int]:
    """How many of some lines have each status."""
    found = np.bincount(audit.status[chosen], minlength=len(STATUSES)).tolist()
    return dict(zip(STATUSES, found, strict=True))


def _worse(one: str, other: Any) -> str:
    order = ("", "kept", "unknown", "contradicted", "broken")
    return max(one, str(other), key=order.index)
