"""The heat map of groups and words: how much more or less often than expected a group uses them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate._text import capitalise, clip, count_noun, format_number, format_percent, format_signed
from colligate.report.cell_tables import MAX_CELLS, MIN_COLUMNS, Cell
from colligate.report.drawing import Box, Drawing, Layer, Text, fit_text, text_width
from colligate.report.style import PLAIN
from colligate.report.view import WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.drawing import Mark
    from colligate.report.style import Style
    from colligate.report.view import AssociationView, GroupLike, Nouns, WordGroupView

MAX_COLUMNS = 48
_STEPS = (0.25, 1.0, 2.0, 3.0)
_NAMES = 300.0
_HEADER = 230.0
_WORDS_IN_HEADER = 3


@dataclass(frozen=True)
class HeatTable:
    """The columns shown, a row of cells per document group, and how much is shown."""

    columns: Sequence[WordGroupView]
    rows: Sequence[tuple[GroupLike, Sequence[Cell]]]
    total: int
    share: float


def make_heat_table(view: AssociationView, groups: Sequence[GroupLike]) -> HeatTable:
    """Make the table of the largest word groups, sorted by the document group they mark most."""
    lift = np.asarray(view.lift, dtype=float).reshape(len(groups), len(view.word_groups))
    mass = np.nan_to_num(np.asarray(view.mass, dtype=float).reshape(lift.shape), posinf=0.0, neginf=0.0)
    columns = _sort_columns(_choose_heaviest(mass), lift, mass)
    total = mass.sum()
    return HeatTable(
        columns=[view.word_groups[column] for column in columns],
        rows=[
            (group, [_make_cell(lift[row, column], mass[row, column]) for column in columns])
            for row, group in enumerate(groups)
        ],
        total=len(view.word_groups),
        share=float(mass[:, columns].sum() / total) if total > 0 else math.nan,
    )


def draw_heat(table: HeatTable, terms: Nouns = WORD, style: Style = PLAIN) -> Drawing:
    """Draw the table; names of groups lead to their cards, names of columns are turned."""
    size = style.font_size
    names = [_name_group(group, style) for group, _ in table.rows]
    headers = [_name_column(column) for column in table.columns]
    left = 14.0 + min(_NAMES, max((text_width(name, size) for name in names), default=0.0) + 2.0 * size)
    top = 10.0 + min(_HEADER, max((text_width(text, size) for text in headers), default=0.0))
    wide, high = 2.25 * size, 1.85 * size
    marks: list[Mark] = [
        Text(
            fit_text(header, size, top - 10),
            left + (k + 0.5) * wide,
            top - 8,
            size,
            "soft",
            turn=-90,
            title=_describe_column(column, terms),
        )
        for k, (column, header) in enumerate(zip(table.columns, headers, strict=True))
    ]
    for row, ((group, cells), name) in enumerate(zip(table.rows, names, strict=True)):
        y = top + row * high
        marks.append(
            Layer(
                [
                    Box(
                        2.0,
                        y + 0.5 * high - 0.35 * size,
                        0.7 * size,
                        0.7 * size,
                        f"g{group.number}",
                        0.35 * size,
                    ),
                    Text(fit_text(name, size, left - 12 - 1.4 * size), 1.4 * size, y + 0.5 * high, size),
                ],
                href=f"#group-{group.number}",
                title=name,
            )
        )
        for k, cell in enumerate(cells):
            x = left + k * wide
            marks += [
                Box(x + 1, y + 1, wide - 2, high - 2, _step_colour(cell.step), 3.0, title=cell.title),
                Text(cell.text, x + wide / 2, y + high / 2, 0.72 * size, _ink_on(cell.step), "middle"),
            ]
    return Drawing(
        f"Groups and their {terms.many}",
        f"{count_noun(len(table.rows), 'group')} in the rows, {count_noun(len(table.columns), 'column')} of "
        f"{terms.many}. A cell is a power of two: +1 means twice as often as expected, −1 half as often.",
        left + max(len(table.columns), 1) * wide,
        top + max(len(table.rows), 1) * high,
        marks,
        "heat-map",
        interactive=True,
    )


def lift_step(lift: float) -> int:
    """Return the colour step of a lift; 0 is about as expected."""
    if math.isnan(lift):
        return 0
    size = sum(abs(lift) >= edge for edge in _STEPS)
    return size if lift > 0 else -size


def _name_group(group: GroupLike, style: Style) -> str:
    return f"{group.number} {style.name(group.number, group.name)}"


def _name_column(column: WordGroupView) -> str:
    words = ", ".join(column.words[:_WORDS_IN_HEADER])
    return words if column.number is None else f"{column.number} {words}"


def _describe_column(column: WordGroupView, terms: Nouns) -> str:
    if column.number is None:
        return ""
    counted = count_noun(column.size, terms.one, terms.many)
    words = clip(", ".join(column.words[:12]), 200)
    return f"{capitalise(terms.one)} group {column.number}, {counted}: {words}"


def _step_colour(step: int) -> str:
    return "wash" if not step else f"{'less' if step < 0 else 'more'}{abs(step)}"


def _ink_on(step: int) -> str:
    return "soft" if not step else f"on-{_step_colour(step)}"


def _choose_heaviest(mass: np.ndarray) -> np.ndarray:
    room = min(MAX_COLUMNS, max(MIN_COLUMNS, MAX_CELLS // max(1, mass.shape[0])))
    return np.argsort(-mass.sum(axis=0), kind="stable")[:room]


def _sort_columns(columns: np.ndarray, lift: np.ndarray, mass: np.ndarray) -> list[int]:
    if not lift.shape[0]:
        return [int(column) for column in columns]
    gain = np.nan_to_num(lift, neginf=0.0, posinf=0.0) * mass
    strongest = gain.argmax(axis=0)
    return sorted(
        (int(column) for column in columns), key=lambda c: (strongest[c], -gain[strongest[c], c], c)
    )


def _make_cell(lift: float, mass: float) -> Cell:
    # two digits and a decimal would not fit
    text = format_signed(lift, 0 if abs(lift) >= 9.95 else 1)
    if not math.isfinite(lift):
        return Cell(lift_step(lift), text, f"{format_percent(mass)} of all mass")
    return Cell(
        lift_step(lift),
        text,
        f"{format_number(2.0**lift, 2)} × expected; {format_percent(mass)} of all mass",
    )
