"""Names: there is a group that a name describes, and nothing else is known about it.

The subject is the text whose words describe the group, which is the name itself unless the user gives a
meaning. The other half of the statement is the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.errors import KnowledgeError
from colligate.knowledge.compile import EVERY_GROUP, number_names
from colligate.knowledge.guidance import GroupGuidance, Guidance
from colligate.knowledge.kinds.base import Kind, Layout
from colligate.knowledge.statements import Block
from colligate.knowledge.text import format_count, format_name, is_text
from colligate.knowledge.yaml_file import is_mapping, line_of, note_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from yaml.nodes import Node

    from colligate.knowledge.evaluation import BoolArray, StatementRows
    from colligate.knowledge.guidance import IntArray
    from colligate.knowledge.kinds.base import Part
    from colligate.knowledge.statements import Statement
    from colligate.knowledge.yaml_file import YamlReader

_SECTION, _DOCUMENTS = "names", "documents"


@dataclass(frozen=True, eq=False)
class GroupNames(GroupGuidance):
    """The names of groups of a type, the text that each of them means, and the statements behind them.

    Statement `statement[i]` gives the name `code[i]`.
    """

    name: ClassVar[str] = "names"
    names: tuple[str, ...]
    meanings: tuple[str, ...]
    statement: IntArray
    code: IntArray

    @property
    def group_names(self) -> tuple[str, ...]:
        """The names."""
        return self.names

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The statements, and the meanings as bytes."""
        text = np.frombuffer("\0".join(self.meanings).encode(), dtype=np.uint8)
        return self.statement, self.code, text


class Name(Kind):
    """A group is called so. Statements of other kinds that use the name are about the same group."""

    names = ("name",)
    section = _SECTION
    keys = (_SECTION,)
    synonyms: ClassVar = {"group_name": _SECTION, "class_name": _SECTION}
    about_groups = True
    names_groups = True
    has_strength = False

    def read(self, reader: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read `[sport, {name: acq, meaning: company takeover, note: …}]`."""
        items = reader.items(node, repr(key))
        rows = [(*_read_name(reader, item), line_of(item)) for item in items]
        if rows:
            names, meanings, notes, lines = zip(*rows, strict=True)
            yield _block(type_name or _DOCUMENTS, names, meanings, reader.source, lines, notes)

    def write(self, block: Block, layout: Layout, folder: Path | None) -> None:
        """Write a list; a name with a meaning or a note is a mapping."""
        section = layout if block.type == _DOCUMENTS else layout.setdefault(block.type, {})
        out = section.setdefault(_SECTION, [])
        for row, (name, meaning) in enumerate(zip(self.object_texts(block), block.subject, strict=True)):
            item = {"name": name}
            if meaning != name:
                item["meaning"] = meaning
            if note := note_of(block, row):
                item["note"] = note
            out.append(name if len(item) == 1 else item)

    def compile(self, parts: Sequence[Part], size: int) -> Guidance:
        """Return every name once; several meanings of a name count together."""
        names = number_names(parts)
        if not names:
            return Guidance(size)
        meanings: list[dict[str, None]] = [{} for _ in names]
        for part in parts:
            for code, meaning in zip(part.code.tolist(), part.block.subject.tolist(), strict=True):
                if code >= 0:
                    meanings[code][str(meaning)] = None
        statement = np.concatenate([part.number[part.resolved] for part in parts])
        code = np.concatenate([part.code[part.resolved] for part in parts])
        texts = tuple(" ".join(texts) for texts in meanings)
        return Guidance(size, about_groups=(GroupNames(names, texts, statement, code),))

    def describe(self, statement: Statement) -> str:
        """Return a sentence such as `a group is called sport`."""
        name, meaning = format_name(statement.object), format_name(statement.subject)
        return f"a group is called {name}" + ("" if name == meaning else f", which means {meaning}")

    def judge(self, rows: StatementRows) -> BoolArray:
        """Keep a statement if its name has a group with documents, and no other of the names has it.

        Names that were bound to groups before the run may share one.
        """
        group, counts, may_share = rows.bound_group, _sizes(rows), rows.contest < 0
        owners: dict[int, set[int]] = {}
        for number, code in zip(group.tolist(), rows.code.tolist(), strict=True):
            owners.setdefault(number, set()).add(code)
        return np.array(
            [
                number >= 0 and counts[number] > 0 and (shares or len(owners[number]) == 1)
                for number, shares in zip(group.tolist(), may_share.tolist(), strict=True)
            ],
            dtype=bool,
        )

    def describe_outcomes(self, rows: StatementRows) -> Sequence[str]:
        """Return the size of the group of each name."""
        counts, type_name = _sizes(rows), rows.placed[0][1].type
        sizes = [None if group < 0 else int(counts[group]) for group in rows.bound_group.tolist()]
        return [
            "no group has this name" if size is None else f"its group has {format_count(size, type_name)}"
            for size in sizes
        ]


def name_block(type_name: str, names: Any, source: str) -> Block:
    """Return the block of names built in code: names, or a mapping from names to their meanings."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise KnowledgeError(
            f"names(…) needs a list of names, as in names([{format_name(names)!r}]); got {format_name(names)}"
        )
    meanings = dict(names) if isinstance(names, Mapping) else {name: name for name in list(names)}
    for name, meaning in meanings.items():
        for text in (name, meaning):
            if not is_text(text):
                raise KnowledgeError(f"names(…): the name of a group must be text; got {format_name(text)}")
        _check_name(name, "names(…)")
    return _block(type_name, list(meanings), list(meanings.values()), source)


def _block(
    type_name: str,
    names: Sequence[str],
    meanings: Sequence[str],
    source: str,
    lines: Sequence[int] | None = None,
    notes: Sequence[str] | None = None,
) -> Block:
    subject = np.empty(len(names), dtype=object)
    subject[:] = meanings
    place = {name: code for code, name in enumerate(dict.fromkeys(names))}
    return Block(
        "name",
        type_name,
        subject,
        source,
        codes=np.array([place[name] for name in names], dtype=np.int64),
        names=tuple(place),
        lines=None if lines is None else np.array(lines, dtype=np.int64),
        notes=None if notes is None else tuple(notes),
    )


def _read_name(reader: YamlReader, node: Node) -> tuple[str, str, str]:
    """Return name, meaning and note."""
    place = f"{reader.source}:{line_of(node)}"
    if not is_mapping(node):
        name = reader.text(node, "a name")
        _check_name(name, place)
        return name, name, ""
    fields = reader.fields(node, "a name", ("name", "meaning", "note"))
    if "name" not in fields:
        raise reader.error(
            node, "a name written as a mapping needs the key 'name', as in {name: acq, meaning: takeover}"
        )
    name = reader.text(fields["name"], "a name")
    _check_name(name, place)
    meaning = reader.text(fields["meaning"], "a meaning") if "meaning" in fields else name
    return name, meaning, reader.note(fields.get("note"))


def _check_name(name: str, place: str) -> None:
    if name == EVERY_GROUP:
        raise KnowledgeError(f"{place}: {EVERY_GROUP!r} means every group, so no group can be called so")


def _sizes(rows: StatementRows) -> IntArray:
    return np.bincount(rows.labels[rows.labels >= 0], minlength=max(rows.n_groups, 1))
