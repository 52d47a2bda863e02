"""The map as a page of its own, opened from a file."""

from __future__ import annotations

import pytest

from colligate.report.map_page import render_map_page
from colligate.report.view import DocumentMapView, MapColumnView, MapGroupView

SCRIPT = "<script>window.hurt=1</script><img src=x onerror='window.hurt=1'>"
NAMES = ("bread", "moon", "puck")


def make_map() -> DocumentMapView:
    rows = range(300)
    return DocumentMapView(
        title=f"Stories {SCRIPT}",
        groups=[
            MapGroupView(number, f"{name} {SCRIPT if number == 2 else ''}", 100, x, 0.5, [name])
            for number, (name, x) in enumerate(zip(NAMES, (0.15, 0.5, 0.85), strict=True))
        ],
        x=[0.1 + 0.35 * (row % 3) + 0.01 * (row // 30) for row in rows],
        y=[0.2 + 0.06 * (row // 3 % 10) for row in rows],
        group=[row % 3 for row in rows],
        confidence=[0.9] * 300,
        ids=[f"story-{row}" for row in rows],
        titles=[f"{NAMES[row % 3]} story {row}" for row in rows],
        texts=[f"All about {NAMES[row % 3]}. {SCRIPT} needle{row}" for row in rows],
        stated=[row == 0 for row in rows],
        columns=[MapColumnView("source", ["BBC", "Reuters"], [row % 2 for row in rows])],
        total=300,
    )


@pytest.fixture(scope="module")
def opened(browser, tmp_path_factory):
    path = tmp_path_factory.mktemp("map") / "map.html"
    path.write_text(render_map_page(make_map()), encoding="utf-8")
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.requests, page.errors = [], []
    page.on("request", lambda request: page.requests.append(request.url))
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda log: log.type == "error" and page.errors.append(log.text))
    page.address = path.as_uri()
    return page


@pytest.fixture
def page(opened):
    opened.goto(opened.address)
    opened.wait_for_selector("#list li")
    yield opened
    assert opened.errors == []
    assert set(opened.requests) == {opened.address}
    assert opened.evaluate("window.hurt") is None
    assert opened.locator("img").count() == 0


def place_of(page, row):
    """Where a document is drawn on the screen."""
    box = page.locator("#canvas").bounding_box()
    x, y = page.evaluate("row => map.parts.toScreen(map.parts.X[row], map.parts.Y[row])", row)
    return box["x"] + x, box["y"] + y


def test_hovering_tells_what_a_dot_is_and_a_click_pins_it(page):
    page.mouse.move(*place_of(page, 151))
    tip = page.locator("#tip")
    tip.wait_for()
    assert "moon story 151" in tip.text_content()
    assert "1 moon" in tip.text_content()
    assert f"All about moon. {SCRIPT}" in tip.text_content()
    page.mouse.click(*place_of(page, 151))
    card = page.locator("#pinned")
    assert card.locator("h2").text_content() == "moon story 151"
    assert "story-151" in card.text_content()
    assert "1 moon, confidence 90 %" in card.text_content()
    assert "The user named this group" not in card.text_content()
    assert "Reuters" in card.text_content()
    page.keyboard.press("Escape")
    assert card.is_hidden()


def test_search_covers_titles_and_texts_and_marks_what_it_found(page):
    page.fill("#search", "needle17 moon")
    page.wait_for_function("() => document.querySelectorAll('#list li').length === 3")
    assert page.locator("#count").text_content() == "3 documents"
    assert set(page.locator("#list mark").all_text_contents()) == {"needle17", "moon"}
    assert page.evaluate("map.parts.matches.reduce((sum, one) => sum + one)") == 3
    page.fill("#search", "<img")
    page.wait_for_function("() => document.getElementById('count').textContent === '300 documents'")
    page.get_by_text("Clear search and filters").click()
    assert page.locator("#list mark").count() == 0


def test_groups_and_columns_filter(page):
    page.get_by_role("button", name="None").click()
    assert page.locator("#count").text_content() == "0 documents"
    page.get_by_label("1 moon").check()
    assert page.locator("#count").text_content() == "100 documents"
    page.select_option("#column", label="source")
    page.select_option("#value", label="BBC")
    assert page.locator("#count").text_content() == "50 documents"
    page.get_by_text("Clear search and filters").click()
    assert page.locator("#count").text_content() == "300 documents"


def test_the_map_can_be_used_without_a_mouse(page):
    page.focus("#canvas")
    before = page.evaluate("({ ...map.parts.view })")
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    after = page.evaluate("({ ...map.parts.view })")
    assert after["zoom"] > before["zoom"]
    assert after["x"] > before["x"]
    page.keyboard.press("0")
    assert page.evaluate("({ ...map.parts.view })") == before
    page.focus("#list button >> nth=0")
    page.keyboard.press("Enter")
    assert "The user named this group" in page.locator("#pinned").text_content()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.row") == "0"


def test_dots_have_the_colours_of_their_groups_in_both_themes(page):
    def colour_at(row):
        return page.evaluate(
            """row => { const { X, Y, toScreen, paint, pen, size } = map.parts;
            const [x, y] = toScreen(X[row], Y[row]); paint();
            return [...pen.getImageData(x * size.ratio, y * size.ratio, 1, 1).data].slice(0, 3); }""",
            row,
        )

    def expected(theme):
        text = page.evaluate(f"map.parts.groups[0].colours[{theme}]")
        return [int(text[k : k + 2], 16) for k in (1, 3, 5)]

    assert colour_at(0) == expected(0)
    for _ in range(2):
        page.locator("#theme").click()
    assert page.locator("#theme").get_attribute("aria-label") == "Colours: dark"
    assert colour_at(0) == expected(1)


def test_a_rectangle_with_the_shift_key_shows_its_documents_alone(page):
    rows = (0, 3, 6)
    places = [place_of(page, row) for row in rows]
    page.keyboard.down("Shift")
    page.mouse.move(places[0][0] - 8, max(y for _, y in places) + 8)
    page.mouse.down()
    page.mouse.move(places[0][0] + 1, min(y for _, y in places) - 4, steps=4)
    page.mouse.up()
    page.keyboard.up("Shift")
    shown = {int(button.get_attribute("data-row")) for button in page.locator("#list button").all()}
    assert set(rows) <= shown
    assert {row % 3 for row in shown} == {0}
    assert page.locator("#count").text_content() == f"{len(shown)} documents"
    assert page.locator("#select").is_hidden()
    page.get_by_text("Clear search and filters").click()
    assert page.locator("#count").text_content() == "300 documents"


@pytest.mark.parametrize("width", [1440, 1024, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible(page, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    page.locator("#list button").first.click()
    problems = axe.Axe().run(page).response["violations"]
    assert [problem["id"] for problem in problems] == []
    assert page.evaluate("document.getElementById('page').scrollWidth <= innerWidth")
