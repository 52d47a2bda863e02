"""Refusing what cannot stand beside what was said: it is told before it is written down, not after a run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from colligate.errors import ContradictionError, UnknownNameError
from colligate.studio.project.compiling import compiled_text, knowledge_text, read_text
from colligate.studio.project.journal import Entry, now

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.knowledge import Compiled
    from colligate.studio.project import Project


def refuse_contradiction(project: Project, kind: str, body: Mapping[str, Any]) -> None:
    """Refuse a statement that brings in a contradiction; those that are there already may stay."""
    live = project.journal.live()
    entry = Entry(project.journal.head + 1, "", now(), "", "", kind, body)
    after = _compiled(project, [*live, entry])
    if after is None or not after.n_contradictions:
        return
    before = _compiled(project, live)
    if after.n_contradictions > (before.n_contradictions if before is not None else 0):
        raise ContradictionError(
            f"this cannot hold with what was said: {after.contradictions[-1].text}; undo one of these first"
        )


def refuse_unreadable(project: Project, text: str) -> None:
    """Refuse the text of a knowledge file with a slip, an unknown name or a contradiction, by its lines."""
    knowledge = read_text(text, project.folder)
    if not knowledge:
        return
    knowledge.unknown = knowledge.contradictions = "error"
    try:
        knowledge.compile(project.network.names)
    except (UnknownNameError, ContradictionError) as error:
        told, _, _ = str(error).partition("\nCorrect the knowledge")
        raise type(error)(_without_place(told)) from error


def _without_place(text: str) -> str:
    """Call the file by its name: where it was read for a moment is nobody's business."""
    return re.sub(r"\S*/\.knowledge\.[^/\s]*/", "", text)


def _compiled(project: Project, entries: list[Entry]) -> Compiled | None:
    text = knowledge_text(entries, project.folder, project.centre, project.terms)
    return compiled_text(text, project.folder, project.network.names)
