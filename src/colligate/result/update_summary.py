"""What an update did: where the new documents are, which groups are new, which earlier documents moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from colligate.errors import InputError
from colligate.knowledge.text import format_count, format_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.result.result import Result


class GroupUpdate(NamedTuple):
    """A group after an update: its lasting number and name, its new documents, and all its documents."""

    number: int
    name: str
    placed: int
    documents: int


class Flow(NamedTuple):
    """How many documents went from one group to another, by their lasting numbers; -1 is no group."""

    source: int
    target: int
    documents: int


@dataclass(frozen=True)
class UpdateSummary:
    """What an update did.

    Attributes
    ----------
    n_new : int
        The number of new documents.
    groups : tuple of GroupUpdate
        The groups that were there and have new documents, the most new documents first.
    new_groups : tuple of GroupUpdate
        The groups that are new.
    in_no_group : int
        The new documents that are in no group.
    flows : tuple of Flow
        Where earlier documents moved, the most first.
    """

    n_new: int
    groups: tuple[GroupUpdate, ...]
    new_groups: tuple[GroupUpdate, ...]
    in_no_group: int
    flows: tuple[Flow, ...]

    @property
    def moved(self) -> int:
        """The number of earlier documents that are in another group now."""
        return sum(flow.documents for flow in self.flows)

    def __str__(self) -> str:
        new = sum(group.placed for group in self.new_groups)
        lines = [
            f"{format_count(self.n_new, 'new documents')}: {self.n_new - new - self.in_no_group:,} in the "
            f"groups that were there, {new:,} in {format_count(len(self.new_groups), 'new groups')}, "
            f"{self.in_no_group:,} in no group"
        ]
        lines += [
            f"  new group {group.number}, {format_name(group.name)}: {group.placed:,} new, "
            f"{group.documents - group.placed:,} earlier"
            for group in self.new_groups
        ]
        lines += [
            f"  group {group.number}, {format_name(group.name)}: {group.placed:,} more"
            for group in self.groups
        ]
        return "\n".join([*lines, f"{format_count(self.moved, 'earlier documents')} moved to another group"])


def summarise_update(before: Result, after: Result) -> UpdateSummary:
    """Compare a result with the one that was updated."""
    if not hasattr(before, "group_numbers"):
        raise InputError(f"changes_since takes the result that was updated; got {type(before).__name__}")
    n_before = len(before.labels[before.centre])
    old = before.network.types[before.centre].names
    new = after.network.types[after.centre].names
    if len(new) < n_before or list(new[:n_before]) != list(old):
        raise InputError(
            "changes_since takes the result that was updated: its documents are the first of this one"
        )
    numbers = after.numbers_of(after.labels[after.centre])
    placed, sizes = _count(numbers[n_before:]), _count(numbers)
    groups = [
        GroupUpdate(number, name, placed.get(number, 0), sizes.get(number, 0))
        for number, name in zip(after.group_numbers, after.group_names, strict=True)
    ]
    present = set(before.group_numbers)
    ordered = sorted(groups, key=lambda group: (-group.placed, group.number))
    return UpdateSummary(
        n_new=len(numbers) - n_before,
        groups=tuple(group for group in ordered if group.number in present and group.placed),
        new_groups=tuple(group for group in ordered if group.number not in present),
        in_no_group=placed.get(-1, 0),
        flows=tuple(list_flows(before, after)),
    )


def list_flows(before: Result, after: Result) -> list[Flow]:
    """List the documents of a result that are in another group after a change, the most first."""
    old = before.numbers_of(before.labels[before.centre])
    new = after.numbers_of(after.labels[after.centre])[: len(old)]
    moved = old != new
    pairs, counts = np.unique(np.stack([old[moved], new[moved]]), axis=1, return_counts=True)
    flows = [Flow(int(a), int(b), int(n)) for (a, b), n in zip(pairs.T, counts, strict=True)]
    return sorted(flows, key=lambda flow: (-flow.documents, flow))


def _count(numbers: NDArray[np.int64]) -> dict[int, int]:
    values, counts = np.unique(numbers, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))
