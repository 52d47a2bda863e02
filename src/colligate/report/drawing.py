"""Pictures as marks: lines, boxes, dots, bands and texts, each in a named colour.

A chart is drawn once, as a `Drawing`. `to_page` writes it as SVG into a page whose style has the colours.
`to_svg` writes a picture of its own, with colours as attributes, so that drawing programs and strict pages
show it as it is. `raster.py` paints the same marks into a PNG. Every attribute and text is escaped.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from colligate._text import clean
from colligate.report.style import PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from colligate.report.style import Style

    Place = tuple[float, float]
    Paint = Callable[[str], dict[str, str]]

MARGIN = 16.0
"""The space around a picture of its own."""
_GROUP = re.compile(r"g\d+")


@dataclass(frozen=True)
class Text:
    """A text; `y` is the middle of its line. `halo` is the colour around its letters, `turn` in degrees."""

    text: str
    x: float
    y: float
    size: float = 14.0
    colour: str = "ink"
    anchor: str = "start"
    weight: int = 400
    turn: int = 0
    halo: str = ""
    title: str = ""


@dataclass(frozen=True)
class Line:
    """A line through places, or several, each a sequence of places."""

    parts: Sequence[Sequence[Place]]
    colour: str = "line"
    width: float = 1.0
    opacity: float = 1.0


@dataclass(frozen=True)
class Box:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    radius: float = 0.0
    opacity: float = 1.0
    title: str = ""


@dataclass(frozen=True)
class Dots:
    """Round dots of one width: a line of length 0 with a round cap, about twelve bytes each."""

    places: Sequence[Place]
    width: float
    colour: str
    opacity: float = 1.0
    title: str = ""


@dataclass(frozen=True)
class Ring:
    """A circle that is not filled."""

    x: float
    y: float
    radius: float
    colour: str
    width: float = 2.0


@dataclass(frozen=True)
class Band:
    """A curved band from the left to the right, `width` high at both ends."""

    start: Place
    end: Place
    width: float
    colour: str
    opacity: float = 0.38
    title: str = ""


@dataclass(frozen=True)
class Layer:
    """Marks with a class of their own on pages; with an `href`, they are a link there."""

    marks: Sequence[Mark]
    kind: str = ""
    href: str = ""
    title: str = ""
    label: str = ""


Mark = Text | Line | Box | Dots | Ring | Band | Layer


@dataclass(frozen=True)
class Drawing:
    """A picture of marks. A screen reader announces it by its title and description."""

    title: str
    description: str
    width: float
    height: float
    marks: Sequence[Mark]
    kind: str = ""
    background: str = "paper"
    interactive: bool = False


def element(name: str, *children: str, **attributes: object) -> Markup:
    """Make one SVG element. `class_` becomes class, `stroke_width` stroke-width; text is escaped."""
    written = Markup("").join(
        Markup(' {}="{}"').format(key.rstrip("_").replace("_", "-"), _format_value(value))
        for key, value in attributes.items()
        if value is not None
    )
    inside = Markup("").join(escape(child) for child in children)
    return Markup("<{0}{1}>{2}</{0}>").format(name, written, inside)


def to_page(drawing: Drawing) -> Markup:
    """Write a drawing for a page: colours are those of the page's style, links lead to its parts."""
    marks = [_write(mark, _paint_by_page, links=True) for mark in drawing.marks]
    # a picture with links must not be one image, or nobody would reach them
    heading = [] if drawing.interactive else [_title(drawing.title), element("desc", drawing.description)]
    return element(
        "svg",
        *heading,
        *marks,
        class_=f"chart {drawing.kind}".strip(),
        viewBox=f"0 0 {format_coordinate(drawing.width)} {format_coordinate(drawing.height)}",
        width=drawing.width,
        role="group" if drawing.interactive else "img",
        aria_label=f"{drawing.title}. {drawing.description}",
    )


