"""The map of the documents as SVG: one path of round dots per group, and the names of the groups.

A dot is a line of length 0 with a round cap: about twelve bytes, so that 20,000 dots stay a small file. Names
are placed so that none covers another.
"""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate._text import capitalise, clip, count_noun, format_count
from colligate.report.charts import element, format_coordinate
from colligate.report.view import DOCUMENT, WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from colligate.report.view import GroupView, MapView, Nouns


SIZE = (1000.0, 780.0)
_EDGE = 24.0
_NAME_LENGTHS = (26, 14)
_MAX_NAMES = 50
# A group with fewer dots would disappear under a name, so names avoid them.
_FEW_DOTS = 10
_MARGIN = 4.0


def draw_map(
    view: MapView, groups: Sequence[GroupView], centre: Nouns = DOCUMENT, terms: Nouns = WORD
) -> Markup:
    """Draw the map; the names on it link to the groups' cards."""
    title = f"Map of the {centre.many}"
    description = (
        f"{count_noun(view.shown, centre.one, centre.many)} of {format_count(view.total)} as dots, "
        "coloured by group. "
        f"{capitalise(describe_nearness(centre, terms))} The list beside it names every group."
    )
    dots = element(
        "g", *_draw_dots(view, groups), class_="dots", role="img", aria_label=f"{title}. {description}"
    )
    return element(
        "svg",
        dots,
        element("g", *_draw_names(groups, find_tiny_dots(view), centre), class_="names"),
        class_="map",
        viewBox=f"0 0 {SIZE[0]:g} {SIZE[1]:g}",
        role="group",
        aria_label=title,
        style=f"--dot:{dot_width(len(view.x)):.1f};--font:{font_size(len(groups))}px",
    )


def describe_nearness(centre: Nouns, terms: Nouns) -> str:
    """Say what it means that two dots are near."""
    what = "use similar words" if terms.many == "words" else f"have similar {terms.many}"
    return f"{centre.many} that lie near each other {what}."


def dot_width(number: int) -> float:
    """Choose the width of a dot: few are easy to see, many do not merge."""
    return min(12.0, max(2.6, 290.0 / math.sqrt(max(number, 1))))


def _draw_dots(view: MapView, groups: Sequence[GroupView]) -> list[Markup]:
    x, y = np.asarray(view.x, dtype=float), np.asarray(view.y, dtype=float)
    owner = np.where(np.isfinite(x) & np.isfinite(y), np.asarray(view.group, dtype=np.int64), -2)
    largest_first = sorted(groups, key=lambda group: (-group.size, group.number))
    layers = [
        (-1, "in no group"),
        *((group.number, f"{group.number} {group.name}") for group in largest_first),
    ]
    return [
        element("path", element("title", title), class_=f"g{number}" if number >= 0 else "none", d=d)
        for number, title in layers
        if (d := make_path(x[owner == number], y[owner == number]))
    ]


def make_path(x: np.ndarray, y: np.ndarray) -> str:
    """Make the path of dots at places in the unit square."""
    places = (to_picture(float(across), float(up)) for across, up in zip(x, y, strict=True))
    return "".join(f"M{format_coordinate(across)} {format_coordinate(down)}h0" for across, down in places)


def to_picture(x: float, y: float) -> tuple[float, float]:
    """Map the unit square to the picture, with one scale for both axes, as distances have a meaning."""
    side = min(SIZE) - 2 * _EDGE
    return SIZE[0] / 2 + (x - 0.5) * side, SIZE[1] / 2 - (y - 0.5) * side


def find_tiny_dots(view: MapView) -> np.ndarray:
    """Return the boxes of the dots of groups that have only a few."""
    owner = np.asarray(view.group, dtype=np.int64)
    numbers, first = np.unique(owner, return_inverse=True)
    tiny = (np.bincount(first, minlength=len(numbers)) < _FEW_DOTS)[first] & (owner >= 0)
    places = [to_picture(float(view.x[k]), float(view.y[k])) for k in np.flatnonzero(tiny).tolist()]
    middles = np.array([place for place in places if all(map(math.isfinite, place))]).reshape(-1, 2)
    half = dot_width(len(view.x)) / 2
    return np.hstack([middles - half, middles + half])


