from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate._text import format_percent
from colligate.report.cell_tables import MAX_CELLS, make_column_table
from colligate.report.column_chart import MAX_BARS, draw_shares
from colligate.report.drawing import (
    Band,
    Box,
    Dots,
    Layer,
    Line,
    Ring,
    Text,
    element,
    fit_text,
    format_coordinate,
    text_width,
    to_page,
)
from colligate.report.flow_chart import draw_flow, list_flows
from colligate.report.heat_chart import MAX_COLUMNS, draw_heat, lift_step, make_heat_table
from colligate.report.scales import choose_ticks, choose_whole_ticks, count_decimals
from colligate.report.trace_chart import draw_history, draw_restarts
from colligate.report.tree_chart import draw_tree
from colligate.report.view import ChangeView, ColumnCountsView, TraceView
from tests.report.make_view import make_association, make_group, make_tree


def marks_of(drawing, kind):
    """All marks of a kind, at any depth."""

    def walk(marks):
        for mark in marks:
            if isinstance(mark, kind):
                yield mark
            if isinstance(mark, Layer):
                yield from walk(mark.marks)

    return list(walk(drawing.marks))


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
    assert len(table.columns) == MAX_CELLS // 200 < MAX_COLUMNS
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
    drawing = draw_history(TraceView([3.0, 2.0, 1.5], [1.5], 0, True))
    assert drawing is not None
    (line,) = (mark for mark in marks_of(drawing, Line) if mark.colour == "accent")
    heights = [y for _, y in line.parts[0]]
    assert heights == sorted(heights)
    picture = to_page(drawing)
    assert 'role="img"' in picture
    assert "<title>Objective per iteration</title><desc>From 3.0000 after iteration 0" in picture


@pytest.mark.parametrize("history", [[2.0], [2.0, 2.0], [0.0], [1e-12, 0.0], [-5e8, -6e8], [math.nan, 1.0]])
def test_odd_histories_are_drawn(history: list[float]) -> None:
    drawing = draw_history(TraceView(history, [], 0, True))
    assert drawing is not None
    assert "nan" not in to_page(drawing)


def test_no_history_no_picture() -> None:
    assert draw_history(TraceView([], [], 0, True)) is None
    assert draw_history(TraceView([math.inf], [], 0, True)) is None


def test_the_chosen_restart_is_marked_once_and_in_words() -> None:
    drawing = draw_restarts(TraceView([1.0], [3.0, math.nan, 1.0, 2.0], 2, True))
    assert drawing is not None
    assert [dots.colour for dots in marks_of(drawing, Dots)] == ["grey", "accent", "grey"]
    assert len(marks_of(drawing, Ring)) == 1
    assert "restart 3: 1.00000 (chosen)" in to_page(drawing)
    assert draw_restarts(TraceView([1.0], [1.0], 0, True)) is None


def test_flows_are_listed_from_the_largest() -> None:
    view = ChangeView(3, 10, 0.5, ["a", "b"], ["c", "d", "e"], [[4, 1, 0], [0, 0, 5]], ())
    listed = [(flow.before_name, flow.after_name, flow.number) for flow in list_flows(view, 2)]
    assert listed == [("b", "e", 5), ("a", "c", 4)]
    drawing = draw_flow(view, ["g0", "g1", "g2"])
    assert drawing is not None
    bands = marks_of(drawing, Band)
    assert [band.colour for band in bands] == ["g0", "g1", "g2"]
    thick = [band.width for band in bands]
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


def test_a_column_of_dates_has_a_bar_for_each_share_and_few_labels() -> None:
    rng = random.Random(0)
    groups = [make_group(rng, number, 100, 200) for number in range(2)]
    months = [f"2024-{month:02d}" for month in range(1, 13)]
    drawing = draw_shares(ColumnCountsView("date", "month", months, [[8] * 12, [2] * 12], [4, 0]), groups)
    assert drawing is not None
    bars = [box for box in marks_of(drawing, Box) if box.title]
    assert {round(bar.height / bars[0].height, 6) for bar in bars} == {1.0, 0.25}
    assert bars[0].title == "2024-01: 8 of 10, 80 % (95 %: 49 % to 94.3 %)"
    assert 2 <= sum(text.text in months for text in marks_of(drawing, Text)) <= 7


def test_whiskers_are_as_long_as_the_interval_and_few_documents_are_pale() -> None:
    rng = random.Random(0)
    groups = [make_group(rng, number, 100, 200) for number in range(2)]
    view = ColumnCountsView("source", "", ["many", "few", "none"], [[500, 2, 0], [500, 1, 0]], [0, 0])
    drawing = draw_shares(view, groups)
    assert drawing is not None
    whiskers = [line for line in marks_of(drawing, Line) if line.colour == "ink"]
    for line in whiskers:
        # a value without documents has no share, and no interval
        lengths = [start[1] - end[1] for start, end in line.parts]
        assert len(lengths) == 2
        assert lengths[1] > 5 * lengths[0] > 0
    bars = [box for box in marks_of(drawing, Box) if box.title]
    assert [bar.opacity < 1 for bar in bars] == [False, True] * 2
    assert draw_shares(ColumnCountsView("empty", "", ["a"], [[0], [0]], [100, 100]), groups) is None


def test_only_the_largest_groups_are_shown_where_there_are_too_many() -> None:
    rng = random.Random(0)
    groups = [make_group(rng, number, 1 + number, 20_000) for number in range(200)]
    view = ColumnCountsView("date", "year", [str(year) for year in range(100)], [[1] * 100] * 200, [0] * 200)
    table = make_column_table(view, groups)
    assert (len(table.rows), table.total) == (MAX_CELLS // 100, 200)
    assert table.rows[0][0].number == 199
    drawing = draw_shares(view, groups)
    assert drawing is not None
    names = [layer for layer in marks_of(drawing, Layer) if layer.href]
    assert len(names) == MAX_BARS // 100
    assert names[0].href == "#group-199"


def test_the_heat_map_has_a_cell_for_each_group_and_column() -> None:
    rng = random.Random(0)
    groups = [make_group(rng, number, 10, 40) for number in range(4)]
    table = make_heat_table(make_association(rng, 4, 12), groups)
    drawing = draw_heat(table)
    cells = [box for box in marks_of(drawing, Box) if "expected" in box.title]
    assert len(cells) == 4 * 12
    assert {box.colour for box in cells} > {"more3", "wash"}
    assert [layer.href for layer in marks_of(drawing, Layer)] == [f"#group-{k}" for k in range(4)]


def test_the_tree_joins_every_part_to_the_row_above() -> None:
    rows = make_tree(6)
    drawing = draw_tree(rows)
    assert drawing is not None
    (lines,) = marks_of(drawing, Line)
    n_children = len(rows) - 1
    # a line to each part, and one down from each join
    assert len(lines.parts) == n_children + n_children // 2
    links = [layer.href for layer in marks_of(drawing, Layer) if layer.href]
    assert sorted(links) == [f"#group-{number}" for number in range(6)]
    deepest = max(len(row.lines) for row in rows)
    assert f"Level {deepest + 1}: " in to_page(drawing)
    assert draw_tree([]) is None


def test_a_deep_chain_of_groups_stays_as_narrow_as_a_page() -> None:
    drawing = draw_tree(make_tree(150))
    assert drawing is not None
    assert drawing.width < 1400


@given(st.text(max_size=60), st.floats(20, 400))
def test_texts_are_cut_to_their_width(text: str, width: float) -> None:
    shown = fit_text(text, 14.0, width)
    assert text_width(shown, 14.0) <= width
    assert shown == text or shown.endswith("…")
