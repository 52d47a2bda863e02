"""The view of changes: flows between groups under their names, with documents on demand."""

from __future__ import annotations

import pytest

from tests.studio.browser.helpers import open_page, serving
from tests.studio.helpers import copy_project


@pytest.fixture(scope="module")
def page(browser, finished, tmp_path_factory):
    """A page after a run that merged two groups, one of which was called Ice."""
    with serving(copy_project(finished, tmp_path_factory.mktemp("changes"))) as studio:
        view = studio.session.view()
        kept, gone = (int(view.identities[view.row_of[name]]) for name in ("s0", "h0"))
        studio.session.record("name", {"group": gone, "name": "Ice"})
        studio.session.record("merge", {"groups": [kept, gone]})
        assert studio.watched.run()["status"] == "done"
        made = open_page(browser, studio)
        made.evaluate("() => { location.hash = '#/map/changes'; }")
        made.locator(".flow").first.wait_for()
        yield made
        assert made.errors == []


def test_a_merged_group_is_shown_under_its_name(page):
    assert page.locator(".flow .from").all_inner_texts() != []
    assert page.locator(".flow").filter(has_text="group ").count() == 0
    assert page.locator(".flow", has_text="merged").count() == 1


def test_a_flow_opens_its_documents_by_the_keyboard(page):
    flow = page.locator(".flow").first
    size = int(flow.locator(".size").inner_text().replace(",", ""))
    flow.focus()
    page.keyboard.press("Enter")
    rows = page.locator(".moved:not([hidden]) .row")
    rows.first.wait_for()
    assert rows.count() == min(size, 30)
    assert flow.get_attribute("aria-expanded") == "true"
    page.get_by_role("button", name="Select these").click()
    page.get_by_role("heading", name=f"{size} documents selected").wait_for()
    page.keyboard.press("Escape")
    flow.click()
    assert flow.get_attribute("aria-expanded") == "false"
    assert rows.count() == 0


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)])
def test_names_are_not_cut_and_a_count_stays_beside_them(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(200)
    apart = """() => [...document.querySelectorAll(".flow")].filter((flow) => {
      const [from, to, size] = [".from", ".to", ".size"]
        .map((part) => flow.querySelector(part).getBoundingClientRect());
      const cut = [".from", ".to"].some((part) => flow.querySelector(part).scrollWidth
        > flow.querySelector(part).clientWidth);
      return cut || Math.abs(from.top - size.top) > 4 || to.right > size.right
        || size.right > flow.getBoundingClientRect().right + 1; }).map((flow) => flow.innerText)"""
    assert page.evaluate(apart) == []
