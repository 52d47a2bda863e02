"""How the run went: the objective per sweep, and where every restart ended.

Axes: round ticks, and from values to places in the picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from colligate.report.charts.svg import coordinate, element, picture
from colligate.report.text import count, counted, number, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from colligate.report.view import TraceView


_SIZE = (620.0, 300.0)
_LEFT, _RIGHT, _TOP, _BOTTOM = 84.0, 604.0, 16.0, 246.0


def history_chart(trace: TraceView) -> Markup | None:
    """The objective after each sweep of the chosen run, or nothing if no sweep gave a number."""
    points = _finite(trace.history)
    if not points:
        return None
    across, up = _scales(points, len(trace.history))
    line = "M" + "L".join(f"{coordinate(across(x))} {coordinate(up(y))}" for x, y in points)
    last = points[-1]
    start, end = (f"{number(value, 5)} after sweep {sweep}" for sweep, value in (points[0], last))
    return picture(
        "Objective per sweep",
        f"From {start} to {end}.",
        _SIZE,
        *_axes(across, up, "sweep"),
        element("path", d=line, class_="line"),
        element("circle", cx=across(last[0]), cy=up(last[1]), r=4.5, class_="chosen"),
        class_="chart",
    )


def restarts_chart(trace: TraceView) -> Markup | None:
    """A dot where each restart ended, the chosen one marked; nothing if there was only one run."""
    points = _finite(trace.restarts)
    if len(trace.restarts) < 2 or not points:
        return None
    across, up = _scales(points, len(trace.restarts), air=0.5)
    chosen = trace.chosen + 1
    description = f"{counted(len(trace.restarts), 'restart')}; number {count(chosen)} was chosen."
    return picture(
        "Final objective of every restart",
        description,
        _SIZE,
        *_axes(across, up, "restart"),
        *(_restart(across(x), up(y), y, x, x == chosen) for x, y in points),
        class_="chart",
    )


def _restart(x: float, y: float, value: float, which: int, chosen: bool) -> Markup:
    title = element("title", f"restart {which}: {number(value, 6)}{' (chosen)' if chosen else ''}")
    dot = element("circle", title, cx=x, cy=y, r=4.5, class_="chosen" if chosen else "other")
    if not chosen:
        return dot
    ring = element("circle", cx=x, cy=y, r=9.5, class_="ring")
    end = x > _RIGHT - 90
    label = element(
        "text", "chosen", x=x - 15 if end else x + 15, y=y + 4, text_anchor="end" if end else "start"
    )
    return element("g", dot, ring, label)


def _finite(values: Sequence[float]) -> list[tuple[int, float]]:
    return [(index, value) for index, value in enumerate(values, start=1) if math.isfinite(value)]


def _scales(points: list[tuple[int, float]], number_across: int, air: float = 0.0) -> tuple[Scale, Scale]:
    low, high = padded([value for _, value in points])
    last = number_across if number_across > 1 or air else 2
    return Scale(1 - air, last + air, _LEFT, _RIGHT), Scale(low, high, _BOTTOM, _TOP)


def _axes(across: Scale, up: Scale, unit: str) -> list[Markup]:
    levels = ticks(up.low, up.high)
    decimals = decimals_of(levels)
    steps = whole_ticks(math.ceil(across.low), math.floor(across.high))
    steps = steps if steps and steps[0] == 1 else [1, *steps]
    middle = (_TOP + _BOTTOM) / 2
    return [
        *(element("path", d=f"M{_LEFT:g} {up(level):.1f}H{_RIGHT:g}", class_="grid") for level in levels),
        *(
            element("text", plain(level, decimals), x=_LEFT - 8, y=up(level) + 4, text_anchor="end")
            for level in levels
        ),
        *(
            element("text", count(step), x=across(step), y=_BOTTOM + 20, text_anchor="middle")
            for step in steps
        ),
        element("text", unit, x=(_LEFT + _RIGHT) / 2, y=_BOTTOM + 44, text_anchor="middle", class_="axis"),
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
    """Maps low..high of the data onto start..end of the picture."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The place of a value."""
        span = self.high - self.low
        return self.start + (self.end - self.start) * (value - self.low) / span if span else self.start


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """About so many round numbers between low and high."""
    span = high - low
    if not span > 0 or not math.isfinite(span):
        return [low]
    raw = span / about
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def whole_ticks(low: int, high: int, about: int = 8) -> list[int]:
    """Round whole numbers between low and high, never the same one twice."""
    return sorted({round(tick) for tick in ticks(low, high, about) if low <= round(tick) <= high})


def decimals_of(levels: list[float]) -> int:
    """How many decimals tell the levels of an axis apart."""
    step = levels[1] - levels[0] if len(levels) > 1 else abs(levels[0])
    if not step:
        return 0
    coarsest = max(0, -math.floor(math.log10(step) + 1e-9))
    return coarsest if math.isclose(round(step, coarsest), step, rel_tol=1e-3) else coarsest + 1


def padded(values: list[float], share: float = 0.06) -> tuple[float, float]:
    """The range of the values with a little air, also where they are all the same."""
    low, high = min(values), max(values)
    air = (high - low) * share or abs(high) * share or 1.0
    return low - air, high + air
