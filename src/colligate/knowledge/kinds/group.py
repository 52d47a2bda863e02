"""Groups of members: links that are implied by membership and never listed.

Blocks of equal strength share one `GroupLinks`, a pool. In it, a name of one source is one group, however
many blocks hold its members, and the same name of another source is another group. So weighting a source
neither splits groups nor joins them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import KnowledgeError
from colligate.knowledge.compile import merge_rows
from colligate.knowledge.evaluation import in_majority_cluster
from colligate.knowledge.guidance import GroupLinks, Guidance
from colligate.knowledge.kinds.base import Kind, Layout, Part
from colligate.knowledge.statements import Block, as_column
from colligate.knowledge.text import format_name, singular
from colligate.knowledge.yaml_file import is_list, line_of, list_under, long_form, note_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from yaml.nodes import Node

    from colligate.knowledge.contradictions import StatementGraph
    from colligate.knowledge.evaluation import BoolArray, StatementRows
    from colligate.knowledge.statements import Statement
    from colligate.knowledge.yaml_file import YamlReader


Pool = tuple[float, int]


class Group(Kind):
    """Members of one group belong together; members of different groups of one block may be apart."""

    names = ("group",)
    keys = ("groups",)

    def read(self, reader: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read `{name: [members]}`, or a list of `{members: {name: […]}, together: 1, apart: 1, note: …}`."""
        for item in reader.items(node, "'groups'") if is_list(node) else [node]:
            if not is_list(node):
                yield from _block(reader, type_name, item, 1.0, 0.0, "")
                continue
            fields = reader.fields(item, "'groups'", ("members", "together", "apart", "note"))
            if "members" not in fields:
                raise reader.error(
                    item,
                    "an item of the list 'groups' needs the key 'members', as in "
                    "{members: {north: [a, b], south: [c, d]}}",
                )
            together = reader.strength(fields.get("together"), zero=True)
            apart = reader.strength(fields["apart"], zero=True) if "apart" in fields else 0.0
            if together == apart == 0:
                raise reader.error(
                    item,
                    "groups with together: 0 and apart: 0 have no effect; set at least one of the two "
                    "above 0",
                )
            yield from _block(
                reader, type_name, fields["members"], together, apart, reader.note(fields.get("note"))
            )

    def check_writable(self, blocks: Sequence[Block]) -> None:
        """Refuse groups of several sources that would be one group in a file, which is one source."""
        sources: dict[tuple[str, float, str], str] = {}
        for block in blocks:
            if block.apart or not block.named or block.codes is None:
                continue
            for name in (block.names[code] for code in np.unique(block.codes)):
                source = sources.setdefault((block.type, _together(block), name), block.source)
                if source != block.source:
                    raise KnowledgeError(
                        f"the sources {format_name(source)} and {format_name(block.source)} both have "
                        f"a group {format_name(name)!r} of {block.type}. In a file they would become one "
                        "group. Rename one of them, or write one file for each source."
                    )

    def write(self, block: Block, layout: Layout, folder: Path | None) -> None:
        """Write named groups under `groups`, and others as the long links they came from."""
        if block.named:
            _write_named(block, layout)
        elif block.apart:
            item = long_form("members", block.subject.tolist(), block.apart, note_of(block, 0))
            list_under(layout, block.type, "apart").append(item)
        else:
            out = list_under(layout, block.type, "together")
            for members, row in _members(block).values():
                out.append(long_form("members", members, float(block.strengths[row]), note_of(block, row)))

    def compile(self, parts: Sequence[Part], size: int) -> Guidance:
        """Return a `GroupLinks` for each block with apart-strength, and one for all others of a strength."""
        return Guidance(size, groups=tuple(_group_links(pool) for pool in _pools(parts)))

    def add_to_graph(self, parts: Sequence[Part], graph: StatementGraph) -> None:
        """Join members through their group; groups that are apart must not meet, but for their bridges."""
        for number, links in enumerate(_group_links(pool).without_bridges() for pool in _pools(parts)):
            node = links.member
            statement = links.statement
            if links.together:
                first = graph.add_nodes(len(links.names))
                graph.join(links.member, links.group + first, links.statement)
                node = links.group + first
                statement = np.full(len(links), -1, dtype=np.int64)
            if links.apart:
                graph.exclusive(f"groups {number}", node, links.group, statement)

    def judge(self, rows: StatementRows) -> BoolArray:
        """Keep a statement if the member is in the cluster that has most of its group.

        Where groups are also apart, that cluster must not belong to another of them.
        """
        numbers, code = _pool_numbers(rows.placed), rows.code
        key = rows.spread(numbers) * (int(code.max()) + 1) + code
        name = np.unique(key, return_inverse=True)[1].astype(np.int64)
        rivals = [pool if block.apart else -1 for pool, (_, block) in zip(numbers, rows.placed, strict=True)]
        return in_majority_cluster(rows.place, name, rows.spread(rivals))

    def describe(self, statement: Statement) -> str:
        """Return a sentence such as `document a12 is in group north`."""
        return f"{singular(statement.type)} {self.describe_briefly(statement)}"

    def describe_briefly(self, statement: Statement) -> str:
        """Return words such as `a12 is in group north`."""
        name = format_name(statement.object)
        return f"{format_name(statement.subject)} is in group {repr(name) if ' ' in name else name}"


