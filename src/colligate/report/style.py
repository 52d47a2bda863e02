"""The look of pictures: named colours on light and dark paper, fonts, sizes, and the names of groups.

Charts use names of colours: `ink`, `soft`, `line`, ..., `g7` for the group with the number 7, and `less4` to
`more4` for the steps of a heat map. The style of a page gives them their values (`templates/style/base.css`);
a picture of its own has them from a `Style`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from colligate._text import clean
from colligate.errors import ParameterError
from colligate.report.palette import MAX_COLOURS, choose_colours

SANS = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif"
LIGHT = {
    "paper": "#fdfcfa",
    "card": "#ffffff",
    "ink": "#1d2126",
    "soft": "#565d66",
    "line": "#dfdcd5",
    "wash": "#f3f1ec",
    "accent": "#1f5a8c",
    "grey": "#a4a7ab",
    "less4": "#d67c2f",
    "less3": "#e39a4f",
    "less2": "#f1c08b",
    "less1": "#f8dfc2",
    "more1": "#cfe0ef",
    "more2": "#9cc2e0",
    "more3": "#2f6ea5",
    "more4": "#15426b",
    "on-less4": "#1d2126",
    "on-less3": "#1d2126",
    "on-less2": "#1d2126",
    "on-less1": "#1d2126",
    "on-more1": "#1d2126",
    "on-more2": "#1d2126",
    "on-more3": "#ffffff",
    "on-more4": "#ffffff",
}
DARK = {
    "paper": "#14171a",
    "card": "#1b1f23",
    "ink": "#e9e7e2",
    "soft": "#a9afb6",
    "line": "#343a40",
    "wash": "#22272c",
    "accent": "#8cc1ee",
    "grey": "#5f666d",
    "less4": "#f6bd7c",
    "less3": "#cf8a3f",
    "less2": "#664722",
    "less1": "#3b2e21",
    "more1": "#22334a",
    "more2": "#2a5079",
    "more3": "#69a8dd",
    "more4": "#b5daf8",
    "on-less4": "#1d2126",
    "on-less3": "#1d2126",
    "on-less2": "#ffffff",
    "on-less1": "#e9e7e2",
    "on-more1": "#e9e7e2",
    "on-more2": "#ffffff",
    "on-more3": "#1d2126",
    "on-more4": "#1d2126",
}
THEMES = {"light": LIGHT, "dark": DARK}
FONT_SIZES = (6.0, 48.0)
SIZES = (50.0, 10_000.0)
_HEX = re.compile("#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_GROUP = re.compile(r"g(\d+)")
# Quotes, commas and hyphens occur in lists of fonts; nothing that could end an attribute or a rule does.
_FONT = re.compile(r"[\w ,'-]{1,300}")


@dataclass(frozen=True)
class Style:
    """How a figure looks. `Figure.restyle` takes the same names.

    Parameters
    ----------
    theme : {"light", "dark"}
        Dark marks on light paper, or light ones on dark paper.
    title : str or None
        The heading of the picture; empty for none, None for the usual one.
    width, height : float or None
        The size in pixels. With one of them, the other follows; by default both depend on the content.
    font : str
        Names of fonts, as in CSS. A PNG uses a font of the system.
    font_size : float
        The size of texts in pixels, at the usual width of the figure.
    colours : mapping of int or str to str
        Colours as `#rrggbb`: of groups by number, or of `paper`, `ink`, `soft`, `line`, `accent`, `grey`.
    labels : mapping of int to str
        Other names of groups by number.
    """

    theme: str = "light"
    title: str | None = None
    width: float | None = None
    height: float | None = None
    font: str = SANS
    font_size: float = 14.0
    colours: Mapping[int | str, str] = field(default_factory=dict)
    labels: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.theme not in THEMES:
            raise ParameterError(
                f"theme must be 'light' or 'dark'; got {self.theme!r:.60}", parameter="theme"
            )
        for name, (low, high) in {"width": SIZES, "height": SIZES, "font_size": FONT_SIZES}.items():
            value = getattr(self, name)
            if value is not None and not (_is_number(value) and low <= value <= high):
                raise ParameterError(
                    f"{name} must be a number from {low:g} to {high:g}; got {value!r:.60}", parameter=name
                )
        if self.title is not None and not isinstance(self.title, str):
            raise ParameterError(f"title must be a text; got {self.title!r:.60}", parameter="title")
        if not _is_text(self.font, _FONT):
            raise ParameterError(
                f"font must be names of fonts with commas between them; got {self.font!r:.60}",
                parameter="font",
            )
        self._check_mappings()

    def _check_mappings(self) -> None:
        """Refuse colours and labels of anything that is no group and no named colour."""
        for name in ("colours", "labels"):
            if not isinstance(getattr(self, name), Mapping):
                raise ParameterError(
                    f"{name} must be a mapping such as {{3: ...}}; got {getattr(self, name)!r:.60}",
                    parameter=name,
                )
        for key, colour in self.colours.items():
            if not _is_group(key) and key not in LIGHT:
                raise ParameterError(
                    f"{key!r:.60} is neither the number of a group nor one of {', '.join(LIGHT)}",
                    parameter="colours",
                )
            if not _is_text(colour, _HEX):
                raise ParameterError(
                    f"a colour must be written as #rrggbb, such as '#1f5a8c'; got {colour!r:.60}",
                    parameter="colours",
                )
        for key, label in self.labels.items():
            if not _is_group(key) or not isinstance(label, str):
                raise ParameterError(
                    f"labels must give texts to numbers of groups; got {key!r:.60}: {label!r:.60}",
                    parameter="labels",
                )

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of all that can be styled."""
        return tuple(part.name for part in fields(cls))

    def resolve(self, colour: str) -> str:
        """Return the value of a named colour as `#rrggbb`."""
        if match := _GROUP.fullmatch(colour):
            number = int(match[1])
            pair = self._group_colours[number % MAX_COLOURS]
            return self.colours.get(number, pair[self.theme == "dark"])
        return self.colours.get(colour, THEMES[self.theme][colour])

    def name(self, number: int, name: str) -> str:
        """Return the name of a group: the label of the style, or its usual one."""
        return clean(self.labels.get(number, name))

    @cached_property
    def _group_colours(self) -> list[tuple[str, str]]:
        return choose_colours(MAX_COLOURS)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text(value: Any, pattern: re.Pattern[str]) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_group(key: Any) -> bool:
    return isinstance(key, int) and not isinstance(key, bool) and key >= 0


PLAIN = Style()
