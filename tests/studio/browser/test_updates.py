"""Events of the server: what the page fetches for them, and what a user does meanwhile is not disturbed."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlparse

from tests.studio.test_session import home


class Requests:
    """The requests of a page from now on."""

    def __init__(self, page):
        self.paths = []
        page.on("request", self._note)

    def _note(self, request):
        self.paths.append(urlparse(request.url).path)

    def count(self):
        return Counter(path for path in self.paths if path.startswith("/api/"))


def test_a_statement_makes_the_page_fetch_what_it_changed_and_nothing_else(page, studio):
    page.locator("#details article").wait_for()
    requests = Requests(page)
    studio.session.record("outside", {"document": "c3"})
    page.locator("#journal .what", has_text="c3 belongs to no group").wait_for()
    page.get_by_text("Pending changes").wait_for()
    fetched = requests.count()
    assert fetched == dict.fromkeys(fetched, 1)
    assert not {"/api/project", "/api/runs", "/api/runs/1/groups"} & set(fetched)


def test_a_name_makes_the_page_fetch_the_groups_too(page, studio):
    page.locator("#details article").wait_for()
    group = home(studio.session.view(), "s0")
    # what the page fetches when it opens is not counted
    page.wait_for_timeout(500)
    requests = Requests(page)
    studio.session.record("name", {"group": group, "name": "Up there"})
    page.locator("#groups .name", has_text="Up there").wait_for()
    fetched = requests.count()
    assert fetched == dict.fromkeys(fetched, 1)
    assert not {"/api/project", "/api/runs"} & set(fetched)


def test_a_run_makes_the_page_fetch_each_thing_once(page, studio):
    page.locator("#details article").wait_for()
    requests = Requests(page)
    assert studio.watched.run()["status"] == "done"
    run = studio.session.view().record.number
    page.get_by_text(f"Run {run} is done").first.wait_for()
    page.wait_for_timeout(500)
    fetched = requests.count()
    assert fetched == dict.fromkeys(fetched, 1)
    assert {f"/api/runs/{run}/{part}" for part in ("groups", "map", "changes")} <= set(fetched)


def test_an_event_keeps_the_focus_the_scroll_position_and_the_elements(page, studio):
    group = home(studio.session.view(), "s0")
    other = home(studio.session.view(), "h0")
    page.evaluate("at => { location.hash = `#/map/group/${at}`; }", group)
    row = page.locator("#details .row").nth(12).locator("button")
    row.focus()
    page.locator("#details").evaluate("one => { one.scrollTop = 240; }")
    before = page.evaluate_handle("document.activeElement")
    list_item = page.evaluate_handle(
        "name => document.querySelector(name)", f"#groups li[data-group='{other}'] button"
    )
    studio.session.record("name", {"group": other, "name": "On the ice"})
    page.locator("#groups .name", has_text="On the ice").wait_for()
    page.wait_for_timeout(400)
    assert page.evaluate("before => before.isConnected && before === document.activeElement", before)
    assert page.locator("#details").evaluate("one => one.scrollTop") == 240
    assert page.evaluate("item => item.isConnected && item.innerText.includes('On the ice')", list_item)


def test_a_button_that_is_pressed_during_an_event_still_works(page, studio):
    group = home(studio.session.view(), "f0")
    button = page.locator(f"#groups li[data-group='{group}'] button")
    box = button.bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 10)
    page.mouse.down()
    studio.session.record("name", {"group": group, "name": "In the oven"})
    page.locator("#groups .name", has_text="In the oven").wait_for()
    page.mouse.up()
    page.locator("#details h2", has_text="In the oven").wait_for()


def test_statements_in_quick_succession_are_fetched_together(page, studio):
    page.locator("#details article").wait_for()
    requests = Requests(page)
    for number in range(12):
        studio.session.record("outside", {"document": f"c{number}"})
    page.locator("#journal .what", has_text="c11 belongs to no group").wait_for()
    assert requests.count()["/api/statements"] < 12
