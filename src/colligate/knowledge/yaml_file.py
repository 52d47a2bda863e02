"""The knowledge file: YAML in, blocks out, and back.

Reading is safe: no alias, no deep nesting, nothing but text, lists and mappings. PyYAML's composer recurses
in C, where a file of many brackets ends the process; the one here keeps a stack. Values are the text that was
written, and every error names its line.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np
import yaml
from yaml import events
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from colligate._storage.atomic import write_file
from colligate._storage.plain_file import read_bounded
from colligate.errors import EncodingError, KnowledgeError
from colligate.knowledge.changes import SECTION, read_changes
from colligate.knowledge.kinds.base import Layout, all_kinds, find_kind
from colligate.knowledge.names import misspells
from colligate.knowledge.statements import EXEMPLAR_SUFFIX, MODEL_SOURCE, check_strength, format_location
from colligate.knowledge.text import format_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from colligate.knowledge.changes import Change
    from colligate.knowledge.statements import Block


_FILE = "the knowledge file"
_USUAL_TYPES = ("documents", "words")
# those in C are much faster, where PyYAML was built with them
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEPEST = 16
_NULL_FORMS = ("", "~", "null", "Null", "NULL")
_NULL = "tag:yaml.org,2002:null"
_TEXT = "tag:yaml.org,2002:str"
_LIST = "tag:yaml.org,2002:seq"
_MAPPING = "tag:yaml.org,2002:map"
_SHAPES = {ScalarNode: "a single value", SequenceNode: "a list", MappingNode: "a mapping"}
_MODEL_NOTE = re.compile(rf"{re.escape(MODEL_SOURCE)}\S+( {re.escape(EXEMPLAR_SUFFIX)})?")
_ANSWERED = ("label", "together", "apart", "category")
BUILT_IN_CODE = "code"
"""The source of statements that nobody gave a source."""


def read_file(path: Path) -> tuple[list[Block], list[Change]]:
    """Read all statements of a knowledge file, each with its line, and the changes to groups."""
    root = compose_nodes(path, _text(path))
    changes: list[Change] = []
    blocks = [] if root is None else list(_read_sections(YamlReader(path), root, changes))
    return [part for block in blocks for part in _split_model_answers(block)], changes


def _split_model_answers(block: Block) -> Iterator[Block]:
    """Yield the rows of the user, then those of each language model, whose note becomes their source.

    The order matters where both label the same object: the first label counts.
    """
    notes = np.array(block.notes or ("",) * len(block), dtype=object)
    models = dict.fromkeys(note for note in notes.tolist() if _MODEL_NOTE.fullmatch(note))
    if not models or block.kind not in _ANSWERED:
        yield block
        return
    if len(rest := block.select(~np.isin(notes, list(models)))):
        yield rest
    for note in models:
        yield replace(block.select(notes == note), source=note, lines=None, notes=None)


def write_knowledge(
    blocks: Iterable[Block], changes: Iterable[Change], path: Path, *, absolute_paths: bool = False
) -> None:
    """Write statements and changes as a knowledge file that reads back to the same.

    With `absolute_paths` it does so in any folder.
    """
    layout: Layout = {}
    blocks = list(blocks)
    for kind in all_kinds():
        kind.check_writable([block for block in blocks if block.kind in kind.names])
    for block in blocks:
        _refuse_positions(block)
        find_kind(block.kind).write(block, layout, None if absolute_paths else path.parent)
    if steps := [change.to_layout() for change in changes]:
        layout[SECTION] = steps
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
    """Refuse positions: a value in a file is a name, so position 1 would come back as the object called 1."""
    if block.subject.dtype != object:
        raise KnowledgeError(
            f"{block.source}: {block.type} given by position cannot be written to a knowledge file; "
            f"give the names of the {block.type} instead"
        )


def _text(path: Path) -> str:
    try:
        raw = read_bounded(path)
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


def _read_sections(reader: YamlReader, root: Node, changes: list[Change]) -> Iterator[Block]:
    """Yield the blocks of all sections, and collect changes.

    A key that is no section is a type, which the network must have. The mistakes of all keys are reported
    together.
    """
    mistakes: list[KnowledgeError] = []
    sections = {kind.section: kind for kind in all_kinds() if kind.section}
    keys = (*sections, SECTION, *_USUAL_TYPES)
    for key_node, key, node in reader.mapping(root, _FILE):
        with _collect(mistakes):
            if key == SECTION:
                changes += read_changes(reader, node)
            elif key in sections:
                yield from sections[key].read(reader, key, "", node)
            elif any(misspells(key, name) for name in (*sections, SECTION)) or (
                translate_key(key) and not _is_type(node)
            ):
                raise reader.unknown_key(key_node, key, _FILE, keys)
            else:
                yield from _read_type(reader, key_node, key, node, keys)
    _raise_all(mistakes)


@contextmanager
def _collect(mistakes: list[KnowledgeError]) -> Iterator[None]:
    """Keep an error for later, so that a reader sees all mistakes of a file at once."""
    try:
        yield
    except KnowledgeError as error:
        mistakes.append(error)


def _raise_all(mistakes: list[KnowledgeError]) -> None:
    if len(mistakes) == 1:
        raise mistakes[0]
    if mistakes:
        raise KnowledgeError("\n".join(map(str, mistakes)))


def _read_type(
    reader: YamlReader, type_node: Node, type_name: str, node: Node, usual: tuple[str, ...]
) -> Iterator[Block]:
    mistakes: list[KnowledgeError] = []
    readers = {key: kind for kind in all_kinds() for key in kind.keys}
    for key_node, key, value in reader.mapping(node, repr(type_name)):
        if key not in readers:
            strange = type_name not in usual and not get_close_matches(key, readers, n=1)
            if strange and get_close_matches(type_name, usual, n=1):
                raise reader.unknown_key(type_node, type_name, _FILE, usual)
            mistakes.append(reader.unknown_key(key_node, key, repr(type_name), readers))
            continue
        with _collect(mistakes):
            yield from readers[key].read(reader, key, type_name, value)
    _raise_all(mistakes)


def _is_type(node: Node) -> bool:
    """Tell whether a section looks like that of a type: a mapping with a key that types have."""
    keys = {key for kind in all_kinds() for key in kind.keys}
    return isinstance(node, MappingNode) and any(key.value in keys for key, _ in node.value)


def translate_key(key: str) -> str | None:
    """Return the key that another word for it means, such as `together` for `must-link`."""
    word = key.casefold().replace("-", "_").replace(" ", "_").removesuffix("s")
    return next((kind.synonyms[word] for kind in all_kinds() if word in kind.synonyms), None)


def compose_nodes(path: Path, text: str) -> Node | None:
    """Return the nodes of a YAML file, each with its line; None for an empty file."""
    try:
        return _Composer(path).compose(text)
    except yaml.MarkedYAMLError as error:
        # an error at the end of the text has a mark after its last line
        last = max(1, len(text.splitlines()))
        row = "" if error.problem_mark is None else f":{min(error.problem_mark.line + 1, last)}"
        if error.problem_mark is not None and _indented_by_tab(text, error.problem_mark):
            raise KnowledgeError(
                f"{path}{row}: the line is indented with a tab; YAML needs spaces instead"
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
            self._handle(event)
        return self.root

    def _handle(self, event: Any) -> None:
        event_type = type(event)
        if event_type is events.ScalarEvent:
            self._place(ScalarNode(_tag(event), event.value, event.start_mark, event.end_mark))
        elif event_type is events.SequenceStartEvent:
            self._enter(SequenceNode(_LIST, [], event.start_mark, event.end_mark))
        elif event_type is events.MappingStartEvent:
            self._enter(MappingNode(_MAPPING, [], event.start_mark, event.end_mark))
        elif event_type is events.SequenceEndEvent:
            self._open.pop()
        elif event_type is events.MappingEndEvent:
            node = self._open.pop()
            node.value = list(zip(node.value[0::2], node.value[1::2], strict=True))
        # aliases of aliases grow exponentially ("billion laughs")
        elif event_type is events.AliasEvent:
            raise self._error(event, "a knowledge file must not use YAML aliases; repeat the content instead")
        elif event_type is events.DocumentStartEvent and self.root is not None:
            raise self._error(
                event,
                "a second YAML document begins on this line, but a knowledge file has only one; remove "
                "the line '---'",
            )

    def _enter(self, node: Node) -> None:
        if len(self._open) >= _DEEPEST:
            raise self._error(node, "lists and mappings are nested too deeply; simplify the file")
        self._place(node)
        self._open.append(node)

    def _place(self, node: Node) -> None:
        if self._open:
            self._open[-1].value.append(node)
        else:
            self.root = node

    def _error(self, node: Any, text: str) -> KnowledgeError:
        return KnowledgeError(f"{self.path}:{node.start_mark.line + 1}: {text}")


def is_null(node: Node) -> bool:
    """Tell whether nothing was written, as in `together:` without more."""
    return node.tag == _NULL


def _indented_by_tab(text: str, mark: Any) -> bool:
    before = text[: mark.index + 1].rpartition("\n")[2]
    return "\t" in before and not before.strip()


def _tag(event: Any) -> str:
    # a quoted ~ or null is text
    plain = event.implicit[0] and event.value in _NULL_FORMS
    return _NULL if plain else _TEXT


class YamlReader:
    """Reads the nodes of one knowledge file; every error names the file and the line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = str(path)

    def error(self, node: Node, text: str) -> KnowledgeError:
        """Return an error about a node."""
        return KnowledgeError(f"{format_location(self.source, line_of(node))}: {text}")

    def mapping(self, node: Node, what: str) -> list[tuple[Node, str, Node]]:
        """Return the entries of a mapping as (key node, key text, value node); a key twice is an error."""
        if is_null(node):
            return []
        if not isinstance(node, MappingNode):
            raise self._wrong_shape(node, what, "a mapping (key: value)")
        entries = [(key, self.text(key, f"a key of {what}"), value) for key, value in node.value]
        seen: dict[str, Node] = {}
        for key, text, _ in entries:
            if text in seen:
                raise self.error(
                    key,
                    f"{format_name(text)} occurs twice in {what}, the first time on line "
                    f"{line_of(seen[text])}; join the two entries, or remove one of them",
                )
            seen[text] = key
        return entries

    def items(self, node: Node, what: str) -> list[Node]:
        """Return the items of a list."""
        if is_null(node):
            return []
        if not isinstance(node, SequenceNode):
            raise self._wrong_shape(node, what, "a list")
        return list(node.value)

    def text(self, node: Node, what: str) -> str:
        """Return a single value as it was written, so that `no`, `1e3` and `007` stay what they are."""
        if not isinstance(node, ScalarNode):
            raise self._wrong_shape(node, what, "a single value")
        if not node.value:
            raise self.error(node, f"{what} is empty; fill it in, or remove it")
        if is_null(node):
            raise self.error(
                node,
                f"{what} is empty: {node.value} means no value in YAML; to use it as a name, put it in "
                "quotes",
            )
        return str(node.value)

    def texts(self, node: Node, what: str) -> list[str]:
        """Return a list of single values."""
        return [self.text(item, f"an item of {what}") for item in self.items(node, what)]

    def strength(self, node: Node | None, *, zero: bool = False) -> float:
        """Return a strength; 1 if there is none."""
        if node is None:
            return 1.0
        place = format_location(self.source, line_of(node))
        return check_strength(self.text(node, "a strength"), place, zero=zero)

    def note(self, node: Node | None) -> str:
        """Return a note; empty if there is none."""
        return "" if node is None else self.text(node, "a note")

    def fields(self, node: Node, what: str, allowed: Iterable[str]) -> dict[str, Node]:
        """Return the entries of a mapping whose keys are fixed."""
        allowed = tuple(allowed)
        nodes = {}
        for key, text, value in self.mapping(node, what):
            if text not in allowed:
                raise self.unknown_key(key, text, what, allowed)
            nodes[text] = value
        return nodes

    def unknown_key(self, node: Node, text: str, what: str, allowed: Iterable[str]) -> KnowledgeError:
        """Return an error that lists the allowed keys, with the one that was probably meant."""
        allowed = tuple(allowed)
        meant = translate_key(text)
        near = [meant] if meant in allowed else get_close_matches(text, allowed, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        if meant is not None and meant not in allowed:
            hint = f"; did you mean {meant!r} under a type, as in 'documents: {{{meant}: …}}'?"
        return self.error(
            node,
            f"unknown key {format_name(text)!r} in {what}{hint} Allowed keys: {', '.join(allowed)}.",
        )

    def _wrong_shape(self, node: Node, what: str, due: str) -> KnowledgeError:
        got = _SHAPES.get(type(node), "something else")
        detail = f" ({format_name(node.value)})" if isinstance(node, ScalarNode) else ""
        return self.error(node, f"{what} must be {due}; got {got}{detail}")


def line_of(node: Node) -> int:
    """Return the line of the file on which a node begins, from 1."""
    return int(node.start_mark.line) + 1


def is_mapping(node: Node) -> bool:
    """Tell whether a node is a mapping: the long form of a statement."""
    return isinstance(node, MappingNode)


def is_list(node: Node) -> bool:
    """Tell whether a node is a list."""
    return isinstance(node, SequenceNode)


def list_under(layout: Layout, section: str, key: str) -> list[Any]:
    """Return the list under a key of a section, made where it is missing."""
    items: list[Any] = layout.setdefault(section, {}).setdefault(key, [])
    return items


def note_of(block: Block, row: int) -> str:
    """Return the note of a row; a source that is no file becomes the note, so that it is not lost."""
    from_file = block.lines is not None or block.source == BUILT_IN_CODE
    return block.note(row) or ("" if from_file else block.source)


def long_form(key: str, value: Any, strength: float, note: str) -> Any:
    """Return a value, or a mapping with its strength and note if it has any."""
    extra: dict[str, Any] = {}
    if strength != 1.0:
        extra["strength"] = strength
    if note:
        extra["note"] = note
    return {key: value, **extra} if extra else value
