"""Links: two objects of one type belong together (must-link) or apart (cannot-link).

Users give pairs and longer items in any mixture; `row_blocks` turns them into blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate._text import list_first
from colligate.errors import KnowledgeError
from colligate.knowledge.compile import merge_pairs
from colligate.knowledge.evaluation import in_same_cluster, share_typical_group
from colligate.knowledge.guidance import Guidance
from colligate.knowledge.kinds.base import Kind, Layout, Part
from colligate.knowledge.statements import (
    Block,
    Column,
    as_column,
    describe_strength_domain,
    format_location,
    is_strength,
)
from colligate.knowledge.text import format_name, singular
from colligate.knowledge.yaml_file import is_mapping, line_of, list_under, long_form, note_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from yaml.nodes import Node

    from colligate.knowledge.contradictions import StatementGraph
    from colligate.knowledge.evaluation import BoolArray, StatementRows
    from colligate.knowledge.guidance import FloatArray, IntArray
    from colligate.knowledge.statements import Statement
    from colligate.knowledge.yaml_file import YamlReader


_LISTED_APART = 8
"""Up to this many objects that are all apart are listed as pairs; more of them become groups of one."""


class Link(Kind):
    """Pairs that belong together or apart; a longer list means all its members."""

    names = ("together", "apart")
    keys = ("together", "apart")
    synonyms: ClassVar = {
        "must_link": "together",
        "mustlink": "together",
        "cannot_link": "apart",
        "cannotlink": "apart",
    }

    def read(self, reader: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read a list of pairs, or of `{pair: [a, b], strength: 2, note: …}`."""
        nodes = reader.items(node, repr(key))
        read = [_item(reader, item) for item in nodes]
        yield from row_blocks(
            LinkRows(
                key,
                type_name,
                [members for members, _, _ in read],
                np.array([strength for _, strength, _ in read], dtype=np.float64),
                reader.source,
                np.array([line_of(item) for item in nodes], dtype=np.int64),
                tuple(note for _, _, note in read),
            )
        )

    def write(self, block: Block, layout: Layout, folder: Path | None) -> None:
        """Write each pair, in the long form where it has a strength or a note."""
        out = list_under(layout, block.type, block.kind)
        if block.object is None:
            return
        columns = zip(block.subject.tolist(), block.object.tolist(), block.strengths.tolist(), strict=True)
        for row, (subject, other, strength) in enumerate(columns):
            out.append(long_form("pair", [subject, other], strength, note_of(block, row)))

    def compile(self, parts: Sequence[Part], size: int) -> Guidance:
        """List the links; a pair that occurs twice counts once, with its greatest strength."""
        rows = [_resolved_rows(part) for part in parts]
        left, right, sign, strength, number = (np.concatenate(values) for values in zip(*rows, strict=True))
        return Guidance(size, pairs=merge_pairs(left, right, sign, strength, number, size))

    def add_to_graph(self, parts: Sequence[Part], graph: StatementGraph) -> None:
        """Join what is together; what is apart must not meet."""
        for part in parts:
            left, right, _, _, number = _resolved_rows(part)
            (graph.join if part.block.kind == "together" else graph.separate)(left, right, number)

    def judge(self, rows: StatementRows) -> BoolArray:
        """Keep together if both are in the same group, or typical of one; apart if they are not."""
        if rows.typical_of is None:
            same = in_same_cluster(rows.labels, rows.subject, rows.object)
        else:
            same = share_typical_group(rows.typical_of, rows.subject, rows.object)
        return same if rows.kind == "together" else ~same

    def describe(self, statement: Statement) -> str:
        """Return a sentence such as `documents a12 and b7 belong together`."""
        pair = f"{format_name(statement.subject)} and {format_name(statement.object)}"
        return f"{statement.type} {pair} belong {statement.kind}"

    def describe_briefly(self, statement: Statement) -> str:
        """Return words such as `a12–b7`, or `a12 and c3 must be apart`."""
        subject, other = format_name(statement.subject), format_name(statement.object)
        return (
            f"{subject}–{other}" if statement.kind == "together" else f"{subject} and {other} must be apart"
        )


def _item(reader: YamlReader, node: Node) -> tuple[list[str], float, str]:
    if not is_mapping(node):
        return reader.texts(node, "a link"), 1.0, ""
    fields = reader.fields(node, "a link", ("pair", "members", "strength", "note"))
    members = fields.get("pair", fields.get("members"))
    if members is None or {"pair", "members"} <= fields.keys():
        raise reader.error(
            node,
            "a link written as a mapping needs one of the keys 'pair' and 'members', as in {pair: [a, b]}",
        )
    return (
        reader.texts(members, "a link"),
        reader.strength(fields.get("strength")),
        reader.note(fields.get("note")),
    )


