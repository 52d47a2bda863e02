"""The tree of groups on the page of words."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow


def test_the_tree_shows_every_group_and_opens_it(page):
    page.evaluate("location.hash = '#/words'")
    rows = page.locator(".tree li")
    rows.first.wait_for()
    n_groups = page.locator("#groups li[data-group]").count()
    assert rows.count() == 2 * n_groups - 1
    assert "all documents" in rows.first.inner_text()
    assert page.locator(".tree .joined").count() == n_groups - 1
    shown = {chip.get_attribute("data-group") for chip in page.locator(".tree .chip").all()}
    assert shown == {
        item.get_attribute("data-group") for item in page.locator("#groups li[data-group]").all()
    }
    chip = page.locator(".tree .chip").first
    group = chip.get_attribute("data-group")
    chip.click()
    page.locator("#details .facts").wait_for()
    assert page.evaluate("location.hash").endswith(f"group/{group}")
