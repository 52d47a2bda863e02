"""Groups: links that are implied by membership and never listed.

Which groups are one: a group is known by its name within its source.

Blocks of equal strength share one `GroupLinks`. In it, a name of one source is one group, however many
blocks tell of it, and the same name of another source is another group. So weighing a source neither parts
groups nor joins them.
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

    def read(self, page: YamlReader, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read `{name: [members]}`, or a list of `{members: {name: […]}, together: 1, apart: 1, note: …}`."""
        for item in page.items(node, "'groups'") if is_list(node) else [node]:
            if not is_list(node):
                yield from _block(page, type_name, item, 1.0, 0.0, "")
                continue
            fields = page.fields(item, "'groups'", ("members", "together", "apart", "note"))
            if "members" not in fields:
                raise page.error(item, "groups in the long form need a key 'members' with the groups by name")
            together = page.strength(fields.get("together"), zero=True)
            apart = page.strength(fields["apart"], zero=True) if "apart" in fields else 0.0
            if together == apart == 0:
                raise page.error(item, "groups with together: 0 and apart: 0 say nothing")
            yield from _block(
                page, type_name, fields["members"], together, apart, page.note(fields.get("note"))
            )

    def check_writable(self, blocks: Sequence[Block]) -> None:
        """Refuse groups of several sources that would be one group in a file, which is one source."""
        refuse_blended(blocks)

    def write(self, block: Block, layout: Layout, folder: Path) -> None:
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

    def guide(self, parts: Sequence[Part], size: int) -> Guidance:
        """One `GroupLinks` for each block with apart-strength, one for all others of equal strength."""
        return Guidance(size, groups=tuple(group_links(pool) for pool in pools(parts)))

    def tie(self, parts: Sequence[Part], ties: StatementGraph) -> None:
        """Bind members through their group; groups that are apart must not meet, but for their bridges."""
        for at, links in enumerate(group_links(pool).without_bridges() for pool in pools(parts)):
            node = links.member
            statement = links.statement
            if links.together:
                first = ties.hubs(len(links.names))
                ties.bond(links.member, links.group + first, links.statement)
                node = links.group + first
                statement = np.full(len(links), -1, dtype=np.int64)
            if links.apart:
                ties.claim(f"groups {at}", node, links.group, statement)

    def kept(self, case: StatementRows) -> BoolArray:
        """Kept if the member is in the group where most of its fellows are.

        Where groups are also apart, that group must not belong to another of them.
        """
        numbers, code = pool_numbers(case.placed), case.code
        key = case.spread(numbers) * (int(code.max()) + 1) + code
        name = np.unique(key, return_inverse=True)[1].astype(np.int64)
        rivals = [pool if block.apart else -1 for pool, (_, block) in zip(numbers, case.placed, strict=True)]
        return in_majority_cluster(case.place, name, case.spread(rivals))

    def sentence(self, statement: Statement) -> str:
        """Word it as `document a12 is in group north`."""
        return f"{singular(statement.type)} {self.claim(statement)}"

    def claim(self, statement: Statement) -> str:
        """Word it as `a12 is in group north`."""
        name = format_name(statement.object)
        return f"{format_name(statement.subject)} is in group {repr(name) if ' ' in name else name}"


def group_block(
    type_name: str, members: Mapping[str, Any], together: float, apart: float, source: str
) -> Block:
    """The block of named groups given in code."""
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
    page: YamlReader, type_name: str, node: Node, together: float, apart: float, note: str
) -> Iterator[Block]:
    groups = page.mapping(node, "'groups'")
    nodes = [page.items(value, f"group {format_name(name)}") for _, name, value in groups]
    flat = [item for items in nodes for item in items]
    if not flat:
        return
    yield Block(
        "group",
        type_name,
        as_column([page.text(item, "a member of a group") for item in flat], page.source),
        page.source,
        codes=np.repeat(np.arange(len(nodes)), [len(items) for items in nodes]).astype(np.int64),
        names=tuple(name for _, name, _ in groups),
        strength=together,
        apart=apart,
        lines=np.array([line_of(item) for item in flat], dtype=np.int64),
        notes=(note,) * len(flat),
    )


