"""The map of the documents: one path of round dots per group, and the groups' names on it.

A dot is a stroke of no length with a round cap, which takes a dozen bytes; twenty thousand stay a small file.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from colligate.report.charts.labels import Label, Wish, place
from colligate.report.charts.svg import coordinate, element
from colligate.report.numbers import count, counted
from colligate.report.text import capitalised, clip
from colligate.report.view import DOCUMENT, WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from colligate.report.view import GroupView, MapView, Nouns

SIZE = (1000.0, 780.0)
_EDGE = 24.0
_NAME_LENGTHS = (26, 14)
_MOST_NAMES = 50
_TINY = 10
"""A group of fewer dots is lost if its name, or another, stands on them."""


def document_map(
    view: MapView, groups: Sequence[GroupView], centre: Nouns = DOCUMENT, terms: Nouns = WORD
) -> Markup:
    """The map as SVG; the names on it are links to the groups' cards."""
    title = f"Map of the {centre.many}"
    description = (
        f"{counted(view.shown, centre.one, centre.many)} of {count(view.total)} as dots, coloured by group. "
        f"{capitalised(nearness(centre, terms))} The list beside it names every group."
    )
    dots = element("g", *_dots(view, groups), class_="dots", role="img", aria_label=f"{title}. {description}")
    return element(
        "svg",
        dots,
        element("g", *_names(groups, _tiny_dots(view), centre), class_="names"),
        class_="map",
        viewBox=f"0 0 {SIZE[0]:g} {SIZE[1]:g}",
        role="group",
        aria_label=title,
        style=f"--dot:{dot_width(len(view.x)):.1f};--font:{_font(len(groups))}px",
    )


def nearness(centre: Nouns, terms: Nouns) -> str:
    """What it means that two dots are near."""
    what = "use similar words" if terms.many == "words" else f"have similar {terms.many}"
    return f"{centre.many} that lie near each other {what}."


def dot_width(number: int) -> float:
    """How wide a dot is, so that few are seen and many do not run together."""
    return min(12.0, max(2.6, 290.0 / math.sqrt(max(number, 1))))


def _dots(view: MapView, groups: Sequence[GroupView]) -> list[Markup]:
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
        if (d := _path(x[owner == number], y[owner == number]))
    ]


def _path(x: np.ndarray, y: np.ndarray) -> str:
    places = (_at(float(across), float(up)) for across, up in zip(x, y, strict=True))
    return "".join(f"M{coordinate(across)} {coordinate(down)}h0" for across, down in places)


def _at(x: float, y: float) -> tuple[float, float]:
    """A place of the unit square on the picture; both ways are of one scale, since nearness has a meaning."""
    side = min(SIZE) - 2 * _EDGE
    return SIZE[0] / 2 + (x - 0.5) * side, SIZE[1] / 2 - (y - 0.5) * side


def _tiny_dots(view: MapView) -> np.ndarray:
    """The boxes of the dots of groups that have only a few."""
    owner = np.asarray(view.group, dtype=np.int64)
    numbers, first = np.unique(owner, return_inverse=True)
    tiny = (np.bincount(first, minlength=len(numbers)) < _TINY)[first] & (owner >= 0)
    places = [_at(float(view.x[k]), float(view.y[k])) for k in np.flatnonzero(tiny).tolist()]
    middles = np.array([at for at in places if all(map(math.isfinite, at))]).reshape(-1, 2)
    half = dot_width(len(view.x)) / 2
    return np.hstack([middles - half, middles + half])


def _names(groups: Sequence[GroupView], spared: np.ndarray, centre: Nouns) -> list[Markup]:
    largest_first = sorted(groups, key=lambda group: (-group.size, group.number))
    wishes = [
        Wish(group.number, *_at(group.x, group.y), _texts(group, named=rank < _MOST_NAMES))
        for rank, group in enumerate(largest_first)
        if group.size > 0 and math.isfinite(group.x) and math.isfinite(group.y)
    ]
    named = {group.number: group for group in groups}
    anchors = {wish.key: (wish.x, wish.y) for wish in wishes}
    labels = sorted(place(wishes, SIZE, _font(len(groups)), spared), key=lambda label: label.key)
    return [_name(label, named[label.key], anchors[label.key], centre) for label in labels]


def _name(label: Label, group: GroupView, anchor: tuple[float, float], centre: Nouns) -> Markup:
    number, _, name = label.text.partition(" ")
    away = math.dist((label.x, label.y), anchor) > 16
    leader = element(
        "path", d=f"M{label.x:.1f} {label.y:.1f}L{anchor[0]:.1f} {anchor[1]:.1f}", class_="leader"
    )
    words = element("text", element("tspan", number), f" {name}" if name else "", x=label.x, y=label.y)
    title = element("title", f"{group.number} {group.name}: {counted(group.size, centre.one, centre.many)}")
    return element(
        "a",
        title,
        leader if away else "",
        words,
        href=f"#group-{group.number}",
        class_=f"g{group.number}",
    )


def _texts(group: GroupView, named: bool) -> tuple[str, ...]:
    names = tuple(f"{group.number} {clip(group.name, length)}" for length in _NAME_LENGTHS) if named else ()
    return (*names, str(group.number))


def _font(number: int) -> int:
    return 17 if number <= 12 else 15 if number <= 40 else 13
