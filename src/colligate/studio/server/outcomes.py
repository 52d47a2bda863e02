"""What a run made of what was said: verdicts, strengths, and how far its sources are trusted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.studio.project.compiling import STUDIO

if TYPE_CHECKING:
    from colligate.studio.run_view import RunView

NUMBER = re.compile(rf"{STUDIO}(\d+),")


@dataclass(frozen=True)
class Outcome:
    """What a run made of a statement: the worst of its lines, the strongest, the least trusted."""

    verdict: str = ""
    strength: float | None = None
    trust: float | None = None

    def and_also(self, verdict: str, strength: float, trust: float | None) -> Outcome:
        """The same with one more line."""
        trusted = [one for one in (self.trust, trust) if one is not None]
        return Outcome(
            _worse(self.verdict, verdict), max(self.strength or 0.0, strength), min(trusted, default=None)
        )


def outcomes_of(view: RunView) -> dict[int, Outcome]:
    """What became of the statements of the journal."""
    found: dict[int, Outcome] = {}
    trust = view.result.trust
    header, *rows = view.result.audit().rows()
    at = {name: header.index(name) for name in ("number", "status", "note", "strength")}
    for row in rows:
        if told := NUMBER.search(str(row[at["note"]])):
            known = found.get(int(told[1]), Outcome())
            told_trust = np.nan if trust is None else float(trust[row[at["number"]]])
            trusted = None if np.isnan(told_trust) else round(told_trust, 4)
            found[int(told[1])] = known.and_also(row[at["status"]], row[at["strength"]], trusted)
    return found


def _worse(one: str, other: Any) -> str:
    order = ("", "kept", "unknown", "contradicted", "broken")
    return max(one, str(other), key=order.index)
