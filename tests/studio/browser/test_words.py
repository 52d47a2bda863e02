"""The words of the page: plain terms everywhere, and keys that mean one thing."""

from __future__ import annotations

import re

import pytest

PLACES = ("map", "map/group/0", "map/document/3", "words", "compare", "knowledge", "ask")
OPAQUE = ("say it", "let go", "afresh", "outside", "was said", "heed", "stand in", "told")
VISIBLE = """() => [document.body.innerText,
  ...[...document.querySelectorAll("[title], [aria-label], [placeholder]")]
    .flatMap((one) => ["title", "aria-label", "placeholder"].map((name) => one.getAttribute(name) ?? ""))]
  .join("\\n").toLowerCase()"""


def open_document(page, number=5):
    page.evaluate("number => { location.hash = `#/map/document/${number}`; }", number)
    page.locator("#details .id").wait_for()


@pytest.mark.parametrize("place", PLACES)
def test_no_view_uses_words_that_need_decoding(page, place):
    page.evaluate("place => { location.hash = `#/${place}`; }", place)
    page.wait_for_timeout(500)
    text = page.evaluate(VISIBLE)
    assert [word for word in OPAQUE if word in text] == []


@pytest.mark.parametrize("opened", ["?", "m", "r", "options", "word"])
def test_no_dialog_uses_words_that_need_decoding(page, opened):
    open_document(page)
    if opened == "options":
        page.get_by_role("button", name="Run options").click()
    elif opened == "word":
        page.locator("#details .word").first.click()
    else:
        page.keyboard.press(opened)
    page.locator("dialog[open]").wait_for()
    text = page.evaluate(VISIBLE)
    page.keyboard.press("Escape")
    assert [word for word in OPAQUE if word in text] == []


def test_the_actions_have_their_plain_names(page):
    open_document(page)
    for name in ("Move", "Together", "Apart", "No group"):
        assert page.locator("#details").get_by_role("button", name=name).first.is_visible()
    assert page.get_by_role("button", name="Fit").is_visible()


def test_an_id_is_never_capitalised(page):
    open_document(page)
    page.keyboard.press("o")
    page.locator(".notice", has_text="s5 belongs to no group").wait_for()
    assert page.get_by_text(re.compile("S5")).count() == 0


def test_caps_lock_does_not_change_the_meaning_of_a_key(page, studio):
    before = studio.session.project.work.jobs()
    open_document(page)
    page.keyboard.press("A")  # as with Caps Lock: a capital letter without Shift
    page.locator(".pair", has_text="belongs apart from another").wait_for()
    assert studio.session.project.work.jobs() == before
    page.keyboard.press("Escape")
    page.keyboard.press("O")
    page.locator("#journal .what", has_text="s5 belongs to no group").wait_for()
    page.keyboard.press("U")
    page.locator("#journal li.undone", has_text="s5").first.wait_for()


def test_an_error_at_the_end_of_the_text_names_its_last_line(page):
    page.evaluate("() => { location.hash = '#/knowledge'; }")
    field = page.get_by_label("The knowledge file")
    for text in (
        "documents:\n  labels:\n    s0: sky\n    s1: [a",
        "documents:\n  labels:\n    s0: sky\n    s1: [a\n",
    ):
        field.fill(text)
        page.locator(".editor").get_by_role("button", name="Save").click()
        page.locator(".problems").get_by_role("button", name="Line 4").wait_for()
        page.locator(".lined .wrong").wait_for()
        assert page.locator(".lined .wrong").all_inner_texts() == ["4"]
    page.get_by_role("button", name="Discard changes").click()
