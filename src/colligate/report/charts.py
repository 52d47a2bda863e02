"""The charts of the report, as SVG and as tables of coloured cells.

The objective of a run and of its restarts; the flow of documents because of the knowledge; the lift of word
groups in document groups; the share of each relation in each group; groups by a column of the input. Every
attribute and text is escaped.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup, escape

from colligate._text import (
    clip,
    count_noun,
    format_count,
    format_fixed,
    format_number,
    format_percent,
    format_signed,
)
from colligate.report.view import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.view import (
        AssociationView,
        ChangeView,
        ColumnCountsView,
        GroupView,
        Nouns,
        RelationView,
        TraceView,
        WordGroupView,
    )


_TRACE_SIZE = (620.0, 300.0)
_TRACE_LEFT, _TRACE_RIGHT, _TRACE_TOP, _TRACE_BOTTOM = 84.0, 604.0, 16.0, 246.0

MAX_FLOW_GROUPS = 40
_FLOW_WIDTH, _FLOW_TOP = 1000.0, 34.0
_FLOW_LEFT, _FLOW_RIGHT, _BAR = 290.0, 710.0, 10.0
_ROW, _GAP, _NAME_LENGTH = 20.0, 16.0, 28

MAX_CELLS = 4000
MIN_COLUMNS = 16
_STEPS = (0.25, 1.0, 2.0, 3.0)
_SHARE_STEPS = (0.05, 0.2, 0.45, 0.7)
_TICKS = 4


def element(name: str, *children: str, **attributes: object) -> Markup:
    """Make one SVG element. `class_` becomes class, `stroke_width` stroke-width; text is escaped."""
    written = Markup("").join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), _format_value(value))
        for key, value in attributes.items()
        if value is not None
    )
    inside = Markup("").join(escape(child) for child in children)
    return Markup("<{0}{1}>{2}</{0}>").format(name, written, inside)


def picture(
    title: str, description: str, size: tuple[float, float], *children: str, **attributes: object
) -> Markup:
    """Make a whole SVG picture that a screen reader announces by its title and description."""
    return element(
        "svg",
        element("title", title),
        element("desc", description),
        *children,
        viewBox=f"0 0 {size[0]:g} {size[1]:g}",
        role=attributes.pop("role", "img"),
        aria_label=f"{title}. {description}",
        **attributes,
    )


def format_coordinate(value: float) -> str:
    """Format a coordinate to a tenth of a unit, as short as possible."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def _format_value(value: object) -> str:
    return format_coordinate(value) if isinstance(value, float) else str(value)


def draw_history(trace: TraceView) -> Markup | None:
    """Draw the objective at the start and after each iteration of the chosen run; None without a value."""
    points = _keep_finite(trace.history, first=0)
    if not points:
        return None
    across, up = _make_scales(points, 0, max(len(trace.history) - 1, 1))
    line = "M" + "L".join(f"{format_coordinate(across(x))} {format_coordinate(up(y))}" for x, y in points)
    last = points[-1]
    start, end = (
        f"{format_number(value, 5)} after iteration {iteration}" for iteration, value in (points[0], last)
    )
    return picture(
        "Objective per iteration",
        f"From {start} to {end}.",
        _TRACE_SIZE,
        *_draw_axes(across, up, "iteration"),
        element("path", d=line, class_="line"),
        element("circle", cx=across(last[0]), cy=up(last[1]), r=4.5, class_="chosen"),
        class_="chart",
    )


def draw_restarts(trace: TraceView) -> Markup | None:
    """Draw the final objective of each restart, the chosen one marked; None for a single run."""
    points = _keep_finite(trace.restarts, first=1)
    if len(trace.restarts) < 2 or not points:
        return None
    across, up = _make_scales(points, 1, len(trace.restarts), air=0.5)
    chosen = trace.chosen + 1
    description = f"{count_noun(len(trace.restarts), 'restart')}; number {format_count(chosen)} was chosen."
    return picture(
        "Final objective of every restart",
        description,
        _TRACE_SIZE,
        *_draw_axes(across, up, "restart"),
        *(_draw_restart(across(x), up(y), y, x, x == chosen) for x, y in points),
        class_="chart",
    )


