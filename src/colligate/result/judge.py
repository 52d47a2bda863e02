"""Judging statements: each kind judges its own, once it is told which groups their objects are in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate.knowledge import Case, find_kind
from colligate.network import WORDS
from colligate.result.group_words import typical_group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from colligate.knowledge import Block, Compiled
    from colligate.result.result import Result

BoolArray = NDArray[np.bool_]
Labels = NDArray[np.integer[Any]]


def _typical_of_words(result: Result) -> Labels:
    return typical_group(result.word_scores)[0]


TYPICAL: Mapping[str, Callable[[Result], Labels]] = {WORDS: _typical_of_words}
"""By type: how to find the group of documents that each object is most typical of."""


def verdicts(result: Result, compiled: Compiled) -> tuple[BoolArray, BoolArray]:
    """Which statements are kept, and which could be judged at all."""
    kept, judged = np.zeros(len(compiled), dtype=bool), np.zeros(len(compiled), dtype=bool)
    for case in _cases(result, compiled):
        if case.rows.size:
            kept[case.rows], judged[case.rows] = find_kind(case.kind).kept(case), True
    return kept, judged


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
    if type_name not in result.labels and type_name in TYPICAL and find_kind(kind).by_typical_group:
        return TYPICAL[type_name](result)
    return result.labels.get(type_name)
