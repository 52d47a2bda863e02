from __future__ import annotations

import math

import pytest

from colligate.report.text import (
    bar_width,
    count_noun,
    format_count,
    format_fixed,
    format_number,
    format_percent,
    format_signed,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.12345, "0.123"),
        (-12.345, "−12.3"),
        (123456.7, "123,457"),
        (1.5e-9, "1.50e−09"),
        (2e12, "2.00e+12"),
        (None, "–"),
        (math.nan, "–"),
        (-math.inf, "–"),
    ],
)
def test_numbers_as_people_read_them(value: float | None, text: str) -> None:
    assert format_number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0 %"),
        (0.0004, "< 0.1 %"),
        (0.925, "92.5 %"),
        (0.9999, "> 99.9 %"),
        (1.0, "100 %"),
        (math.nan, "–"),
        (None, "–"),
    ],
)
def test_shares(value: float | None, text: str) -> None:
    assert format_percent(value) == text


def test_signs_are_always_shown_but_for_nothing() -> None:
    assert [format_signed(value) for value in (1.25, -0.04, 0.0, -3, math.nan)] == [
        "+1.2",
        "0.0",
        "0.0",
        "−3.0",
        "–",
    ]


def test_counts() -> None:
    assert (format_count(1234567), format_count(math.nan), format_fixed(-1234.5, 1)) == (
        "1,234,567",
        "–",
        "−1,234.5",
    )
    assert (count_noun(1, "document"), count_noun(2, "document"), count_noun(0, "box", "boxes")) == (
        "1 document",
        "2 documents",
        "0 boxes",
    )


@pytest.mark.parametrize(
    ("value", "largest", "text"),
    [(1, 2, "50.0"), (3, 2, "100.0"), (-1, 2, "0.0"), (math.nan, 1, "0"), (1, 0, "0"), (1, math.nan, "0")],
)
def test_bars_never_leave_their_place(value: float, largest: float, text: str) -> None:
    assert bar_width(value, largest) == text