def _draw_restart(x: float, y: float, value: float, which: int, chosen: bool) -> Markup:
    title = element("title", f"restart {which}: {format_number(value, 6)}{' (chosen)' if chosen else ''}")
    dot = element("circle", title, cx=x, cy=y, r=4.5, class_="chosen" if chosen else "other")
    if not chosen:
        return dot
    ring = element("circle", cx=x, cy=y, r=9.5, class_="ring")
    end = x > _TRACE_RIGHT - 90
    label = element(
        "text", "chosen", x=x - 15 if end else x + 15, y=y + 4, text_anchor="end" if end else "start"
    )
    return element("g", dot, ring, label)


def _keep_finite(values: Sequence[float], first: int) -> list[tuple[int, float]]:
    return [(index, value) for index, value in enumerate(values, start=first) if math.isfinite(value)]


def _make_scales(
    points: list[tuple[int, float]], first: int, last: int, air: float = 0.0
) -> tuple[Scale, Scale]:
    low, high = pad_range([value for _, value in points])
    across = Scale(first - air, last + air, _TRACE_LEFT, _TRACE_RIGHT)
    return across, Scale(low, high, _TRACE_BOTTOM, _TRACE_TOP)


def _draw_axes(across: Scale, up: Scale, unit: str) -> list[Markup]:
    levels = choose_ticks(up.low, up.high)
    decimals = count_decimals(levels)
    first = math.ceil(across.low)
    steps = choose_whole_ticks(first, math.floor(across.high))
    steps = steps if steps and steps[0] == first else [first, *steps]
    middle = (_TRACE_TOP + _TRACE_BOTTOM) / 2
    return [
        *(
            element("path", d=f"M{_TRACE_LEFT:g} {up(level):.1f}H{_TRACE_RIGHT:g}", class_="grid")
            for level in levels
        ),
        *(
            element(
                "text", format_fixed(level, decimals), x=_TRACE_LEFT - 8, y=up(level) + 4, text_anchor="end"
            )
            for level in levels
        ),
        *(
            element("text", format_count(step), x=across(step), y=_TRACE_BOTTOM + 20, text_anchor="middle")
            for step in steps
        ),
        element(
            "text",
            unit,
            x=(_TRACE_LEFT + _TRACE_RIGHT) / 2,
            y=_TRACE_BOTTOM + 44,
            text_anchor="middle",
            class_="axis",
        ),
        element(
            "text",
            "objective",
            x=14.0,
            y=middle,
            text_anchor="middle",
            transform=f"rotate(-90 14 {middle:g})",
            class_="axis",
        ),
    ]


@dataclass(frozen=True)
class Scale:
    """Maps low..high of the data linearly onto start..end of the picture."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the coordinate of a value."""
        span = self.high - self.low
        return self.start + (self.end - self.start) * (value - self.low) / span if span else self.start


