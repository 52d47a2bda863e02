"""Which groups are one: a group is known by its name within its source.

Blocks of equal strength share one `GroupLinks`. In it, a name of one source is one group, however many
blocks tell of it, and the same name of another source is another group. So weighing a source neither parts
groups nor joins them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.errors import KnowledgeError
from colligate.knowledge.combine import strongest
from colligate.knowledge.guidance import GroupLinks
from colligate.knowledge.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from colligate.knowledge.block import Block
    from colligate.knowledge.kind import Part

Pool = tuple[float, int]


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
    key, _, statement = strongest(member * width + group, np.ones(len(member)), number)
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
                    f"the group {shown(name)!r} of {block.type} is told by {shown(source)} and by "
                    f"{shown(block.source)}, and is another group in each; in one file it would be one: "
                    "rename it in one of them, or write a file for each source"
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
