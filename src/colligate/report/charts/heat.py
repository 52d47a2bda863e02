"""Document groups × word groups: which word groups each document group uses more, or less, than expected.

Groups × relations: which part of what marks a group each relation contributed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate.report.text import number, percent, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.view import AssociationView, GroupView, RelationView, WordGroupView


MOST_CELLS = 4000
FEWEST_COLUMNS = 16
_STEPS = (0.25, 1.0, 2.0, 3.0)

_SHARE_STEPS = (0.05, 0.2, 0.45, 0.7)


@dataclass(frozen=True)
class Cell:
    """One cell: its step from -4 (far less than expected) to 4 (far more), its text, and its full reading."""

    step: int
    text: str
    title: str


@dataclass(frozen=True)
class Heat:
    """The table: the columns that are shown, a row of cells per document group, and what is left out."""

    columns: Sequence[WordGroupView]
    rows: Sequence[tuple[GroupView, Sequence[Cell]]]
    total: int
    share: float


def heat(view: AssociationView, groups: Sequence[GroupView]) -> Heat:
    """The heaviest word groups that fit, set beside the document group that each of them marks most."""
    lift = np.asarray(view.lift, dtype=float).reshape(len(groups), len(view.word_groups))
    mass = np.nan_to_num(np.asarray(view.mass, dtype=float).reshape(lift.shape), posinf=0.0, neginf=0.0)
    columns = _ordered(_heaviest(mass), lift, mass)
    total = mass.sum()
    return Heat(
        columns=[view.word_groups[column] for column in columns],
        rows=[
            (group, [_cell(lift[row, column], mass[row, column]) for column in columns])
            for row, group in enumerate(groups)
        ],
        total=len(view.word_groups),
        share=float(mass[:, columns].sum() / total) if total > 0 else math.nan,
    )


def step(lift: float) -> int:
    """The colour step of a lift; 0 is about what was expected."""
    if math.isnan(lift):
        return 0
    size = sum(abs(lift) >= edge for edge in _STEPS)
    return size if lift > 0 else -size


def _heaviest(mass: np.ndarray) -> np.ndarray:
    room = max(FEWEST_COLUMNS, MOST_CELLS // max(1, mass.shape[0]))
    return np.argsort(-mass.sum(axis=0), kind="stable")[:room]


def _ordered(columns: np.ndarray, lift: np.ndarray, mass: np.ndarray) -> list[int]:
    if not lift.shape[0]:
        return [int(column) for column in columns]
    gain = np.nan_to_num(lift, neginf=0.0, posinf=0.0) * mass
    strongest = gain.argmax(axis=0)
    return sorted(
        (int(column) for column in columns), key=lambda c: (strongest[c], -gain[strongest[c], c], c)
    )


def _cell(lift: float, mass: float) -> Cell:
    if not math.isfinite(lift):
        return Cell(step(lift), signed(lift), f"{percent(mass)} of all mass")
    return Cell(step(lift), signed(lift), f"{number(2.0**lift, 2)} × expected; {percent(mass)} of all mass")


@dataclass(frozen=True)
class ShareHeat:
    """The relations that are columns, and a row of cells for each group."""

    columns: Sequence[RelationView]
    rows: Sequence[tuple[GroupView, Sequence[Cell]]]


def share_heat(relations: Sequence[RelationView], groups: Sequence[GroupView]) -> ShareHeat:
    """The relations of what is grouped, in their order; relations between other types mark no group."""
    columns = [relation for relation in relations if relation.by_group is not None]
    return ShareHeat(
        columns,
        [
            (group, [_share_cell((relation.by_group or ())[row], relation.name) for relation in columns])
            for row, group in enumerate(groups)
            if group.size
        ],
    )


def _share_cell(share: float, relation: str) -> Cell:
    return Cell(
        sum(share >= edge for edge in _SHARE_STEPS), percent(share), f"{percent(share)} from {relation}"
    )
