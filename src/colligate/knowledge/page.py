"""A knowledge file being read: its YAML nodes, taken as the text that was written, with the line of each."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from colligate.errors import KnowledgeError
from colligate.knowledge.block import checked_strength, where
from colligate.knowledge.composing import is_nothing
from colligate.knowledge.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_SHAPES = {ScalarNode: "a single value", SequenceNode: "a list", MappingNode: "a mapping"}


class Page:
    """The nodes of one knowledge file. Every complaint names the file and the line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = str(path)

    def error(self, node: Node, text: str) -> KnowledgeError:
        """An error about a node."""
        return KnowledgeError(f"{where(self.source, line(node))}: {text}")

    def mapping(self, node: Node, what: str) -> list[tuple[Node, str, Node]]:
        """The entries of a mapping as (key node, key text, value node); a key twice is an error."""
        if is_nothing(node):
            return []
        if not isinstance(node, MappingNode):
            raise self._wrong_shape(node, what, "a mapping")
        entries = [(key, self.text(key, f"a key of {what}"), value) for key, value in node.value]
        seen: dict[str, Node] = {}
        for key, text, _ in entries:
            if text in seen:
                raise self.error(
                    key, f"{shown(text)} stands twice in {what}; first on line {line(seen[text])}"
                )
            seen[text] = key
        return entries

    def items(self, node: Node, what: str) -> list[Node]:
        """The items of a list."""
        if is_nothing(node):
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
        if is_nothing(node):
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
        place = where(self.source, line(node))
        return checked_strength(self.text(node, "a strength"), place, zero=zero)

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
            node, f"unknown key {shown(text)!r} in {what}; {hint}The keys there are {', '.join(allowed)}."
        )

    def _wrong_shape(self, node: Node, what: str, due: str) -> KnowledgeError:
        got = _SHAPES.get(type(node), "something else")
        detail = f" ({shown(node.value)})" if isinstance(node, ScalarNode) else ""
        return self.error(node, f"{what} must be {due}; got {got}{detail}")


def line(node: Node) -> int:
    """The line of the file on which a node begins, from 1."""
    return int(node.start_mark.line) + 1


def is_mapping(node: Node) -> bool:
    """Whether a node is a mapping: the long form of a statement."""
    return isinstance(node, MappingNode)


def is_list(node: Node) -> bool:
    """Whether a node is a list."""
    return isinstance(node, SequenceNode)
