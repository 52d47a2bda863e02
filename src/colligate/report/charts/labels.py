"""Putting names on a map so that none covers another."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import numpy as np

_MARGIN = 4.0


@dataclass(frozen=True)
class Wish:
    """A name that wants to stand at (x, y): the texts to try, the best one first."""

    key: int
    x: float
    y: float
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Label:
    """A text that found a place: (x, y) is its middle."""

    key: int
    text: str
    x: float
    y: float


def text_width(text: str, font: float) -> float:
    """About how wide a text is; the page is made without a font to measure with."""
    return sum(_em(character) for character in text) * font


def place(
    wishes: list[Wish], size: tuple[float, float], font: float, spared: np.ndarray | None = None
) -> list[Label]:
    """Place the names in the order given, each near its wish; a name that finds no place is left out.

    Boxes that are `spared` (left, top, right, bottom) are covered only by names that find no other place.
    """
    taken = np.empty((0, 4))
    labels = []
    for wish in wishes:
        found = None
        if spared is not None and len(spared):
            found = _first_free(wish, np.vstack([taken, spared]), size, font)
        found = found or _first_free(wish, taken, size, font)
        if found is not None:
            label, box = found
            labels.append(label)
            taken = np.vstack([taken, box])
    return labels


def _first_free(
    wish: Wish, taken: np.ndarray, size: tuple[float, float], font: float
) -> tuple[Label, np.ndarray] | None:
    height = font * 1.3
    for text in wish.texts:
        width = text_width(text, font)
        for dx, dy in _offsets(width, height):
            x = min(max(wish.x + dx, width / 2 + _MARGIN), size[0] - width / 2 - _MARGIN)
            y = min(max(wish.y + dy, height / 2 + _MARGIN), size[1] - height / 2 - _MARGIN)
            box = np.array([x - width / 2, y - height / 2, x + width / 2, y + height / 2])
            if not _overlaps(box, taken):
                return Label(wish.key, text, x, y), box
    return None


def _offsets(width: float, height: float) -> list[tuple[float, float]]:
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


def _em(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    return 0.38 if character in "iljtf.,:;' |" else 0.85 if character.isupper() or character in "mw" else 0.67
