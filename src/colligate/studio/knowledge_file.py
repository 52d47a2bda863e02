"""Knowledge files as text: read, compile and write them, and refuse the files that they may not name.

A page may send the text of a knowledge file. It may name only files that the user's own knowledge file named.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from colligate._storage.atomic import expand_path
from colligate.errors import KnowledgeError, KnowledgeWarning
from colligate.knowledge import Knowledge
from colligate.knowledge.yaml_file import compose_nodes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from colligate.knowledge import Compiled

NAME = "knowledge.yaml"
REPORT = "report"
TEMPORARY = ".knowledge."
"""Prefix of the temporary folders that a knowledge file is written to or read from."""


def read_text(text: str, folder: Path) -> Knowledge:
    """Read the text of a knowledge file as if it lay in `folder`; errors name its lines."""
    if not text.strip():
        return Knowledge(unknown=REPORT, contradictions=REPORT)
    with tempfile.TemporaryDirectory(prefix=TEMPORARY, dir=folder) as place:
        path = Path(place) / NAME
        path.write_text(text, encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KnowledgeWarning)
            try:
                return Knowledge.read(path, unknown=REPORT, contradictions=REPORT)
            except KnowledgeError as error:
                raise type(error)(str(error).replace(str(path), NAME)) from error


def compile_text(text: str, folder: Path, names: Mapping[str, Sequence[str] | range]) -> Compiled | None:
    """The text of a knowledge file as numbers; what is unknown or contradicts is marked, not warned of."""
    knowledge = read_text(text, folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KnowledgeWarning)
        return knowledge.compile(names) if knowledge else None


def dump_text(knowledge: Knowledge, folder: Path) -> str:
    """The text of a knowledge file that means the same wherever it lies: its paths are whole."""
    if not knowledge:
        return ""
    with tempfile.TemporaryDirectory(prefix=TEMPORARY, dir=folder) as place:
        path = Path(place) / NAME
        knowledge.write(path)
        text = path.read_text(encoding="utf-8")
        for outside in _paths(knowledge):
            text = text.replace(os.path.relpath(outside, place), str(outside.resolve()))
    return text


def import_text(path: Path, folder: Path) -> str:
    """The user's own knowledge file as a project keeps it: as it is, unless it names other files."""
    knowledge = Knowledge.read(expand_path(path), unknown=REPORT, contradictions=REPORT)
    return (
        dump_text(knowledge, folder)
        if _paths(knowledge)
        else expand_path(path).read_text(encoding="utf-8-sig")
    )


def _paths(knowledge: Knowledge) -> list[Path]:
    return [block.path for block in knowledge.statements.blocks if block.path is not None]


def refuse_new_paths(text: str, allowed: Collection[str]) -> None:
    """Refuse a text that names a file of outside documents beside those allowed."""
    for path, line in paths_in(text):
        if path not in allowed:
            raise KnowledgeError(
                f"{NAME}:{line}: the path of a file has no place here, since no page may open files; "
                "list the ids of outside documents, or give the path in the file of --knowledge"
            )


def paths_in(text: str) -> Iterator[tuple[str, int]]:
    """The paths of outside documents in a knowledge file, each with its line."""
    root = compose_nodes(Path(NAME), text)
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
