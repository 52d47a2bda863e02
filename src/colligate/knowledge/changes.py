"""Changes to the groups of a result: rename, move, merge, split, new groups, and seed words for one of them.

Other statements are true of the documents. A change is about the groups of one result, by number or name, and
is carried out once. The section `changes` of the knowledge file lists changes in their order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.errors import KnowledgeError
from colligate.knowledge.annotations import NO_GROUP
from colligate.knowledge.statements import format_location
from colligate.knowledge.text import format_count, format_name, is_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yaml.nodes import Node

    from colligate.knowledge.yaml_file import YamlReader

    GroupName = int | str

SECTION = "changes"
RENAME, MOVE, MERGE, SPLIT, SEED, NEW = ACTS = ("rename", "move", "merge", "split", "seed", "new")
MAX_PARTS = 100
LONGEST_NAME = 200
# `3` and `group 3` mean the group with this number; -1 means no group in tables
_NUMBERED = re.compile(r"(?:group\s*)?[+-]?\d+")


@dataclass(frozen=True)
class Change:
    """One change.

    `groups` are the groups that are renamed, merged or split, the one that documents or a word go to, or the
    name of a new one. `name` is the new name, `into` the number of parts. `source` is the file and `line` its
    line, 0 if there is none.
    """

    act: str
    groups: tuple[GroupName, ...]
    documents: tuple[str, ...] = ()
    word: str = ""
    name: str = ""
    into: int = 2
    line: int = 0
    source: str = SECTION

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
        if self.act == NEW and not isinstance(self.groups[0], str):
            raise KnowledgeError("the change 'new' needs the name of the new group; got a number")
        for field, act in (("documents", MOVE), ("word", SEED), ("name", RENAME)):
            if self.act == act and not getattr(self, field):
                raise KnowledgeError(f"the change '{act}' needs {field!r}, which is missing or empty; add it")
        texts: dict[str, Sequence[Any]] = {
            "documents": self.documents,
            "word": [self.word],
            "name": [self.name],
        }
        for field, values in texts.items():
            wrong = [value for value in values if not isinstance(value, str)]
            if wrong:
                message = f"{field!r} of the change '{self.act}' must be text; got {wrong[0]!r:.60}"
                raise KnowledgeError(message)
        if type(self.into) is not int:
            raise KnowledgeError(f"'into' of the change '{self.act}' must be a number; got {self.into!r:.60}")
        if not 2 <= self.into <= MAX_PARTS:
            raise KnowledgeError(f"a group can be split into 2 to {MAX_PARTS} parts; got {self.into}")

    @property
    def where(self) -> str:
        """The file and its line, or the section for changes made in code."""
        return format_location(self.source, self.line)

    def describe(self) -> str:
        """Return the change in words, such as `merge groups 3 and 7`."""
        groups = [format_group(group) for group in self.groups]
        if self.act == MERGE:
            return f"merge {' and '.join(groups)}"
        if self.act == SPLIT:
            return f"split {groups[0]} into {self.into}"
        if self.act == RENAME:
            return f"rename {groups[0]} to {format_name(self.name)}"
        if self.act == NEW:
            return f"new group {groups[0]}"
        what = format_count(len(self.documents), "documents") if self.act == MOVE else f"the word {self.word}"
        return f"{'move' if self.act == MOVE else 'seed'} {what} to {groups[0]}"

    def to_layout(self) -> dict[str, Any]:
        """Return the change as the knowledge file has it."""
        if self.act == MERGE:
            return {MERGE: list(self.groups)}
        if self.act == SPLIT:
            return {SPLIT: {"group": self.groups[0], "into": self.into}}
        if self.act == RENAME:
            return {RENAME: {"group": self.groups[0], "to": self.name}}
        if self.act == NEW:
            return {NEW: self.groups[0]}
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
        fields = _read_fields(reader, act, value)
        return Change(act, line=key.start_mark.line + 1, source=reader.source, **fields)
    except KnowledgeError as error:
        raise error if str(error).startswith(reader.source) else reader.error(key, str(error)) from None


def _read_fields(reader: YamlReader, act: str, node: Node) -> dict[str, Any]:
    if act == MERGE:
        return {"groups": read_groups(reader.texts(node, MERGE))}
    if act == NEW:
        return {"groups": (reader.text(node, NEW),)}
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
        return {"documents": documents, "groups": read_groups([reader.text(nodes["to"], "to")])}
    if act == SEED:
        word = reader.text(nodes["word"], "word")
        return {"word": word, "groups": read_groups([reader.text(nodes["to"], "to")])}
    groups = read_groups([reader.text(nodes["group"], "group")])
    if act == RENAME:
        return {"groups": groups, "name": reader.text(nodes["to"], "to")}
    into = reader.text(nodes["into"], "into") if "into" in nodes else "2"
    if not into.isdecimal() or len(into) > 3:
        raise reader.error(nodes["into"], f"'into' must be a whole number; got {format_name(into)}")
    return {"groups": groups, "into": int(into)}


def read_groups(texts: Iterable[str]) -> tuple[GroupName, ...]:
    """Return groups: digits are a number, other text is a name."""
    return tuple(int(text) if text.isdecimal() and len(text) < 10 else text for text in texts)


def format_group(group: GroupName) -> str:
    """Return a group in words: a name as it is, a number as `group 3`."""
    return format_name(group) if isinstance(group, str) else f"group {group}"


def find_group(group: GroupName, numbers: Sequence[int], names: Sequence[str]) -> int | None:
    """Return the number of a group by its number (also as `group 3`) or its name; None if there is none."""
    if isinstance(group, int):
        return group if group in numbers else None
    by_number = {format_group(number): number for number in numbers}
    return (by_number | dict(zip(names, numbers, strict=True))).get(group)


def is_printable_name(name: str) -> bool:
    """Tell whether a name is text on one line that is not too long."""
    # control and direction characters could disguise a name
    return bool(name.strip()) and len(name) <= LONGEST_NAME and name.isprintable()


def check_group_name(name: str, names: Iterable[tuple[int, str]] = ()) -> None:
    """Refuse a name that cannot be read as one, or that another group has.

    A number, `group 3` and `No group` mean something else wherever groups are named. `names` has the names of
    the other groups, each after its number; a name is taken also if only case or white space differ.
    """
    if not is_printable_name(name):
        raise KnowledgeError(
            f"the name of a group must have 1 to {LONGEST_NAME} printable characters; got {name!r:.80}"
        )
    folded = _fold_name(name)
    if _NUMBERED.fullmatch(folded):
        raise KnowledgeError(
            f"a group cannot be called {name!r:.80}, because that means a group by its number; choose a name "
            "with another word"
        )
    if folded == _fold_name(NO_GROUP):
        raise KnowledgeError(
            f"a group cannot be called {name!r:.80}, because that means no group; choose another name"
        )
    for number, taken in names:
        if _fold_name(taken) == folded:
            raise KnowledgeError(
                f"the name {name!r:.80} is taken: group {number} is called {taken!r:.80}; choose another "
                f"name, or use group {number} itself"
            )


def _fold_name(name: str) -> str:
    """Return a name without what people overlook in it: case and white space."""
    return " ".join(name.split()).casefold()
