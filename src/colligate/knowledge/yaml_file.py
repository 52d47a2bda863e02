"""The knowledge file: YAML in, blocks out, and back.

YAML text to nodes, safely: no alias, no deep nesting, no object but text, lists and mappings.

PyYAML's own composer recurses in C, where a file of many brackets ends the process; this one keeps a stack.

A knowledge file being read: its YAML nodes, taken as the text that was written, with the line of each.

The plain data of a knowledge file that is being written.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import yaml
from yaml import events
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from colligate._storage.atomic import write_file
from colligate.errors import EncodingError, KnowledgeError
from colligate.knowledge.kinds.base import Layout, all_kinds, find_kind
from colligate.knowledge.names import misspells
from colligate.knowledge.statements import check_strength, format_location
from colligate.knowledge.text import format_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from colligate.knowledge.statements import Block


_FILE = "the knowledge file"
_USUAL_TYPES = ("documents", "words")
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEPEST = 16
_NULL_FORMS = ("", "~", "null", "Null", "NULL")
_NULL = "tag:yaml.org,2002:null"
_TEXT = "tag:yaml.org,2002:str"
_LIST = "tag:yaml.org,2002:seq"
_MAPPING = "tag:yaml.org,2002:map"
_SHAPES = {ScalarNode: "a single value", SequenceNode: "a list", MappingNode: "a mapping"}
BUILT_IN_CODE = "code"
"""The source of statements that nobody gave a source."""


def read_blocks(path: Path) -> list[Block]:
    """Read all statements of a knowledge file, each with its line."""
    root = compose_nodes(path, _text(path))
    return [] if root is None else list(_blocks(YamlReader(path), root))


def write_blocks(blocks: Iterable[Block], path: Path) -> None:
    """Write statements as a knowledge file that reads back to the same statements."""
    layout: Layout = {}
    told = list(blocks)
    for kind in all_kinds():
        kind.check_writable([block for block in told if block.kind in kind.names])
    for block in told:
        _refuse_positions(block)
        find_kind(block.kind).write(block, layout, path.parent)
    with write_file(path) as temporary, temporary.open("w", encoding="utf-8") as stream:
        yaml.dump(
            layout,
            stream,
            Dumper=_DUMPER,
            default_flow_style=None,
            allow_unicode=True,
            sort_keys=False,
            width=100,
        )


def _refuse_positions(block: Block) -> None:
    """What stands in a file is text and so a name: position 1 would come back as the object called 1."""
    if block.subject.dtype != object:
        raise KnowledgeError(
            f"{block.source}: {block.type} given by position cannot be written to a knowledge file, "
            "where numbers are names; give them by name"
        )


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise KnowledgeError(f"there is no knowledge file {path}; check the path") from None
    except OSError as error:
        raise KnowledgeError(f"cannot read the knowledge file {path}: {error.strerror or error}") from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = raw.count(b"\n", 0, error.start) + 1
        raise EncodingError(
            f"{path}:{row}: this is not UTF-8 text; save the knowledge file as UTF-8"
        ) from None


def _blocks(page: YamlReader, root: Node) -> Iterator[Block]:
    """The blocks of all sections; a key that is no section is a type, and the network says if it has it."""
    sections = {kind.section: kind for kind in all_kinds() if kind.section}
    for key, section, node in page.mapping(root, _FILE):
        if section in sections:
            yield from sections[section].read(page, section, "", node)
        elif any(misspells(section, name) for name in sections):
            raise page.unknown_key(key, section, _FILE, (*sections, *_USUAL_TYPES))
        else:
            yield from _of_type(page, key, section, node, (*sections, *_USUAL_TYPES))


def _of_type(
    page: YamlReader, at: Node, type_name: str, node: Node, usual: tuple[str, ...]
) -> Iterator[Block]:
    readers = {key: kind for kind in all_kinds() for key in kind.keys}
    for key, text, value in page.mapping(node, repr(type_name)):
        if text not in readers:
            strange = type_name not in usual and not get_close_matches(text, readers, n=1)
            if strange and get_close_matches(type_name, usual, n=1):
                raise page.unknown_key(at, type_name, _FILE, usual)
            raise page.unknown_key(key, text, repr(type_name), readers)
        yield from readers[text].read(page, text, type_name, value)


def compose_nodes(path: Path, text: str) -> Node | None:
    """The nodes of a YAML file, each with its line; None for a file that says nothing."""
    try:
        return _Composer(path).compose(text)
    except yaml.MarkedYAMLError as error:
        row = "" if error.problem_mark is None else f":{error.problem_mark.line + 1}"
        if error.problem_mark is not None and _indented_by_tab(text, error.problem_mark):
            raise KnowledgeError(
                f"{path}{row}: the line is indented with a tab; YAML wants spaces: put some in its place"
            ) from None
        what = ", ".join(part for part in (error.context, error.problem) if part)
        raise KnowledgeError(f"{path}{row}: this is not YAML: {what}") from None
    except yaml.reader.ReaderError as error:
        row = f":{text.count(chr(10), 0, error.position) + 1}"
        raise KnowledgeError(f"{path}{row}: this is not YAML: {error.reason}") from None


class _Composer:
    """Builds the tree with a stack of the lists and mappings that are still open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.root: Node | None = None
        self._open: list[Any] = []

    def compose(self, text: str) -> Node | None:
        for event in yaml.parse(text, Loader=_LOADER):
            self._take(event)
        return self.root

    def _take(self, event: Any) -> None:
        kind = type(event)
        if kind is events.ScalarEvent:
            self._place(ScalarNode(_tag(event), event.value, event.start_mark, event.end_mark))
        elif kind is events.SequenceStartEvent:
            self._enter(SequenceNode(_LIST, [], event.start_mark, event.end_mark))
        elif kind is events.MappingStartEvent:
            self._enter(MappingNode(_MAPPING, [], event.start_mark, event.end_mark))
        elif kind is events.SequenceEndEvent:
            self._open.pop()
        elif kind is events.MappingEndEvent:
            node = self._open.pop()
            node.value = list(zip(node.value[0::2], node.value[1::2], strict=True))
        elif kind is events.AliasEvent:
            raise self._error(event, "YAML aliases have no place in a knowledge file; write it out instead")
        elif kind is events.DocumentStartEvent and self.root is not None:
            raise self._error(event, "a knowledge file is one YAML document; here a second one begins")

    def _enter(self, node: Node) -> None:
        if len(self._open) >= _DEEPEST:
            raise self._error(node, "lists are nested too deeply to be knowledge")
        self._place(node)
        self._open.append(node)

    def _place(self, node: Node) -> None:
        if self._open:
            self._open[-1].value.append(node)
        else:
            self.root = node

    def _error(self, at: Any, text: str) -> KnowledgeError:
        return KnowledgeError(f"{self.path}:{at.start_mark.line + 1}: {text}")


