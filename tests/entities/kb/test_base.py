from __future__ import annotations

import pytest

from colligate.entities.kb import Hierarchy
from colligate.entities.kb.base import choose_labels

PARENTS = {
    "thing": (),
    "agent": ("thing",),
    "person": ("agent", "thing"),
    "artist": ("person",),
    "painter": ("artist", "craft"),
    "craft": (),
    "hen": ("egg",),
    "egg": ("hen",),
    "self": ("self",),
}


def test_the_shortest_way_up_counts():
    hierarchy = Hierarchy(PARENTS)
    assert hierarchy.path("artist") == ("thing", "person", "artist")
    assert (hierarchy.top("painter"), hierarchy.child_below_top("painter")) == ("craft", "painter")
    assert hierarchy.depth("artist") == 2


def test_the_top_has_no_child_on_its_way():
    assert Hierarchy(PARENTS).child_below_top("thing") is None


@pytest.mark.parametrize("kind", ["hen", "egg", "self", "unheard of"])
def test_circles_and_strangers_are_their_own_top(kind):
    assert Hierarchy(PARENTS).path(kind) == (kind,)


def test_tops_of_the_users_choice():
    hierarchy = Hierarchy(PARENTS).below(["person", "agent"])
    assert hierarchy.path("artist") == ("person", "artist")
    assert hierarchy.path("person") == ("person",)
    assert hierarchy.top("craft") == "craft"


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        ("http://x.org/a#City", "City"),
        ("http://x.org/a/City/", "City"),
        ("urn:colligate:class:/location/big%20city", "big city"),
        ("urn:colligate:class:person/artist", "artist"),
        ("urn:colligate:class:person", "person"),
        ("painter", "Maler"),
    ],
)
def test_labels(kind, label):
    assert Hierarchy({}, {"painter": "Maler"}).label(kind) == label


ROWS = [
    ("c", "Stadt", "de"),
    ("c", "city", "en"),
    ("c", "town", "en"),
    ("c", "CITY", ""),
    ("d", "ville", "fr"),
]


@pytest.mark.parametrize(
    ("languages", "label"), [((), "CITY"), (("de",), "Stadt"), (("en",), "city"), (("fr", "en"), "city")]
)
def test_the_best_label(languages, label):
    assert choose_labels(ROWS, languages) == {"c": label, "d": "ville"}
    assert choose_labels(reversed(ROWS), languages)["c"] == label


def test_english_comes_before_other_languages_and_empty_labels_do_not_count():
    assert choose_labels([("c", "Stadt", "de"), ("c", "city", "EN"), ("c", "", "")], ()) == {"c": "city"}
