"""Categories: word lists. A word (or any object) leans to the category that lists it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import KnowledgeError
from colligate.knowledge.compile import merge_seeds, number_names
from colligate.knowledge.evaluation import in_majority_cluster
from colligate.knowledge.guidance import Guidance
from colligate.knowledge.kinds.base import Kind, Layout, Part
from colligate.knowledge.statements import Block, as_column
from colligate.knowledge.text import format_name, singular
from colligate.knowledge.yaml_file import is_mapping, line_of, note_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from yaml.nodes import Node

    from colligate.knowledge.contradictions import StatementGraph
    from colligate.knowledge.evaluation import BoolArray, StatementRows
    from colligate.knowledge.statements import Statement
    from colligate.knowledge.yaml_file import YamlReader

WORDS = "words"
_OPTIONS = ("strength", "note")


class Category(Kind):
    """An object leans to a category with a strength; it may lean to several, so nothing contradicts."""

    names = ("category",)
    section = "categories"
    reserved = _OPTIONS
    by_typical_group = True

    def read(self, page: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read `{name: [words]}`; an item may be `{words: […], people: […], strength: 2, note: …}`."""
        for at, name, value in page.mapping(node, "'categories'"):
            items = [value] if is_mapping(value) else page.items(value, f"category {format_name(name)}")
            if not items:
                raise page.error(at, f"category {format_name(name)} has no words; list some, or remove it")
            plain = [item for item in items if not is_mapping(item)]
            if plain:
                yield _block(page, name, WORDS, plain, 1.0, "")
            for item in items:
                if is_mapping(item):
                    yield from _long(page, name, item)

    def write(self, block: Block, layout: Layout, folder: Path) -> None:
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

    def guide(self, parts: Sequence[Part], size: int) -> Guidance:
        """The objects × categories matrix; an object told twice keeps its greatest strength."""
        names = number_names(parts)
        if not names:
            return Guidance(size)
        rows = [(part.subject, part.code, part.block.strengths, part.number) for part in parts]
        keep = np.concatenate([part.known for part in parts])
        member, code, strength, number = (np.concatenate(values)[keep] for values in zip(*rows, strict=True))
        return Guidance(size, seeds=merge_seeds(member, code, strength, number, size, names))

    def tie(self, parts: Sequence[Part], ties: StatementGraph) -> None:
        """Overlapping categories contradict nothing, and words of one category may be said to be apart."""

    def kept(self, case: StatementRows) -> BoolArray:
        """Kept if the object is in the group where most of its category is, by strength.

        Where that group holds more of another category that is at home there, it belongs to the other (of
        equals, to the first told), and the statement is broken.
        """
        return in_majority_cluster(
            case.place, case.code, np.zeros(len(case.code), dtype=np.int64), case.strength
        )

    def sentence(self, statement: Statement) -> str:
        """Word it as `word orbit is in category space`."""
        subject, category = format_name(statement.subject), format_name(statement.object)
        return f"{singular(statement.type)} {subject} is in category {category}"


def category_block(name: str, type_name: str, members: Any, strength: float, source: str) -> Block:
    """The block of one category given in code."""
    place = f"category({name!r}, {type_name}=…)"
    subject = as_column(members, place)
    if not len(subject):
        raise KnowledgeError(f"{place}: the category is empty; list some {type_name}, or leave it out")
    codes = np.zeros(len(subject), dtype=np.int64)
    return Block("category", type_name, subject, source, codes=codes, names=(name,), strength=strength)


def _long(page: YamlReader, name: str, node: Node) -> Iterator[Block]:
    entries = page.mapping(node, f"category {format_name(name)}")
    options = {text: value for _, text, value in entries if text in _OPTIONS}
    strength, note = page.strength(options.get("strength")), page.note(options.get("note"))
    lists = [(key, text, value) for key, text, value in entries if text not in _OPTIONS]
    if not lists:
        raise page.error(node, f"category {format_name(name)} has no words; list some under 'words'")
    for key, type_name, value in lists:
        items = page.items(value, f"{format_name(type_name)} of category {format_name(name)}")
        if not items:
            raise page.error(
                key, f"category {format_name(name)} has an empty list of {format_name(type_name)}"
            )
        yield _block(page, name, type_name, items, strength, note)


def _block(
    page: YamlReader, name: str, type_name: str, items: list[Node], strength: float, note: str
) -> Block:
    what = f"a member of category {format_name(name)}"
    return Block(
        "category",
        type_name,
        as_column([page.text(item, what) for item in items], page.source),
        page.source,
        codes=np.zeros(len(items), dtype=np.int64),
        names=(name,),
        strength=strength,
        lines=np.array([line_of(item) for item in items], dtype=np.int64),
        notes=(note,) * len(items),
    )
