"""Refusing what cannot stand beside what was said: it is told before it is written down, not after a run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from colligate.errors import ContradictionError, UnknownNameError
from colligate.studio.knowledge_file import TEMPORARY, compile_text, read_text
from colligate.studio.project.journal import Entry, now
from colligate.studio.project.knowledge import knowledge_text, number_of, sources_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from colligate.knowledge import Compiled, Contradiction
    from colligate.studio.project import Project


def refuse_contradiction(project: Project, kind: str, body: Mapping[str, Any]) -> None:
    """Refuse a statement that brings in a contradiction; those that are there already may stay."""
    live = project.journal.live()
    entry = Entry(project.journal.head + 1, "", now(), "", "", kind, body)
    after = _compiled(project, [*live, entry])
    sources = sources_of([*live, entry])
    if after is None or not after.n_contradictions:
        return
    before = _compiled(project, live)
    if after.n_contradictions > (before.n_contradictions if before is not None else 0):
        raise ContradictionError(_told(after, entry.seq, sources, project.folder))


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
        raise type(error)(_without_place(told, project.folder)) from error


def _told(after: Compiled, new: int, sources: Mapping[str, int], folder: Path) -> str:
    """A contradiction by the numbers of the statements that stand against the new one, and what to undo."""
    found = next(
        (one for one in after.contradictions if new in _numbers(after, one, sources)),
        after.contradictions[-1],
    )
    text = found.text
    for number in (*found.claims, *found.chain):
        said = after.statements[number]
        text = text.replace(f"({said.where})", f"({_source(number_of(said.note, sources), new)})", 1)
    numbers = _numbers(after, found, sources)
    against = sorted({number for number in numbers if number is not None and number != new})
    undo = (
        f"undo statement {' or '.join(map(str, against))} first" if against else "change the knowledge file"
    )
    return (
        f"this cannot hold with what was said: {_without_place(text, folder)}; {undo}, on the page Knowledge"
    )


def _numbers(compiled: Compiled, found: Contradiction, sources: Mapping[str, int]) -> list[int | None]:
    notes = (compiled.statements[number].note for number in (*found.claims, *found.chain))
    return [number_of(note, sources) for note in notes]


def _source(number: int | None, new: int) -> str:
    if number is None:
        return "the knowledge file"
    return "said now" if number == new else f"statement {number}"


def _without_place(text: str, folder: Path) -> str:
    """Call the file by its name: where it was read for a moment is nobody's business."""
    places = {str(folder), str(folder.absolute()), str(folder.resolve())}
    known = "|".join(map(re.escape, sorted(places, key=len, reverse=True)))
    return re.sub(rf"(?:{known})/{re.escape(TEMPORARY)}[^/\s]*/", "", text)


def _compiled(project: Project, entries: list[Entry]) -> Compiled | None:
    text = knowledge_text(entries, project.folder, project.centre, project.terms)
    return compile_text(text, project.folder, project.network.names)
