from __future__ import annotations

import pytest

from colligate.knowledge.text import format_count, format_name, singular


@pytest.mark.parametrize(
    ("type_name", "one"),
    [
        ("documents", "document"),
        ("people", "person"),
        ("People", "Person"),
        ("companies", "company"),
        ("categories", "category"),
        ("classes", "class"),
        ("class", "class"),
        ("boxes", "box"),
        ("churches", "church"),
        ("series", "series"),
        ("status", "status"),
        ("analysis", "analysis"),
        ("places", "place"),
        ("title words", "title word"),
        ("famous_people", "famous_person"),
        ("staff", "staff"),
        ("s", "s"),
        ("words (title)", "words (title)"),
        ("Personen", "Personen"),
    ],
)
def test_the_noun_for_one_object_of_a_type(type_name: str, one: str) -> None:
    assert singular(type_name) == one


def test_counts_agree_with_their_noun() -> None:
    assert [format_count(n, "cities") for n in (0, 1, 2000)] == ["0 cities", "1 city", "2,000 cities"]


def test_hostile_names_stay_on_one_short_line() -> None:
    assert format_name("a\nb") == r"'a\nb'"
    assert len(format_name("x" * 1000)) == 60
    assert format_name("") == "''"
