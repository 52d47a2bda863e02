"""Charts of a run: the objective after every iteration, and at the end of every restart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from colligate._text import count_noun, format_count, format_fixed, format_number
from colligate.report.drawing import Dots, Drawing, Line, Ring, Text, text_width
from colligate.report.scales import Scale, choose_ticks, choose_whole_ticks, count_decimals, pad_range
from colligate.report.style import PLAIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.drawing import Mark
    from colligate.report.style import Style
    from colligate.report.view import TraceView

_WIDTH, _HEIGHT = 620.0, 300.0
_TOP, _RIGHT = 16.0, 604.0
_DOT = 9.0


def draw_history(trace: TraceView, style: Style = PLAIN) -> Drawing | None:
    """Draw the objective at the start and after each iteration of the chosen run; None without a value."""
    points = _keep_finite(trace.history, first=0)
    if not points:
        return None
    axes = _Axes(points, 0, max(len(trace.history) - 1, 1), "iteration", style)
    start, end = (
        f"{format_number(value, 5)} after iteration {iteration}"
        for iteration, value in (points[0], points[-1])
    )
    places = [axes.place(*point) for point in points]
    return Drawing(
        "Objective per iteration",
        f"From {start} to {end}.",
        _WIDTH,
        _HEIGHT,
        [*axes.marks, Line([places], "accent", 2.5), Dots(places[-1:], _DOT, "accent")],
        "trace",
    )


def draw_restarts(trace: TraceView, style: Style = PLAIN) -> Drawing | None:
    """Draw the final objective of each restart, the chosen one marked; None for a single run."""
    points = _keep_finite(trace.restarts, first=1)
    if len(trace.restarts) < 2 or not points:
        return None
    axes = _Axes(points, 1, len(trace.restarts), "restart", style, air=0.5)
    chosen = trace.chosen + 1
    marks = [mark for x, y in points for mark in _draw_restart(axes.place(x, y), y, x, x == chosen, style)]
    return Drawing(
        "Final objective of every restart",
        f"{count_noun(len(trace.restarts), 'restart')}; number {format_count(chosen)} was chosen.",
        _WIDTH,
        _HEIGHT,
        [*axes.marks, *marks],
        "trace",
    )


def _draw_restart(
    place: tuple[float, float], value: float, which: int, chosen: bool, style: Style
) -> list[Mark]:
    title = f"restart {which}: {format_number(value, 6)}{' (chosen)' if chosen else ''}"
    dot = Dots([place], _DOT, "accent" if chosen else "grey", title=title)
    if not chosen:
        return [dot]
    x, y = place
    at_end = x > _RIGHT - 90
    label = Text(
        "chosen", x - 15 if at_end else x + 15, y, style.font_size, "soft", "end" if at_end else "start"
    )
    return [dot, Ring(x, y, 9.5, "accent"), label]


def _keep_finite(values: Sequence[float], first: int) -> list[tuple[int, float]]:
    return [(index, value) for index, value in enumerate(values, start=first) if math.isfinite(value)]


class _Axes:
    """The two axes of a run: whole numbers across, the objective up."""

    def __init__(
        self,
        points: list[tuple[int, float]],
        first: int,
        last: int,
        unit: str,
        style: Style,
        air: float = 0.0,
    ) -> None:
        size = style.font_size
        low, high = pad_range([value for _, value in points])
        levels = choose_ticks(low, high)
        decimals = count_decimals(levels)
        texts = [format_fixed(level, decimals) for level in levels]
        left = max(84.0, max(text_width(text, size) for text in texts) + 2.8 * size)
        bottom = _HEIGHT - 3.9 * size
        self._across = Scale(first - air, last + air, left, _RIGHT)
        self._up = Scale(low, high, bottom, _TOP)
        middle = (_TOP + bottom) / 2
        steps = choose_whole_ticks(first, last)
        steps = steps if steps and steps[0] == first else [first, *steps]
        self.marks: list[Mark] = [
            Line([[(left, self._up(level)), (_RIGHT, self._up(level))] for level in levels]),
            *(
                Text(text, left - 8, self._up(level), size, "soft", "end")
                for level, text in zip(levels, texts, strict=True)
            ),
            *(
                Text(format_count(step), self._across(step), bottom + 1.2 * size, size, "soft", "middle")
                for step in steps
            ),
            Text(unit, (left + _RIGHT) / 2, bottom + 2.9 * size, size, "soft", "middle"),
            Text("objective", 0.8 * size, middle, size, "soft", "middle", turn=-90),
        ]

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a value."""
        return self._across(x), self._up(y)
