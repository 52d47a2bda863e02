"""Changes to the groups of a result: rename, move, merge, split, and seed words for one of them.

Other statements are true of the documents. A change is about the groups of one result, by number or name, and
is carried out once. The section `changes` of the knowledge file lists changes in their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.errors import KnowledgeError
from colligate.knowledge.text import format_name, is_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yaml.nodes import Node

    from colligate.knowledge.yaml_file import YamlReader

    GroupName = int | str

SECTION = "changes"
RENAME, MOVE, MERGE, SPLIT, SEED = ACTS = ("rename", "move", "merge", "split", "seed")
MAX_PARTS = 100


@dataclass(frozen=True)
class Change:
    """One change.

    `groups` are the groups that are renamed, merged or split, or the one that documents or a word go to.
    `name` is the new name, `into` the number of parts, and `line` that of the file, 0 if there is none.
    """

    act: str
    groups: tuple[GroupName, ...]
    documents: tuple[str, ...] = ()
    word: str = ""
    name: str = ""
    into: int = 2
    line: int = 0

    def __post_init__(self) -> None:
        if self.act not in ACTS:
            raise KnowledgeError(f"{self.act!r:.60} is not a change; use one of {', '.join(ACTS)}")
        needed = 2 if self.act == MERGE else 1
        exact = self.act != MERGE
        if len(self.groups) < needed or (exact and len(self.groups) > needed):
            raise KnowledgeError(
                f"the change '{self.act}' needs {'two or more groups' if needed > 1 else 'one group'}"
            )
        if not all(is_text(group) or (type(group) is int and group >= 0) for group in self.groups):
            raise KnowledgeError(
                f"the change '{self.act}' has a wrong group; give the number (0 or more) or the name of a "
                "group"
            )
        for field, act in (("documents", MOVE), ("word", SEED), ("name", RENAME)):
            if self.act == act and not getattr(self, field):
                raise KnowledgeError(f"the change '{act}' needs {field!r}, which is missing or empty; add it")
        if not 2 <= self.into <= MAX_PARTS:
            raise KnowledgeError(f"a group can be split into 2 to {MAX_PARTS} parts; got {self.into}")

    def to_layout(self) -> dict[str, Any]:
        """Return the change as the knowledge file has it."""
        if self.act == MERGE:
            return {MERGE: list(self.groups)}
        if self.act == SPLIT:
            return {SPLIT: {"group": self.groups[0], "into": self.into}}
        if self.act == RENAME:
            return {RENAME: {"group": self.groups[0], "to": self.name}}
        what = {"documents": list(self.documents)} if self.act == MOVE else {"word": self.word}
        return {self.act: {**what, "to": self.groups[0]}}


def read_changes(reader: YamlReader, node: Node) -> list[Change]:
    """Read the section `changes`."""
    return [_read_change(reader, item) for item in reader.items(node, repr(SECTION))]


def _read_change(reader: YamlReader, node: Node) -> Change:
    entries = reader.mapping(node, "a change")
    if len(entries) != 1:
        raise reader.error(
            node, f"each item of 'changes' must have exactly one of these keys: {', '.join(ACTS)}"
        )
    key, act, value = entries[0]
    if act not in ACTS:
        raise reader.unknown_key(key, act, "a change", ACTS)
    try:
        return Change(act, line=key.start_mark.line + 1, **_read_fields(reader, act, value))
    except KnowledgeError as error:
        raise error if str(error).startswith(reader.source) else reader.error(key, str(error)) from None


def _read_fields(reader: YamlReader, act: str, node: Node) -> dict[str, Any]:
    if act == MERGE:
        return {"groups": _read_groups(reader.texts(node, MERGE))}
    allowed = {
        RENAME: ("group", "to"),
        SPLIT: ("group", "into"),
        MOVE: ("documents", "to"),
        SEED: ("word", "to"),
    }[act]
    nodes = reader.fields(node, act, allowed)
    if missing := [name for name in allowed if name not in nodes and name != "into"]:
        raise reader.error(node, f"the change '{act}' needs {missing[0]!r}, which is missing; add it")
    if act == MOVE:
        documents = tuple(reader.texts(nodes["documents"], "documents"))
        return {"documents": documents, "groups": _read_groups([reader.text(nodes["to"], "to")])}
    if act == SEED:
        word = reader.text(nodes["word"], "word")
        return {"word": word, "groups": _read_groups([reader.text(nodes["to"], "to")])}
    groups = _read_groups([reader.text(nodes["group"], "group")])
    if act == RENAME:
        return {"groups": groups, "name": reader.text(nodes["to"], "to")}
    into = reader.text(nodes["into"], "into") if "into" in nodes else "2"
    if not into.isdecimal() or len(into) > 3:
        raise reader.error(nodes["into"], f"'into' must be a whole number; got {format_name(into)}")
    return {"groups": groups, "into": int(into)}


def _read_groups(texts: Iterable[str]) -> tuple[GroupName, ...]:
    """Return groups: digits are a number, other text is a name."""
    return tuple(int(text) if text.isdecimal() and len(text) < 10 else text for text in texts)


def find_group(group: GroupName, numbers: Sequence[int], names: Sequence[str]) -> int | None:
    """Return the number of a group by its number or name; None if no group has this name."""
    if isinstance(group, str):
        return next((number for number, name in zip(numbers, names, strict=True) if name == group), None)
    if group not in numbers:
        raise KnowledgeError(f"there is no group {group}; the groups are {', '.join(map(str, numbers))}")
    return group
