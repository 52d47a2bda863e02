"""Saying things on the page: several documents at once, names as they are, reasons, and earlier runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.studio.browser.helpers import open_page, serving
from tests.studio.helpers import copy_project
from tests.studio.test_session import home

CUT = """chosen => {  // by how much a text is wider than its place
  const one = document.querySelector(chosen), text = document.createRange();
  text.selectNodeContents(one);
  return text.getBoundingClientRect().width - one.getBoundingClientRect().width;
}"""


@pytest.fixture
def own(browser, finished, tmp_path):
    """A studio of its own with its page, for tests that make runs."""
    with serving(copy_project(finished, tmp_path)) as studio:
        page = open_page(browser, studio)
        yield studio, page
        assert page.errors == []
        page.context.close()


def open_group(page, group):
    page.evaluate("at => { location.hash = `#/map/group/${at}`; }", group)
    page.locator("#details .row").first.wait_for()


def tick(page, how_many):
    for at in range(how_many):
        page.locator("#details .row input").nth(at).check()
    page.locator("#details h2", has_text=f"{how_many} documents selected").wait_for()


def said(page, text):
    return page.locator("#journal li.live", has_text=text)


def test_documents_are_ticked_in_the_list_of_a_group_and_moved_by_one_act(page, studio):
    view = studio.session.view()
    space, hockey = home(view, "s0"), home(view, "h0")
    open_group(page, space)
    tick(page, 4)
    assert page.locator("#details .row input:checked").count() == 4
    page.locator("#details").evaluate("one => { one.scrollTop = one.scrollHeight; }")
    bar, details = (page.locator(place).bounding_box() for place in ("#details .selected", "#details"))
    assert details["y"] - 1 <= bar["y"] < details["y"] + details["height"]
    page.keyboard.press("m")
    page.keyboard.type(str(hockey))
    page.keyboard.press("Enter")
    said(page, "and 2 more belong in").wait_for()
    (entry,) = studio.session.project.journal.live()
    assert len(entry.body["documents"]) == 4
    page.keyboard.press("Escape")
    page.locator("#details .selected").wait_for(state="detached")
    assert page.locator("#details .row input:checked").count() == 0
    page.keyboard.press("u")
    page.locator("#journal li.undone", has_text="and 2 more belong in").wait_for()
    assert studio.session.project.journal.live() == []


def test_too_many_documents_are_refused_before_a_group_is_chosen(page, studio):
    page.evaluate("""async () => {
      const actions = await import("/static/actions.js");
      actions.select(Array.from({ length: actions.MOST_AT_ONCE + 1 }, (_, at) => at));
    }""")
    page.keyboard.press("m")
    page.locator(".notice.bad", has_text="An action can be about 100,000 documents at most").wait_for()
    assert page.locator("dialog").count() == 0
    page.keyboard.press("Escape")


@pytest.mark.parametrize("width", [1440, 1280, 1130, 1024, 390])
def test_it_is_seen_at_once_that_something_was_said_and_the_bar_stays_whole(page, studio, width):
    page.set_viewport_size({"width": width, "height": 800})
    news = page.get_by_text("Pending changes")
    news.wait_for(state="detached")
    studio.session.record("outside", {"document": "c3"})
    news.wait_for()
    assert news.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    last = page.get_by_role("button", name="Help and keys").bounding_box()
    assert last["x"] + last["width"] <= width
    assert page.evaluate(CUT, ".pending") <= 0


def test_a_name_is_shown_whole(page, studio):
    group = home(studio.session.view(), "s0")
    name = "Space: the final one"
    studio.session.record("name", {"group": group, "name": name})
    page.locator(f"#groups li[data-group='{group}'] .name", has_text=name).wait_for()
    page.locator(f".label[data-group='{group}']", has_text=name).wait_for()
    said(page, f"is called {name}").wait_for()


def give_reason(page, reason):
    """Open a document and write why, for what is said of it next."""
    page.evaluate("() => { location.hash = '#/map/document/5'; }")
    page.locator("#details .id", has_text="s5").wait_for()
    page.keyboard.press("w")
    page.keyboard.type(reason)
    page.keyboard.press("Enter")


def test_a_reason_goes_with_what_is_said_next_and_no_further(page, studio):
    give_reason(page, "it is spam")
    page.keyboard.press("o")
    said(page, "s5 belongs to no group").wait_for()
    assert studio.session.project.journal.live()[-1].why == "it is spam"
    assert page.locator("#why").input_value() == ""
    page.keyboard.press("4")
    page.get_by_role("region", name="Statements").get_by_text("it is spam").wait_for()


def test_what_is_said_meanwhile_does_not_carry_the_reason(own):
    studio, page = own
    held = "**/api/statements"
    waiting = []
    give_reason(page, "it is spam")
    page.route(held, lambda route: waiting.append(route), times=1)
    with page.expect_request(held):
        page.keyboard.press("o")
    page.keyboard.press("f")
    said(page, "no document leaves").wait_for()
    waiting[0].continue_()
    said(page, "s5 belongs to no group").wait_for()
    reasons = {entry.kind: entry.why for entry in studio.session.project.journal.live()}
    assert reasons == {"freeze": "", "outside": "it is spam"}


def test_a_reason_of_what_could_not_be_said_is_given_back(own):
    studio, page = own
    give_reason(page, "it is spam")
    page.route("**/api/statements", lambda route: route.abort(), times=1)
    page.keyboard.press("o")
    page.locator(".notice.bad").wait_for()
    assert page.locator("#why").input_value() == "it is spam"
    assert studio.session.project.journal.live() == []
    page.keyboard.press("o")
    said(page, "s5 belongs to no group").wait_for()
    assert page.locator("#why").input_value() == ""


def test_without_what_was_said_all_methods_are_offered(page, studio):
    studio.session.record("category", {"name": "baking", "word": "oven"})
    page.get_by_text("Pending changes").wait_for()
    page.get_by_role("button", name="Run options").click()
    told = page.locator("dialog option").all_inner_texts()
    page.get_by_label("Use my corrections").uncheck()
    untold = page.locator("dialog option").all_inner_texts()
    page.keyboard.press("Escape")
    assert set(told) < set(untold)
    assert "kmeans" in untold


def test_the_run_options_say_why_the_number_of_groups_was_suggested(page, studio):
    project = studio.session.project
    lines = [
        "No clear number of groups; plausible ones are 4 and 9. 4 is suggested.",
        "9: <b>many</b> groups.",
    ]
    project.save_settings(replace(project.settings, suggestion="\n".join(lines)))
    page.reload()
    page.get_by_role("button", name="Run options").click()
    for line in lines:
        page.locator("dialog").get_by_text(line, exact=True).wait_for()
    page.keyboard.press("Escape")


def test_subjects_of_very_different_sizes_can_be_asked_for_and_untold(own):
    studio, page = own
    for number, wanted in ((2, True), (3, False)):
        page.get_by_role("button", name="Run options").click()
        page.get_by_label("Method").select_option("kmeans")
        uneven = page.get_by_label("Groups may differ much in size")
        assert uneven.is_disabled()
        page.get_by_label("Method").select_option("colligate")
        assert uneven.is_checked() != wanted
        uneven.set_checked(wanted)
        page.locator("dialog").get_by_role("button", name="Cluster").click()
        page.get_by_text(f"Run {number} is done").first.wait_for()
    runs = studio.session.project.work.runs()
    assert [run.parameters.get("uneven_sizes", False) for run in runs] == [False, True, False]


def test_what_was_overruled_is_told_so(page, studio):
    view = studio.session.view()
    first = studio.session.record("label", {"document": "s1", "group": home(view, "h0")})
    second = studio.session.record("label", {"document": "s1", "group": home(view, "f0")})
    wanted = f"superseded by statement {second.seq}"
    page.locator("#journal .verdict", has_text=wanted).wait_for()
    assert page.locator("#journal .verdict", has_text="superseded").count() == 1
    assert first.seq != second.seq


def test_the_journal_shows_the_present_names_of_groups(page, studio):
    group = home(studio.session.view(), "h0")
    before = studio.session.record("label", {"document": "s1", "group": group})
    said(page, f"s1 belongs in {before.body['names'][str(group)]}").wait_for()
    studio.session.record("name", {"group": group, "name": "On the ice"})
    said(page, f"group {group} is called On the ice").wait_for()
    said(page, "s1 belongs in On the ice").wait_for()


@pytest.mark.slow
def test_clustering_goes_on_from_the_run_that_is_seen_and_takes_no_other_tab_along(own):
    studio, page = own
    assert studio.watched.run(fresh=True, n_clusters=3)["status"] == "done"
    page.get_by_text("Run 2 is done").first.wait_for()
    assert studio.watched.run(fresh=True, n_clusters=5)["status"] == "done"
    page.get_by_text("Run 3 is done").first.wait_for()
    other = page.context.new_page()
    other.goto(page.url.partition("#")[0])
    other.locator(".runs").wait_for()
    other.locator(".runs").select_option("2")
    other.locator("#groups h2", has_text="3 groups").wait_for()
    page.locator(".runs").select_option("1")
    page.locator("#groups h2", has_text="4 groups").wait_for()
    page.locator("#view").click(position={"x": 5, "y": 5})
    page.keyboard.press("Space")
    page.get_by_text("Run 4 is done").first.wait_for()
    assert studio.session.view().record.parent == 1
    assert page.locator(".runs").input_value() == "4"
    other.get_by_text("Run 4 is done").first.wait_for()
    assert other.locator(".runs").input_value() == "2"
    other.get_by_role("button", name="Show it").click()
    other.locator("#groups h2", has_text="4 groups").wait_for()
    assert other.locator(".runs").input_value() == "4"


def test_the_pages_count_an_act_once_and_changes_to_groups_apart(own):
    """Three documents are moved by one act: one statement on the page Knowledge and among the changes."""
    studio, page = own
    view = studio.session.view()
    space, hockey = home(view, "s0"), home(view, "h0")
    studio.session.record("label", {"documents": ["s1", "s2", "s3"], "group": hockey})
    studio.session.record("name", {"group": space, "name": "Sky"})
    assert studio.watched.run()["status"] == "done"
    page.evaluate("() => { location.hash = '#/knowledge'; }")
    page.get_by_role("heading", name="1 statement, 1 change to groups").wait_for()
    assert page.locator("p.verdicts").inner_text().split("\n")[:2] == ["1 statement:", "1 kept"]
    page.evaluate("() => { location.hash = '#/map/changes'; }")
    page.locator("#details p", has_text="Statements: 1 kept 0 broken").wait_for()
    assert page.locator("#details p", has_text="Changes to groups: 1 kept 0 broken").count() == 1