def _write_named(block: Block, layout: Layout) -> None:
    members = {block.names[code]: found for code, (found, _) in _members(block).items()}
    item: dict[str, Any] = {"members": members, "together": float(block.strengths[0]), "apart": block.apart}
    if note := note_of(block, 0):
        item["note"] = note
    list_under(layout, block.type, "groups").append(item)


def _members(block: Block) -> dict[int, tuple[list[Any], int]]:
    """The members of every group, with the row of the first of them."""
    found: dict[int, tuple[list[Any], int]] = {}
    codes = [] if block.codes is None else block.codes.tolist()
    for row, (code, name) in enumerate(zip(codes, block.subject.tolist(), strict=True)):
        found.setdefault(code, ([], row))[0].append(name)
    return found


def pools(parts: Sequence[Part]) -> list[list[Part]]:
    """Parts that share one `GroupLinks`: those with no apart-strength and equal together-strength."""
    found: dict[Pool, list[Part]] = {}
    for part in parts:
        found.setdefault(_pool(part.block, part.first), []).append(part)
    return list(found.values())


def pool_numbers(placed: Iterable[tuple[int, Block]]) -> list[int]:
    """For each block the number of its pool, counted in the order in which they were told."""
    numbers: dict[Pool, int] = {}
    return [numbers.setdefault(_pool(block, first), len(numbers)) for first, block in placed]


def group_links(parts: Sequence[Part]) -> GroupLinks:
    """The implied links of one pool; the codes of its parts are filled in."""
    names = _numbered(parts)
    keep = [part.known for part in parts]
    member = np.concatenate([part.subject[known] for part, known in zip(parts, keep, strict=True)])
    group = np.concatenate([part.code[known] for part, known in zip(parts, keep, strict=True)])
    number = np.concatenate([part.number[known] for part, known in zip(parts, keep, strict=True)])
    width = max(len(names), 1)
    key, _, statement = merge_rows(member * width + group, np.ones(len(member)), number)
    block = parts[0].block
    return GroupLinks(key // width, key % width, names, statement, _together(block), block.apart)


def refuse_blended(blocks: Iterable[Block]) -> None:
    """Refuse groups of equal name and strength but several sources: read from one file, they would be one."""
    sources: dict[tuple[str, float, str], str] = {}
    for block in blocks:
        if block.apart or not block.named or block.codes is None:
            continue
        for name in (block.names[code] for code in np.unique(block.codes)):
            source = sources.setdefault((block.type, _together(block), name), block.source)
            if source != block.source:
                raise KnowledgeError(
                    f"the sources {format_name(source)} and {format_name(block.source)} each have a group "
                    f"{format_name(name)!r} of {block.type}; in one file the two would be one group: "
                    "rename it in one source, or write a file for each source"
                )


def _pool(block: Block, first: int) -> Pool:
    """What blocks have in common that share a `GroupLinks`; one with apart-strength is alone."""
    return _together(block), first if block.apart else -1


def _together(block: Block) -> float:
    return float(block.strengths[0]) if len(block) else 0.0


def _numbered(parts: Sequence[Part]) -> tuple[str, ...]:
    """Fill in the group numbers of the parts; a name means the same group in all parts of one source."""
    names: list[str] = []
    place: dict[tuple[str, str], int] = {}
    for part in parts:
        block = part.block
        numbers = np.empty(len(block.names), dtype=np.int64)
        for code, name in enumerate(block.names):
            at = place.setdefault((block.source, name), len(names)) if block.named else len(names)
            if at == len(names):
                names.append(name)
            numbers[code] = at
        if block.codes is not None:
            part.code[:] = np.where(part.known, numbers[block.codes], -1)
    return tuple(names)
