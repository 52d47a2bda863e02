"""What the page promises in small: keys after clicks, numbers to type, redo, sizes, and who is let in."""

from __future__ import annotations

import pytest

from tests.studio.browser.helpers import open_page, serving
from tests.studio.helpers import copy_project

WHOLE = """() => {  // whether all names of groups are within the map
  const frame = document.querySelector(".frame").getBoundingClientRect();
  const labels = [...document.querySelectorAll(".label:not([hidden])")];
  const names = labels.map((one) => one.getBoundingClientRect());
  return names.length && names.every((one) => one.left + one.width / 2 > frame.left
    && one.left + one.width / 2 < frame.right && one.top > frame.top && one.bottom < frame.bottom);
}"""
SPREAD = """() => {  // how much of the height of the map its groups take
  const labels = [...document.querySelectorAll(".label:not([hidden])")];
  const places = labels.map((one) => one.getBoundingClientRect().top);
  return (Math.max(...places) - Math.min(...places)) / document.querySelector(".frame").clientHeight;
}"""


def runs(studio):
    return [run.number for run in studio.session.project.work.runs()]


def done(page, run):
    page.get_by_text(f"Run {run} is done").first.wait_for()


def test_space_clusters_again_after_a_group_was_clicked(page, studio):
    following = runs(studio)[-1] + 1
    page.locator("#groups li button").first.click()
    page.locator("#details .facts").wait_for()
    page.keyboard.press("Space")
    done(page, following)
    assert page.locator("#groups li button[aria-pressed=true]").count() <= 1


def test_space_presses_a_button_that_was_reached_by_keys(page, studio):
    before = runs(studio)
    page.locator("#groups select").focus()
    for _ in range(5):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('#groups li button')"):
            break
    page.keyboard.press("Space")
    page.locator("#groups li button[aria-pressed=true]").wait_for()
    assert runs(studio) == before
    assert studio.session.project.work.jobs()[-1].status == "done"


def test_a_fresh_start_is_one_button_and_one_key(page, studio):
    following = runs(studio)[-1] + 1
    page.get_by_role("button", name="Cluster from a fresh start").click()
    page.locator("dialog").get_by_role("button", name="Fresh start").click()
    done(page, following)
    assert not studio.session.view().record.started
    page.keyboard.press("Shift+A")
    page.keyboard.press("Enter")
    done(page, following + 1)
    assert not studio.session.view().record.started


def test_a_run_that_ends_before_it_is_answered_for_has_ended(page, studio):
    following = runs(studio)[-1] + 1

    def answer_late(route):
        answer = route.fetch()
        done(page, following)
        route.fulfill(response=answer)

    page.route("**/api/runs", answer_late, times=1)
    page.keyboard.press("Space")
    done(page, following)
    page.get_by_role("button", name="Cluster from a fresh start").wait_for()
    page.keyboard.press("Space")
    done(page, following + 1)


def test_compare_shows_the_run_that_has_just_come(page, studio):
    page.keyboard.press("3")
    page.get_by_label("Second run").get_by_role("combobox").wait_for()
    following = runs(studio)[-1] + 1
    page.keyboard.press("Space")
    done(page, following)
    chosen = page.get_by_label("Second run").locator(f"option[value='{following}']:checked")
    chosen.wait_for(state="attached")
    assert page.get_by_label("First run").locator("select").input_value() == str(following - 1)
    options = page.get_by_label("First run").locator("option").all_inner_texts()
    assert [int(text.split(":")[0].removeprefix("run ")) for text in options] == runs(studio)


def test_groups_show_the_numbers_that_keys_ask_for(page, studio):
    numbers = {str(group) for group in studio.session.view().record.identities}
    assert set(page.locator("#groups .no").all_inner_texts()) == numbers
    assert set(page.locator(".label .no").all_inner_texts()) == numbers
    page.evaluate("() => { location.hash = '#/map/document/5'; }")
    page.locator("#details .id", has_text="s5").wait_for()
    page.keyboard.press("m")
    assert set(page.locator("dialog .no").all_inner_texts()) == numbers
    page.keyboard.press("Escape")


