from __future__ import annotations

import pytest

from colligate.entities.kb.base import choose_labels

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
