from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from colligate.report.palette import (
    COLOUR_BLIND_EYES,
    MAX_COLOURS,
    choose_colours,
    relative_luminance,
    to_hex,
    to_linear_rgb,
    to_oklab,
)
from colligate.report.render import make_palette_style
from tests.report.make_view import make_view

LIGHT_PAPER, DARK_PAPER = "#ffffff", "#1b1f23"


def rgb(colour: str) -> np.ndarray:
    encoded = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    low, high = sorted(float(relative_luminance(rgb(colour)) + 0.05) for colour in (one, other))
    return high / low


def test_two_hundred_colours_are_all_different() -> None:
    for side in zip(*choose_colours(MAX_COLOURS), strict=True):
        assert len(set(side)) == MAX_COLOURS


def test_past_the_last_colour_they_repeat() -> None:
    assert choose_colours(MAX_COLOURS + 1)[MAX_COLOURS] == choose_colours(1)[0]


def test_every_colour_is_seen_on_its_paper() -> None:
    for light, dark in choose_colours(MAX_COLOURS):
        assert contrast(light, LIGHT_PAPER) >= 3
        assert contrast(dark, DARK_PAPER) >= 3


@pytest.mark.parametrize("eye", [np.eye(3), *COLOUR_BLIND_EYES])
def test_the_first_eight_stay_apart_for_every_eye(eye: np.ndarray) -> None:
    seen = [to_oklab((rgb(light) @ eye.T)[None])[0] for light, _ in choose_colours(8)]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 0.06


def test_white_black_and_what_no_screen_can_show() -> None:
    assert to_hex(to_linear_rgb(np.array([[1.0, 0, 0], [0.0, 0, 0]]))) == ["#ffffff", "#000000"]
    vivid = to_linear_rgb(np.array([[0.6, 0.4, 145.0]]))
    assert to_oklab(vivid)[0, 0] == pytest.approx(0.6, abs=0.01)


def test_every_group_has_its_colour_in_the_page() -> None:
    style = make_palette_style(make_view(groups=5))
    assert set(re.findall(r"\.g(\d+)\{--c:#[0-9a-f]{6}\}", style)) == set("01234")
