"""Judging statements: which kinds hold when.

together      kept if both are in the same group
apart         kept if they are not
group         kept if the member is in the group where most of its fellows are; where groups are also
              apart, that group must not belong to another of them
label         kept if the object is in the group where most objects of the label are, and that group does
              not belong to another label with more objects there (the first told of equals)
category      kept if the object is in a group where its category weighs most; words that were not grouped
              are judged by the document group they are most typical of
outside       kept if the object is in no group
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate.result.group_words import typical_group
from colligate.result.verdicts import at_home, in_own_groups, joined

if TYPE_CHECKING:
    from colligate.knowledge import Compiled
    from colligate.result.result import Result

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
Labels = NDArray[np.integer[Any]]


class Judge:
    """Holds the columns of the statements while the kinds are judged one after the other."""

    def __init__(self, result: Result, compiled: Compiled) -> None:
        self.result = result
        self.compiled = compiled

    def verdicts(self) -> tuple[BoolArray, BoolArray]:
        """Which statements are kept, and which could be judged at all."""
        kept, judged = np.zeros(len(self.compiled), dtype=bool), np.zeros(len(self.compiled), dtype=bool)
        for kind, judge in (
            ("together", self._together),
            ("apart", self._apart),
            ("group", self._group),
            ("label", self._label),
            ("category", self._category),
            ("outside", self._outside),
        ):
            for type_name in self._types(kind):
                rows = self._rows(kind, type_name)
                labels = self._labels(kind, type_name)
                if labels is not None:
                    kept[rows], judged[rows] = judge(rows, labels), True
        return kept, judged

    def _types(self, kind: str) -> list[str]:
        return list(dict.fromkeys(b.type for b in self.compiled.statements.blocks if b.kind == kind))

    def _rows(self, kind: str, type_name: str) -> IntArray:
        chosen = [
            np.arange(first, first + len(block))
            for first, block in self.compiled.statements.placed()
            if (block.kind, block.type) == (kind, type_name)
        ]
        rows = np.concatenate(chosen)
        return rows[~self.compiled.unknown[rows]]

    def _labels(self, kind: str, type_name: str) -> Labels | None:
        labels = self.result.labels.get(type_name)
        if labels is None and (kind, type_name) == ("category", "words"):
            return typical_group(self.result.word_scores)[0]
        return labels

    def _together(self, rows: IntArray, labels: Labels) -> BoolArray:
        return joined(labels, self.compiled.subject_index[rows], self.compiled.object_index[rows])

    def _apart(self, rows: IntArray, labels: Labels) -> BoolArray:
        return ~self._together(rows, labels)

    def _group(self, rows: IntArray, labels: Labels) -> BoolArray:
        pool, contest = self._group_pools
        pair = pool[rows] * (int(self.compiled.code.max()) + 1) + self.compiled.code[rows]
        name = np.unique(pair, return_inverse=True)[1].astype(np.int64)
        return at_home(labels[self.compiled.subject_index[rows]], name, contest[rows])

    def _label(self, rows: IntArray, labels: Labels) -> BoolArray:
        place = labels[self.compiled.subject_index[rows]]
        return at_home(place, self.compiled.code[rows], np.zeros(rows.size, dtype=np.int64))

    def _category(self, rows: IntArray, labels: Labels) -> BoolArray:
        place = labels[self.compiled.subject_index[rows]]
        return in_own_groups(place, self.compiled.code[rows], self._strength[rows])

    def _outside(self, rows: IntArray, labels: Labels) -> BoolArray:
        """Outside documents that came with the statement were never grouped, so they are kept outside."""
        subject = self.compiled.subject_index[rows]
        return np.asarray((subject < 0) | (labels[np.maximum(subject, 0)] < 0))

    @cached_property
    def _strength(self) -> NDArray[np.float64]:
        return self.compiled.statements.strength

    @cached_property
    def _group_pools(self) -> tuple[IntArray, IntArray]:
        """Which blocks share the numbers of their groups, and which compete for being apart."""
        pools: dict[tuple[str, str, float, int], int] = {}
        pool, contest = [], []
        for first, block in self.compiled.statements.placed():
            together = float(block.strengths[0]) if len(block) else 0.0
            key = (block.kind, block.type, together, first if block.apart else -1)
            pool.append(pools.setdefault(key, len(pools)))
            contest.append(pool[-1] if block.apart else -1)
        sizes = [len(block) for block in self.compiled.statements.blocks]
        return np.repeat(np.array(pool, dtype=np.int64), sizes), np.repeat(
            np.array(contest, dtype=np.int64), sizes
        )