def choose_ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Choose about so many round numbers between low and high."""
    span = high - low
    if not span > 0 or not math.isfinite(span):
        return [low]
    raw = span / about
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def choose_whole_ticks(low: int, high: int, about: int = 8) -> list[int]:
    """Choose distinct round whole numbers between low and high."""
    return sorted({round(tick) for tick in choose_ticks(low, high, about) if low <= round(tick) <= high})


def count_decimals(levels: list[float]) -> int:
    """Count the decimals that distinguish the levels of an axis."""
    step = levels[1] - levels[0] if len(levels) > 1 else abs(levels[0])
    if not step:
        return 0
    coarsest = max(0, -math.floor(math.log10(step) + 1e-9))
    return coarsest if math.isclose(round(step, coarsest), step, rel_tol=1e-3) else coarsest + 1


def pad_range(values: list[float], share: float = 0.06) -> tuple[float, float]:
    """Return the range of the values with a margin, even where they are all equal."""
    low, high = min(values), max(values)
    air = (high - low) * share or abs(high) * share or 1.0
    return low - air, high + air


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
    table = np.asarray(view.flow, dtype=np.int64).reshape(len(view.before_names), len(view.after_names))
    rows, columns = np.nonzero(table)
    order = np.argsort(-table[rows, columns], kind="stable")[:most]
    return [
        Flow(view.before_names[i], view.after_names[j], i, j, int(table[i, j]))
        for i, j in ((int(rows[k]), int(columns[k])) for k in order)
    ]


def draw_flow(view: ChangeView, classes: Sequence[str], moving: Nouns = DOCUMENT) -> Markup | None:
    """Draw the flows as bands; None with too many groups. `classes` colour the groups after."""
    table = np.asarray(view.flow, dtype=float).reshape(len(view.before_names), len(view.after_names))
    if not table.sum() > 0 or max(table.shape) > MAX_FLOW_GROUPS:
        return None
    height = _FLOW_TOP + max(table.shape) * (_ROW + _GAP)
    unit = (height - _FLOW_TOP - _GAP * max(table.shape)) / table.sum()
    left, right = (_place_bars(table.sum(axis=axis), unit, height) for axis in (1, 0))
    return picture(
        "From the groups without the knowledge to the groups with it",
        f"{count_noun(int(table.sum()), moving.one, moving.many)}; "
        "the table below gives the largest flows in numbers.",
        (_FLOW_WIDTH, height),
        element("text", "without the knowledge", x=_FLOW_LEFT, y=14.0, text_anchor="end", class_="axis"),
        element("text", "with the knowledge", x=_FLOW_RIGHT, y=14.0, class_="axis"),
        element("g", *_draw_bands(table, left, right, unit, classes, moving), class_="bands"),
        *_draw_side(view.before_names, table.sum(axis=1), left, unit, None),
        *_draw_side(view.after_names, table.sum(axis=0), right, unit, classes),
        class_="chart flow",
    )


def _place_bars(sizes: np.ndarray, unit: float, height: float) -> np.ndarray:
    gaps = np.where(sizes > 0, (height - _FLOW_TOP - unit * sizes.sum()) / np.count_nonzero(sizes), 0.0)
    return np.cumsum(sizes * unit + gaps) - sizes * unit - gaps / 2 + _FLOW_TOP


def _draw_bands(
    table: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    unit: float,
    classes: Sequence[str],
    moving: Nouns,
) -> list[Markup]:
    out_before = np.cumsum(table, axis=1) - table
    out_after = np.cumsum(table, axis=0) - table
    middle = (_FLOW_LEFT + _FLOW_RIGHT) / 2
    bands = []
    for i, j in zip(*np.nonzero(table), strict=True):
        thick = max(table[i, j] * unit, 0.4)
        y0 = left[i] + out_before[i, j] * unit + thick / 2
        y1 = right[j] + out_after[i, j] * unit + thick / 2
        start, end = _FLOW_LEFT + _BAR, _FLOW_RIGHT - _BAR
        d = f"M{start:g} {y0:.1f}C{middle:g} {y0:.1f} {middle:g} {y1:.1f} {end:g} {y1:.1f}"
        title = element("title", count_noun(int(table[i, j]), moving.one, moving.many))
        bands.append(element("path", title, d=d, stroke_width=float(thick), class_=classes[j]))
    return bands


def _draw_side(
    names: Sequence[str], sizes: np.ndarray, starts: np.ndarray, unit: float, classes: Sequence[str] | None
) -> list[Markup]:
    after = classes is not None
    marks = []
    for index, (name, size, start) in enumerate(zip(names, sizes, starts, strict=True)):
        if not size:
            continue
        x, text_x = (_FLOW_RIGHT - _BAR, _FLOW_RIGHT + 10) if after else (_FLOW_LEFT, _FLOW_LEFT - 10)
        thick = max(float(size) * unit, 1.0)
        colour = classes[index] if classes is not None else "none"
        bar = element("rect", x=x, y=float(start), width=_BAR, height=thick, class_=colour)
        words = f"{clip(name, _NAME_LENGTH)} · {format_count(size)}"
        anchor = "start" if after else "end"
        y = float(start) + thick / 2 + 4.5
        marks += [bar, element("text", element("title", name), words, x=text_x, y=y, text_anchor=anchor)]
    return marks


@dataclass(frozen=True)
class Cell:
    """One cell: its colour step from -4 (far less than expected) to 4 (far more), text and tooltip.

    `height` is that of a bar, from 0 to 1, where the table has bars.
    """

    step: int
    text: str
    title: str
    height: float = 0.0


@dataclass(frozen=True)
class HeatTable:
    """The columns shown, a row of cells per document group, and how much is shown."""

    columns: Sequence[WordGroupView]
    rows: Sequence[tuple[GroupView, Sequence[Cell]]]
    total: int
    share: float


def make_heat_table(view: AssociationView, groups: Sequence[GroupView]) -> HeatTable:
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


def lift_step(lift: float) -> int:
    """Return the colour step of a lift; 0 is about as expected."""
    if math.isnan(lift):
        return 0
    size = sum(abs(lift) >= edge for edge in _STEPS)
    return size if lift > 0 else -size


def _choose_heaviest(mass: np.ndarray) -> np.ndarray:
    room = max(MIN_COLUMNS, MAX_CELLS // max(1, mass.shape[0]))
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
    if not math.isfinite(lift):
        return Cell(lift_step(lift), format_signed(lift), f"{format_percent(mass)} of all mass")
    return Cell(
        lift_step(lift),
        format_signed(lift),
        f"{format_number(2.0**lift, 2)} × expected; {format_percent(mass)} of all mass",
    )


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
    """The groups by a column of the input: a row of cells for each group, the largest first.

    A table of dates has a `unit` and draws each cell as a bar, up to `most` documents. `missing` documents
    have no value; a table of categories has a column for them. Of `total` groups, the largest are shown.
    """

    name: str
    unit: str
    columns: Sequence[str]
    rows: Sequence[tuple[GroupView, Sequence[Cell]]]
    ticks: Sequence[bool]
    most: int
    missing: int
    total: int


def make_column_table(view: ColumnCountsView, groups: Sequence[GroupView]) -> ColumnTable:
    """Make the table of a column; groups without documents are left out."""
    missing = sum(view.missing)
    has_column = bool(missing) and not view.unit
    columns = [*view.bins, "no value"] if has_column else list(view.bins)
    filled = [
        (group, [*counts, *([absent] if has_column else [])])
        for group, counts, absent in zip(groups, view.counts, view.missing, strict=True)
        if group.size
    ]
    filled.sort(key=lambda row: -row[0].size)
    shown = filled[: max(MIN_COLUMNS, MAX_CELLS // max(1, len(columns)))]
    step = math.ceil(len(columns) / _TICKS)
    most = max((count for _, counts in shown for count in counts), default=0)
    return ColumnTable(
        name=view.name,
        unit=view.unit,
        columns=columns,
        rows=[
            (group, [_make_count_cell(*pair, group.size, most) for pair in zip(counts, columns, strict=True)])
            for group, counts in shown
        ],
        # the last label would reach over the edge
        ticks=[k % step == 0 and (k == 0 or k + step / 2 <= len(columns)) for k in range(len(columns))],
        most=most,
        missing=missing,
        total=len(filled),
    )


def _make_count_cell(count: int, label: str, size: int, most: int) -> Cell:
    share = count / size
    step, text = sum(share >= edge for edge in _SHARE_STEPS), format_count(count) if count else ""
    title = f"{label}: {format_count(count)}, {format_percent(share)} of the group"
    return Cell(step, text, title, count / most if most else 0.0)
