"""How smoothly the map of 200,000 documents follows the hand, beside a map of few on the same machine."""

from __future__ import annotations

import pytest

from tests.studio.browser.frames import measured
from tests.studio.browser.helpers import open_page

FEW = 200
LEAST = 0.5
"""The share of the frames of a small map; a processor that draws at 60 frames per second then draws 30."""
TRIES = 3
"""A machine that does something else meanwhile drops frames, so that the best of some tries counts."""


@pytest.fixture(scope="module")
def page(browser, studio):
    made = open_page(browser, studio)
    yield made
    assert made.errors == []


@pytest.mark.parametrize(("zooms", "is_dense"), [(0, True), (7, False)], ids=["density", "points"])
def test_the_map_of_many_documents_follows_the_hand(page, studio, capsys, zooms, is_dense):
    groups = sorted(studio.session.view().position)
    for _ in range(TRIES):
        few, many = measured(page, groups, FEW, zooms), measured(page, groups, zooms=zooms)
        assert (many.renderer == "density") == is_dense
        with capsys.disabled():
            print(f"\n{few}\n{many}")
        if many.per_second > LEAST * few.per_second:
            break
    assert many.per_second > LEAST * few.per_second
