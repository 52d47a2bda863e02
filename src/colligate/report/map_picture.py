"""The map as a picture of its own: SVG for documents and slides, PNG where an image is needed.

Colours are attributes, not style rules, so that drawing programs and strict pages show the SVG as it is.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._text import capitalise, clean, count_noun
from colligate.errors import InputError
from colligate.report.charts import element
from colligate.report.map import (
    SIZE,
    LabelRequest,
    describe_nearness,
    dot_width,
    find_tiny_dots,
    font_size,
    list_texts,
    make_path,
    place_labels,
    to_picture,
)
from colligate.report.palette import choose_colours
from colligate.report.view import MapView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from colligate.report.map import Label
    from colligate.report.view import DocumentMapView, MapGroupView

PAPER, INK = "#fdfcfa", "#1d2126"
_FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif"
_HALO = 4
# A picture of 2,000 × 1,560 points is sharp on a slide and in print.
_PNG_SCALE = 2
# Dots are drawn larger and scaled down, which makes their edges smooth.
_OVERSAMPLING = 3
# The first that the system has; all have more scripts than the font inside Pillow.
_FONT_FILES = (
    "NotoSans-Bold.ttf",
    "DejaVuSans-Bold.ttf",
    "arialbd.ttf",
    "Arial Bold.ttf",
    "LiberationSans-Bold.ttf",
)
_PNG_ADVICE = "a PNG needs Pillow: pip install 'colligate[png]', or choose SVG"


def draw_svg(view: DocumentMapView) -> str:
    """Draw the map as an SVG file."""
    title = f"{view.title}: map of {count_noun(len(view.x), view.centre.one, view.centre.many)}"
    dots = [
        element(
            "path", element("title", clean(f"{group.number} {group.name}")), d=make_path(x, y), stroke=colour
        )
        for group, colour, x, y in _list_layers(view)
        if len(x)
    ]
    names = [_draw_name(label) for label in _place_names(view)]
    picture = element(
        "svg",
        element("title", clean(title)),
        element("desc", clean(capitalise(describe_nearness(view.centre, view.terms)))),
        element("rect", width="100%", height="100%", fill=PAPER),
        element(
            "g", *dots, fill="none", stroke_linecap="round", stroke_width=f"{dot_width(len(view.x)):.1f}"
        ),
        element(
            "g",
            *names,
            font_family=_FONT,
            font_size=font_size(len(view.groups)),
            font_weight="600",
            text_anchor="middle",
        ),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {SIZE[0]:g} {SIZE[1]:g}",
        width=f"{SIZE[0]:g}",
        height=f"{SIZE[1]:g}",
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{picture}\n'


def draw_png(view: DocumentMapView) -> bytes:
    """Draw the map as a PNG file of twice the size of the SVG."""
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise InputError(_PNG_ADVICE) from None
    size = (round(SIZE[0] * _PNG_SCALE), round(SIZE[1] * _PNG_SCALE))
    factor = _PNG_SCALE * _OVERSAMPLING
    large = Image.new("RGB", (size[0] * _OVERSAMPLING, size[1] * _OVERSAMPLING), PAPER)
    pen, half = ImageDraw.Draw(large), dot_width(len(view.x)) / 2 * factor
    for _, colour, x, y in _list_layers(view):
        for across, up in zip(x.tolist(), y.tolist(), strict=True):
            left, top = (coordinate * factor for coordinate in to_picture(across, up))
            pen.ellipse((left - half, top - half, left + half, top + half), fill=colour)
    image = large.resize(size, Image.Resampling.LANCZOS)
    pen, font = ImageDraw.Draw(image), _load_font(font_size(len(view.groups)) * _PNG_SCALE)
    for label in _place_names(view):
        place = (label.x * _PNG_SCALE, label.y * _PNG_SCALE)
        halo = _HALO * _PNG_SCALE // 2
        pen.text(place, label.text, INK, font, anchor="mm", stroke_width=halo, stroke_fill=PAPER)
    stream = io.BytesIO()
    image.save(stream, format="PNG", optimize=True)
    return stream.getvalue()


def _list_layers(view: DocumentMapView) -> list[tuple[MapGroupView, str, Any, Any]]:
    """Return each group with its colour and the places of its dots, the largest first."""
    x, y, owner = np.asarray(view.x, dtype=float), np.asarray(view.y, dtype=float), np.asarray(view.group)
    colours = choose_colours(max((group.number for group in view.groups), default=-1) + 1)
    return [
        (group, colours[group.number][0], x[owner == position], y[owner == position])
        for position, group in _sort_largest_first(view.groups)
    ]


def _sort_largest_first(groups: Sequence[MapGroupView]) -> list[tuple[int, MapGroupView]]:
    """Return the groups with their positions, the largest first."""
    return sorted(enumerate(groups), key=lambda entry: (-entry[1].size, entry[1].number))


def _place_names(view: DocumentMapView) -> list[Label]:
    requests = [
        LabelRequest(
            group.number, *to_picture(group.x, group.y), list_texts(group.number, clean(group.name), rank)
        )
        for rank, (_, group) in enumerate(_sort_largest_first(view.groups))
        if group.size
    ]
    dots = MapView(view.x, view.y, view.group, len(view.x), view.total)
    return place_labels(requests, SIZE, font_size(len(view.groups)), find_tiny_dots(dots))


def _draw_name(label: Label) -> Markup:
    return element(
        "text",
        label.text,
        x=f"{label.x:.1f}",
        y=f"{label.y:.1f}",
        dy=".35em",
        fill=INK,
        stroke=PAPER,
        stroke_width=_HALO,
        stroke_linejoin="round",
        paint_order="stroke",
    )


def _load_font(size: int) -> Any:
    from PIL import ImageFont

    for name in _FONT_FILES:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
