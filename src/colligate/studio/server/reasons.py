"""Why a statement counts as broken: where what it speaks of is now, in the names of the groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.knowledge import Statement
    from colligate.studio.run_view import RunView

ELSEWHERE = {"together": "they are in different groups", "apart": "they are in one group"}
"""What is told of other types than documents, whose groups have no lasting numbers."""


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
