"""The names of the groups on the map: inside it, clear of each other and of the tools."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.studio.browser.frames import map_of_points
from tests.studio.browser.helpers import open_page

NAMES = [f"{word} and what else belongs to it" for word in ("ape", "bee", "camel", "dodo", "emu", "owl")] * 4
SIZES = [(1440, 900), (1024, 768), (390, 844)]
BOXES = """() => {
  const boxOf = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom, text: element.textContent };
  };
  return {
    frame: boxOf(document.querySelector(".frame")),
    names: [...document.querySelectorAll(".label:not([hidden])")].map(boxOf),
    tools: [...document.querySelectorAll(".tools > button:not([hidden]), .colours select")].map(boxOf),
  };
}"""


@pytest.fixture(scope="module")
def page(browser, studio):
    """A page with two dozen groups that have long names."""
    made = open_page(browser, studio, has_touch=True)
    group = made.evaluate("async () => (await (await fetch('/api/runs/1/groups')).json())[0]")
    groups = [
        {**group, "group": k, "name": name, "short": name, "size": 900 - 30 * k}
        for k, name in enumerate(NAMES)
    ]
    made.route("**/api/runs/*/groups", lambda route: route.fulfill(json=groups))
    body = map_of_points(list(range(len(NAMES))), 3000)
    made.route("**/api/runs/*/map", lambda route: route.fulfill(body=body))
    made.reload()
    made.wait_for_selector(".label:not([hidden])")
    yield made
    assert made.errors == []
    made.context.close()


def overlap(a, b):
    return min(a["right"], b["right"]) - max(a["left"], b["left"]) > 0.5 and (
        min(a["bottom"], b["bottom"]) - max(a["top"], b["top"]) > 0.5
    )


def check_names(page):
    """Return how many names are shown, none of which is cut or over anything else."""
    page.wait_for_timeout(250)
    seen = page.evaluate(BOXES)
    frame, names = seen["frame"], seen["names"]
    for box in names:
        assert frame["left"] <= box["left"] < box["right"] <= frame["right"], box["text"]
        assert frame["top"] <= box["top"] < box["bottom"] <= frame["bottom"], box["text"]
    for first, second in combinations(names, 2):
        assert not overlap(first, second), (first["text"], second["text"])
    for name in names:
        assert not any(overlap(name, tool) for tool in seen["tools"]), name["text"]
    return len(names)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_names_are_inside_the_map_and_clear_of_each_other_at_any_zoom(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_role("button", name="Fit", exact=True).click()
    assert check_names(page) >= 8
    for press in ("Zoom in", "Zoom in", "Zoom in"):
        page.get_by_role("button", name=press).click()
        assert check_names(page) >= 1
    page.get_by_role("button", name="Fit", exact=True).click()
    for press in ("Zoom out", "Zoom out"):
        page.get_by_role("button", name=press).click()
        assert check_names(page) >= 1


def test_zooming_out_shows_fewer_names_and_zooming_in_all_of_those_in_view(page):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="Fit", exact=True).click()
    whole = check_names(page)
    for _ in range(3):
        page.get_by_role("button", name="Zoom out").click()
    assert check_names(page) < whole
    page.get_by_role("button", name="Fit", exact=True).click()
    assert check_names(page) == whole


def test_the_name_of_a_larger_group_comes_first(page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Fit", exact=True).click()
    check_names(page)
    assert page.locator(".label[data-group='0']").is_visible()
    last = len(NAMES) - 1
    assert not page.locator(f".label[data-group='{last}']").is_visible()
    page.evaluate(f"() => {{ location.hash = '#/map/group/{last}'; }}")
    page.locator(f".label[data-group='{last}']:not([hidden])").wait_for()
    page.evaluate("() => { location.hash = '#/map'; }")
