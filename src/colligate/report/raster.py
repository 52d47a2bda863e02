"""Drawings as PNG files, painted with Pillow."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colligate.errors import InputError
from colligate.report.drawing import (
    Band,
    Box,
    Dots,
    Layer,
    Line,
    Ring,
    Text,
    find_frame,
    find_heading,
    find_size,
)
from colligate.report.style import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from colligate.report.drawing import Drawing, Mark
    from colligate.report.style import Style

# Twice the size of the SVG is sharp on a slide and in print.
SCALE = 2
# Marks are painted larger and scaled down, which makes their edges smooth; huge pictures less so.
OVERSAMPLING = (3, 2, 1)
MOST_PIXELS = 60_000_000
_CURVE_STEPS = 48
# The first that the system has; all have more scripts than the font inside Pillow.
_FONT_FILES = {
    False: ("NotoSans-Regular.ttf", "DejaVuSans.ttf", "arial.ttf", "Arial.ttf", "LiberationSans-Regular.ttf"),
    True: (
        "NotoSans-Bold.ttf",
        "DejaVuSans-Bold.ttf",
        "arialbd.ttf",
        "Arial Bold.ttf",
        "LiberationSans-Bold.ttf",
    ),
}
_BOLD = 600
_ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}
_PNG_ADVICE = "a PNG needs Pillow: pip install 'colligate[png]', or choose SVG"


def to_png(drawing: Drawing, style: Style = PLAIN) -> bytes:
    """Paint a drawing with its heading as a PNG file of twice the size of the SVG."""
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise InputError(_PNG_ADVICE) from None
    frame = find_frame(drawing, style)
    width, height = (round(SCALE * side) for side in find_size(frame, style))
    if width * height > MOST_PIXELS:
        raise InputError(
            f"a PNG of {width:,} × {height:,} pixels is too large; choose SVG, or a smaller width"
        )
    smooth = next(k for k in OVERSAMPLING if k == 1 or k * k * width * height <= MOST_PIXELS)
    heading = find_heading(drawing, style)
    marks = [*([] if heading is None else [heading]), *_flatten(drawing.marks)]
    image = Image.new("RGB", (width * smooth, height * smooth), style.resolve(drawing.background))
    # one scale for both axes: a picture that is too wide or too high for its size is centred, as in the SVG
    scale = min(width / frame[2], height / frame[3])
    offset = ((width - scale * frame[2]) / 2, (height - scale * frame[3]) / 2)
    painter = _Painter(image, ImageDraw.Draw(image), frame, scale * smooth, offset, smooth, style)
    for mark in marks:
        if not isinstance(mark, Text):
            painter.paint(mark)
    image = image.resize((width, height), Image.Resampling.LANCZOS) if smooth > 1 else image
    # letters are painted last and at their size, where they are sharpest
    painter = _Painter(image, ImageDraw.Draw(image), frame, scale, offset, 1, style)
    for mark in marks:
        if isinstance(mark, Text):
            painter.write(mark)
    stream = io.BytesIO()
    image.save(stream, format="PNG", optimize=True)
    return stream.getvalue()


def _flatten(marks: Iterable[Mark]) -> Iterator[Mark]:
    for mark in marks:
        if isinstance(mark, Layer):
            yield from _flatten(mark.marks)
        else:
            yield mark


@dataclass(frozen=True)
class _Painter:
    """Paints marks into an image; `scale` is in pixels of the image for a unit of the drawing."""

    image: Any
    pen: Any
    frame: tuple[float, float, float, float]
    scale: float
    offset: tuple[float, float]
    smooth: int
    style: Style

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return a place of the drawing in pixels."""
        return (
            self.offset[0] * self.smooth + (x - self.frame[0]) * self.scale,
            self.offset[1] * self.smooth + (y - self.frame[1]) * self.scale,
        )

    def paint(self, mark: Mark) -> None:
        """Paint a mark that is no text."""
        if isinstance(mark, Dots):
            half = mark.width / 2 * self.scale
            centres = [self.place(x, y) for x, y in mark.places]
            shapes = [("ellipse", (x - half, y - half, x + half, y + half)) for x, y in centres]
            self._fill(shapes, mark.colour, mark.opacity)
        elif isinstance(mark, Box):
            left, top = self.place(mark.x, mark.y)
            right, bottom = self.place(mark.x + mark.width, mark.y + mark.height)
            if right - left >= 1 and bottom - top >= 1:
                box = (left, top, right - 1, bottom - 1)
                self._fill([("rounded", (*box, mark.radius * self.scale))], mark.colour, mark.opacity)
        elif isinstance(mark, Line):
            for part in mark.parts:
                self._fill(
                    [("line", ([self.place(*place) for place in part], self._thick(mark.width)))],
                    mark.colour,
                    mark.opacity,
                )
        elif isinstance(mark, Ring):
            (x, y), radius = self.place(mark.x, mark.y), (mark.radius + mark.width / 2) * self.scale
            self.pen.ellipse(
                (x - radius, y - radius, x + radius, y + radius),
                outline=self.style.resolve(mark.colour),
                width=self._thick(mark.width),
            )
        elif isinstance(mark, Band):
            self._fill([("polygon", self._outline(mark))], mark.colour, mark.opacity)

    def write(self, mark: Text) -> None:
        """Write a text."""
        from PIL import Image, ImageDraw

        x, y = self.place(mark.x, mark.y)
        font = _load_font(round(mark.size * self.scale), mark.weight >= _BOLD)
        ink = self.style.resolve(mark.colour)
        options = {}
        if mark.halo:
            halo = max(1, round(mark.size * 0.13 * self.scale))
            options = {"stroke_width": halo, "stroke_fill": self.style.resolve(mark.halo)}
        anchor = _ANCHORS[mark.anchor]
        if not mark.turn:
            self.pen.text((x, y), mark.text, ink, font, anchor=anchor, **options)
            return
        # a turned text is written level on a sheet whose middle is its place
        side = 2 * (int(font.getlength(mark.text)) + round(2 * mark.size * self.scale))
        sheet = Image.new("L", (side, side), 0)
        ImageDraw.Draw(sheet).text((side / 2, side / 2), mark.text, 255, font, anchor=anchor)
        turned = sheet.rotate(-mark.turn)
        self.image.paste(ink, (round(x - side / 2), round(y - side / 2)), turned)

    def _thick(self, width: float) -> int:
        return max(1, round(width * self.scale))

    def _outline(self, band: Band) -> list[tuple[float, float]]:
        """Return the outline of a band, half its width above and below the curve."""
        (x0, y0), (x1, y1), half = band.start, band.end, band.width / 2
        middle = (x0 + x1) / 2
        upper, lower = [], []
        for step in range(_CURVE_STEPS + 1):
            t = step / _CURVE_STEPS
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x = sum(w * v for w, v in zip(weights, (x0, middle, middle, x1), strict=True))
            y = sum(w * v for w, v in zip(weights, (y0, y0, y1, y1), strict=True))
            # the width is across the curve, as that of a stroke
            slope_x = 3 * ((1 - t) ** 2 * (middle - x0) + t**2 * (x1 - middle)) or 1.0
            slope_y = 6 * t * (1 - t) * (y1 - y0)
            length = (slope_x**2 + slope_y**2) ** 0.5
            dx, dy = -slope_y / length * half, slope_x / length * half
            upper.append(self.place(x - dx, y - dy))
            lower.append(self.place(x + dx, y + dy))
        return [*upper, *reversed(lower)]

    def _fill(self, shapes: list[tuple[str, Any]], colour: str, opacity: float) -> None:
        """Fill shapes of one mark; where they let others shine through, by one mask, as in the SVG."""
        ink = self.style.resolve(colour)
        if not shapes:
            return
        if opacity == 1.0:
            for shape in shapes:
                _draw_shape(self.pen, shape, ink)
            return
        from PIL import Image, ImageDraw

        bounds = [_find_bounds(shape) for shape in shapes]
        left, top = (min(bound[k] for bound in bounds) for k in (0, 1))
        right, bottom = (max(bound[k] for bound in bounds) for k in (2, 3))
        mask = Image.new("L", (max(1, right - left), max(1, bottom - top)), 0)
        for shape in shapes:
            _draw_shape(ImageDraw.Draw(mask), _shift(shape, -left, -top), round(255 * opacity))
        self.image.paste(ink, (left, top), mask)


