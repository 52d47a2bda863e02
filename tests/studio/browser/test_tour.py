"""The first steps: five, each ends by itself, by keys alone, and never again once done or closed."""

from __future__ import annotations

import pytest

from tests.studio.browser.helpers import TOUR, open_page, serving
from tests.studio.helpers import copy_project


@pytest.fixture
def studio(finished, tmp_path):
    with serving(copy_project(finished, tmp_path)) as made:
        yield made


@pytest.fixture
def page(browser, studio):
    made = open_page(browser, studio, has_toured=False)
    yield made
    assert made.errors == []
    made.context.close()


def title(page, text):
    return page.locator(".tour h2", has_text=text)


def step_of(page):
    return next((cookie["value"] for cookie in page.context.cookies() if cookie["name"] == TOUR), None)


def test_every_step_ends_when_it_is_done(page, studio):
    title(page, "Read a group").wait_for()
    page.locator("#groups li button").first.click()
    title(page, "Open a document").wait_for()
    page.evaluate("() => { location.hash = '#/map/document/5'; }")
    title(page, "Correct one").wait_for()
    page.locator("#details .id").wait_for()
    page.keyboard.press("o")
    title(page, "Cluster again").wait_for()
    page.locator("#middle").focus()
    page.keyboard.press("Space")
    title(page, "Export").wait_for()
    tour, notice = (
        place.bounding_box()
        for place in (page.locator(".tour"), page.locator("#notices").get_by_text("Run 2 is done"))
    )
    assert tour["y"] + tour["height"] <= notice["y"], "the notice covers the first steps"
    page.get_by_role("button", name="Export", exact=True).click()
    page.keyboard.press("Escape")
    page.locator(".tour").wait_for(state="detached")
    assert step_of(page) == "done"


def test_it_can_be_closed_by_the_keyboard_and_does_not_come_again(page):
    title(page, "Read a group").wait_for()
    page.get_by_label("First steps").get_by_role("button", name="Close").focus()
    page.keyboard.press("Enter")
    page.locator(".tour").wait_for(state="detached")
    page.reload()
    page.wait_for_selector("#middle[data-ready]")
    assert page.locator(".tour").count() == 0


def test_it_goes_on_after_a_reload(page):
    title(page, "Read a group").wait_for()
    page.get_by_label("First steps").get_by_role("button", name="Next").click()
    title(page, "Open a document").wait_for()
    page.reload()
    title(page, "Open a document").wait_for()


@pytest.mark.parametrize("stored", ["", "x", "99", "-1", "1.5", "<b>"])
def test_a_strange_cookie_begins_with_the_first_step(page, stored):
    title(page, "Read a group").wait_for()
    page.context.add_cookies([{"name": TOUR, "value": stored, "url": page.url.partition("#")[0]}])
    page.reload()
    title(page, "Read a group").wait_for()


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)])
def test_it_covers_neither_the_tools_nor_much_of_the_map(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(300)
    card, frame = page.locator(".tour").bounding_box(), page.locator(".frame").bounding_box()
    assert card["width"] * card["height"] < 0.4 * frame["width"] * frame["height"]
    for name in ("Zoom in", "Fit"):
        tool = page.get_by_role("button", name=name, exact=True).first.bounding_box()
        assert tool["y"] + tool["height"] < card["y"]
