"""Categories: lists of seed words. A word (or any object) supports the category that lists it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.errors import KnowledgeError
from colligate.knowledge.compile import merge_seeds, number_names
from colligate.knowledge.evaluation import is_typical_of_bound
from colligate.knowledge.guidance import Guidance
from colligate.knowledge.kinds.base import Kind, Layout, Part
from colligate.knowledge.statements import Block, as_column
from colligate.knowledge.text import format_name, singular
from colligate.knowledge.yaml_file import is_mapping, line_of, note_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from yaml.nodes import Node

    from colligate.knowledge.evaluation import BoolArray, StatementRows
    from colligate.knowledge.statements import Statement
    from colligate.knowledge.yaml_file import YamlReader

WORDS = "words"
_OPTIONS = ("strength", "note")


class Category(Kind):
    """An object supports a category with a strength. It may support several; this is no contradiction."""

    names = ("category",)
    section = "categories"
    synonyms: ClassVar = {"seed": "categories", "seed_word": "categories", "topic": "categories"}
    reserved = _OPTIONS
    names_groups = True
    by_typical_group = True

    def read(self, reader: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read `{name: [words]}`; an item may be `{words: […], people: […], strength: 2, note: …}`."""
        for key_node, name, value in reader.mapping(node, "'categories'"):
            items = [value] if is_mapping(value) else reader.items(value, f"category {format_name(name)}")
            if not items:
                raise reader.error(
                    key_node,
                    f"category {format_name(name)} has no words; list some words, or remove the category",
                )
            plain = [item for item in items if not is_mapping(item)]
            if plain:
                yield _block(reader, name, WORDS, plain, 1.0, "")
            for item in items:
                if is_mapping(item):
                    yield from _long(reader, name, item)

    def write(self, block: Block, layout: Layout, folder: Path | None) -> None:
        """Write plain word lists, and in the long form what has another type, a strength or a note."""
        out: list[Any] = layout.setdefault("categories", {}).setdefault(block.names[0], [])
        strength, note = float(block.strengths[0]), note_of(block, 0)
        if block.type == WORDS and strength == 1.0 and not note:
            out.extend(block.subject.tolist())
            return
        item: dict[str, Any] = {block.type: block.subject.tolist()}
        if strength != 1.0:
            item["strength"] = strength
        if note:
            item["note"] = note
        out.append(item)

    def compile(self, parts: Sequence[Part], size: int) -> Guidance:
        """Return the objects × categories matrix; an object listed twice keeps its greatest strength."""
        names = number_names(parts)
        if not names:
            return Guidance(size)
        rows = [(part.subject, part.code, part.block.strengths, part.number) for part in parts]
        keep = np.concatenate([part.resolved for part in parts])
        member, code, strength, number = (np.concatenate(values)[keep] for values in zip(*rows, strict=True))
        return Guidance(size, seeds=merge_seeds(member, code, strength, number, size, names))

    def judge(self, rows: StatementRows) -> BoolArray:
        """Keep a statement if the object is typical of the group of its category."""
        return is_typical_of_bound(rows)

    def describe(self, statement: Statement) -> str:
        """Return a sentence such as `word orbit is in category space`."""
        subject, category = format_name(statement.subject), format_name(statement.object)
        return f"{singular(statement.type)} {subject} is in category {category}"


def category_block(name: str, type_name: str, members: Any, strength: float, source: str) -> Block:
    """Return the block of one category built in code."""
    place = f"category({name!r}, {type_name}=…)"
    subject = as_column(members, place)
    if not len(subject):
        raise KnowledgeError(
            f"{place}: the category is empty; list some {type_name}, or leave out the category"
        )
    codes = np.zeros(len(subject), dtype=np.int64)
    return Block("category", type_name, subject, source, codes=codes, names=(name,), strength=strength)


def _long(reader: YamlReader, name: str, node: Node) -> Iterator[Block]:
    entries = reader.mapping(node, f"category {format_name(name)}")
    options = {text: value for _, text, value in entries if text in _OPTIONS}
    strength, note = reader.strength(options.get("strength")), reader.note(options.get("note"))
    lists = [(key, text, value) for key, text, value in entries if text not in _OPTIONS]
    if not lists:
        raise reader.error(
            node, f"category {format_name(name)} has no words; list some words under the key 'words'"
        )
    for key, type_name, value in lists:
        items = reader.items(value, f"{format_name(type_name)} of category {format_name(name)}")
        if not items:
            raise reader.error(
                key,
                f"category {format_name(name)} has an empty list of {format_name(type_name)}; fill in "
                "this list, or remove it",
            )
        yield _block(reader, name, type_name, items, strength, note)


def _block(
    reader: YamlReader, name: str, type_name: str, items: list[Node], strength: float, note: str
) -> Block:
    what = f"a member of category {format_name(name)}"
    return Block(
        "category",
        type_name,
        as_column([reader.text(item, what) for item in items], reader.source),
        reader.source,
        codes=np.zeros(len(items), dtype=np.int64),
        names=(name,),
        strength=strength,
        lines=np.array([line_of(item) for item in items], dtype=np.int64),
        notes=(note,) * len(items),
    )
