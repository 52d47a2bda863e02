from __future__ import annotations

import pytest

from colligate.result.nouns import counted, singular


@pytest.mark.parametrize(
    ("kind", "one"),
    [
        ("documents", "document"),
        ("words", "word"),
        ("people", "person"),
        ("categories", "category"),
        ("addresses", "address"),
        ("boxes", "box"),
        ("places", "place"),
        ("title words", "title word"),
        ("staff", "staff"),
        ("s", "s"),
        ("Personen", "Personen"),
    ],
)
def test_one_of_a_kind(kind, one):
    assert singular(kind) == one


def test_counts_agree_with_their_noun():
    assert [counted(n, "cities") for n in (0, 1, 2000)] == ["0 cities", "1 city", "2,000 cities"]
