"""Outsiders: documents known to belong to no cluster (the papers' Universum)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    has_strength = False

    def read(self, page: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read a list of ids or a path; in the long form `{members: […] or path: …, note: …}`."""
        if not is_list(node):
            yield from (
                _long(page, type_name, node) if is_mapping(node) else [_at_path(page, type_name, node, "")]
            )
            return
        items = page.items(node, "'outside'")
        plain = [item for item in items if not is_mapping(item)]
        if plain:
            yield _of_nodes(page, type_name, plain, "")
        for item in items:
            if is_mapping(item):
                yield from _long(page, type_name, item)

    def write(self, block: Block, layout: Layout, folder: Path) -> None:
        """Write ids, and the path of documents that came from a file."""
        out = list_under(layout, block.type, "outside")
        note = note_of(block, 0)
        if block.corpus is not None:
            item: dict[str, Any] = {"path": os.path.relpath(_path_of(block), folder)}
            out.append({**item, "note": note} if note else item)
        elif note:
            out.append(long_form("members", block.subject.tolist(), 1.0, note))
        else:
            out.extend(block.subject.tolist())

    def guide(self, parts: Sequence[Part], size: int) -> Guidance:
        """The positions of the outsiders that are in the corpus itself."""
        found = np.concatenate([part.subject[part.known & (part.subject >= 0)] for part in parts])
        return Guidance(size, outsiders=np.unique(found))

    def tie(self, parts: Sequence[Part], ties: StatementGraph) -> None:
        """An outsider must not meet a label."""
        for part in parts:
            keep = part.known & (part.subject >= 0)
            nowhere = np.full(int(keep.sum()), -1, dtype=np.int64)
            ties.claim(CLUSTERS, part.subject[keep], nowhere, part.number[keep])

    def kept(self, case: StatementRows) -> BoolArray:
        """Kept if the object is in no group, as are documents that came with the statement."""
        return np.asarray(case.place < 0)

    def sentence(self, statement: Statement) -> str:
        """Word it as `document x1 is outside every cluster`."""
        if statement.object is not None:
            return f"{statement.object} of {format_name(statement.subject)} are outside every cluster"
        return f"{singular(statement.type)} {self.claim(statement)}"

    def claim(self, statement: Statement) -> str:
        """Word it as `x1 is outside every cluster`."""
        return f"{format_name(statement.subject)} is outside every cluster"


def outside_block(type_name: str, outsiders: Any, source: str) -> Block:
    """The block of outsiders given in code: ids of objects, or a corpus of further documents."""
    if isinstance(outsiders, Corpus):
        path = Path(outsiders.source)
        return _of_corpus(type_name, outsiders, source, path if path.exists() else None)
    return Block("outside", type_name, as_column(outsiders, "outside(…)"), source)


def _of_corpus(
    type_name: str, corpus: Corpus, source: str, path: Path | None, line: int = 0, note: str = ""
) -> Block:
    """A statement about a whole corpus: its other half says how many documents that is."""
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


def _long(page: YamlReader, type_name: str, node: Node) -> Iterator[Block]:
    fields = page.fields(node, "'outside'", ("members", "path", "note"))
    note = page.note(fields.get("note"))
    if ("members" in fields) == ("path" in fields):
        raise page.error(node, "outsiders in the long form need one of the keys 'members' and 'path'")
    if "path" in fields:
        yield _at_path(page, type_name, fields["path"], note)
    elif items := page.items(fields["members"], "'members'"):
        yield _of_nodes(page, type_name, items, note)


def _of_nodes(page: YamlReader, type_name: str, items: list[Node], note: str) -> Block:
    return Block(
        "outside",
        type_name,
        as_column([page.text(item, "an outsider") for item in items], page.source),
        page.source,
        lines=np.array([line_of(item) for item in items], dtype=np.int64),
        notes=(note,) * len(items),
    )


def _at_path(page: YamlReader, type_name: str, node: Node, note: str) -> Block:
    path = page.path.parent / page.text(node, "'outside'")
    try:
        corpus = Corpus.read(path)
    except (InputError, OSError) as error:
        raise page.error(node, f"the outside documents cannot be read: {error}") from error
    return _of_corpus(type_name, corpus, page.source, path, line_of(node), note)


def _path_of(block: Block) -> Path:
    if block.path is None:
        raise KnowledgeError(
            "outside documents that were built in memory cannot be written to a knowledge file; "
            "save them as a file of documents, and read that with Corpus.read"
        )
    return block.path
