"""Texts and numbers as pages show them: the report, the map, and cards in notebooks.

Document text is hostile: one place decides which characters reach the page. Numbers that are not finite are
shown as a dash, never as "nan".
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

T = TypeVar("T")
# Line and paragraph separators and the white control characters become plain spaces.
_WHITE = re.compile("[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
_OTHER_WHITE = re.compile("\r\n|[\v\f\r\x1c-\x1f\x85\u2028\u2029]")
# Other control characters, marks that reorder or hide text (bidi controls, zero-width spaces, tags, fillers
# without width), and code points that are no characters. Joiners stay: scripts and emoji need them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
# A tower of combining marks would paint over its neighbours.
_TOWER = re.compile(
    "([\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{4})[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+"
)
NOTHING = "–"
_MINUS = "−"


def clean(text: str) -> str:
    """Return the text on one line, without control and formatting characters."""
    return _drop_unseen(_WHITE.sub(" ", text)).strip()


def clean_lines(text: str) -> str:
    """Return the text with its lines and tabs, without other control and formatting characters."""
    return _drop_unseen(_OTHER_WHITE.sub("\n", text))


def clean_view(view: T) -> T:
    """Return the view with every text in it cleaned, at any depth."""
    return _clean_value(view)  # type: ignore[return-value]


def clip(text: str, length: int) -> str:
    """Cut a text, with an ellipsis where something is left out."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def capitalise(text: str) -> str:
    """Capitalise the first letter only."""
    return text[:1].upper() + text[1:]


def join_words(words: Sequence[str]) -> str:
    """Join words for a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def list_first(items: Sequence[Any], most: int = 3, write: Callable[[Any], str] = str) -> str:
    """List the first of many items for a message: `a, b, c and 4 more`."""
    more = len(items) - most
    return ", ".join(map(write, items[:most])) + (f" and {more:,} more" if more > 0 else "")


def _drop_unseen(text: str) -> str:
    return _TOWER.sub(r"\1", _SURROGATE.sub("\ufffd", _UNSEEN.sub("", text)))


def _clean_value(value: object) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {_clean_value(key): _clean_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_clean_value(item) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _clean_value(getattr(value, f.name)) for f in fields(value)})
    return value


def format_number(value: float | None, digits: int = 3) -> str:
    """Format a number with so many significant digits: 0.123, 12.3, 1,230."""
    if value is None or not math.isfinite(value):
        return NOTHING
    if value == 0:
        return "0"
    power = math.floor(math.log10(abs(value)))
    style = f",.{max(0, digits - 1 - power)}f" if -5 < power < 9 else f".{digits - 1}e"
    return f"{value:{style}}".replace("-", _MINUS)


def format_percent(value: float | None) -> str:
    """Format a share between 0 and 1 as a percentage."""
    if value is None or not math.isfinite(value):
        return NOTHING
    if 0 < value < 0.001:
        return "< 0.1 %"
    if 0.999 < value < 1:
        return "> 99.9 %"
    return f"{100 * value:.1f} %".replace(".0 ", " ").replace("-", _MINUS)


def format_count(value: float) -> str:
    """Format a whole number with thousands separators."""
    return f"{int(value):,}".replace("-", _MINUS) if math.isfinite(value) else NOTHING


def format_signed(value: float | None, decimals: int = 1) -> str:
    """Format a number with its sign."""
    if value is None or not math.isfinite(value):
        return NOTHING
    sign = "+" if round(value, decimals) else ""
    return f"{round(value, decimals) or 0.0:{sign}.{decimals}f}".replace("-", _MINUS)


def format_fixed(value: float, decimals: int) -> str:
    """Format a number with so many decimals, as on an axis."""
    return f"{value:,.{decimals}f}".replace("-", _MINUS)


def count_noun(value: int, noun: str, many: str | None = None) -> str:
    """Format a count with its noun: 1 document, 2 documents."""
    return f"{format_count(value)} {noun if value == 1 else many or noun + 's'}"


def bar_width(value: float | None, largest: float = 1.0) -> str:
    """Return the length of a bar in percent of the largest; 0 for what is not finite."""
    if value is None or not math.isfinite(value) or not largest > 0:
        return "0"
    return f"{100 * min(1.0, max(0.0, value / largest)):.1f}"
