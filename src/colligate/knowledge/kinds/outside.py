"""Outsiders: documents known to belong to no cluster (the papers' Universum)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.corpus import Corpus
from colligate.errors import InputError, KnowledgeError
from colligate.knowledge.guidance import Guidance
from colligate.knowledge.kinds.base import Kind, Layout, Part
from colligate.knowledge.kinds.label import CLUSTERS
from colligate.knowledge.statements import Block, as_column
from colligate.knowledge.text import format_name, singular
from colligate.knowledge.yaml_file import is_list, is_mapping, line_of, list_under, long_form, note_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yaml.nodes import Node

    from colligate.knowledge.contradictions import StatementGraph
    from colligate.knowledge.evaluation import BoolArray, StatementRows
    from colligate.knowledge.statements import Statement
    from colligate.knowledge.yaml_file import YamlReader


class Outside(Kind):
    """An object is in no cluster; that contradicts a label on it or on what it belongs together with."""

    names = ("outside",)
    keys = ("outside",)
    synonyms: ClassVar = {"universum": "outside", "outsider": "outside", "noise": "outside"}
    has_strength = False

    def read(self, reader: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read a list of ids or a path; in the long form `{members: […] or path: …, note: …}`."""
        if not is_list(node):
            yield from (
                _read_long(reader, type_name, node)
                if is_mapping(node)
                else [_block_of_path(reader, type_name, node, "")]
            )
            return
        items = reader.items(node, "'outside'")
        plain = [item for item in items if not is_mapping(item)]
        if plain:
            yield _block_of_nodes(reader, type_name, plain, "")
        for item in items:
            if is_mapping(item):
                yield from _read_long(reader, type_name, item)

    def write(self, block: Block, layout: Layout, folder: Path | None) -> None:
        """Write ids, and the path of documents that came from a file."""
        out = list_under(layout, block.type, "outside")
        note = note_of(block, 0)
        if block.corpus is not None:
            path = _path_of(block)
            item: dict[str, Any] = {
                "path": str(path.resolve()) if folder is None else os.path.relpath(path, folder)
            }
            out.append({**item, "note": note} if note else item)
        elif note:
            out.append(long_form("members", block.subject.tolist(), 1.0, note))
        else:
            out.extend(block.subject.tolist())

    def compile(self, parts: Sequence[Part], size: int) -> Guidance:
        """Return the positions of the outsiders that are in the corpus itself."""
        positions = [part.subject[part.resolved & (part.subject >= 0)] for part in parts]
        return Guidance(size, outsiders=np.unique(np.concatenate(positions)))

    def add_to_graph(self, parts: Sequence[Part], graph: StatementGraph) -> None:
        """Record that an outsider must not meet a label."""
        for part in parts:
            keep = part.resolved & (part.subject >= 0)
            nowhere = np.full(int(keep.sum()), -1, dtype=np.int64)
            graph.exclusive(CLUSTERS, part.subject[keep], nowhere, part.number[keep])

    def judge(self, rows: StatementRows) -> BoolArray:
        """Keep a statement if the object is in no group, as are documents that came with the statement."""
        return np.asarray(rows.place < 0)

    def describe(self, statement: Statement) -> str:
        """Return a sentence such as `document x1 is outside every cluster`."""
        if statement.object is not None:
            return f"{statement.object} of {format_name(statement.subject)} are outside every cluster"
        return f"{singular(statement.type)} {self.describe_briefly(statement)}"

    def describe_briefly(self, statement: Statement) -> str:
        """Return words such as `x1 is outside every cluster`."""
        return f"{format_name(statement.subject)} is outside every cluster"


def outside_block(type_name: str, outsiders: Any, source: str) -> Block:
    """Return the block of outsiders built in code: ids of objects, or a corpus of further documents."""
    if isinstance(outsiders, Corpus):
        path = Path(outsiders.source)
        return _corpus_block(type_name, outsiders, source, path if path.exists() else None)
    return Block("outside", type_name, as_column(outsiders, "outside(…)"), source)


def _corpus_block(
    type_name: str, corpus: Corpus, source: str, path: Path | None, line: int = 0, note: str = ""
) -> Block:
    """Return a statement about a whole corpus; its other half is the number of documents."""
    return Block(
        "outside",
        type_name,
        np.array([corpus.source if path is None else path.name], dtype=object),
        source,
        codes=np.zeros(1, dtype=np.int64),
        names=(f"{len(corpus)} {type_name}",),
        lines=np.array([line], dtype=np.int64) if line else None,
        notes=(note,),
        corpus=corpus,
        path=path,
    )


def _read_long(reader: YamlReader, type_name: str, node: Node) -> Iterator[Block]:
    fields = reader.fields(node, "'outside'", ("members", "path", "note"))
    note = reader.note(fields.get("note"))
    if ("members" in fields) == ("path" in fields):
        raise reader.error(node, "outsiders written as a mapping need one of the keys 'members' and 'path'")
    if "path" in fields:
        yield _block_of_path(reader, type_name, fields["path"], note)
    elif items := reader.items(fields["members"], "'members'"):
        yield _block_of_nodes(reader, type_name, items, note)


def _block_of_nodes(reader: YamlReader, type_name: str, items: list[Node], note: str) -> Block:
    return Block(
        "outside",
        type_name,
        as_column([reader.text(item, "an outsider") for item in items], reader.source),
        reader.source,
        lines=np.array([line_of(item) for item in items], dtype=np.int64),
        notes=(note,) * len(items),
    )


def _block_of_path(reader: YamlReader, type_name: str, node: Node, note: str) -> Block:
    path = reader.path.parent / reader.text(node, "'outside'")
    try:
        corpus = Corpus.read(path)
    except (InputError, OSError) as error:
        raise reader.error(node, f"the documents under 'outside' cannot be read: {error}") from error
    return _corpus_block(type_name, corpus, reader.source, path, line_of(node), note)


def _path_of(block: Block) -> Path:
    if block.path is None:
        raise KnowledgeError(
            "the outsiders were given as a corpus that was not read from a file, so a knowledge file "
            "cannot refer to them; write their texts to a file, and use outside(Corpus.read(FILE))"
        )
    return block.path
