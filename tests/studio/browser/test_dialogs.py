"""Dialogs begin with the group that is open, and say what an action does before it is done."""

from __future__ import annotations

from tests.studio.browser.test_previews import group_of, open_group


def open_document(page, position, name):
    page.evaluate("at => { location.hash = `#/map/document/${at}`; }", position)
    page.locator("#details .id", has_text=name).wait_for()


def marked(page):
    """The group that is marked in a list of groups."""
    return page.locator("dialog [role=option][aria-selected=true]")


def runs(studio):
    return [run.number for run in studio.session.project.work.runs()]


def select(page, *positions):
    page.evaluate(
        "async (positions) => (await import('/static/actions.js')).select(positions)", list(positions)
    )


def test_a_fresh_start_says_what_it_does_and_can_be_cancelled(page, studio):
    before = runs(studio)
    page.keyboard.press("Shift+A")
    dialog = page.locator("dialog", has_text="found anew")
    dialog.wait_for()
    assert "Documents may move everywhere" in dialog.inner_text()
    assert "Your statements stay" in dialog.inner_text()
    dialog.get_by_role("button", name="Cancel").click()
    page.wait_for_timeout(300)
    assert runs(studio) == before
    assert all(job.status == "done" for job in studio.session.project.work.jobs())


def test_a_document_of_no_group_says_what_a_fresh_start_may_do(page, studio):
    open_document(page, 5, "s5")
    page.keyboard.press("o")
    page.locator(".notice", has_text="A fresh start may leave out other documents").wait_for()
    page.locator("#journal .what", has_text="s5 belongs to no group").wait_for()
    page.keyboard.press("Shift+A")
    page.locator("dialog .warning", has_text="You marked 1 document as no group").wait_for()
    page.keyboard.press("Escape")


def test_a_word_is_about_the_open_group_at_first(page, studio):
    for name in ("f0", "c0"):
        group = group_of(studio, name)
        open_group(page, group)
        page.locator("#details .word").first.click()
        assert page.get_by_label("Group", exact=True).input_value() == str(group)
        page.keyboard.press("Escape")


def test_a_word_of_a_document_is_about_its_group_at_first(page, studio):
    open_document(page, 70, "f10")
    page.locator("#details .word").first.click()
    assert page.get_by_label("Group", exact=True).input_value() == str(group_of(studio, "f10"))
    page.keyboard.press("Escape")


def test_a_word_is_about_no_group_while_none_is_open(page, studio):
    head = studio.session.project.journal.head
    page.locator("#search input").fill("orbit")
    page.locator("#hits .word").first.click()
    choice = page.get_by_label("Group", exact=True)
    assert choice.input_value() == ""
    page.locator("dialog").get_by_role("button", name="Apply").click()
    assert page.locator("dialog[open]").count() == 1
    page.keyboard.press("Escape")
    page.get_by_label("Close the search").click()
    assert studio.session.project.journal.head == head


def test_selected_documents_move_to_the_open_group_at_first(page, studio):
    group = group_of(studio, "c0")
    open_group(page, group)
    select(page, 0, 1)
    page.keyboard.press("m")
    marked(page).wait_for()
    assert marked(page).get_attribute("id") == f"choice-{group}"
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")


def test_a_document_moves_to_its_second_best_group_at_first(page, studio):
    open_document(page, 5, "s5")
    second = page.locator("#details .next .name").inner_text()
    page.keyboard.press("m")
    marked(page).wait_for()
    assert marked(page).locator(".name").inner_text() == second
    page.keyboard.press("Escape")


def test_no_group_is_marked_where_none_is_likely(page, studio):
    head = studio.session.project.journal.head
    select(page, 0, 40)
    page.keyboard.press("m")
    page.locator("dialog [role=option]").first.wait_for()
    page.keyboard.press("Enter")
    assert marked(page).count() == 0
    assert page.locator("dialog[open]").count() == 1
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert studio.session.project.journal.head == head


def test_a_merge_says_which_group_stays(page, studio):
    group = group_of(studio, "h0")
    open_group(page, group)
    page.keyboard.press("g")
    dialog = page.locator("dialog", has_text="Merge another group into")
    dialog.wait_for()
    assert "keeps its number and its name" in dialog.inner_text()
    assert dialog.locator(f"#choice-{group}").count() == 0
    assert marked(page).count() == 0
    page.keyboard.press("Escape")
