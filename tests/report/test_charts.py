from __future__ import annotations

import math
import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate._text import format_percent
from colligate.report.charts import (
    MAX_CELLS,
    choose_ticks,
    choose_whole_ticks,
    count_decimals,
    draw_flow,
    draw_history,
    draw_restarts,
    element,
    format_coordinate,
    lift_step,
    list_flows,
    make_column_table,
    make_heat_table,
)
from colligate.report.view import ChangeView, ColumnCountsView, TraceView
from tests.report.make_view import make_association, make_group


def test_elements_escape_text_and_attributes() -> None:
    made = element("text", "<b>", x=1.25, class_='a"b')
    assert made == '<text x="1.2" class="a&#34;b">&lt;b&gt;</text>'
    assert (format_coordinate(3.0), format_coordinate(3.14)) == ("3", "3.1")


def test_word_groups_stand_where_they_are_strongest() -> None:
    rng = random.Random(0)
    groups = [make_group(rng, number, 10, 40) for number in range(4)]
    table = make_heat_table(make_association(rng, 4, 12), groups)
    strongest = [int(np.argmax([cells[k].step for _, cells in table.rows])) for k in range(12)]
    assert strongest == sorted(strongest)
    assert table.share == pytest.approx(1.0)


def test_only_the_heaviest_word_groups_are_shown_where_there_are_too_many() -> None:
    rng = random.Random(0)
    groups = [make_group(rng, number, 10, 2000) for number in range(200)]
    association = make_association(rng, 200, 128)
    table = make_heat_table(association, groups)
    assert len(table.columns) == MAX_CELLS // 200
    assert table.total == 128
    mass = np.asarray(association.mass).sum(axis=0)
    shown = [column.number for column in table.columns]
    assert mass[shown].min() >= np.delete(mass, shown).max()
    assert table.share == pytest.approx(mass[shown].sum() / mass.sum())


@pytest.mark.parametrize(
    ("lift", "expected"),
    [(0.0, 0), (0.24, 0), (-0.25, -1), (1.0, 2), (-2.5, -3), (9.0, 4), (-math.inf, -4), (math.nan, 0)],
)
def test_steps_of_colour(lift: float, expected: int) -> None:
    assert lift_step(lift) == expected


def test_the_line_goes_down_as_the_objective_does() -> None:
    picture = draw_history(TraceView([3.0, 2.0, 1.5], [1.5], 0, True))
    assert picture is not None
    (line,) = re.findall('<path d="(M[^"]*L[^"]*)" class="line"', picture)
    heights = [float(point.split()[1]) for point in line[1:].split("L")]
    assert heights == sorted(heights)
    assert 'role="img"' in picture
    assert "<title>Objective per iteration</title><desc>From 3.0000 after iteration 0" in picture


@pytest.mark.parametrize("history", [[2.0], [2.0, 2.0], [0.0], [1e-12, 0.0], [-5e8, -6e8], [math.nan, 1.0]])
def test_odd_histories_are_drawn(history: list[float]) -> None:
    picture = draw_history(TraceView(history, [], 0, True))
    assert picture is not None
    assert "nan" not in picture


def test_no_history_no_picture() -> None:
    assert draw_history(TraceView([], [], 0, True)) is None
    assert draw_history(TraceView([math.inf], [], 0, True)) is None


def test_the_chosen_restart_is_marked_once_and_in_words() -> None:
    picture = draw_restarts(TraceView([1.0], [3.0, math.nan, 1.0, 2.0], 2, True))
    assert picture is not None
    assert picture.count('class="other"') == 2
    assert picture.count('class="chosen"') == picture.count('class="ring"') == 1
    assert "restart 3: 1.00000 (chosen)" in picture
    assert draw_restarts(TraceView([1.0], [1.0], 0, True)) is None


def test_flows_are_listed_from_the_largest() -> None:
    view = ChangeView(3, 10, 0.5, ["a", "b"], ["c", "d", "e"], [[4, 1, 0], [0, 0, 5]], ())
    listed = [(flow.before_name, flow.after_name, flow.number) for flow in list_flows(view, 2)]
    assert listed == [("b", "e", 5), ("a", "c", 4)]
    picture = draw_flow(view, ["g0", "g1", "g2"])
    assert picture is not None
    thick = [float(width) for width in re.findall('stroke-width="([^"]+)"', picture)]
    assert np.array(thick) / sum(thick) == pytest.approx([0.4, 0.1, 0.5])


def test_too_many_groups_or_no_flow_give_no_bands() -> None:
    names = [str(k) for k in range(41)]
    identity = np.eye(41, dtype=int).tolist()
    assert draw_flow(ChangeView(1, 41, 1.0, names, names, identity, ()), names) is None
    assert draw_flow(ChangeView(0, 0, 1.0, ["a"], ["a"], [[0]], ()), ["g0"]) is None


@settings(max_examples=50, deadline=None)
@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_ticks_are_few_and_inside(low: float, span: float) -> None:
    marks = choose_ticks(low, low + span)
    assert 1 <= len(marks) <= 12
    assert all(low - span * 1e-6 <= mark <= low + span * (1 + 1e-6) for mark in marks)


def test_ticks_are_round_and_written_alike() -> None:
    assert choose_ticks(0, 1) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert choose_whole_ticks(1, 3) == [1, 2, 3]
    assert [count_decimals(levels) for levels in ([0.25, 0.5], [0.2, 0.4], [10.0, 20.0], [0.0], [5.0])] == [
        2,
        1,
        0,
        0,
        0,
    ]


def test_a_column_of_categories_has_the_largest_group_first_and_a_column_without_value() -> None:
    rng = random.Random(0)
    groups = [make_group(rng, number, size, 14) for number, size in enumerate((4, 0, 10))]
    view = ColumnCountsView("section", "", ["sport", "film"], [[3, 1], [0, 0], [1, 7]], [0, 0, 2])
    table = make_column_table(view, groups)
    assert table.columns == ["sport", "film", "no value"]
    assert [group.number for group, _ in table.rows] == [2, 0]
    assert [[cell.text for cell in cells] for _, cells in table.rows] == [["1", "7", "2"], ["3", "1", ""]]
    assert table.rows[0][1][1].title == f"film: 7, {format_percent(0.7)} of the group"
    assert [cell.step for cell in table.rows[1][1]] == [4, 2, 0]


def test_a_column_of_dates_has_bars_on_one_scale_and_few_labels() -> None:
    rng = random.Random(0)
    groups = [make_group(rng, number, 100, 200) for number in range(2)]
    months = [f"2024-{month:02d}" for month in range(1, 13)]
    view = ColumnCountsView("date", "month", months, [[8] * 12, [2] * 12], [4, 0])
    table = make_column_table(view, groups)
    assert table.columns == months
    assert (table.most, table.missing) == (8, 4)
    assert {cell.height for _, cells in table.rows for cell in cells} == {1.0, 0.25}
    assert 2 <= sum(table.ticks) <= 7


def test_only_the_largest_groups_are_shown_where_there_are_too_many() -> None:
    rng = random.Random(0)
    groups = [make_group(rng, number, 1 + number, 20_000) for number in range(200)]
    view = ColumnCountsView("date", "year", [str(year) for year in range(100)], [[1] * 100] * 200, [0] * 200)
    table = make_column_table(view, groups)
    assert (len(table.rows), table.total) == (MAX_CELLS // 100, 200)
    assert table.rows[0][0].number == 199