def test_redo_is_offered_only_while_there_is_something_to_redo(page, studio):
    redo = page.locator("#journal").get_by_role("button", name="Redo")
    for document in ("s1", "s2"):
        studio.session.record("outside", {"document": document})
        page.locator("#journal .what", has_text=f"{document} belongs to no group").first.wait_for()
        assert redo.is_disabled()
        page.keyboard.press("u")
        page.locator("#journal li.undone", has_text=document).first.wait_for()
        assert redo.is_enabled()


def test_the_list_covers_the_lines_of_what_moved(page):
    page.evaluate("() => { location.hash = '#/map/changes'; }")
    page.get_by_role("button", name="List").click()
    page.get_by_role("heading", name="in view").wait_for()
    page.set_viewport_size({"width": 820, "height": 1180})  # on a narrow screen the list covers the map
    page.wait_for_timeout(800)
    over = "visible => { document.querySelector('.over').style.visibility = visible; }"
    paint = """() => { const one = document.querySelector(".over"), context = one.getContext("2d");
      context.fillRect(0, 0, one.width, one.height); }"""
    page.evaluate(paint)
    pictures = []
    for visible in ("visible", "hidden"):
        page.evaluate(over, visible)
        pictures.append(page.locator(".mapview .list").screenshot())
    page.evaluate(over, "")
    page.get_by_role("button", name="List").click()
    assert pictures[0] == pictures[1]


def test_the_whole_map_stays_whole_when_the_window_changes(page):
    page.get_by_role("button", name="Fit").click()
    for width, height in ((1280, 720), (820, 1180), (900, 500)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(400)
        assert page.evaluate(WHOLE)
    page.set_viewport_size({"width": 820, "height": 1180})
    page.wait_for_timeout(400)
    refitted = page.evaluate(SPREAD)
    page.get_by_role("button", name="Fit").click()
    page.wait_for_timeout(200)
    assert page.evaluate(SPREAD) == pytest.approx(refitted, abs=0.02)


@pytest.mark.parametrize("place", ["map", "map/group/0", "words", "compare", "knowledge", "ask"])
def test_nothing_is_cut_off_on_a_small_screen(page, place):
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("place => { location.hash = `#/${place}`; }", place)
    page.wait_for_timeout(400)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    cut = """() => [...document.querySelectorAll("header select, header button")]
      .filter((one) => one.getBoundingClientRect().right > innerWidth
        || one.scrollWidth > one.clientWidth + 2)
      .map((one) => one.outerHTML)"""
    assert page.evaluate(cut) == []


def test_a_browser_that_is_not_let_in_is_told_how(browser, studio):
    place = studio.server.address.partition("?")[0]
    page = browser.new_context().new_page()
    for address in (place, f"{place}?token=wrong", studio.server.address):
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 403
        page.get_by_role("heading", name="This browser has no access to the studio").wait_for()
    assert "serif" in page.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily")
    page.context.close()


def test_a_damaged_run_is_told_of_and_the_last_readable_one_shown(browser, finished, tmp_path):
    folder = copy_project(finished, tmp_path)
    with serving(folder) as made:
        made.session.record("apart", {"type": "documents", "items": ["s0", "h0"]})
        assert made.watched.run()["status"] == "done"
    (folder / "runs" / "2" / "arrays.npz").write_bytes(b"half")
    with serving(folder) as made:
        page = open_page(browser, made)
        page.locator("#details .damage", has_text="Run 2 cannot be read").wait_for()
        assert page.locator(".runs").input_value() == "1"
        assert page.locator(".runs option[value='2']").is_disabled()
        page.locator("#journal .what", has_text="s0 and h0 belong apart").wait_for()
        page.keyboard.press("Space")
        done(page, 3)
        page.locator("#journal li", has_text="belong apart").locator(".verdict.kept").wait_for()
        assert page.locator(".runs").input_value() == "3"
        assert page.errors == []
        page.context.close()
