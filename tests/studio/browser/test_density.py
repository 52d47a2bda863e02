"""The density of the points where they would cover each other, and the points where they do not."""

from __future__ import annotations

import pytest

from tests.studio.browser.frames import RENDERER, show_points
from tests.studio.browser.helpers import open_page

STRENGTHS = """() => {  // how many pixels of the density have which strength
  const canvas = document.querySelector(".density");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const counts = new Array(256).fill(0);
  for (let k = 3; k < data.length; k += 4) counts[data[k]]++;
  return counts;
}"""


@pytest.fixture(scope="module")
def page(browser, studio):
    made = open_page(browser, studio)
    yield made
    assert made.errors == []


@pytest.fixture(scope="module")
def groups(studio):
    return sorted(studio.session.view().position)


def test_few_points_are_drawn_one_by_one(page, groups):
    show_points(page, groups, 2000)
    page.wait_for_timeout(300)
    assert page.evaluate(RENDERER) != "density"


def test_many_points_are_a_density_that_is_no_blot(page, groups):
    show_points(page, groups, 60_000)
    page.wait_for_timeout(300)
    assert page.evaluate(RENDERER) == "density"
    counts = page.evaluate(STRENGTHS)
    inked = sum(counts[1:])
    assert inked > 1000
    assert counts[255] < 0.4 * inked
    assert sum(1 for number in counts if number > 0.002 * inked) > 12


def test_zooming_in_shows_the_points(page, groups):
    show_points(page, groups, 60_000)
    for _ in range(6):
        page.get_by_role("button", name="Zoom in").click()
    page.wait_for_timeout(300)
    assert page.evaluate(RENDERER) != "density"


def test_the_chosen_group_stands_out_of_the_density(page, groups):
    show_points(page, groups, 60_000)
    page.wait_for_timeout(300)
    before = sum(page.evaluate(STRENGTHS)[128:])
    page.evaluate(f"() => {{ location.hash = '#/map/group/{groups[0]}'; }}")
    page.wait_for_timeout(300)
    assert 0 < sum(page.evaluate(STRENGTHS)[128:]) < 0.7 * before
    page.evaluate("() => { location.hash = '#/map'; }")


def test_a_large_selection_stands_out_by_dimming_the_rest(page, groups):
    show_points(page, groups, 60_000)
    page.wait_for_timeout(300)
    before = sum(page.evaluate(STRENGTHS)[128:])
    page.evaluate("""async () => {
      const { select } = await import("/static/actions.js");
      select(Array.from({ length: 3000 }, (_, i) => i));
    }""")
    page.locator(".selected-count", has_text="3,000 documents selected").wait_for()
    page.wait_for_timeout(300)
    assert sum(page.evaluate(STRENGTHS)[128:]) < 0.2 * before
    page.get_by_role("button", name="Clear the selection").click()
    page.wait_for_timeout(300)
    assert sum(page.evaluate(STRENGTHS)[128:]) == before