def _resolved_rows(part: Part) -> tuple[Any, ...]:
    keep = part.resolved
    left, right, number = part.subject[keep], part.object[keep], part.number[keep]
    same = np.flatnonzero(left == right)
    if len(same):
        row = int(np.flatnonzero(keep)[same[0]])
        block = part.block
        first, second = (
            format_name(block.subject[row]),
            format_name(block.object[row] if block.object is not None else ""),
        )
        raise KnowledgeError(
            f"{format_location(block.source, block.line(row))}: {first} and {second} are the same "
            f"{singular(block.type)}, and a link needs two different {block.type}; remove this link"
        )
    sign = np.full(len(left), 1 if part.block.kind == "together" else -1, dtype=np.int64)
    return left, right, sign, part.block.strengths[keep], number


@dataclass(frozen=True, eq=False)
class LinkRows:
    """Links as the user gave them: `members[i]` are together or apart, with a strength, a line and a note."""

    kind: str
    type: str
    members: Sequence[Sequence[Any]]
    strength: FloatArray
    source: str
    lines: IntArray | None = None
    notes: tuple[str, ...] | None = None

    @property
    def place(self) -> str:
        """The call as messages name it."""
        return f"{self.kind}({self.type}=…)"

    def error(self, row: int, text: str) -> KnowledgeError:
        """Return an error about one row, with its line or its position in the call."""
        if self.lines is None:
            return KnowledgeError(f"{self.place}[{row}]: {text}")
        return KnowledgeError(f"{format_location(self.source, int(self.lines[row]))}: {text}")


def link_blocks(kind: str, type_name: str, links: Any, strength: Any, source: str) -> Iterator[Block]:
    """Yield the blocks of the links in a call such as `together(documents=…)`."""
    place = f"{kind}({type_name}=…)"
    if hasattr(links, "to_numpy"):
        links = links.to_numpy()
    if isinstance(links, np.ndarray) and links.ndim == 2 and links.shape[1] == 2:
        yield from _pair_block_of_array(kind, type_name, links, strength, source)
        return
    members = _items(links, place)
    yield from row_blocks(
        LinkRows(kind, type_name, members, strengths(strength, len(members), place), source)
    )


def row_blocks(rows: LinkRows) -> Iterator[Block]:
    """Yield pairs as one block, and longer items as blocks of implied links."""
    lengths = np.fromiter(map(len, rows.members), dtype=np.int64, count=len(rows.members))
    _refuse_short(rows, lengths)
    pairs = np.flatnonzero(lengths == 2)
    long = np.flatnonzero(lengths > 2)
    if len(long):
        _refuse_repeated(rows, long)
    if rows.kind == "apart":
        listed_as_pairs = long[lengths[long] <= _LISTED_APART]
        yield from _pair_block(rows, *_unfold(rows, pairs, listed_as_pairs))
        yield from (_apart_block(rows, int(row)) for row in long[lengths[long] > _LISTED_APART])
    else:
        yield from _pair_block(rows, *_unfold(rows, pairs, long[:0]))
        # a block of groups has one strength for all of them
        for value in np.unique(rows.strength[long]):
            yield _together_block(rows, long[rows.strength[long] == value], float(value))


def strengths(value: Any, count: int, place: str) -> FloatArray:
    """Return one strength for every row, from a single number or one per row."""
    try:
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise KnowledgeError(f"{place}: a strength must be a number; got {format_name(value)}") from None
    if numbers.ndim and numbers.shape != (count,):
        raise KnowledgeError(
            f"{place}: give one strength, or one for each of the {count} links; got the shape {numbers.shape}"
        )
    wrong = ~is_strength(numbers)
    if wrong.any():
        bad = float(np.atleast_1d(numbers)[np.atleast_1d(wrong)][0])
        raise KnowledgeError(f"{place}: a strength must be {describe_strength_domain(bad)}; got {bad}")
    return np.broadcast_to(numbers, count)