def _draw_names(groups: Sequence[GroupView], spared: np.ndarray, centre: Nouns) -> list[Markup]:
    largest_first = sorted(groups, key=lambda group: (-group.size, group.number))
    requests = [
        LabelRequest(group.number, *to_picture(group.x, group.y), list_texts(group.number, group.name, rank))
        for rank, group in enumerate(largest_first)
        if group.size > 0 and math.isfinite(group.x) and math.isfinite(group.y)
    ]
    named = {group.number: group for group in groups}
    anchors = {request.key: (request.x, request.y) for request in requests}
    labels = sorted(place_labels(requests, SIZE, font_size(len(groups)), spared), key=lambda label: label.key)
    return [_draw_name(label, named[label.key], anchors[label.key], centre) for label in labels]


def _draw_name(label: Label, group: GroupView, anchor: tuple[float, float], centre: Nouns) -> Markup:
    number, _, name = label.text.partition(" ")
    away = math.dist((label.x, label.y), anchor) > 16
    leader = element(
        "path", d=f"M{label.x:.1f} {label.y:.1f}L{anchor[0]:.1f} {anchor[1]:.1f}", class_="leader"
    )
    words = element("text", element("tspan", number), f" {name}" if name else "", x=label.x, y=label.y)
    title = element(
        "title", f"{group.number} {group.name}: {count_noun(group.size, centre.one, centre.many)}"
    )
    return element(
        "a",
        title,
        leader if away else "",
        words,
        href=f"#group-{group.number}",
        class_=f"g{group.number}",
    )


def list_texts(number: int, name: str, rank: int) -> tuple[str, ...]:
    """List the texts to try for a group, best first; only the largest groups get more than a number."""
    names = tuple(f"{number} {clip(name, length)}" for length in _NAME_LENGTHS) if rank < _MAX_NAMES else ()
    return (*names, str(number))


def font_size(number: int) -> int:
    """Choose the size of the names of so many groups."""
    return 17 if number <= 12 else 15 if number <= 40 else 13


@dataclass(frozen=True)
class LabelRequest:
    """A name to place near (x, y): the texts to try, best first."""

    key: int
    x: float
    y: float
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Label:
    """A placed text; (x, y) is its middle."""

    key: int
    text: str
    x: float
    y: float


def text_width(text: str, font: float) -> float:
    """Estimate the width of a text without the font."""
    return sum(_character_width(character) for character in text) * font


def place_labels(
    requests: list[LabelRequest], size: tuple[float, float], font: float, spared: np.ndarray | None = None
) -> list[Label]:
    """Place the names in order, each near its point; a name without free space is left out.

    Boxes in `spared` (left, top, right, bottom) are covered only by names without other free space.
    """
    taken = np.empty((0, 4))
    labels = []
    for request in requests:
        fitted = None
        if spared is not None and len(spared):
            fitted = _find_free(request, np.vstack([taken, spared]), size, font)
        fitted = fitted or _find_free(request, taken, size, font)
        if fitted is not None:
            label, box = fitted
            labels.append(label)
            taken = np.vstack([taken, box])
    return labels


def _find_free(
    request: LabelRequest, taken: np.ndarray, size: tuple[float, float], font: float
) -> tuple[Label, np.ndarray] | None:
    height = font * 1.3
    for text in request.texts:
        width = text_width(text, font)
        for dx, dy in _list_offsets(width, height):
            x = min(max(request.x + dx, width / 2 + _MARGIN), size[0] - width / 2 - _MARGIN)
            y = min(max(request.y + dy, height / 2 + _MARGIN), size[1] - height / 2 - _MARGIN)
            box = np.array([x - width / 2, y - height / 2, x + width / 2, y + height / 2])
            if not _overlaps(box, taken):
                return Label(request.key, text, x, y), box
    return None


def _list_offsets(width: float, height: float) -> list[tuple[float, float]]:
    up_down = [(0.0, sign * step * height) for step in (0.0, 0.8, 1.5, 2.2) for sign in (-1, 1)]
    aside = [(side * width * 0.5, y) for _, y in up_down for side in (-1, 1)]
    return sorted({*up_down, *aside}, key=lambda offset: (abs(offset[0]) + 2 * abs(offset[1]), offset))


def _overlaps(box: np.ndarray, taken: np.ndarray) -> bool:
    return bool(
        np.any(
            (taken[:, 0] < box[2] + _MARGIN)
            & (box[0] < taken[:, 2] + _MARGIN)
            & (taken[:, 1] < box[3])
            & (box[1] < taken[:, 3])
        )
    )


def _character_width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    return 0.38 if character in "iljtf.,:;' |" else 0.85 if character.isupper() or character in "mw" else 0.67
