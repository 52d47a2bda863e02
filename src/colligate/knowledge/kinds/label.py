"""Labels: an object is known to belong to a named cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import KnowledgeError
from colligate.knowledge.compile import number_names
from colligate.knowledge.evaluation import in_majority_cluster
from colligate.knowledge.guidance import Guidance
from colligate.knowledge.kinds.base import Kind, Layout, Part
from colligate.knowledge.statements import Block, as_column
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
"""The family of claims that labels share with outsiders: no component may hold two of them."""


class Label(Kind):
    """An object carries a label. Two labels in one component contradict each other."""

    names = ("label",)
    keys = ("labels",)
    has_strength = False

    def read(self, page: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read `{object: label}`; a label may be `{label: …, note: …}`, or a list of labels."""
        rows = [
            (name, *_label(page, item), line_of(at))
            for at, name, value in page.mapping(node, "'labels'")
            for item in (page.items(value, "a label") if is_list(value) else [value])
        ]
        if rows:
            subjects, labels, notes, lines = zip(*rows, strict=True)
            codes, names = _coded(labels)
            yield Block(
                "label",
                type_name,
                as_column(list(subjects), page.source),
                page.source,
                codes=codes,
                names=names,
                lines=np.array(lines, dtype=np.int64),
                notes=notes,
            )

    def write(self, block: Block, layout: Layout, folder: Path) -> None:
        """Write a mapping; an object with two labels gets a list of them."""
        out = layout.setdefault(block.type, {}).setdefault("labels", {})
        codes = [] if block.codes is None else block.codes.tolist()
        for row, (name, code) in enumerate(zip(block.subject.tolist(), codes, strict=True)):
            label = long_form("label", block.names[code], 1.0, note_of(block, row))
            before = out.get(name)
            out[name] = (
                label if before is None else [*(before if isinstance(before, list) else [before]), label]
            )

    def guide(self, parts: Sequence[Part], size: int) -> Guidance:
        """One label per object; where several are told, the first stands."""
        names = number_names(parts)
        if not names:
            return Guidance(size)
        labels, statements = np.full(size, -1, dtype=np.int64), np.full(size, -1, dtype=np.int64)
        for part in reversed(parts):
            rows = np.flatnonzero(part.known)[::-1]
            labels[part.subject[rows]] = part.code[rows]
            statements[part.subject[rows]] = part.number[rows]
        return Guidance(size, labels=labels, label_names=names, label_statements=statements)

    def tie(self, parts: Sequence[Part], ties: StatementGraph) -> None:
        """Bind objects of one label; different labels must not meet."""
        names = number_names(parts)
        first = ties.hubs(len(names))
        for part in parts:
            keep = part.known
            ties.bond(part.subject[keep], part.code[keep] + first, part.number[keep])
        sides = np.arange(len(names), dtype=np.int64)
        ties.claim(CLUSTERS, sides + first, sides, np.full(len(names), -1, dtype=np.int64))

    def kept(self, case: StatementRows) -> BoolArray:
        """Kept if the object is in the group where most objects of its label are.

        Where that group has more objects of another label, it belongs to the other (of equals, to the first
        told), and the statement is broken.
        """
        return in_majority_cluster(case.place, case.code, np.zeros(len(case.code), dtype=np.int64))

    def sentence(self, statement: Statement) -> str:
        """Word it as `document a12 is labelled space`."""
        return f"{singular(statement.type)} {self.claim(statement)}"

    def claim(self, statement: Statement) -> str:
        """Word it as `a12 is labelled space`."""
        return f"{format_name(statement.subject)} is labelled {format_name(statement.object)}"


def label_block(type_name: str, labels: Mapping[Any, str], source: str) -> Block:
    """The block of labels given in code."""
    place = f"label(…, type={type_name!r})"
    for name, label in labels.items():
        if not is_text(label):
            raise KnowledgeError(
                f"{place}: the label of {format_name(name)} must be text; got {format_name(label)}"
            )
    codes, names = _coded(list(labels.values()))
    return Block("label", type_name, as_column(list(labels), place), source, codes=codes, names=names)


def _label(page: YamlReader, node: Node) -> tuple[str, str]:
    if not is_mapping(node):
        return page.text(node, "a label"), ""
    fields = page.fields(node, "a label", ("label", "note"))
    if "label" not in fields:
        raise page.error(node, "a label in the long form needs a key 'label'")
    return page.text(fields["label"], "a label"), page.note(fields.get("note"))


def _coded(labels: Sequence[str]) -> tuple[IntArray, tuple[str, ...]]:
    place: dict[str, int] = {}
    codes = [place.setdefault(str(label), len(place)) for label in labels]
    return np.array(codes, dtype=np.int64), tuple(place)
