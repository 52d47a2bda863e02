"""How smoothly the map of 200,000 documents follows the hand, measured in the page."""

from __future__ import annotations

from tests.studio.browser.frames import SECONDS, measured
from tests.studio.browser.helpers import open_page


def test_the_map_of_many_documents_follows_the_hand(browser, studio, capsys):
    page = open_page(browser, studio)
    found = measured(page, sorted(studio.session.view().position))
    with capsys.disabled():
        print(f"\n{found}")
    assert len(found.gaps) > SECONDS * 10
    assert page.errors == []
