from __future__ import annotations

import pytest

from colligate.knowledge.text import format_count, singular


@pytest.mark.parametrize(
    ("kind", "one"),
    [
        ("documents", "document"),
        ("people", "person"),
        ("People", "Person"),
        ("men", "man"),
        ("class", "class"),
        ("classes", "class"),
        ("addresses", "address"),
        ("boxes", "box"),
        ("churches", "church"),
        ("series", "series"),
        ("species", "species"),
        ("movies", "movie"),
        ("ties", "tie"),
        ("cities", "city"),
        ("categories", "category"),
        ("companies", "company"),
        ("monkeys", "monkey"),
        ("buses", "bus"),
        ("viruses", "virus"),
        ("status", "status"),
        ("analysis", "analysis"),
        ("houses", "house"),
        ("courses", "course"),
        ("uses", "use"),
        ("prizes", "prize"),
        ("places", "place"),
        ("title words", "title word"),
        ("famous_people", "famous_person"),
        ("staff", "staff"),
        ("fish", "fish"),
        ("s", "s"),
        ("words (title)", "words (title)"),
        ("Personen", "Personen"),
    ],
)
def test_one_of_a_kind(kind: str, one: str) -> None:
    assert singular(kind) == one


def test_one_of_one_is_the_same() -> None:
    for kind in ("document", "person", "class", "box", "city", "bus", "movie", "series"):
        assert singular(kind) == kind


def test_counts_agree_with_their_noun() -> None:
    assert [format_count(n, "cities") for n in (0, 1, 2000)] == ["0 cities", "1 city", "2,000 cities"]
