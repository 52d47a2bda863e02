from __future__ import annotations

import math
import unicodedata
from dataclasses import fields, is_dataclass, replace
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate._text import (
    bar_width,
    clean,
    clean_view,
    clip,
    count_noun,
    format_count,
    format_fixed,
    format_number,
    format_percent,
    format_signed,
    join_words,
    list_first,
)
from colligate.report import render
from tests.report.make_view import make_bare_view, make_view

ATTACKS = (
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "' onfocus='alert(1)' autofocus='",
    "<a href='javascript:alert(1)'>here</a>",
    "javascript:alert(1)",
    "<svg/onload=alert(1)>",
    "--></svg><iframe src=//evil.example></iframe>",
    "{{ 7 * 7 }}{% raw %}",
    "<style>*{background:url(https://evil.example)}</style>",
    "\u202egnp.exe\u2066\u200f",
    "nul\x00bell\x07escape\x1b[31m",
    "\ud800lone surrogate",
)


class Reader(HTMLParser):
    """Collects every element with its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


def poisoned(value: Any, attack: str) -> Any:
    """The same view with every text in it replaced by the attack."""
    if isinstance(value, str):
        return attack
    if isinstance(value, dict):
        return {poisoned(key, attack): poisoned(item, attack) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(poisoned(item, attack) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: poisoned(getattr(value, f.name), attack) for f in fields(value)})
    return value


def elements_of(page: str) -> list[tuple[str, dict[str, str | None]]]:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader.elements


def shape(page: str) -> list[str]:
    return [tag for tag, _ in elements_of(page)]


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_text_is_inert(attack: str) -> None:
    elements = elements_of(render(poisoned(make_view(points=50), attack)))
    names = {tag for tag, _ in elements}
    assert names.isdisjoint(
        {"script", "iframe", "object", "embed", "img", "form", "input", "link", "base", "image"}
    )
    for tag, attributes in elements:
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
        assert (attributes.get("href") or "#").startswith("#"), (tag, attributes)
        assert "src" not in attributes
        assert "xlink:href" not in attributes
        assert "url(" not in (attributes.get("style") or "")


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_text_adds_no_element(attack: str) -> None:
    view = make_view(points=50)
    assert shape(render(poisoned(view, attack))) == shape(render(poisoned(view, "calm")))


@pytest.mark.parametrize("attack", ATTACKS)
def test_only_readable_characters_reach_the_page(attack: str) -> None:
    page = render(poisoned(make_bare_view(), attack))
    page.encode("utf-8")
    unwanted = {c for c in page if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c != "\n"}
    assert unwanted == set()


def test_every_page_forbids_scripts_and_outside_assets() -> None:
    policies = [
        attributes["content"]
        for tag, attributes in elements_of(render(make_view()))
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert len(policies) == 1
    assert policies[0] is not None
    assert policies[0].startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    assert "script-src" not in policies[0]


def test_template_syntax_in_text_is_not_run() -> None:
    page = render(replace(make_bare_view(), summary="{{ 7 * 7 }} {{ view }}"))
    assert "{{ 7 * 7 }} {{ view }}" in page


@settings(max_examples=50, deadline=None)
@given(st.text())
def test_cleaning_leaves_nothing_unseen_and_is_done_once(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert not any(unicodedata.category(c) in {"Cc", "Cs"} for c in once)


def test_cleaning_keeps_what_people_write() -> None:
    assert (
        clean("naïve – 日本語 עברית 👩\u200d👩\u200d👧 a\u0301")
        == "naïve – 日本語 עברית 👩\u200d👩\u200d👧 a\u0301"
    )
    assert clean("one\r\n\ttwo\u2028three") == "one two three"


def test_a_tower_of_marks_is_cut() -> None:
    assert clean("a" + "\u0301" * 500) == "a" + "\u0301" * 4


def test_cleaning_reaches_every_depth_and_leaves_numbers() -> None:
    view = poisoned(make_view(points=10), "a\x00b")
    cleaned = clean_view(view)
    assert cleaned.groups[0].documents[0].why[0][0] == "ab"
    assert list(cleaned.audit.by_kind) == ["ab"]
    assert cleaned.map == replace(
        view.map, x=tuple(view.map.x), y=tuple(view.map.y), group=tuple(view.map.group)
    )


def test_clipping_says_that_something_is_left_out() -> None:
    assert clip("short", 5) == "short"
    assert clip("a longer text", 8) == "a longe…"


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


def test_words_are_joined_and_lists_are_cut() -> None:
    assert [join_words(list("abc")[:size]) for size in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert list_first(list("abc")) == "a, b, c"
    assert list_first([str(number) for number in range(1_004)], 2, repr) == "'0', '1' and 1,002 more"
