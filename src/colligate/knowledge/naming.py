"""Numbering the categories or labels that known rows speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.knowledge.kind import Part


def number_names(parts: Sequence[Part]) -> tuple[str, ...]:
    """Fill in the codes of the parts and return the names, numbered in the order of their first known row."""
    place: dict[str, int] = {}
    for part in parts:
        codes = part.block.codes
        if codes is None:
            continue
        used, first = np.unique(codes[part.known], return_index=True)
        numbers = np.full(len(part.block.names), -1, dtype=np.int64)
        for code in used[np.argsort(first)].tolist():
            numbers[code] = place.setdefault(part.block.names[code], len(place))
        part.code[:] = np.where(part.known, numbers[codes], -1)
    return tuple(place)