def _draw_shape(pen: Any, shape: tuple[str, Any], ink: str | int) -> None:
    kind, form = shape
    if kind == "ellipse":
        pen.ellipse(form, fill=ink)
    elif kind == "rounded":
        pen.rounded_rectangle(form[:4], form[4], fill=ink)
    elif kind == "line":
        pen.line(form[0], fill=ink, width=form[1], joint="curve")
    else:
        pen.polygon(form, fill=ink)


def _list_places(shape: tuple[str, Any]) -> list[tuple[float, float]]:
    kind, form = shape
    if kind in ("ellipse", "rounded"):
        return [(form[0], form[1]), (form[2], form[3])]
    return list(form[0] if kind == "line" else form)


def _find_bounds(shape: tuple[str, Any]) -> tuple[int, int, int, int]:
    places = _list_places(shape)
    room = shape[1][1] if shape[0] == "line" else 1
    across, down = [x for x, _ in places], [y for _, y in places]
    return (
        int(min(across)) - room,
        int(min(down)) - room,
        int(max(across)) + room + 1,
        int(max(down)) + room + 1,
    )


def _shift(shape: tuple[str, Any], dx: float, dy: float) -> tuple[str, Any]:
    kind, form = shape
    places = [(x + dx, y + dy) for x, y in _list_places(shape)]
    if kind == "ellipse":
        return kind, (*places[0], *places[1])
    if kind == "rounded":
        return kind, (*places[0], *places[1], form[4])
    return (kind, (places, form[1])) if kind == "line" else (kind, places)


def _load_font(size: int, bold: bool) -> Any:
    from PIL import ImageFont

    for name in _FONT_FILES[bold]:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
