"""Judging statements: each kind judges its own, once it is told which groups their objects are in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate.knowledge import Case, find_kind
from colligate.result.metrics import link_satisfaction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.knowledge import Block, Compiled
    from colligate.result.result import Result

BoolArray = NDArray[np.bool_]
Labels = NDArray[np.integer[Any]]


def verdicts(result: Result, compiled: Compiled) -> tuple[BoolArray, BoolArray]:
    """Which statements are kept, and which could be judged at all."""
    kept, judged = np.zeros(len(compiled), dtype=bool), np.zeros(len(compiled), dtype=bool)
    for case in _cases(result, compiled):
        if case.rows.size:
            kept[case.rows], judged[case.rows] = find_kind(case.kind).kept(case), True
    return kept, judged


def links_kept(result: Result, kind: str) -> dict[str, float]:
    """The share of together links joined and of apart links split among the objects of a type."""
    guidance = result.compiled.guidance.get(kind) if result.compiled is not None else None
    if guidance is None or kind not in result.labels:
        return {}
    return link_satisfaction(result.labels[kind], guidance)


def _cases(result: Result, compiled: Compiled) -> Iterator[Case]:
    """One case for each kind and type whose objects are in groups."""
    found: dict[tuple[str, str], list[tuple[int, Block]]] = {}
    for first, block in compiled.statements.placed():
        found.setdefault((block.kind, block.type), []).append((first, block))
    for (kind, type_name), placed in found.items():
        labels = _labels(result, kind, type_name)
        if labels is not None:
            yield Case(kind, labels, compiled, placed)


def _labels(result: Result, kind: str, type_name: str) -> Labels | None:
    """The groups of a type; of one that was not grouped, the groups of the centre it is most typical of."""
    if type_name in result.labels or not find_kind(kind).by_typical_group:
        return result.labels.get(type_name)
    return result.reach[type_name].typical[0] if type_name in result.reach else None
