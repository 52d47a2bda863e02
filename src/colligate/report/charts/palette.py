"""Colours for 2 to 200 groups that stay apart for colour-blind eyes too, on light and on dark paper.

Each next colour is the candidate farthest from all colours before it, where the distance of two colours is
what normal eyes see between them plus the smaller of what protanopic and deuteranopic eyes see.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from colligate.report.charts.colour import COLOUR_BLIND_EYES, hexadecimal, lab, linear_rgb

MOST = 200
_HUES = 30
_LIGHTNESSES = (0.56, 0.65, 0.46, 0.38)
_CHROMAS = (0.17, 0.11)
_FIRST_HUE = 252.0
_DARK_LIFT = 0.23


def colours(number: int) -> list[tuple[str, str]]:
    """So many (on light paper, on dark paper) colours; past 200 they repeat, and the groups' numbers tell."""
    sequence = _sequence()
    return [sequence[index % MOST] for index in range(number)]


@cache
def _sequence() -> tuple[tuple[str, str], ...]:
    candidates = np.array(
        [
            (lightness, chroma, (_FIRST_HUE + 360 * step / _HUES) % 360)
            for chroma in _CHROMAS
            for lightness in _LIGHTNESSES
            for step in range(_HUES)
        ]
    )
    chosen = candidates[_farthest_first(candidates)]
    light = hexadecimal(linear_rgb(chosen))
    lifted = chosen + np.array([_DARK_LIFT, 0.0, 0.0])
    # Light screens' colours have little chroma to give; the pale ones stay apart by being darker.
    lifted[:, 0] -= max(_CHROMAS) - chosen[:, 1]
    dark = hexadecimal(linear_rgb(lifted))
    return tuple(zip(light, dark, strict=True))


def _farthest_first(candidates: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[int]:
    rgb = linear_rgb(candidates)
    seen = np.stack([lab(rgb @ eye.T) for eye in (np.eye(3), *COLOUR_BLIND_EYES)])
    order = [0]
    nearest = np.full(len(candidates), np.inf)
    while len(order) < MOST:
        apart = np.linalg.norm(seen - seen[:, order[-1]][:, None], axis=2)
        distance = apart[0] + apart[1:].min(axis=0)
        nearest = np.minimum(nearest, distance)
        nearest[order] = -1.0
        order.append(int(np.argmax(nearest)))
    return order
