"""How smoothly the map of 200,000 documents follows the hand, beside a map of few on the same machine."""

from __future__ import annotations

from tests.studio.browser.frames import measured
from tests.studio.browser.helpers import open_page

FEW = 200
LEAST = 0.5
"""The share of the frames of a small map; a processor that draws at 60 frames per second then draws 30."""
TRIES = 3
"""A machine that does something else meanwhile drops frames, so that the best of some tries counts."""


def test_the_map_of_many_documents_follows_the_hand(browser, studio, capsys):
    page = open_page(browser, studio)
    groups = sorted(studio.session.view().position)
    for _ in range(TRIES):
        few, many = measured(page, groups, FEW), measured(page, groups)
        with capsys.disabled():
            print(f"\n{few}\n{many}")
        if many.per_second > LEAST * few.per_second:
            break
    assert many.per_second > LEAST * few.per_second
    assert page.errors == []