def group_block(
    type_name: str, members: Mapping[str, Any], together: float, apart: float, source: str
) -> Block:
    """Return the block of named groups built in code."""
    columns = [
        as_column(names, f"groups({type_name}=…), group {format_name(name)}")
        for name, names in members.items()
    ]
    return Block(
        "group",
        type_name,
        np.concatenate(columns) if columns else np.zeros(0, dtype=object),
        source,
        codes=np.repeat(np.arange(len(columns)), [len(names) for names in columns]).astype(np.int64),
        names=tuple(members),
        strength=together,
        apart=apart,
    )


def _block(
    reader: YamlReader, type_name: str, node: Node, together: float, apart: float, note: str
) -> Iterator[Block]:
    groups = reader.mapping(node, "'groups'")
    nodes = [reader.items(value, f"group {format_name(name)}") for _, name, value in groups]
    flat = [item for items in nodes for item in items]
    if not flat:
        return
    yield Block(
        "group",
        type_name,
        as_column([reader.text(item, "a member of a group") for item in flat], reader.source),
        reader.source,
        codes=np.repeat(np.arange(len(nodes)), [len(items) for items in nodes]).astype(np.int64),
        names=tuple(name for _, name, _ in groups),
        strength=together,
        apart=apart,
        lines=np.array([line_of(item) for item in flat], dtype=np.int64),
        notes=(note,) * len(flat),
    )


def _write_named(block: Block, layout: Layout) -> None:
    members = {block.names[code]: listed for code, (listed, _) in _members(block).items()}
    item: dict[str, Any] = {"members": members, "together": float(block.strengths[0]), "apart": block.apart}
    if note := note_of(block, 0):
        item["note"] = note
    list_under(layout, block.type, "groups").append(item)


def _members(block: Block) -> dict[int, tuple[list[Any], int]]:
    """Return the members of every group, with the row of the first of them."""
    members: dict[int, tuple[list[Any], int]] = {}
    codes = [] if block.codes is None else block.codes.tolist()
    for row, (code, name) in enumerate(zip(codes, block.subject.tolist(), strict=True)):
        members.setdefault(code, ([], row))[0].append(name)
    return members


def _pools(parts: Sequence[Part]) -> list[list[Part]]:
    """Return the parts that share one `GroupLinks`: no apart-strength and equal together-strength."""
    by_pool: dict[Pool, list[Part]] = {}
    for part in parts:
        by_pool.setdefault(_pool(part.block, part.first), []).append(part)
    return list(by_pool.values())


def _pool_numbers(placed: Iterable[tuple[int, Block]]) -> list[int]:
    """Return for each block the number of its pool, counted in the order of the knowledge."""
    numbers: dict[Pool, int] = {}
    return [numbers.setdefault(_pool(block, first), len(numbers)) for first, block in placed]


def _group_links(parts: Sequence[Part]) -> GroupLinks:
    """Return the implied links of one pool, and fill in the codes of its parts."""
    names = _number_groups(parts)
    member = np.concatenate([part.subject[part.resolved] for part in parts])
    group = np.concatenate([part.code[part.resolved] for part in parts])
    number = np.concatenate([part.number[part.resolved] for part in parts])
    width = max(len(names), 1)
    key, _, statement = merge_rows(member * width + group, np.ones(len(member)), number)
    block = parts[0].block
    return GroupLinks(key // width, key % width, names, statement, _together(block), block.apart)


def _pool(block: Block, first: int) -> Pool:
    """Return what blocks of one pool have in common; a block with apart-strength is a pool by itself."""
    return _together(block), first if block.apart else -1


def _together(block: Block) -> float:
    return float(block.strengths[0]) if len(block) else 0.0


def _number_groups(parts: Sequence[Part]) -> tuple[str, ...]:
    """Fill in the group numbers of the parts; a name means the same group in all parts of one source."""
    names: list[str] = []
    place: dict[tuple[str, str], int] = {}
    for part in parts:
        block = part.block
        numbers = np.empty(len(block.names), dtype=np.int64)
        for code, name in enumerate(block.names):
            # groups without names of their own are never merged, even if they read alike
            number = place.setdefault((block.source, name), len(names)) if block.named else len(names)
            if number == len(names):
                names.append(name)
            numbers[code] = number
        if block.codes is not None:
            part.code[:] = np.where(part.resolved, numbers[block.codes], -1)
    return tuple(names)
