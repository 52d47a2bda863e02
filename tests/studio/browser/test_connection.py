"""A server that is gone is shown at once; nothing typed is lost, and the page finds back by itself."""

from __future__ import annotations

import pytest

from tests.studio.browser.helpers import Studio, open_page
from tests.studio.helpers import copy_project

SOON = 3000  # milliseconds


@pytest.fixture
def folder(finished, tmp_path):
    return copy_project(finished, tmp_path)


@pytest.fixture
def page(browser, folder):
    """A page whose studio has ended while a document was open and a reason had been typed."""
    studio = Studio(folder)
    page = open_page(browser, studio)
    page.evaluate("() => { location.hash = '#/map/document/5'; }")
    page.locator("#details .id", has_text="s5").wait_for()
    page.get_by_label("Reason for your next statement").fill("it is spam")
    page.locator("#middle").focus()
    studio.close()
    page.locator("#lost", has_text="The studio does not answer").wait_for(timeout=SOON)
    yield page
    assert page.errors == []
    page.context.close()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (390, 844)])
def test_the_banner_does_not_cover_the_top_bar(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(200)
    banner, top = (page.locator(part).bounding_box() for part in (".lost", "header.top"))
    assert banner["y"] == 0
    assert banner["y"] + banner["height"] <= top["y"] + 1
    page.evaluate("() => scrollTo(0, 5000)")
    assert page.locator(".lost").bounding_box()["y"] == 0


def test_an_action_is_refused_with_the_reason(page):
    page.keyboard.press("o")
    page.locator(".notice.bad", has_text="the studio does not answer").wait_for()
    assert page.locator("#why").input_value() == "it is spam"


def test_what_was_typed_is_kept_until_the_studio_is_back(page, folder):
    page.keyboard.press("r")
    name = page.locator("dialog input")
    name.fill("Space flight")
    page.keyboard.press("Enter")
    page.locator("dialog .problem", has_text="does not answer").wait_for()
    assert name.input_value() == "Space flight"
    again = Studio(folder)
    try:
        page.locator("#lost p").wait_for(state="detached")
        page.keyboard.press("Enter")
        page.locator("#journal .what", has_text="is called Space flight").wait_for()
        live = again.session.project.journal.live()
        assert [(entry.kind, entry.why) for entry in live] == [("name", "it is spam")]
        assert page.locator("#details .id", has_text="s5").is_visible()
        again.session.record("outside", {"document": "s7"})
        page.locator("#journal .what", has_text="s7 belongs to no group").wait_for()
    finally:
        again.close()


def test_a_page_that_lost_its_access_says_so(page, folder, browser):
    again = Studio(folder)
    try:
        other = open_page(browser, again)
        page.locator("#lost", has_text="another browser has access").wait_for()
        other.context.close()
    finally:
        again.close()