def _items(links: Any, place: str) -> list[Any]:
    if isinstance(links, np.ndarray):
        links = links.tolist()
    if isinstance(links, str | bytes | dict | set | frozenset) or not hasattr(links, "__iter__"):
        raise KnowledgeError(f"{place}: links must be a list of pairs; got {format_name(links)}")
    members = list(links)
    # types as a set, which is quick for millions of pairs
    if not all(issubclass(cls, tuple | list | np.ndarray) for cls in set(map(type, members))):
        wrong = next(item for item in members if not isinstance(item, tuple | list | np.ndarray))
        raise KnowledgeError(
            f"{place}: every item must be a pair such as ('a', 'b'); got {format_name(wrong)}. "
            "Write a single pair as a list: [('a', 'b')]"
        )
    return members


def _pair_block_of_array(
    kind: str, type_name: str, links: np.ndarray[Any, Any], strength: Any, source: str
) -> Iterator[Block]:
    place = f"{kind}({type_name}=…)"
    rows = LinkRows(kind, type_name, (), strengths(strength, len(links), place), source)
    left, right = as_column(links[:, 0], place), as_column(links[:, 1], place)
    yield from _pair_block(rows, left, right, np.arange(len(links)))


def _unfold(rows: LinkRows, pairs: IntArray, longer: IntArray) -> tuple[Column, Column, IntArray]:
    """Return the two columns of the pairs and of all pairs in the longer items, with the items' numbers."""
    members = rows.members
    listed = list(members) if len(pairs) == len(members) else [members[item] for item in pairs.tolist()]
    items = [pairs]
    for item in longer.tolist():
        inside = list(combinations(members[item], 2))
        listed.extend(inside)
        items.append(np.full(len(inside), item, dtype=np.int64))
    flat = as_column(list(chain.from_iterable(listed)), rows.place)
    return flat[0::2], flat[1::2], np.concatenate(items)


def _pair_block(rows: LinkRows, left: Column, right: Column, items: IntArray) -> Iterator[Block]:
    if not len(items):
        return
    same = np.flatnonzero(left == right)
    if len(same):
        row = int(same[0])
        raise rows.error(
            int(items[row]),
            f"{singular(rows.type)} {format_name(left[row])} is linked to itself; remove this link",
        )
    yield Block(
        rows.kind,
        rows.type,
        left,
        rows.source,
        object=right,
        strength=_strength_of(rows, items),
        lines=None if rows.lines is None else rows.lines[items],
        notes=None if rows.notes is None else tuple(rows.notes[row] for row in items.tolist()),
    )


def _together_block(rows: LinkRows, items: IntArray, strength: float) -> Block:
    names = tuple(list_first(rows.members[row]) for row in items.tolist())
    sizes = [len(rows.members[row]) for row in items.tolist()]
    return _group_block(rows, items, np.repeat(np.arange(len(items)), sizes), names, strength, 0.0)


def _apart_block(rows: LinkRows, row: int) -> Block:
    names = tuple(str(name) for name in rows.members[row])
    strength = float(rows.strength[row])
    return _group_block(rows, np.array([row]), np.arange(len(names)), names, 0.0, strength)


def _group_block(
    rows: LinkRows, items: IntArray, codes: IntArray, names: tuple[str, ...], together: float, apart: float
) -> Block:
    sizes = [len(rows.members[row]) for row in items.tolist()]
    flat = [name for row in items.tolist() for name in rows.members[row]]
    spread = np.repeat(items, sizes)
    return Block(
        "group",
        rows.type,
        as_column(flat, rows.place),
        rows.source,
        codes=codes.astype(np.int64),
        names=names,
        strength=together,
        apart=apart,
        named=False,
        lines=None if rows.lines is None else rows.lines[spread],
        notes=None if rows.notes is None else tuple(rows.notes[row] for row in spread.tolist()),
    )


def _strength_of(rows: LinkRows, items: IntArray) -> float | FloatArray:
    strength = rows.strength[items]
    return float(strength[0]) if (strength == strength[0]).all() else strength


def _refuse_short(rows: LinkRows, lengths: IntArray) -> None:
    short = np.flatnonzero(lengths < 2)
    if len(short):
        row = int(short[0])
        got = list_first(rows.members[row], write=format_name) or "nothing"
        raise rows.error(row, f"a link needs at least two members; got {got}")


def _refuse_repeated(rows: LinkRows, long: IntArray) -> None:
    for row in long.tolist():
        members = list(rows.members[row])
        if len(set(members)) < len(members):
            twice = next(name for name in members if members.count(name) > 1)
            raise rows.error(
                row,
                f"{singular(rows.type)} {format_name(twice)} occurs twice in this list; remove it once",
            )
