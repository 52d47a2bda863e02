"""Scales and ticks of charts."""

from __future__ import annotations

import math
from dataclasses import dataclass


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
