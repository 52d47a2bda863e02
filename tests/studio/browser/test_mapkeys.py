"""The map by keys alone: move it, step through documents and groups, open and select them."""

from __future__ import annotations

from itertools import pairwise

import pytest


@pytest.fixture
def page(page):
    """The page with the focus on the map."""
    page.get_by_role("button", name="Fit", exact=True).click()
    page.locator(".frame").focus()
    return page


def status(page):
    return page.locator("#status").inner_text()


def view_of(page):
    """Where the names are: it says how the map lies."""
    page.wait_for_timeout(150)
    return page.locator(".label:not([hidden])").evaluate_all("all => all.map((e) => e.style.transform)")


def test_the_map_says_what_it_is_and_its_keys(page):
    frame = page.get_by_role("application", name="Map of the documents")
    assert frame.get_attribute("tabindex") == "0"
    described = page.locator(f"#{frame.get_attribute('aria-describedby')}").inner_text()
    assert "Arrow keys move the map" in described


def test_arrows_move_the_map_and_signs_zoom(page):
    views = [view_of(page)]
    for key in ("ArrowRight", "ArrowDown", "+", "-"):
        page.keyboard.press(key)
        views.append(view_of(page))
    for before, after in pairwise(views):
        assert before != after
    page.keyboard.press("Home")
    assert view_of(page) == views[0]


def test_documents_are_stepped_through_from_the_middle_and_opened(page):
    page.keyboard.press(".")
    page.locator(".tip:not([hidden])").wait_for()
    assert status(page).startswith("1 of 120: ")
    first = status(page).partition(": ")[2]
    page.keyboard.press(".")
    page.locator("#status", has_text="2 of 120: ").wait_for(state="attached")
    assert status(page).partition(": ")[2] != first
    page.keyboard.press(",")
    page.locator("#status", has_text="1 of 120: ").wait_for(state="attached")
    assert status(page).partition(": ")[2] == first
    page.keyboard.press("Enter")
    page.locator("#details .id", has_text=first.partition(",")[0]).first.wait_for()


def test_a_document_is_selected_by_a_key(page):
    page.keyboard.press(".")
    page.locator(".tip:not([hidden])").wait_for()
    page.keyboard.press("x")
    page.locator(".selected-count", has_text="1 document selected").wait_for()
    page.keyboard.press("x")
    page.locator(".selected-count span").wait_for(state="detached")


def test_groups_are_stepped_through_and_opened(page):
    page.keyboard.press("PageDown")
    name = status(page).rpartition(",")[0]
    assert status(page).endswith("documents")
    page.keyboard.press("PageDown")
    assert status(page).rpartition(",")[0] != name
    page.keyboard.press("PageUp")
    assert status(page).rpartition(",")[0] == name
    page.keyboard.press("Enter")
    page.locator("#details h2", has_text=name).wait_for()


def test_the_next_tab_stop_leaves_the_map(page):
    page.keyboard.press(".")
    page.locator(".tip:not([hidden])").wait_for()
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.classList.contains('frame')")
    assert not page.locator(".tip").is_visible()
