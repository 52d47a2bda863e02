"""The flow of documents between the groups of two results, as bands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate._text import count_noun, format_count
from colligate.report.drawing import Band, Box, Drawing, Layer, Text, fit_text, text_width
from colligate.report.style import PLAIN
from colligate.report.view import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.drawing import Mark
    from colligate.report.style import Style
    from colligate.report.view import ChangeView, Nouns

MAX_FLOW_GROUPS = 40
SIDES = ("without the knowledge", "with the knowledge")
TITLE = "From the groups without the knowledge to the groups with it"
_WIDTH, _BAR = 1000.0, 10.0
_LEFT, _RIGHT = 290.0, 710.0
_NAMES = 280.0
_ROW, _GAP = 1.45, 1.15
"""The height of a row and the gap between bars, by the size of the font."""


@dataclass(frozen=True)
class Flow:
    """The number of documents that moved from one group to another; both are positions."""

    before_name: str
    after_name: str
    before: int
    after: int
    number: int


def list_flows(view: ChangeView, most: int) -> list[Flow]:
    """List the largest flows, largest first."""
    table = _make_table(view)
    rows, columns = np.nonzero(table)
    order = np.argsort(-table[rows, columns], kind="stable")[:most]
    return [
        Flow(view.before_names[i], view.after_names[j], i, j, int(table[i, j]))
        for i, j in ((int(rows[k]), int(columns[k])) for k in order)
    ]


def draw_flow(
    view: ChangeView,
    colours: Sequence[str],
    moving: Nouns = DOCUMENT,
    sides: tuple[str, str] = SIDES,
    title: str = TITLE,
    style: Style = PLAIN,
) -> Drawing | None:
    """Draw the flows as bands; None without a flow, or with too many groups.

    `colours` are those of the groups after, `sides` the words above the two columns of groups.
    """
    table = _make_table(view)
    if not table.sum() > 0 or max(table.shape) > MAX_FLOW_GROUPS:
        return None
    top, row, gap = 2.4 * style.font_size, _ROW * style.font_size, _GAP * style.font_size
    height = top + max(table.shape) * (row + gap)
    unit = (height - top - gap * max(table.shape)) / table.sum()
    left, right = (_place_bars(table.sum(axis=axis), unit, top, height) for axis in (1, 0))
    size = style.font_size
    return Drawing(
        title,
        f"{count_noun(int(table.sum()), moving.one, moving.many)} of {table.shape[0]} groups in "
        f"{table.shape[1]} groups; a band is as wide as the number of {moving.many} in it.",
        _WIDTH,
        height,
        [
            Text(fit_text(sides[0], size, _NAMES), _LEFT, size, size, "soft", "end"),
            Text(fit_text(sides[1], size, _NAMES), _RIGHT, size, size, "soft"),
            Layer(_draw_bands(table, left, right, unit, colours, view, moving), "bands"),
            *_draw_side(view.before_names, table.sum(axis=1), left, unit, None, style),
            *_draw_side(view.after_names, table.sum(axis=0), right, unit, colours, style),
        ],
        "flow",
    )


def _make_table(view: ChangeView) -> np.ndarray:
    return np.asarray(view.flow, dtype=np.int64).reshape(len(view.before_names), len(view.after_names))


def _place_bars(sizes: np.ndarray, unit: float, top: float, height: float) -> np.ndarray:
    gaps = np.where(sizes > 0, (height - top - unit * sizes.sum()) / np.count_nonzero(sizes), 0.0)
    return np.cumsum(sizes * unit + gaps) - sizes * unit - gaps / 2 + top


def _draw_bands(
    table: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    unit: float,
    colours: Sequence[str],
    view: ChangeView,
    moving: Nouns,
) -> list[Mark]:
    out_before = np.cumsum(table, axis=1) - table
    out_after = np.cumsum(table, axis=0) - table
    bands: list[Mark] = []
    for i, j in zip(*np.nonzero(table), strict=True):
        thick = max(float(table[i, j]) * unit, 0.4)
        y0 = float(left[i] + out_before[i, j] * unit) + thick / 2
        y1 = float(right[j] + out_after[i, j] * unit) + thick / 2
        counted = count_noun(int(table[i, j]), moving.one, moving.many)
        title = f"{counted}: {view.before_names[i]} → {view.after_names[j]}"
        bands.append(Band((_LEFT + _BAR, y0), (_RIGHT - _BAR, y1), thick, colours[j], title=title))
    return bands


def _draw_side(
    names: Sequence[str],
    sizes: np.ndarray,
    starts: np.ndarray,
    unit: float,
    colours: Sequence[str] | None,
    style: Style,
) -> list[Mark]:
    after = colours is not None
    x, text_x = (_RIGHT - _BAR, _RIGHT + 10) if after else (_LEFT, _LEFT - 10)
    marks: list[Mark] = []
    for index, (name, size, start) in enumerate(zip(names, sizes, starts, strict=True)):
        if not size:
            continue
        thick = max(float(size) * unit, 1.0)
        counted = f" · {format_count(size)}"
        room = _NAMES - text_width(counted, style.font_size)
        words = fit_text(name, style.font_size, room) + counted
        y, colour = float(start), "grey" if colours is None else colours[index]
        anchor = "start" if after else "end"
        marks += [
            Box(x, y, _BAR, thick, colour),
            Text(words, text_x, y + thick / 2, style.font_size, anchor=anchor, title=name),
        ]
    return marks
