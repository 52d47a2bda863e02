"""Labels: an object is known to belong to a named cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.errors import KnowledgeError
from colligate.knowledge.compile import number_names
from colligate.knowledge.evaluation import in_named_cluster
from colligate.knowledge.guidance import Guidance
from colligate.knowledge.kinds.base import Kind, Layout, Part
from colligate.knowledge.statements import FROZEN_SUFFIX, Block, as_column, rows_ending
from colligate.knowledge.text import format_name, is_text, singular
from colligate.knowledge.yaml_file import is_list, is_mapping, line_of, long_form, note_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from yaml.nodes import Node

    from colligate.knowledge.contradictions import StatementGraph
    from colligate.knowledge.evaluation import BoolArray, StatementRows
    from colligate.knowledge.guidance import IntArray
    from colligate.knowledge.statements import Statement
    from colligate.knowledge.yaml_file import YamlReader

CLUSTERS = "clusters"
"""The family of exclusive nodes that labels share with outsiders: no component may have two of them."""


class Label(Kind):
    """An object carries a label. Two labels in one component contradict each other."""

    names = ("label",)
    keys = ("labels",)
    synonyms: ClassVar = {"label": "labels", "class": "labels", "classe": "labels"}
    names_groups = True
    has_strength = False

    def read(self, reader: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read `{object: label}`; a label may be `{label: …, note: …}`, or a list of labels."""
        rows = [
            (name, *_read_label(reader, item), line_of(key_node))
            for key_node, name, value in reader.mapping(node, "'labels'")
            for item in (reader.items(value, "a label") if is_list(value) else [value])
        ]
        if rows:
            subjects, labels, notes, lines = zip(*rows, strict=True)
            codes, names = _encode(labels)
            yield Block(
                "label",
                type_name,
                as_column(list(subjects), reader.source),
                reader.source,
                codes=codes,
                names=names,
                lines=np.array(lines, dtype=np.int64),
                notes=notes,
            )

    def write(self, block: Block, layout: Layout, folder: Path | None) -> None:
        """Write a mapping; an object with two labels gets a list of them."""
        out = layout.setdefault(block.type, {}).setdefault("labels", {})
        codes = [] if block.codes is None else block.codes.tolist()
        for row, (name, code) in enumerate(zip(block.subject.tolist(), codes, strict=True)):
            label = long_form("label", block.names[code], 1.0, note_of(block, row))
            before = out.get(name)
            out[name] = (
                label if before is None else [*(before if isinstance(before, list) else [before]), label]
            )

    def compile(self, parts: Sequence[Part], size: int) -> Guidance:
        """Return one label per object; of several, the first counts."""
        names = number_names(parts)
        if not names:
            return Guidance(size)
        labels, statements = np.full(size, -1, dtype=np.int64), np.full(size, -1, dtype=np.int64)
        frozen = np.zeros(size, dtype=bool)
        for part in reversed(parts):
            rows = np.flatnonzero(part.resolved)[::-1]
            labels[part.subject[rows]] = part.code[rows]
            statements[part.subject[rows]] = part.number[rows]
            frozen[part.subject[rows]] = rows_ending(part.block, FROZEN_SUFFIX)[rows]
        return Guidance(
            size,
            labels=labels,
            label_names=names,
            label_statements=statements,
            frozen=np.flatnonzero(frozen),
        )

    def add_to_graph(self, parts: Sequence[Part], graph: StatementGraph) -> None:
        """Join objects of one label; different labels must not meet."""
        names = number_names(parts)
        first = graph.add_nodes(len(names))
        for part in parts:
            rows = part.resolved
            graph.join(part.subject[rows], part.code[rows] + first, part.number[rows])
        sides = np.arange(len(names), dtype=np.int64)
        graph.exclusive(CLUSTERS, sides + first, sides, np.full(len(names), -1, dtype=np.int64))

    def judge(self, rows: StatementRows) -> BoolArray:
        """Keep a statement if the object is in the group of its label; see `in_named_cluster`."""
        return in_named_cluster(rows)

    def describe(self, statement: Statement) -> str:
        """Return a sentence such as `document a12 is labelled space`."""
        return f"{singular(statement.type)} {self.describe_briefly(statement)}"

    def describe_briefly(self, statement: Statement) -> str:
        """Return words such as `a12 is labelled space`."""
        return f"{format_name(statement.subject)} is labelled {format_name(statement.object)}"


def label_block(type_name: str, labels: Mapping[Any, str], source: str) -> Block:
    """Return the block of labels built in code."""
    place = f"label(…, type={type_name!r})"
    for name, label in labels.items():
        if not is_text(label):
            raise KnowledgeError(
                f"{place}: the label of {format_name(name)} must be text; got {format_name(label)}"
            )
    codes, names = _encode(list(labels.values()))
    return Block("label", type_name, as_column(list(labels), place), source, codes=codes, names=names)


def _read_label(reader: YamlReader, node: Node) -> tuple[str, str]:
    if not is_mapping(node):
        return reader.text(node, "a label"), ""
    fields = reader.fields(node, "a label", ("label", "note"))
    if "label" not in fields:
        raise reader.error(
            node, "a label written as a mapping needs the key 'label', as in {label: space, note: …}"
        )
    return reader.text(fields["label"], "a label"), reader.note(fields.get("note"))


def _encode(labels: Sequence[str]) -> tuple[IntArray, tuple[str, ...]]:
    place: dict[str, int] = {}
    codes = [place.setdefault(str(label), len(place)) for label in labels]
    return np.array(codes, dtype=np.int64), tuple(place)
