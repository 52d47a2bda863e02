"""Links: two objects of one type belong together, or apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import KnowledgeError
from colligate.knowledge.block import where
from colligate.knowledge.combine import merged_pairs
from colligate.knowledge.guidance import Guidance
from colligate.knowledge.intake import LinkRows, row_blocks
from colligate.knowledge.kind import Kind, Layout, Part
from colligate.knowledge.layout import entry, long_form, noted
from colligate.knowledge.page import is_mapping, line
from colligate.knowledge.verdicts import joined
from colligate.knowledge.wording import shown, singular

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from yaml.nodes import Node

    from colligate.knowledge.block import Block
    from colligate.knowledge.case import Case
    from colligate.knowledge.page import Page
    from colligate.knowledge.statements import Statement
    from colligate.knowledge.ties import Ties
    from colligate.knowledge.verdicts import BoolArray


class Link(Kind):
    """Pairs that belong together or apart; a longer list means all its members."""

    names = ("together", "apart")
    keys = ("together", "apart")

    def read(self, page: Page, key: str, type_name: str, node: Node) -> Iterator[Block]:
        """Read a list of pairs, or of `{pair: [a, b], strength: 2, note: …}`."""
        nodes = page.items(node, repr(key))
        read = [_item(page, item) for item in nodes]
        yield from row_blocks(
            LinkRows(
                key,
                type_name,
                [members for members, _, _ in read],
                np.array([strength for _, strength, _ in read], dtype=np.float64),
                page.source,
                np.array([line(item) for item in nodes], dtype=np.int64),
                tuple(note for _, _, note in read),
            )
        )

    def write(self, block: Block, layout: Layout, folder: Path) -> None:
        """Write each pair, in the long form where it has a strength or a note."""
        out = entry(layout, block.type, block.kind)
        if block.object is None:
            return
        columns = zip(block.subject.tolist(), block.object.tolist(), block.strengths.tolist(), strict=True)
        for row, (subject, other, strength) in enumerate(columns):
            out.append(long_form("pair", [subject, other], strength, noted(block, row)))

    def guide(self, parts: Sequence[Part], size: int) -> Guidance:
        """List the links; a pair told twice counts once, with its greatest strength."""
        known = [_known(part) for part in parts]
        left, right, sign, strength, number = (np.concatenate(values) for values in zip(*known, strict=True))
        return Guidance(size, pairs=merged_pairs(left, right, sign, strength, number, size))

    def tie(self, parts: Sequence[Part], ties: Ties) -> None:
        """Bind what is together and keep what is apart from meeting."""
        for part in parts:
            left, right, _, _, number = _known(part)
            (ties.bond if part.block.kind == "together" else ties.rival)(left, right, number)

    def kept(self, case: Case) -> BoolArray:
        """Together is kept if both are in the same group, apart if they are not."""
        same = joined(case.labels, case.subject, case.object)
        return same if case.kind == "together" else ~same

    def sentence(self, statement: Statement) -> str:
        """Word it as `documents a12 and b7 belong together`."""
        pair = f"{shown(statement.subject)} and {shown(statement.object)}"
        return f"{statement.type} {pair} belong {statement.kind}"

    def claim(self, statement: Statement) -> str:
        """Word it as `a12–b7`, or as `a12 and c3 are to be apart`."""
        subject, other = shown(statement.subject), shown(statement.object)
        return (
            f"{subject}–{other}" if statement.kind == "together" else f"{subject} and {other} are to be apart"
        )


def _item(page: Page, node: Node) -> tuple[list[str], float, str]:
    if not is_mapping(node):
        return page.texts(node, "a link"), 1.0, ""
    fields = page.fields(node, "a link", ("pair", "members", "strength", "note"))
    members = fields.get("pair", fields.get("members"))
    if members is None or {"pair", "members"} <= fields.keys():
        raise page.error(node, "a link in the long form needs one key 'pair' (or 'members') with its objects")
    return (
        page.texts(members, "a link"),
        page.strength(fields.get("strength")),
        page.note(fields.get("note")),
    )


def _known(part: Part) -> tuple[Any, ...]:
    keep = part.known
    left, right, number = part.subject[keep], part.object[keep], part.number[keep]
    same = np.flatnonzero(left == right)
    if len(same):
        row = int(np.flatnonzero(keep)[same[0]])
        block = part.block
        one, other = shown(block.subject[row]), shown(block.object[row] if block.object is not None else "")
        raise KnowledgeError(
            f"{where(block.source, block.line(row))}: {one} and {other} are the same {singular(block.type)}, "
            "which cannot be linked to itself; remove this link"
        )
    sign = np.full(len(left), 1 if part.block.kind == "together" else -1, dtype=np.int64)
    return left, right, sign, part.block.strengths[keep], number
