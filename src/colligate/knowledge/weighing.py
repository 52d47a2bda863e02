"""Weighing knowledge by where it came from: all strengths of a source, multiplied."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.errors import KnowledgeError
from colligate.knowledge.block import checked_strength, is_strength
from colligate.knowledge.kind import find_kind
from colligate.knowledge.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from colligate.knowledge.block import Block
    from colligate.knowledge.guidance import FloatArray


def weighed(blocks: Sequence[Block], factors: Mapping[str, float]) -> Iterator[Block]:
    """The blocks in their order, the strengths of each named source multiplied by its factor."""
    sources = list(dict.fromkeys(block.source for block in blocks))
    for source in factors:
        if source not in sources:
            there = ", ".join(map(shown, sources)) or "none"
            raise KnowledgeError(
                f"weighted(…): no statement comes from {shown(source)!r}; the sources are: {there}"
            )
    checked = {name: _checked(name, value) for name, value in factors.items()}
    return (_scaled(block, checked[block.source]) if block.source in checked else block for block in blocks)


def _checked(source: str, value: object) -> float:
    return checked_strength(value, f"weighted({{{source!r}: …}})", what="a factor")


def _scaled(block: Block, factor: float) -> Block:
    kind = find_kind(block.kind)
    if not kind.has_strength:
        raise KnowledgeError(
            f"weighted({{{block.source!r}: …}}): this source holds statements of the kind {block.kind!r}, "
            "which have no strength to multiply; tell them under another source"
        )
    strength = _times(block.strength, factor, block.source)
    return replace(block, strength=strength, apart=float(_times(block.apart, factor, block.source)))


def _times(strength: float | FloatArray, factor: float, source: str) -> float | FloatArray:
    """The product, unless it is too large or too small to be a strength."""
    with np.errstate(over="ignore", under="ignore"):
        found = np.asarray(strength, dtype=np.float64) * factor
    if is_strength(found, zero=True).all() and np.array_equal(found > 0, np.asarray(strength) > 0):
        return found if found.ndim else float(found)
    raise KnowledgeError(
        f"weighted({{{source!r}: {factor:g}}}) makes a strength too large or too small; "
        "take a factor nearer to 1"
    )
