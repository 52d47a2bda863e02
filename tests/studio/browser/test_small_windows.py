"""Boxes measured at three window sizes: nothing is cut or covered, and what is opened is in view."""

from __future__ import annotations

import pytest

SIZES = {"wide": (1440, 900), "middle": (1024, 768), "small": (390, 844)}
CUT = """() => [...document.querySelectorAll("#groups .size, #groups .no, header button, header select")]
  .filter((one) => one.offsetParent && (one.scrollWidth > one.clientWidth + 2 && one.clientWidth
    || one.getBoundingClientRect().right > one.closest("#groups, header").getBoundingClientRect().right + 1))
  .map((one) => one.outerHTML)"""
LINES = """() => Math.max(...[...document.querySelectorAll("#groups .name")]
  .map((one) => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)))"""


def set_size(page, size):
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(200)


def open_at(page, place):
    page.evaluate("place => { location.hash = `#/${place}`; }", place)


BOX = """node => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return { x, y, width, height };
}"""


def box_of(locator):
    """The box of an element, measured in one step: the page may draw the element again at any time."""
    locator.wait_for()
    return locator.evaluate(BOX)


def is_within(box, page):
    size = page.viewport_size
    return box["x"] >= 0 and box["x"] + box["width"] <= size["width"] and 0 <= box["y"] < size["height"]


def overlap(one, other):
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


@pytest.mark.parametrize("size", SIZES)
def test_names_and_sizes_of_groups_are_not_cut(page, studio, size):
    set_size(page, size)
    assert studio.watched.run()["status"] == "done"
    page.locator("#groups .size").first.wait_for()
    assert page.evaluate(CUT) == []
    assert page.evaluate(LINES) < 2.5


SPARE = """node => {
  const style = getComputedStyle(node), context = document.createElement("canvas").getContext("2d");
  context.font = style.font;
  const arrow = 16, padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
  return node.clientWidth - padding - arrow - context.measureText(node.selectedOptions[0].text).width;
}"""


@pytest.mark.parametrize("width", [1440, 1280, 1100, 390])
def test_the_run_that_is_shown_can_be_read(page, studio, width):
    page.set_viewport_size({"width": width, "height": 720})
    # with pending changes the top bar has least room
    studio.session.record("outside", {"document": "s5"})
    page.locator("#running .pending").wait_for()
    menu = page.get_by_label("Which run is shown")
    assert menu.evaluate("node => node.selectedOptions[0].text").startswith("run ")
    assert menu.evaluate(SPARE) >= 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("size", SIZES)
def test_a_chosen_document_is_in_view(page, size):
    set_size(page, size)
    open_at(page, "map/document/5")
    assert is_within(box_of(page.locator("#details .id", has_text="s5")), page)
    assert is_within(box_of(page.locator("#details").get_by_role("button", name="Move").first), page)
    assert is_within(box_of(page.locator("#details").get_by_role("button", name="Close")), page)
    page.locator("#details").get_by_role("button", name="Close").click()
    page.locator("#details .id", has_text="s5").wait_for(state="detached")


def test_another_view_is_not_covered_by_an_open_document(page):
    set_size(page, "small")
    open_at(page, "map/document/5")
    page.locator("#details .id", has_text="s5").wait_for()
    page.get_by_role("link", name="Ask").click()
    question = box_of(page.locator(".question"))
    assert page.locator("#details").evaluate("one => getComputedStyle(one).position") != "fixed"
    assert is_within(question, page)


@pytest.mark.parametrize("size", SIZES)
def test_ask_shows_the_whole_question_and_a_readable_part_of_the_text(page, size):
    set_size(page, size)
    open_at(page, "ask")
    with page.expect_response("**/api/questions*"):
        page.get_by_label("Kinds of questions").select_option("label")
    page.wait_for_timeout(200)
    text = page.locator(".question .text", has_text="Which group")
    assert is_within(box_of(text), page)
    quoted = box_of(page.locator(".question blockquote").first)
    assert is_within(quoted, page)
    assert quoted["height"] > 60
    last = box_of(page.locator(".question").get_by_role("button", name="Skip"))
    assert last["y"] + last["height"] < page.viewport_size["height"]
    page.get_by_label("Kinds of questions").select_option("")


@pytest.mark.parametrize("size", SIZES)
def test_a_notice_does_not_cover_the_tools_of_the_map(page, size):
    set_size(page, size)
    open_at(page, "map/document/5")
    page.locator("#details .id", has_text="s5").wait_for()
    page.keyboard.press("o")
    notice = box_of(page.locator(".notice", has_text="s5 belongs to no group").last)
    page.evaluate("() => scrollTo(0, 0)")
    for name in ("Zoom in", "Zoom out", "Fit", "Lasso", "List"):
        assert not overlap(notice, box_of(page.get_by_role("button", name=name, exact=True).first))


@pytest.mark.parametrize("size", SIZES)
def test_compare_has_the_room_of_the_empty_side(page, studio, size):
    while len(studio.session.project.work.runs()) < 2:
        assert studio.watched.run()["status"] == "done"
    set_size(page, size)
    open_at(page, "compare")
    page.locator(".figures").wait_for()
    clipped = """() => [...document.querySelectorAll("main .card, main .card select, main .facts dd")]
      .filter((one) => one.offsetParent && (one.scrollWidth > one.clientWidth + 2
        || one.getBoundingClientRect().right > innerWidth)).map((one) => one.outerHTML)"""
    assert page.evaluate(clipped) == []
    middle = box_of(page.locator("#middle"))
    assert middle["x"] + middle["width"] == page.viewport_size["width"]


def test_a_long_dialog_begins_with_its_heading(page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#middle").focus()
    page.keyboard.press("?")
    heading = page.get_by_role("heading", name="Keys").bounding_box()
    assert heading["y"] > 0
    page.keyboard.press("Escape")


def test_a_hit_of_a_search_opens_in_view_also_a_second_time(page):
    set_size(page, "small")
    open_at(page, "map/document/5")
    page.locator("#details .id", has_text="s5").wait_for()
    page.get_by_role("link", name="Words").click()
    page.wait_for_timeout(200)
    page.locator("#search input").fill("s5")
    hit = page.locator("#hits .row", has_text="s5").first.locator("button")
    hit.click()
    assert is_within(box_of(page.locator("#details .id", has_text="s5")), page)
    page.get_by_label("Close the search").evaluate("one => one.click()")


@pytest.mark.parametrize("view", ["words", "knowledge"])
def test_tables_need_no_sideways_scrolling(page, studio, view):
    studio.session.record("label", {"document": "s5", "group": studio.groups()["h0"]})
    studio.session.record("freeze", {"group": studio.groups()["c0"]})
    assert studio.watched.run()["status"] == "done"
    set_size(page, "small")
    open_at(page, view)
    page.locator("main .scroll:visible table").first.wait_for()
    wide = """() => [...document.querySelectorAll("main .scroll")]
      .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.ariaLabel)"""
    assert page.evaluate(wide) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= SIZES["small"][0]
