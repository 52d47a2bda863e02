"""Groups × relations: which part of what marks a group each relation contributed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from colligate.report.charts.heat import Cell
from colligate.report.numbers import percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.view import GroupView, RelationView

_STEPS = (0.05, 0.2, 0.45, 0.7)


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
            (group, [_cell((relation.by_group or ())[row], relation.name) for relation in columns])
            for row, group in enumerate(groups)
            if group.size
        ],
    )


def _cell(share: float, relation: str) -> Cell:
    return Cell(sum(share >= edge for edge in _STEPS), percent(share), f"{percent(share)} from {relation}")
