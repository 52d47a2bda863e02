"""YAML text to nodes, safely: no alias, no deep nesting, no object but text, lists and mappings.

PyYAML's own composer recurses in C, where a file of many brackets ends the process; this one keeps a stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from yaml import events
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from colligate.errors import KnowledgeError

if TYPE_CHECKING:
    from pathlib import Path

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEPEST = 16
_NULL_FORMS = ("", "~", "null", "Null", "NULL")
_NULL = "tag:yaml.org,2002:null"
_TEXT = "tag:yaml.org,2002:str"
_LIST = "tag:yaml.org,2002:seq"
_MAPPING = "tag:yaml.org,2002:map"


def composed(path: Path, text: str) -> Node | None:
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


def is_nothing(node: Node) -> bool:
    """Whether nothing was written, as in `together:` without more."""
    return node.tag == _NULL


def _indented_by_tab(text: str, mark: Any) -> bool:
    before = text[: mark.index + 1].rpartition("\n")[2]
    return "\t" in before and not before.strip()


def _tag(event: Any) -> str:
    plain = event.implicit[0] and event.value in _NULL_FORMS
    return _NULL if plain else _TEXT
