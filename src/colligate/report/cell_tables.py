"""Tables of coloured cells on the page: counts by a column of the input, and shares of relations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from colligate._text import format_count, format_percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.view import ColumnCountsView, GroupView, RelationView

MAX_CELLS = 4000
MIN_COLUMNS = 16
_SHARE_STEPS = (0.05, 0.2, 0.45, 0.7)


@dataclass(frozen=True)
class Cell:
    """One cell: its colour step from -4 (far less than expected) to 4 (far more), text and tooltip."""

    step: int
    text: str
    title: str


@dataclass(frozen=True)
class ShareTable:
    """The relations in the columns, and a row of cells for each group."""

    columns: Sequence[RelationView]
    rows: Sequence[tuple[GroupView, Sequence[Cell]]]


def make_share_table(relations: Sequence[RelationView], groups: Sequence[GroupView]) -> ShareTable:
    """Make the table of the centre's relations; relations between other types contribute to no group."""
    columns = [relation for relation in relations if relation.by_group is not None]
    return ShareTable(
        columns,
        [
            (group, [_make_share_cell((relation.by_group or ())[row], relation.name) for relation in columns])
            for row, group in enumerate(groups)
            if group.size
        ],
    )


def _make_share_cell(share: float, relation: str) -> Cell:
    return Cell(
        sum(share >= edge for edge in _SHARE_STEPS),
        format_percent(share),
        f"{format_percent(share)} from {relation}",
    )


@dataclass(frozen=True)
class ColumnTable:
    """The documents of each group by a column of the input, the largest group first.

    `missing` documents have no value, and a column for them. Of `total` groups, the largest are shown.
    """

    columns: Sequence[str]
    rows: Sequence[tuple[GroupView, Sequence[Cell]]]
    missing: int
    total: int


def make_column_table(view: ColumnCountsView, groups: Sequence[GroupView]) -> ColumnTable:
    """Make the table of a column; groups without documents are left out."""
    missing = sum(view.missing)
    columns = [*view.bins, "no value"] if missing else list(view.bins)
    filled = [
        (group, [*counts, *([absent] if missing else [])])
        for group, counts, absent in zip(groups, view.counts, view.missing, strict=True)
        if group.size
    ]
    filled.sort(key=lambda row: -row[0].size)
    shown = filled[: max(MIN_COLUMNS, MAX_CELLS // max(1, len(columns)))]
    return ColumnTable(
        columns=columns,
        rows=[
            (group, [_make_count_cell(*pair, group.size) for pair in zip(counts, columns, strict=True)])
            for group, counts in shown
        ],
        missing=missing,
        total=len(filled),
    )


def _make_count_cell(count: int, label: str, size: int) -> Cell:
    share = count / size
    step, text = sum(share >= edge for edge in _SHARE_STEPS), format_count(count) if count else ""
    return Cell(step, text, f"{label}: {format_count(count)}, {format_percent(share)} of the group")