def is_null(node: Node) -> bool:
    """Whether nothing was written, as in `together:` without more."""
    return node.tag == _NULL


def _indented_by_tab(text: str, mark: Any) -> bool:
    before = text[: mark.index + 1].rpartition("\n")[2]
    return "\t" in before and not before.strip()


def _tag(event: Any) -> str:
    plain = event.implicit[0] and event.value in _NULL_FORMS
    return _NULL if plain else _TEXT


class YamlReader:
    """The nodes of one knowledge file. Every complaint names the file and the line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = str(path)

    def error(self, node: Node, text: str) -> KnowledgeError:
        """An error about a node."""
        return KnowledgeError(f"{format_location(self.source, line_of(node))}: {text}")

    def mapping(self, node: Node, what: str) -> list[tuple[Node, str, Node]]:
        """The entries of a mapping as (key node, key text, value node); a key twice is an error."""
        if is_null(node):
            return []
        if not isinstance(node, MappingNode):
            raise self._wrong_shape(node, what, "a mapping")
        entries = [(key, self.text(key, f"a key of {what}"), value) for key, value in node.value]
        seen: dict[str, Node] = {}
        for key, text, _ in entries:
            if text in seen:
                raise self.error(
                    key, f"{format_name(text)} stands twice in {what}; first on line {line_of(seen[text])}"
                )
            seen[text] = key
        return entries

    def items(self, node: Node, what: str) -> list[Node]:
        """The items of a list."""
        if is_null(node):
            return []
        if not isinstance(node, SequenceNode):
            raise self._wrong_shape(node, what, "a list")
        return list(node.value)

    def text(self, node: Node, what: str) -> str:
        """A single value as it was written, so that `no`, `1e3` and `007` stay what they are."""
        if not isinstance(node, ScalarNode):
            raise self._wrong_shape(node, what, "a single value")
        if not node.value:
            raise self.error(node, f"{what} is empty")
        if is_null(node):
            raise self.error(
                node, f"{what} is empty: {node.value} is YAML for nothing; quote it if it is meant"
            )
        return str(node.value)

    def texts(self, node: Node, what: str) -> list[str]:
        """A list of single values."""
        return [self.text(item, f"an item of {what}") for item in self.items(node, what)]

    def strength(self, node: Node | None, *, zero: bool = False) -> float:
        """A strength; 1 where none is given."""
        if node is None:
            return 1.0
        place = format_location(self.source, line_of(node))
        return check_strength(self.text(node, "a strength"), place, zero=zero)

    def note(self, node: Node | None) -> str:
        """A note; empty where none is given."""
        return "" if node is None else self.text(node, "a note")

    def fields(self, node: Node, what: str, allowed: Iterable[str]) -> dict[str, Node]:
        """The entries of a mapping whose keys are fixed."""
        allowed = tuple(allowed)
        found = {}
        for key, text, value in self.mapping(node, what):
            if text not in allowed:
                raise self.unknown_key(key, text, what, allowed)
            found[text] = value
        return found

    def unknown_key(self, node: Node, text: str, what: str, allowed: Iterable[str]) -> KnowledgeError:
        """An error that says which keys there are, and which one was probably meant."""
        allowed = tuple(allowed)
        near = get_close_matches(text, allowed, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        return self.error(
            node,
            f"unknown key {format_name(text)!r} in {what}; {hint}The keys there are {', '.join(allowed)}.",
        )

    def _wrong_shape(self, node: Node, what: str, due: str) -> KnowledgeError:
        got = _SHAPES.get(type(node), "something else")
        detail = f" ({format_name(node.value)})" if isinstance(node, ScalarNode) else ""
        return self.error(node, f"{what} must be {due}; got {got}{detail}")


def line_of(node: Node) -> int:
    """The line of the file on which a node begins, from 1."""
    return int(node.start_mark.line) + 1


def is_mapping(node: Node) -> bool:
    """Whether a node is a mapping: the long form of a statement."""
    return isinstance(node, MappingNode)


def is_list(node: Node) -> bool:
    """Whether a node is a list."""
    return isinstance(node, SequenceNode)


def list_under(layout: Layout, section: str, key: str) -> list[Any]:
    """The list under a key of a section, made where it is missing."""
    found: list[Any] = layout.setdefault(section, {}).setdefault(key, [])
    return found


def note_of(block: Block, row: int) -> str:
    """The note of a row; a source that is no file becomes the note, so that it is not lost."""
    from_file = block.lines is not None or block.source == BUILT_IN_CODE
    return block.note(row) or ("" if from_file else block.source)


def long_form(key: str, value: Any, strength: float, note: str) -> Any:
    """A value alone where nothing more is to be said, otherwise a mapping with its strength and note."""
    extra: dict[str, Any] = {}
    if strength != 1.0:
        extra["strength"] = strength
    if note:
        extra["note"] = note
    return {key: value, **extra} if extra else value
