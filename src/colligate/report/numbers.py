"""Numbers as people read them. What is not a finite number is shown as a dash, never as "nan"."""

from __future__ import annotations

import math

NOTHING = "–"
_MINUS = "−"


def number(value: float | None, digits: int = 3) -> str:
    """A number with so many significant digits: 0.123, 12.3, 1,230."""
    if value is None or not math.isfinite(value):
        return NOTHING
    if value == 0:
        return "0"
    power = math.floor(math.log10(abs(value)))
    style = f",.{max(0, digits - 1 - power)}f" if -5 < power < 9 else f".{digits - 1}e"
    return f"{value:{style}}".replace("-", _MINUS)


def percent(value: float | None) -> str:
    """A share between 0 and 1 as a percentage."""
    if value is None or not math.isfinite(value):
        return NOTHING
    if 0 < value < 0.001:
        return "< 0.1 %"
    if 0.999 < value < 1:
        return "> 99.9 %"
    return f"{100 * value:.1f} %".replace(".0 ", " ").replace("-", _MINUS)


def count(value: float) -> str:
    """A whole number with its thousands set apart."""
    return f"{int(value):,}".replace("-", _MINUS) if math.isfinite(value) else NOTHING


def signed(value: float | None, decimals: int = 1) -> str:
    """A number that always shows its sign."""
    if value is None or not math.isfinite(value):
        return NOTHING
    sign = "+" if round(value, decimals) else ""
    return f"{round(value, decimals) or 0.0:{sign}.{decimals}f}".replace("-", _MINUS)


def plain(value: float, decimals: int) -> str:
    """A number with so many decimals, as on an axis."""
    return f"{value:,.{decimals}f}".replace("-", _MINUS)


def counted(value: int, noun: str, many: str | None = None) -> str:
    """A count with its noun: 1 document, 2 documents."""
    return f"{count(value)} {noun if value == 1 else many or noun + 's'}"


def width(value: float | None, largest: float = 1.0) -> str:
    """The length of a bar in percent of the largest; nothing for what is no number."""
    if value is None or not math.isfinite(value) or not largest > 0:
        return "0"
    return f"{100 * min(1.0, max(0.0, value / largest)):.1f}"
