"""The outcome of changes to the groups of a result: how each change ended, and which documents moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from colligate.knowledge.changes import MERGE, MOVE, NEW, RENAME, SEED, format_group
from colligate.knowledge.text import format_count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    return [_judge(step, steps[k + 1 :], result) for k, step in enumerate(steps)]


def _judge(step: CarriedOut, later: Sequence[CarriedOut], result: Result) -> ChangeOutcome:
    change, numbers = step.change, result.numbers_of(result.labels[result.centre])
    if step.is_idle:
        return ChangeOutcome(change, NOTHING, "it is so already")
    if change.act == SEED:
        return _judge_word(step, later, result)
    if change.act in (RENAME, NEW):
        homes = _find_homes(step.targets[0], later)
        return _conclude(change, "" if homes & set(result.group_numbers) else "the group has no documents")
    expected = _list_expected(step, later, result)
    if not expected:
        return ChangeOutcome(change, NOTHING, "later changes overrule it")
    for target, rows in expected.items():
        homes = _find_homes(target, later)
        arrived = int(np.isin(numbers[rows], list(homes)).sum())
        # a named document must be there; of a merged or split group, most documents
        if arrived < len(rows) if change.act == MOVE else 2 * arrived <= len(rows):
            total = format_count(len(rows), result.centre)
            return _conclude(change, f"{arrived:,} of {total} are in {name_group(result, target)}")
    return _conclude(change, "")


def _conclude(change: Change, reason: str) -> ChangeOutcome:
    return ChangeOutcome(change, BROKEN if reason else KEPT, reason)


def _list_expected(step: CarriedOut, later: Sequence[CarriedOut], result: Result) -> Mapping[int, Rows]:
    """Return the documents that a change wants in each group."""
    if step.change.act == MOVE:
        moved_again = {id for next_step in later for id in next_step.change.documents}
        row = {str(name): k for k, name in enumerate(result.network.types[result.centre].names)}
        rows = [row[id] for id in dict.fromkeys(step.change.documents) if id not in moved_again]
        return {step.targets[0]: np.array(rows, dtype=np.int64)} if rows else {}
    concerned = np.isin(step.before, step.targets)
    goals = step.targets[:1] if step.change.act == MERGE else np.unique(step.after[concerned]).tolist()
    return {goal: np.flatnonzero(concerned & (step.after == goal)) for goal in goals}


def _find_homes(group: int, later: Sequence[CarriedOut]) -> set[int]:
    """Return where the documents of a group may be after later merges and splits."""
    homes = {group}
    for step in later:
        if step.change.act == MERGE and homes & set(step.targets):
            homes.add(step.targets[0])
        elif step.change.act not in (MOVE, SEED) and homes & set(step.targets):
            homes |= set(np.unique(step.after[np.isin(step.before, list(homes))]).tolist())
    return homes


def _judge_word(step: CarriedOut, later: Sequence[CarriedOut], result: Result) -> ChangeOutcome:
    """Judge a seed word: it is typical of its group."""
    table = result.object_tables[result.terms]
    column = list(result.network.types[result.terms].names).index(step.change.word)
    homes = _find_homes(step.targets[0], later)
    if any(table.typical_of[column, k] for k, number in enumerate(result.group_numbers) if number in homes):
        return _conclude(step.change, "")
    best = name_group(result, result.group_numbers[int(table.typical[0][column])])
    return _conclude(step.change, f"it is typical of {best}")


def name_group(result: Result, number: int) -> str:
    """Return a group by its number and name."""
    if number not in result.group_numbers:
        return "no group" if number < 0 else f"group {number}"
    return f"group {number}, {format_group(result.group_names[result.group_numbers.index(number)])}"
