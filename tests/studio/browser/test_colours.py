"""The colours of the map by confidence and by columns of the input, and the legend as a filter."""

from __future__ import annotations

import json

import pytest

from colligate.corpus import Corpus
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from tests.studio.browser.helpers import open_page, serving
from tests.studio.browser.test_access import findings
from tests.studio.helpers import write_corpus

COLOURS = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const canvas = document.querySelector(".points");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const seen = {};
  for (let k = 0; k < data.length; k += 4) {
    const key = [data[k], data[k + 1], data[k + 2]].join();
    seen[key] = (seen[key] ?? 0) + 1;
  }
  done(seen);
})))"""
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    """A page of documents with a source, a number and a date, some of them missing."""
    folder = tmp_path_factory.mktemp("colours")
    docs = write_corpus(folder / "docs.jsonl")
    rows = [json.loads(line) for line in docs.read_text(encoding="utf-8").splitlines()]
    for number, row in enumerate(rows):
        row["source"] = ("paper", HOSTILE, "radio")[number % 3]
        row["score"] = None if number == 7 else number / 10
        row["day"] = f"2024-{1 + number % 12:02d}-05"
    docs.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    settings = Settings(str(docs), hash_input(docs), "citcc", 4)
    Project.create(folder / "docs.jsonl.studio", Corpus.read(docs), settings).close()
    with serving(folder / "docs.jsonl.studio") as studio:
        made = open_page(browser, studio, bypass_csp=True)
        yield made
        assert made.errors == []
        made.context.close()


@pytest.fixture(autouse=True)
def _back_to_groups(page):
    yield
    colour_by(page, "group")
    page.keyboard.press("Escape")


def colour_by(page, name):
    page.get_by_label("Colour the map by").select_option(label=f"Colour by {name}")
    page.wait_for_timeout(300)


PAPER = (253, 252, 250)


def points_of(page, colour):
    """Count the pixels of a colour on the map, in its darkest tone."""
    tone = [0.95 * part + 0.05 * paper for part, paper in zip(colour, PAPER, strict=True)]
    seen = page.evaluate(COLOURS).items()
    return sum(
        count
        for key, count in seen
        if max(abs(int(part) - wanted) for part, wanted in zip(key.split(","), tone, strict=True)) <= 1
    )


def swatch(page, name):
    text = (
        page.locator(".legend li", has_text=name)
        .locator(".swatch")
        .evaluate("e => getComputedStyle(e).backgroundColor")
    )
    return tuple(int(part) for part in text[4:-1].split(","))


def test_the_columns_that_can_be_colours_are_offered(page):
    names = page.get_by_label("Colour the map by").locator("option").all_inner_texts()
    assert names == [
        f"Colour by {name}" for name in ("group", "confidence", "topic", "source", "score", "day")
    ]


def test_a_category_has_a_legend_and_its_colours_are_on_the_map(page):
    assert not page.locator(".legend").is_visible()
    colour_by(page, "source")
    items = page.locator(".legend li").all_inner_texts()
    assert [" ".join(item.split()) for item in items] == ["paper 40", f"{HOSTILE} 40", "radio 40"]
    for name in ("paper", "radio", HOSTILE):
        assert points_of(page, swatch(page, name)) > 20
    assert page.locator(".legend img").count() == 0


def test_a_value_in_the_legend_dims_the_others_and_selects(page):
    colour_by(page, "source")
    paper, radio = swatch(page, "paper"), swatch(page, "radio")
    before = points_of(page, paper)
    page.locator(".legend button", has_text="paper").click()
    page.wait_for_timeout(200)
    assert points_of(page, radio) == 0
    assert points_of(page, paper) >= before
    page.locator(".legend button", has_text="radio").click()
    assert page.locator(".legend .outcome").get_by_text("80 documents shown").is_visible()
    page.locator(".legend").get_by_role("button", name="Select").click()
    page.locator(".selected-count", has_text="80 documents selected").wait_for()
    page.locator(".legend").get_by_role("button", name="All").click()
    page.wait_for_timeout(200)
    assert points_of(page, radio) > 20


def slide(page, label, share):
    page.get_by_label(label).evaluate(
        "(slider, share) => { slider.value = share * slider.max; slider.dispatchEvent(new Event('input')); }",
        share,
    )


def test_numbers_are_filtered_by_a_range(page):
    colour_by(page, "score")
    slide(page, "Lowest score", 0.5)
    assert page.locator(".legend").get_by_text("60 documents shown").is_visible()
    assert page.get_by_label("Lowest score").get_attribute("aria-valuetext") == "5.95"
    slide(page, "Highest score", 0.25)
    assert page.get_by_label("Highest score").input_value() == page.get_by_label("Lowest score").input_value()


def test_dates_are_written_as_dates(page):
    colour_by(page, "day")
    assert page.locator(".legend .between").all_inner_texts()[0].split() == ["2024-01", "2024-12"]


def test_the_filter_ends_with_another_choice(page):
    colour_by(page, "confidence")
    slide(page, "Highest confidence", 0)
    assert page.locator(".legend .outcome").is_visible()
    colour_by(page, "source")
    assert not page.locator(".legend .outcome").is_visible()
    assert points_of(page, swatch(page, "radio")) > 20


def test_a_column_that_cannot_be_fetched_leaves_the_groups(page):
    page.route("**/api/column?*", lambda route: route.abort(), times=1)
    colour_by(page, "day")
    page.locator(".notice.bad").wait_for()
    assert page.get_by_label("Colour the map by").input_value() == "group"
    assert not page.locator(".legend").is_visible()


@pytest.mark.parametrize("name", ["source", "score"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_in_a_legend(page, name, scheme):
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    colour_by(page, name)
    assert findings(page) == []
    page.emulate_media(color_scheme="light")