def to_svg(drawing: Drawing, style: Style = PLAIN) -> str:
    """Write a drawing as an SVG file, with its heading, in the colours and fonts of a style."""

    def paint(colour: str) -> dict[str, str]:
        return {"colour": style.resolve(colour)}

    heading, frame = find_heading(drawing, style), find_frame(drawing, style)
    left, top, width, height = frame
    shown_width, shown_height = find_size(frame, style)
    text = [] if heading is None else [_write(heading, paint, links=False)]
    picture = element(
        "svg",
        _title(clean(style.title or drawing.title)),
        element("desc", clean(drawing.description)),
        element("rect", x=left, y=top, width=width, height=height, fill=style.resolve(drawing.background)),
        *text,
        *(_write(mark, paint, links=False) for mark in drawing.marks),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(format_coordinate(value) for value in frame),
        width=shown_width,
        height=shown_height,
        font_family=style.font,
        role="img",
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{picture}\n'


def find_heading(drawing: Drawing, style: Style) -> Text | None:
    """Return the visible heading of a picture of its own; None if the style wants none."""
    text = clean(drawing.title if style.title is None else style.title)
    if not text:
        return None
    size = 1.2 * style.font_size
    return Text(fit_text(text, size, drawing.width), 0.0, -1.3 * size, size, weight=600)


def find_frame(drawing: Drawing, style: Style) -> tuple[float, float, float, float]:
    """Return left, top, width and height of a picture of its own, with its heading and margin."""
    above = MARGIN if find_heading(drawing, style) is None else MARGIN + 2.6 * style.font_size
    return -MARGIN, -above, drawing.width + 2 * MARGIN, drawing.height + MARGIN + above


def find_size(frame: tuple[float, float, float, float], style: Style) -> tuple[float, float]:
    """Return the width and height in pixels: those of the style; one of them keeps the proportions."""
    _, _, width, height = frame
    if style.width is None and style.height is None:
        return width, height
    if style.width is None or style.height is None:
        scale = (style.width or 0.0) / width or (style.height or 0.0) / height
        return width * scale, height * scale
    return style.width, style.height


def format_coordinate(value: float) -> str:
    """Format a coordinate to a tenth of a unit, as short as possible."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def text_width(text: str, font: float) -> float:
    """Estimate the width of a text without the font."""
    return sum(_character_width(character) for character in text) * font


def fit_text(text: str, font: float, width: float) -> str:
    """Cut a text to a width, with an ellipsis where something is left out."""
    if text_width(text, font) <= width:
        return text
    room = width - text_width("…", font)
    for length, character in enumerate(text):
        room -= _character_width(character) * font
        if room < 0:
            return text[:length].rstrip() + "…"
    return text


def _character_width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    return 0.38 if character in "iljtf.,:;' |" else 0.85 if character.isupper() or character in "mw" else 0.67


def _format_value(value: object) -> str:
    return format_coordinate(value) if isinstance(value, float) else str(value)


def _title(text: str) -> Markup:
    return element("title", text) if text else Markup("")


def _paint_by_page(colour: str) -> dict[str, str]:
    """Return the colour by the variables of a page; a group has its class, which sets one of them."""
    if _GROUP.fullmatch(colour):
        return {"colour": "var(--c)", "class_": colour}
    return {"colour": f"var(--{colour})"}


def _write(mark: Mark, paint: Paint, *, links: bool) -> Markup:
    if isinstance(mark, Layer):
        return _write_layer(mark, paint, links=links)
    if isinstance(mark, Text):
        return _write_text(mark, paint)
    painted = paint(mark.colour)
    colour, kind = painted["colour"], painted.get("class_")
    if isinstance(mark, Box):
        return element(
            "rect",
            _title(mark.title),
            class_=kind,
            x=mark.x,
            y=mark.y,
            width=mark.width,
            height=mark.height,
            rx=mark.radius or None,
            fill=colour,
            fill_opacity=_format_opacity(mark.opacity),
        )
    if isinstance(mark, Ring):
        return element(
            "circle",
            class_=kind,
            cx=mark.x,
            cy=mark.y,
            r=mark.radius,
            fill="none",
            stroke=colour,
            stroke_width=mark.width,
        )
    return element(
        "path",
        *([] if isinstance(mark, Line) else [_title(mark.title)]),
        class_=kind,
        d=_make_path(mark),
        fill="none",
        stroke=colour,
        stroke_width=mark.width,
        stroke_opacity=_format_opacity(mark.opacity),
        stroke_linecap="round" if isinstance(mark, Dots) else None,
        stroke_linejoin="round" if isinstance(mark, Line) else None,
    )


def _make_path(mark: Line | Dots | Band) -> str:
    if isinstance(mark, Dots):
        return "".join(f"M{format_coordinate(x)} {format_coordinate(y)}h0" for x, y in mark.places)
    if isinstance(mark, Line):
        return "".join("M" + "L".join(map(_format_place, part)) for part in mark.parts)
    (x0, y0), (x1, y1) = mark.start, mark.end
    middle = (x0 + x1) / 2
    places = ((middle, y0), (middle, y1), (x1, y1))
    return f"M{_format_place((x0, y0))}C{' '.join(map(_format_place, places))}"


def _format_place(place: Place) -> str:
    return f"{format_coordinate(place[0])} {format_coordinate(place[1])}"


def _format_opacity(opacity: float) -> str | None:
    return None if opacity == 1.0 else f"{opacity:.2f}"


def _write_text(mark: Text, paint: Paint) -> Markup:
    painted = paint(mark.colour)
    halo: dict[str, object] = {}
    if mark.halo:
        halo = {
            "stroke": paint(mark.halo)["colour"],
            "stroke_width": mark.size * 0.3,
            "stroke_linejoin": "round",
            "paint_order": "stroke",
        }
    place = f"{format_coordinate(mark.x)} {format_coordinate(mark.y)}"
    return element(
        "text",
        _title(mark.title),
        mark.text,
        class_=painted.get("class_"),
        x=mark.x,
        y=mark.y,
        dy=".35em",
        font_size=mark.size,
        font_weight=None if mark.weight == 400 else mark.weight,
        text_anchor=None if mark.anchor == "start" else mark.anchor,
        transform=f"rotate({mark.turn} {place})" if mark.turn else None,
        fill=painted["colour"],
        **halo,
    )


def _write_layer(layer: Layer, paint: Paint, *, links: bool) -> Markup:
    inside = [_title(layer.title), *(_write(mark, paint, links=links) for mark in layer.marks)]
    if links and layer.href:
        return element("a", *inside, class_=layer.kind or None, href=layer.href)
    if not links:
        return element("g", *inside)
    named = {"role": "img", "aria_label": layer.label} if layer.label else {}
    return element("g", *inside, class_=layer.kind or None, **named)
