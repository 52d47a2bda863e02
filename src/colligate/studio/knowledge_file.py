"""Knowledge files as text: read, compile and write them, and refuse the files that they may not name.

A page may send the text of a knowledge file. It may name only files that the user's own knowledge file named.
"""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from colligate._storage.atomic import expand_path
from colligate._storage.plain_file import read_bounded
from colligate.errors import KnowledgeError, KnowledgeWarning
from colligate.knowledge import Knowledge
from colligate.knowledge.yaml_file import compose_nodes, write_knowledge

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from colligate.knowledge import Compiled, Grouping

NAME = "knowledge.yaml"
REPORT = "report"
TEMPORARY = ".knowledge."
"""Prefix of the temporary folders that a knowledge file is written to or read from."""


def read_text(text: str, folder: Path) -> Knowledge:
    """Read the text of a knowledge file as if it were in `folder`; errors name its lines."""
    if not text.strip():
        return Knowledge(unknown=REPORT, contradictions=REPORT)
    with tempfile.TemporaryDirectory(prefix=TEMPORARY, dir=folder) as temporary:
        path = Path(temporary) / NAME
        path.write_text(text, encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KnowledgeWarning)
            try:
                return Knowledge.read(path, unknown=REPORT, contradictions=REPORT)
            except KnowledgeError as error:
                raise type(error)(str(error).replace(str(path), NAME)) from error


def compile_text(
    text: str,
    folder: Path,
    names: Mapping[str, Sequence[str] | range],
    groupings: Mapping[str, Grouping] | None = None,
) -> Compiled | None:
    """Compile the text of a knowledge file; unknown names and contradictions are marked without a warning.

    `groupings` is what a run was to make of the objects.
    """
    knowledge = read_text(text, folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KnowledgeWarning)
        return knowledge.compile(names, groupings) if knowledge else None


def dump_text(knowledge: Knowledge, folder: Path) -> str:
    """Write knowledge as the text of a file with absolute paths, valid in any folder."""
    if not knowledge:
        return ""
    with tempfile.TemporaryDirectory(prefix=TEMPORARY, dir=folder) as temporary:
        path = Path(temporary) / NAME
        write_knowledge(knowledge.statements.blocks, knowledge.changes, path, absolute_paths=True)
        return path.read_text(encoding="utf-8")


def import_text(path: Path, folder: Path) -> str:
    """Read the user's knowledge file for a project: unchanged, unless it names other files."""
    knowledge = Knowledge.read(expand_path(path), unknown=REPORT, contradictions=REPORT)
    if any(block.path is not None for block in knowledge.statements.blocks):
        return dump_text(knowledge, folder)
    return read_bounded(expand_path(path)).decode("utf-8-sig")


def refuse_new_paths(text: str, allowed: Collection[str]) -> None:
    """Refuse a text that names files of outside documents other than those allowed."""
    for path, line in paths_in(text):
        if path not in allowed:
            raise KnowledgeError(
                f"{NAME}:{line}: knowledge edited in the studio cannot refer to files; list the ids of "
                "the outsiders instead, or write the path in the file that you pass with --knowledge"
            )


def paths_in(text: str) -> Iterator[tuple[str, int]]:
    """Find the paths of outside documents in a knowledge file, each with its line."""
    root = compose_nodes(Path(NAME), text)
    for _, section in _entries(root):
        for key, node in _entries(section):
            if key == "outside":
                yield from _paths_of(node)


def _paths_of(node: Node) -> Iterator[tuple[str, int]]:
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
