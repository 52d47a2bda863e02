"""The outcome of changes to the groups of a result: how each change ended, and which documents moved."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from colligate.knowledge.changes import MERGE, MOVE, NEW, RENAME, SEED, SPLIT, format_group
from colligate.knowledge.text import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.knowledge.changes import Change
    from colligate.result import Result

    Rows = NDArray[np.int64]

KEPT, BROKEN, NOTHING = "kept", "broken", "nothing to do"


@dataclass(frozen=True, eq=False)
class CarriedOut:
    """What a change did before the run.

    `targets` are its groups, `before` and `after` the groups of all documents, by their lasting numbers.
    """

    change: Change
    targets: tuple[int, ...]
    before: Rows
    after: Rows
    is_named: bool

    @property
    def is_idle(self) -> bool:
        """Whether the change did nothing: everything was as it says."""
        is_same = not self.is_named and np.array_equal(self.before, self.after)
        return is_same and self.change.act not in (SEED, NEW)


class ChangeOutcome(NamedTuple):
    """How a change ended: kept, broken or nothing to do, with the reason."""

    change: Change
    verdict: str
    reason: str = ""


def judge_changes(steps: Sequence[CarriedOut], result: Result) -> list[ChangeOutcome]:
    """Judge every change by the groups of the run after all of them.

    Later changes count: a group that was merged is part of the other, and a document that was moved again is
    judged by the last move.
    """
    later, outcomes = _Later.of(result), []
    for step in reversed(steps):
        outcomes.append(_judge(step, later, result))
        later.add(step)
    return outcomes[::-1]


@dataclass
class _Later:
    """What the changes after the one that is judged did, and the groups of the run.

    `reshaped` has the merges and splits, `moved` the ids of documents that were moved, `numbers` the group of
    every document by its lasting number, `rows` the row of every document by its id, and `columns` the column
    of every word.
    """

    numbers: Rows
    rows: Mapping[str, int]
    columns: Mapping[str, int]
    reshaped: deque[CarriedOut] = field(default_factory=deque)
    moved: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, result: Result) -> _Later:
        """Begin with no later changes."""
        network = result.network
        rows, columns = (
            {} if of is None else {str(name): k for k, name in enumerate(network.types[of].names)}
            for of in (network.centre, network.terms)
        )
        return cls(result.numbers_of(result.labels[result.centre]), rows, columns)

    def add(self, step: CarriedOut) -> None:
        """Add the change that was just judged."""
        self.moved.update(step.change.documents)
        if step.change.act in (MERGE, SPLIT):
            self.reshaped.appendleft(step)


def _judge(step: CarriedOut, later: _Later, result: Result) -> ChangeOutcome:
    change = step.change
    if step.is_idle:
        return ChangeOutcome(change, NOTHING, "it is so already")
    if change.act == SEED:
        return _judge_word(step, later, result)
    if change.act in (RENAME, NEW):
        homes = _find_homes(step.targets[0], later.reshaped)
        return _conclude(change, "" if homes & set(result.group_numbers) else "the group has no documents")
    expected = _list_expected(step, later)
    if not expected:
        return ChangeOutcome(change, NOTHING, "later changes overrule it")
    for target, rows in expected.items():
        homes = _find_homes(target, later.reshaped)
        arrived = int(np.isin(later.numbers[rows], list(homes)).sum())
        # a named document must be there; of a merged or split group, most documents
        if arrived < len(rows) if change.act == MOVE else 2 * arrived <= len(rows):
            total = format_count(len(rows), result.centre)
            return _conclude(change, f"{arrived:,} of {total} are in {name_group(result, target)}")
    return _conclude(change, "")


def _conclude(change: Change, reason: str) -> ChangeOutcome:
    return ChangeOutcome(change, BROKEN if reason else KEPT, reason)


def _list_expected(step: CarriedOut, later: _Later) -> Mapping[int, Rows]:
    """Return the documents that a change wants in each group."""
    if step.change.act == MOVE:
        rows = [later.rows[id] for id in dict.fromkeys(step.change.documents) if id not in later.moved]
        return {step.targets[0]: np.array(rows, dtype=np.int64)} if rows else {}
    concerned = np.isin(step.before, step.targets)
    goals = step.targets[:1] if step.change.act == MERGE else np.unique(step.after[concerned]).tolist()
    return {goal: np.flatnonzero(concerned & (step.after == goal)) for goal in goals}


def _find_homes(group: int, reshaped: Iterable[CarriedOut]) -> set[int]:
    """Return where the documents of a group may be after later merges and splits."""
    homes = {group}
    for step in reshaped:
        if homes.isdisjoint(step.targets):
            continue
        if step.change.act == MERGE:
            homes.add(step.targets[0])
        else:
            homes |= set(np.unique(step.after[np.isin(step.before, list(homes))]).tolist())
    return homes


def _judge_word(step: CarriedOut, later: _Later, result: Result) -> ChangeOutcome:
    """Judge a seed word: it is typical of its group."""
    table = result.object_tables[result.terms]
    column = later.columns[step.change.word]
    homes = _find_homes(step.targets[0], later.reshaped)
    if any(table.typical_of[column, k] for k, number in enumerate(result.group_numbers) if number in homes):
        return _conclude(step.change, "")
    best = name_group(result, result.group_numbers[int(table.typical[0][column])])
    return _conclude(step.change, f"it is typical of {best}")


def name_group(result: Result, number: int) -> str:
    """Return a group by its number and name."""
    if number not in result.group_numbers:
        return "no group" if number < 0 else f"group {number}"
    return f"group {number}, {format_group(result.group_names[result.group_numbers.index(number)])}"
