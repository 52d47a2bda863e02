"""What a run made of what was said: verdicts with their reasons, strengths, and how far it is trusted.

A line that the studio added, a document that stands for its group, is told apart from what a person said: a
statement is judged by its own lines, by those it added only where it has no others, and by all that carry its
label where other statements added them before.

Why a statement counts as broken: where what it speaks of is now, in the names of the groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.questions.answers import EXEMPLAR_SUFFIX
from colligate.result.audit import STATUSES
from colligate.studio.project.knowledge import number_of, said_of, sources_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Statement
    from colligate.result.audit import Audit
    from colligate.studio.project import Entry
    from colligate.studio.project.knowledge import Said
    from colligate.studio.run_views import RunView


ELSEWHERE = {"together": "they are in different groups", "apart": "they are in one group"}
"""What is told of other types than documents, whose groups have no lasting numbers."""


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


def outcomes_of(view: RunView, names: Mapping[int, str], told: list[Entry]) -> dict[int, Outcome]:
    """What became of the statements that the run was told; `names` are those of the groups."""
    own: dict[int, Outcome] = {}
    added: dict[int, Outcome] = {}
    labelled: dict[str, Outcome] = {}
    audit, sources = view.result.audit(), sources_of(told)
    strength, trust = audit.statements.strength.tolist(), _trust(audit)
    labels = _labels(audit, view.result.centre)
    for number, note in enumerate(audit.statements.note):
        status, seq, parts = STATUSES[audit.status[number]], number_of(note, sources), list[Any]()
        if seq is not None:
            parts.append((added if note.endswith(EXEMPLAR_SUFFIX) else own, seq))
        if labels[number]:
            parts.append((labelled, labels[number]))
        for part, key in parts:
            broken = status == "broken" and not part.get(key, Outcome()).reason
            reason = reason_of(view, names, audit.statements[number], status) if broken else ""
            part[key] = part.get(key, Outcome()).and_also(status, strength[number], trust[number], reason)
    return _by_labels(told, labelled) | added | own


def _labels(audit: Audit, centre: str) -> list[str]:
    """The label that each line gives to a document; empty for other lines."""
    said = audit.statements
    is_label = (said.kind == "label") & (said.type == centre)
    return [label if here else "" for label, here in zip(said.object, is_label.tolist(), strict=True)]


def _by_labels(told: list[Entry], labelled: Mapping[str, Outcome]) -> dict[int, Outcome]:
    """What became of the labels that statements about groups speak of."""
    said, found = said_of(told), dict[int, Outcome]()
    for entry in told:
        for label in _spoken_of(entry, said):
            if (one := labelled.get(label)) is not None:
                whole = found.get(entry.seq, Outcome())
                found[entry.seq] = whole.and_also(one.verdict, one.strength or 0.0, one.trust, one.reason)
    return found


def _spoken_of(entry: Entry, said: Said) -> Iterator[str]:
    if entry.kind in ("name", "freeze"):
        yield said.label_of(entry.body["label"])
    elif entry.kind in ("merge", "split"):
        yield from dict.fromkeys(map(said.label_of, entry.body["labels"]))


def _trust(audit: Audit) -> list[float | None]:
    """How far each line is trusted; None where the method does not tell."""
    if audit.trust is None:
        return [None] * len(audit)
    return [None if np.isnan(one) else round(one, 4) for one in audit.trust.tolist()]


def standing_in(audit: Audit) -> NDArray[np.bool_]:
    """Which lines of the knowledge a person did not say: documents that stand for their group."""
    return np.array([note.endswith(EXEMPLAR_SUFFIX) for note in audit.statements.note], dtype=bool)


def counts_of(audit: Audit, chosen: NDArray[np.bool_]) -> dict[str, int]:
    """How many of some lines have each status."""
    found = np.bincount(audit.status[chosen], minlength=len(STATUSES)).tolist()
    return dict(zip(STATUSES, found, strict=True))


def _worse(one: str, other: Any) -> str:
    order = ("", "kept", "unknown", "contradicted", "broken")
    return max(one, str(other), key=order.index)


def reason_of(view: RunView, names: Mapping[int, str], said: Statement, status: str) -> str:
    """Where the objects of a broken statement are; nothing for one that was kept."""
    if status != "broken":
        return ""
    if said.type != view.result.centre:
        return ELSEWHERE.get(said.kind, "")
    here = _home(view, names, said.subject)
    if said.kind not in ELSEWHERE:
        return f"it is in {here}" if here else ""
    there = _home(view, names, said.object)
    if here == there:
        return f"both are in {here}"
    return f"{said.subject} is in {here}, {said.object} in {there}"


def _home(view: RunView, names: Mapping[int, str], document: str | int | None) -> str:
    at = view.places.get(str(document))
    if at is None:
        return ""
    identity = int(view.identities[at])
    return f"group {identity + 1}, {names[identity]}" if identity >= 0 else "no group"
