"""The live statements of a journal as a knowledge file, in the user's own format.

The file is all that a run is told: it is written, and read back, before anything is clustered, so that the
command line with the same file is told the same.
"""

from __future__ import annotations

import os
import re
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colligate.errors import KnowledgeError, KnowledgeWarning
from colligate.files import located
from colligate.knowledge import Knowledge
from colligate.questions.stand_ins import MARK
from colligate.studio.project.journal import TEXT
from colligate.studio.project.merging import Said, merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from colligate.knowledge import Compiled
    from colligate.studio.project.journal import Entry

NAME = "knowledge.yaml"
REPORT = "report"
STUDIO = "studio statement "
NUMBER = re.compile(rf"{STUDIO}(\d+),")
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


def number_of(note: str) -> int | None:
    """The number of the statement that a line of the file came from; None if it came from no statement."""
    told = NUMBER.search(note)
    return int(told[1]) if told else None


def _standing(entries: list[Entry]) -> list[Entry]:
    """Leave out the freezing of groups that were split or merged after."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.kind in ("split", "merge"):
            changed = set(entry.body.get("groups", [entry.body.get("group")]))
            kept = [old for old in kept if old.kind != "freeze" or old.body["group"] not in changed]
        kept.append(entry)
    return kept


def _link(kind: str) -> Callable[[Said, Mapping[str, Any], str], None]:
    def take(said: Said, body: Mapping[str, Any], source: str) -> None:
        items = tuple(body["items"])
        if len(items) > 2:
            said.sets.append((kind, body["type"], items, source))
        else:
            said.links.pop((body["type"], frozenset(items)), None)
            said.links[body["type"], frozenset(items)] = (kind, items, source)

    return take


def _labelled(said: Said, names: Iterable[str], label: str, source: str) -> None:
    for name in names:
        said.outside.pop(name, None)
        said.labels.pop(name, None)
        said.labels[name] = (label, source)


def _label(said: Said, body: Mapping[str, Any], source: str) -> None:
    told = [name for name in body["exemplars"] if name not in said.labels and name not in said.outside]
    _labelled(said, told, body["label"], f"{source} {MARK}")
    _labelled(said, [body["document"]], body["label"], source)


def _outside(said: Said, body: Mapping[str, Any], source: str) -> None:
    said.labels.pop(body["document"], None)
    said.outside[body["document"]] = source


def _category(said: Said, body: Mapping[str, Any], source: str) -> None:
    said.categories.pop(body["word"], None)
    said.categories[body["word"]] = (body["name"], source)


def _merge(said: Said, body: Mapping[str, Any], source: str) -> None:
    kept, gone = body["labels"]
    said.becomes(gone, kept)
    _labelled(said, [name for part in body["exemplars"] for name in part], kept, f"{source} {MARK}")


def _split(said: Said, body: Mapping[str, Any], source: str) -> None:
    for label, names in zip(body["labels"], body["seeds"], strict=True):
        _labelled(said, names, label, f"{source} {MARK}")


def _freeze(said: Said, body: Mapping[str, Any], source: str) -> None:
    _labelled(said, body["documents"], body["label"], f"{source} {MARK}")


def _name(said: Said, body: Mapping[str, Any], source: str) -> None:
    """A group is named by the label of the documents that stand for it."""
    said.becomes(body["label"], body["name"])
    told = [name for name in body["exemplars"] if name not in said.labels and name not in said.outside]
    _labelled(said, told, body["label"], f"{source} {MARK}")


TAKEN: dict[str, Callable[[Said, Mapping[str, Any], str], None]] = {
    "together": _link("together"),
    "apart": _link("apart"),
    "label": _label,
    "outside": _outside,
    "category": _category,
    "name": _name,
    "merge": _merge,
    "split": _split,
    "freeze": _freeze,
}
