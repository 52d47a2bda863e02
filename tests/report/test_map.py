from __future__ import annotations

import math
import random
import re
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate.report.drawing import text_width, to_page
from colligate.report.map import SIZE, LabelRequest, dot_width, draw_map, place_labels
from colligate.report.view import MapView
from tests.report.make_view import make_group, make_view


def test_the_map_draws_every_point_once_in_one_path_per_group() -> None:
    view = make_view(points=300)
    picture = to_page(draw_map(view.map, view.groups))
    paths = re.findall(
        r'<path(?: class="(g\d+)")? d="([^"]+)" fill="none" stroke="var\(--(?:c|grey)\)" [^>]*round">',
        picture,
    )
    assert sum(d.count("h0") for _, d in paths) == 300
    assert len({name for name, _ in paths}) == len(paths) == len(set(view.map.group))


def test_the_map_leaves_out_what_has_no_place() -> None:
    view = make_view()
    group = replace(view.groups[0], x=math.nan)
    points = MapView([0.5, math.nan, 0.0], [0.5, 0.5, math.inf], [0, 0, -1], 3, 3)
    picture = to_page(draw_map(points, [group]))
    assert picture.count("h0") == 1
    assert "<a " not in picture


def test_names_on_the_map_lead_to_the_cards() -> None:
    view = make_view(groups=6)
    links = set(re.findall('href="(#group-[0-9]+)"', to_page(draw_map(view.map, view.groups))))
    assert links == {f"#group-{group.number}" for group in view.groups if group.size}


def test_dots_shrink_as_they_become_many() -> None:
    widths = [dot_width(number) for number in (0, 10, 2000, 20_000, 10**6)]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] == 12.0
    assert widths[-1] == 2.6


places = st.tuples(st.floats(0, SIZE[0]), st.floats(0, SIZE[1]))


@settings(max_examples=50, deadline=None)
@given(st.lists(places, max_size=40))
def test_no_name_covers_another_or_leaves_the_map(points: list[tuple[float, float]]) -> None:
    font = 15.0
    wishes = [LabelRequest(k, x, y, (f"{k} a rather long name", str(k))) for k, (x, y) in enumerate(points)]
    labels = place_labels(wishes, SIZE, font)
    boxes = [(label.x, label.y, text_width(label.text, font)) for label in labels]
    for index, (x, y, width) in enumerate(boxes):
        assert width / 2 <= x <= SIZE[0] - width / 2
        for other_x, other_y, other_width in boxes[:index]:
            beside = abs(x - other_x) >= (width + other_width) / 2
            assert beside or abs(y - other_y) >= font * 1.3 - 1e-6


def test_a_single_name_is_placed_at_its_point() -> None:
    (label,) = place_labels([LabelRequest(3, 500.0, 300.0, ("3 space", "3"))], SIZE, 15.0)
    assert (label.key, label.text, label.x, label.y) == (3, "3 space", 500.0, 300.0)


def test_wide_scripts_are_given_their_width() -> None:
    assert text_width("日本語", 10) == 30.0
    assert text_width("a\u0301", 10) == text_width("a", 10)


def test_no_name_hides_the_dots_of_a_tiny_group() -> None:
    spared = np.array([[494.0, 334.0, 506.0, 346.0]])
    (label,) = place_labels([LabelRequest(0, 500.0, 340.0, ("0 tiny",))], SIZE, 17, spared)
    assert abs(label.y - 340.0) > 17 * 0.65 + 6
    everywhere = np.array([[0.0, 0.0, *SIZE]])
    assert place_labels([LabelRequest(0, 500.0, 340.0, ("0 tiny",))], SIZE, 17, everywhere)[0].y == 340.0


def test_only_tiny_groups_push_their_names_off_their_dots() -> None:
    group = replace(make_group(random.Random(0), 0, 30, 30), x=0.5, y=0.5)

    def label_height(dots: int) -> float:
        picture = to_page(draw_map(MapView([0.5] * dots, [0.5] * dots, [0] * dots, dots, dots), [group]))
        return float(re.search(r'<text x="[\d.]+" y="([\d.]+)"', picture)[1])

    assert label_height(10) == SIZE[1] / 2
    assert label_height(9) != SIZE[1] / 2
