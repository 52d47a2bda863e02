"""Colours for up to 200 groups, distinct also for colour-blind readers, on light and dark backgrounds.

Each colour is the candidate farthest from all colours before it. The distance of two colours is their
distance in Oklab for normal vision, plus the smaller of those for protanopia and deuteranopia.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_COLOURS = 200
_HUES = 30
_LIGHTNESSES = (0.56, 0.65, 0.46, 0.38)
_CHROMAS = (0.17, 0.11)
_FIRST_HUE = 252.0
_DARK_LIFT = 0.23
# Oklab (Ottosson 2020).
_LAB_TO_ROOTS = np.array(
    [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.2914855480]]
)
_CONES_TO_RGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)
# Machado, Oliveira and Fernandes (2009), full severity, on linear RGB.
_PROTANOPIA = np.array(
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
)
_DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)
COLOUR_BLIND_EYES = (_PROTANOPIA, _DEUTERANOPIA)
_CHROMA_STEPS = 40


def choose_colours(number: int) -> list[tuple[str, str]]:
    """Choose so many pairs of colours, for light and for dark backgrounds; after 200 they repeat."""
    sequence = _make_sequence()
    return [sequence[index % MAX_COLOURS] for index in range(number)]


@cache
def _make_sequence() -> tuple[tuple[str, str], ...]:
    candidates = np.array(
        [
            (lightness, chroma, (_FIRST_HUE + 360 * step / _HUES) % 360)
            for chroma in _CHROMAS
            for lightness in _LIGHTNESSES
            for step in range(_HUES)
        ]
    )
    chosen = candidates[_sort_farthest_first(candidates)]
    light = to_hex(to_linear_rgb(chosen))
    lifted = chosen + np.array([_DARK_LIFT, 0.0, 0.0])
    # Light colours have little chroma left, so the paler ones are made darker to stay distinct.
    lifted[:, 0] -= max(_CHROMAS) - chosen[:, 1]
    dark = to_hex(to_linear_rgb(lifted))
    return tuple(zip(light, dark, strict=True))


def _sort_farthest_first(candidates: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[int]:
    rgb = to_linear_rgb(candidates)
    seen = np.stack([to_oklab(rgb @ eye.T) for eye in (np.eye(3), *COLOUR_BLIND_EYES)])
    order = [0]
    nearest = np.full(len(candidates), np.inf)
    while len(order) < MAX_COLOURS:
        apart = np.linalg.norm(seen - seen[:, order[-1]][:, None], axis=2)
        distance = apart[0] + apart[1:].min(axis=0)
        nearest = np.minimum(nearest, distance)
        nearest[order] = -1.0
        order.append(int(np.argmax(nearest)))
    return order


def to_linear_rgb(lch: NDArray[np.float64]) -> NDArray[np.float64]:
    """Convert rows of lightness, chroma and hue (degrees) to linear RGB.

    A colour that a screen cannot show loses chroma; its lightness and hue stay.
    """
    lch = lch.copy()
    for _ in range(_CHROMA_STEPS):
        rgb = _convert_lch(lch)
        outside = np.any((rgb < -1e-4) | (rgb > 1 + 1e-4), axis=1)
        lch[outside, 1] *= 0.95
    return np.clip(_convert_lch(lch), 0.0, 1.0)


def to_oklab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """Convert linear RGB to Oklab, where distances are about as large as they look."""
    roots = np.cbrt(np.clip(rgb, 0.0, 1.0) @ np.linalg.inv(_CONES_TO_RGB).T)
    seen: NDArray[np.float64] = roots @ np.linalg.inv(_LAB_TO_ROOTS).T
    return seen


def to_hex(rgb: NDArray[np.float64]) -> list[str]:
    """Convert linear RGB to #rrggbb."""
    encoded = np.where(rgb <= 0.0031308, 12.92 * rgb, 1.055 * np.maximum(rgb, 1e-9) ** (1 / 2.4) - 0.055)
    return ["#" + "".join(f"{round(255 * float(part)):02x}" for part in row) for row in encoded]


def relative_luminance(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the relative luminance of linear RGB, from which contrast is computed."""
    shares: NDArray[np.float64] = rgb @ np.array([0.2126, 0.7152, 0.0722])
    return shares


def _convert_lch(lch: NDArray[np.float64]) -> NDArray[np.float64]:
    lightness, chroma, hue = lch[:, 0], lch[:, 1], np.deg2rad(lch[:, 2])
    lab = np.stack([lightness, chroma * np.cos(hue), chroma * np.sin(hue)], axis=1)
    rgb: NDArray[np.float64] = (lab @ _LAB_TO_ROOTS.T) ** 3 @ _CONES_TO_RGB.T
    return rgb
