"""Where the documents went: bands from the groups without the knowledge to the groups with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate.report.charts.svg import element, picture
from colligate.report.text import clip, count, counted
from colligate.report.view import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from colligate.report.view import ChangeView, Nouns

MOST_GROUPS = 40
_WIDTH, _TOP = 1000.0, 34.0
_LEFT, _RIGHT, _BAR = 290.0, 710.0, 10.0
_ROW, _GAP, _NAME_LENGTH = 20.0, 16.0, 28


@dataclass(frozen=True)
class Flow:
    """So many documents that went from one group to another; `after` is the position among the groups now."""

    before_name: str
    after_name: str
    before: int
    after: int
    number: int


def flows(view: ChangeView, most: int) -> list[Flow]:
    """The largest flows, the largest first."""
    table = np.asarray(view.flow, dtype=np.int64).reshape(len(view.before_names), len(view.after_names))
    rows, columns = np.nonzero(table)
    order = np.argsort(-table[rows, columns], kind="stable")[:most]
    return [
        Flow(view.before_names[i], view.after_names[j], i, j, int(table[i, j]))
        for i, j in ((int(rows[k]), int(columns[k])) for k in order)
    ]


def flow_chart(view: ChangeView, classes: Sequence[str], moving: Nouns = DOCUMENT) -> Markup | None:
    """The bands as SVG, or nothing if the groups are too many to tell apart. `classes` colour those after."""
    table = np.asarray(view.flow, dtype=float).reshape(len(view.before_names), len(view.after_names))
    if not table.sum() > 0 or max(table.shape) > MOST_GROUPS:
        return None
    height = _TOP + max(table.shape) * (_ROW + _GAP)
    unit = (height - _TOP - _GAP * max(table.shape)) / table.sum()
    left, right = (_starts(table.sum(axis=axis), unit, height) for axis in (1, 0))
    return picture(
        "From the groups without the knowledge to the groups with it",
        f"{counted(int(table.sum()), moving.one, moving.many)}; "
        "the table below gives the largest flows in numbers.",
        (_WIDTH, height),
        element("text", "without the knowledge", x=_LEFT, y=14.0, text_anchor="end", class_="axis"),
        element("text", "with the knowledge", x=_RIGHT, y=14.0, class_="axis"),
        element("g", *_bands(table, left, right, unit, classes, moving), class_="bands"),
        *_side(view.before_names, table.sum(axis=1), left, unit, None),
        *_side(view.after_names, table.sum(axis=0), right, unit, classes),
        class_="chart flow",
    )


def _starts(sizes: np.ndarray, unit: float, height: float) -> np.ndarray:
    gaps = np.where(sizes > 0, (height - _TOP - unit * sizes.sum()) / np.count_nonzero(sizes), 0.0)
    return np.cumsum(sizes * unit + gaps) - sizes * unit - gaps / 2 + _TOP


def _bands(
    table: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    unit: float,
    classes: Sequence[str],
    moving: Nouns,
) -> list[Markup]:
    out_before = np.cumsum(table, axis=1) - table
    out_after = np.cumsum(table, axis=0) - table
    middle = (_LEFT + _RIGHT) / 2
    bands = []
    for i, j in zip(*np.nonzero(table), strict=True):
        thick = max(table[i, j] * unit, 0.4)
        y0 = left[i] + out_before[i, j] * unit + thick / 2
        y1 = right[j] + out_after[i, j] * unit + thick / 2
        d = f"M{_LEFT + _BAR:g} {y0:.1f}C{middle:g} {y0:.1f} {middle:g} {y1:.1f} {_RIGHT - _BAR:g} {y1:.1f}"
        title = element("title", counted(int(table[i, j]), moving.one, moving.many))
        bands.append(element("path", title, d=d, stroke_width=float(thick), class_=classes[j]))
    return bands


def _side(
    names: Sequence[str], sizes: np.ndarray, starts: np.ndarray, unit: float, classes: Sequence[str] | None
) -> list[Markup]:
    after = classes is not None
    marks = []
    for index, (name, size, start) in enumerate(zip(names, sizes, starts, strict=True)):
        if not size:
            continue
        x, text_x = (_RIGHT - _BAR, _RIGHT + 10) if after else (_LEFT, _LEFT - 10)
        thick = max(float(size) * unit, 1.0)
        colour = classes[index] if classes is not None else "none"
        bar = element("rect", x=x, y=float(start), width=_BAR, height=thick, class_=colour)
        words = f"{clip(name, _NAME_LENGTH)} · {count(size)}"
        anchor = "start" if after else "end"
        y = float(start) + thick / 2 + 4.5
        marks += [bar, element("text", element("title", name), words, x=text_x, y=y, text_anchor=anchor)]
    return marks
