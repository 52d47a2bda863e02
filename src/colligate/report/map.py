"""The map of the documents: dots in the colours of their groups, and the names of the groups.

Names are placed so that none covers another.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate._text import capitalise, clean, clip, count_noun, format_count
from colligate.report.drawing import Dots, Drawing, Layer, Line, Text, text_width
from colligate.report.style import PLAIN
from colligate.report.view import DOCUMENT, WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.report.drawing import Mark
    from colligate.report.style import Style
    from colligate.report.view import GroupView, MapGroupView, MapView, Nouns

    PlacedGroup = GroupView | MapGroupView


SIZE = (1000.0, 780.0)
_EDGE = 24.0
_NAME_LENGTHS = (26, 14)
_MAX_NAMES = 50
# A group with fewer dots would disappear under a name, so names avoid them.
_FEW_DOTS = 10
_MARGIN = 4.0
# A name farther from its point than this has a line to it.
_NEAR = 16


def draw_map(
    view: MapView,
    groups: Sequence[PlacedGroup],
    centre: Nouns = DOCUMENT,
    terms: Nouns = WORD,
    style: Style = PLAIN,
) -> Drawing:
    """Draw the map; the names on it link to the groups' cards."""
    title = f"Map of the {clean(centre.many)}"
    description = (
        f"{count_noun(view.shown, centre.one, centre.many)} of {format_count(view.total)} as dots, "
        f"coloured by group. {capitalise(describe_nearness(centre, terms))}"
    )
    return Drawing(
        title,
        description,
        *SIZE,
        [
            Layer(_draw_dots(view, groups, style), "dots", label=title),
            Layer(_draw_names(groups, find_tiny_dots(view), centre, style), "names"),
        ],
        "map",
        interactive=True,
    )


def describe_nearness(centre: Nouns, terms: Nouns) -> str:
    """Say what it means that two dots are near."""
    what = "use similar words" if terms.many == "words" else f"have similar {terms.many}"
    return f"{centre.many} that lie near each other {what}."


def dot_width(number: int) -> float:
    """Choose the width of a dot: few are easy to see, many do not merge."""
    return min(12.0, max(2.6, 290.0 / math.sqrt(max(number, 1))))


def _draw_dots(view: MapView, groups: Sequence[PlacedGroup], style: Style) -> list[Mark]:
    x, y = np.asarray(view.x, dtype=float), np.asarray(view.y, dtype=float)
    owner = np.where(np.isfinite(x) & np.isfinite(y), np.asarray(view.group, dtype=np.int64), -2)
    layers = [
        (-1, "grey", "in no group"),
        *(
            (group.number, f"g{group.number}", f"{group.number} {style.name(group.number, group.name)}")
            for group in _sort_largest_first(groups)
        ),
    ]
    width = dot_width(len(view.x))
    places = {number: np.column_stack([x, y])[owner == number].tolist() for number, *_ in layers}
    return [
        Dots([to_picture(*place) for place in places[number]], width, colour, title=title)
        for number, colour, title in layers
        if places[number]
    ]


def _sort_largest_first(groups: Sequence[PlacedGroup]) -> list[PlacedGroup]:
    return sorted(groups, key=lambda group: (-group.size, group.number))


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


def _draw_names(groups: Sequence[PlacedGroup], spared: np.ndarray, centre: Nouns, style: Style) -> list[Mark]:
    names = {group.number: style.name(group.number, group.name) for group in groups}
    requests = [
        LabelRequest(
            group.number, *to_picture(group.x, group.y), list_texts(group.number, names[group.number], rank)
        )
        for rank, group in enumerate(_sort_largest_first(groups))
        if group.size > 0 and math.isfinite(group.x) and math.isfinite(group.y)
    ]
    sizes = {group.number: group.size for group in groups}
    anchors = {request.key: (request.x, request.y) for request in requests}
    font = font_size(len(groups)) * style.font_size / PLAIN.font_size
    labels = sorted(place_labels(requests, SIZE, font, spared), key=lambda label: label.key)
    return [
        _draw_name(
            label,
            anchors[label.key],
            f"{label.key} {names[label.key]}: {count_noun(sizes[label.key], centre.one, centre.many)}",
            font,
        )
        for label in labels
    ]


def _draw_name(label: Label, anchor: tuple[float, float], title: str, font: float) -> Layer:
    away = math.dist((label.x, label.y), anchor) > _NEAR
    leader = [Line([[(label.x, label.y), anchor]], "soft", 1.0, 0.55)] if away else []
    name = Text(label.text, label.x, label.y, font, anchor="middle", weight=600, halo="paper")
    return Layer([*leader, name], f"g{label.key}", f"#group-{label.key}", title)


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
