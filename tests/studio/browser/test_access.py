"""The page for those who do not see it or use no mouse: axe-core, landmarks, and keys alone."""

from __future__ import annotations

import pytest

from tests.studio.browser.helpers import open_page


@pytest.fixture(scope="module")
def page(browser, studio):
    """A page that axe may put its script into."""
    made = open_page(browser, studio, bypass_csp=True)
    yield made
    assert made.errors == []


def findings(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    violations = axe.Axe().run(page).response["violations"]
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "place", ["map", "map/group/0", "map/document/3", "words", "compare", "knowledge", "ask"]
)
def test_axe_finds_nothing(page, place, scheme):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.evaluate("place => { location.hash = `#/${place}`; }", place)
    page.wait_for_timeout(600)
    assert findings(page) == []


def test_windows_are_without_findings(page):
    page.evaluate("() => { location.hash = '#/map/document/3'; }")
    page.locator("#details .id").wait_for()
    for key in ("m", "?", "r"):
        page.keyboard.press(key)
        page.locator("dialog[open]").wait_for()
        assert findings(page) == []
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")


def test_the_page_of_a_browser_that_is_kept_out_is_without_findings(browser, studio):
    kept_out = browser.new_context(bypass_csp=True).new_page()
    kept_out.goto(studio.server.address.partition("?")[0])
    for scheme in ("light", "dark"):
        kept_out.emulate_media(color_scheme=scheme)
        assert findings(kept_out) == []
    kept_out.context.close()


def test_a_document_is_moved_and_the_act_undone_by_keys_alone(page):
    page.evaluate("() => { location.hash = '#/map/document/3'; }")
    page.locator("#details .id").wait_for()
    page.keyboard.press("m")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator("#journal .what", has_text="belongs in").wait_for()
    assert "belongs in" in page.locator("#status").inner_text()
    page.keyboard.press("u")
    page.locator("#journal li.undone").wait_for()
    page.keyboard.press("Shift+U")
    page.locator("#journal li.live").wait_for()
    page.keyboard.press("u")
    page.locator("#journal li.undone").wait_for()


def test_the_documents_of_the_map_are_a_list_too(page):
    page.evaluate("() => { location.hash = '#/map'; }")
    page.get_by_role("button", name="List").click()
    page.get_by_role("heading", name="120 documents in view").wait_for()
    listed = page.get_by_role("region", name="Documents in view")
    assert listed.get_by_role("listitem").count() == 50
    assert listed.get_by_role("button", name="Show more").is_visible()
    assert findings(page) == []
    page.get_by_role("button", name="List").click()


def test_the_page_fits_a_tablet(page):
    for width, height in ((820, 1180), (1180, 820)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.get_by_role("button", name="Cluster again").is_visible()
        assert page.locator(".frame").bounding_box()["width"] > 0.4 * width
