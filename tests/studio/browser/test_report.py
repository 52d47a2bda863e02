"""The report that the page opens: the same numbers, names, colours and statements as the page."""

from __future__ import annotations

import pytest

from tests.studio.browser.helpers import open_page, serving
from tests.studio.helpers import copy_project

COLOUR = "node => getComputedStyle(node).backgroundColor"
BORDER = "node => getComputedStyle(node).borderTopColor"


@pytest.fixture(scope="module")
def studio(finished, tmp_path_factory):
    """A studio whose second run has exemplars beside what was stated."""
    with serving(copy_project(finished, tmp_path_factory.mktemp("report"))) as made:
        groups = made.groups()
        made.session.record("name", {"group": groups["h0"], "name": "Ice"})
        made.session.record("label", {"documents": ["s1", "s2"], "group": groups["h0"]})
        made.session.record("merge", {"groups": [groups["f0"], groups["c0"]]})
        assert made.watched.run()["status"] == "done"
        yield made


@pytest.fixture
def pages(browser, studio):
    page = open_page(browser, studio, color_scheme="light")
    page.evaluate("() => { location.hash = '#/knowledge'; }")
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Report of run 2").first.click()
    report = popup.value
    report.locator("#groups article").first.wait_for()
    yield page, report
    page.context.close()


def test_the_report_has_the_numbers_names_colours_and_statements_of_the_page(pages, studio):
    page, report = pages
    shown = {}
    for item in page.locator("#groups li").all():
        number = item.locator(".no").inner_text()
        shown[number] = (item.locator(".name").inner_text(), item.locator(".swatch").evaluate(COLOUR))
    printed = {}
    for article in report.locator("#groups article").all():
        number = article.locator("h3 .badge").inner_text()
        name = article.locator("h3 bdi").inner_text()
        printed[number] = (name, article.locator("h3 .badge").evaluate(BORDER))
    assert printed == shown
    assert "Ice" in {name for name, _ in shown.values()}
    assert page.locator(".verdicts").inner_text().split()[0] == "1"
    assert report.locator("#audit .lead").first.inner_text().startswith("The one statement was kept.")
    assert "exemplars were added to them" in report.locator("#audit .lead").first.inner_text()
