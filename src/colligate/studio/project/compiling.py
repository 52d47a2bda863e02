"""The live statements of a journal as a knowledge file, in the user's own format.

The file is all that a run is told: it is written, and read back, before anything is clustered, so that the
command line with the same file is told the same.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from colligate.errors import KnowledgeError, KnowledgeWarning
from colligate.files import located
from colligate.knowledge import Knowledge
from colligate.questions.stand_ins import MARK
from colligate.studio.project.journal import TEXT
from colligate.studio.project.merging import Said, merged
from colligate.studio.project.taking import TAKEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from colligate.knowledge import Compiled
    from colligate.studio.project.journal import Entry

NAME = "knowledge.yaml"
REPORT = "report"
STUDIO = "studio statement "
PASSING = ".knowledge."
"""How the folders begin in which a knowledge file lies for a moment, to be written or read."""


def knowledge_text(entries: Iterable[Entry], folder: Path, centre: str, terms: str) -> str:
    """The knowledge file of the live statements; its paths count from `folder`. Empty if nothing is said."""
    live = list(entries)
    if len(live) == 1 and live[0].kind == TEXT:
        return str(live[0].body["text"])
    texts = [str(entry.body["text"]) for entry in live if entry.kind == TEXT]
    earlier = read_text(texts[-1] if texts else "", folder)
    return text_of(merged(earlier, said_of(live), centre, terms), folder)


def said_of(entries: Iterable[Entry]) -> Said:
    """What the live statements say beside the knowledge file that they come after."""
    said = Said()
    for entry in _standing(list(entries)):
        if entry.kind != TEXT:
            TAKEN[entry.kind](said, entry.body, source_of(entry))
    return said


def read_text(text: str, folder: Path) -> Knowledge:
    """Read the text of a knowledge file as if it lay in `folder`; errors name its lines."""
    if not text.strip():
        return Knowledge(unknown=REPORT, contradictions=REPORT)
    with tempfile.TemporaryDirectory(prefix=PASSING, dir=folder) as place:
        path = Path(place) / NAME
        path.write_text(text, encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KnowledgeWarning)
            try:
                return Knowledge.read(path, unknown=REPORT, contradictions=REPORT)
            except KnowledgeError as error:
                raise type(error)(str(error).replace(str(path), NAME)) from error


def compiled_text(text: str, folder: Path, names: Mapping[str, Sequence[str] | range]) -> Compiled | None:
    """The text of a knowledge file as numbers; what is unknown or contradicts is marked, not warned of."""
    knowledge = read_text(text, folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KnowledgeWarning)
        return knowledge.compile(names) if knowledge else None


def text_of(knowledge: Knowledge, folder: Path) -> str:
    """The text of a knowledge file that means the same wherever it lies: its paths are whole."""
    if not knowledge:
        return ""
    with tempfile.TemporaryDirectory(prefix=PASSING, dir=folder) as place:
        path = Path(place) / NAME
        knowledge.write(path)
        text = path.read_text(encoding="utf-8")
        for outside in _paths(knowledge):
            text = text.replace(os.path.relpath(outside, place), str(outside.resolve()))
    return text


def imported_text(path: Path, folder: Path) -> str:
    """The user's own knowledge file as a project keeps it: as it is, unless it names other files."""
    knowledge = Knowledge.read(located(path), unknown=REPORT, contradictions=REPORT)
    return text_of(knowledge, folder) if _paths(knowledge) else located(path).read_text(encoding="utf-8-sig")


def _paths(knowledge: Knowledge) -> list[Path]:
    return [block.path for block in knowledge.statements.blocks if block.path is not None]


def source_of(entry: Entry) -> str:
    """Where a statement came from, as the file notes it: its number in the studio, when, who and why."""
    who = f", {entry.who}" if entry.who else ""
    why = f": {entry.why}" if entry.why else ""
    return f"{STUDIO}{entry.seq}, {entry.at}{who}{why}"


def sources_of(entries: Iterable[Entry]) -> dict[str, int]:
    """The numbers of statements by what the file notes of them."""
    return {_spaced(source_of(entry)): entry.seq for entry in entries}


def number_of(note: str, sources: Mapping[str, int]) -> int | None:
    """The number of the statement that a line of the file came from; None if it came from none of these.

    The whole note counts: a file that another project exported has statements of the same numbers.
    """
    return sources.get(_spaced(note.removesuffix(MARK)))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _standing(entries: list[Entry]) -> list[Entry]:
    """Leave out the freezing of groups that were split or merged after."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.kind in ("split", "merge"):
            changed = set(entry.body.get("groups", [entry.body.get("group")]))
            kept = [old for old in kept if old.kind != "freeze" or old.body["group"] not in changed]
        kept.append(entry)
    return kept
