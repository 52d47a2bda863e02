"""Which files a knowledge file names: text from a page may name no others than the user's own did."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from colligate.errors import KnowledgeError
from colligate.knowledge.composing import composed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

PLACE = Path("knowledge.yaml")


def refuse_new_paths(text: str, allowed: Collection[str]) -> None:
    """Refuse a text that names a file of outside documents beside those allowed."""
    for path, line in paths_in(text):
        if path not in allowed:
            raise KnowledgeError(
                f"{PLACE}:{line}: the path of a file has no place here, since no page may open files; list "
                "the ids of outside documents, or give the path in the file of --knowledge"
            )


def paths_in(text: str) -> Iterator[tuple[str, int]]:
    """The paths of outside documents in a knowledge file, each with its line."""
    root = composed(PLACE, text)
    for _, section in _entries(root):
        for key, node in _entries(section):
            if key == "outside":
                yield from _named(node)


def _named(node: Node) -> Iterator[tuple[str, int]]:
    if isinstance(node, ScalarNode):
        yield str(node.value), node.start_mark.line + 1
    items = node.value if isinstance(node, SequenceNode) else [node]
    for item in items:
        for key, value in _entries(item):
            if key == "path" and isinstance(value, ScalarNode):
                yield str(value.value), value.start_mark.line + 1


def _entries(node: Node | None) -> list[tuple[str, Node]]:
    if not isinstance(node, MappingNode):
        return []
    return [(str(key.value), value) for key, value in node.value if isinstance(key, ScalarNode)]
