"""Questions on the page: a whole sitting by the keyboard alone, and what the groups make of the answers."""

from __future__ import annotations

import re

import pytest

from tests.studio.browser.helpers import demo_project, open_page, picture, serving

pytestmark = pytest.mark.slow
KIND = """kind => {
  const text = document.querySelector('.question .text')?.innerText ?? "";
  return kind === (text.startsWith("Do") ? "pair" : text.includes("the word") ? "word" : "label");
}"""
MARK = "() => { document.querySelector('.question').dataset.old = 'true'; }"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    with serving(demo_project(tmp_path_factory.mktemp("asking"))) as made:
        yield made


@pytest.fixture(scope="module")
def page(browser, demo):
    made = open_page(browser, demo)
    yield made
    assert made.errors == []


def kind_of(page):
    text = page.locator(".question .text").inner_text()
    return "pair" if text.startswith("Do") else "word" if "the word" in text else "label"


def press(page, key):
    """Answer, and wait for the next question."""
    page.evaluate(MARK)
    page.keyboard.press(key)
    page.locator(".question[data-old]").wait_for(state="detached")


def test_a_sitting_by_keys_alone(page, demo):
    page.keyboard.press("5")
    page.locator(".question .outcomes[aria-busy=false]").wait_for()
    picture(page, "ask")
    kinds = []
    for kind in ("word", "label", "pair"):
        page.get_by_label("Kinds of questions").select_option(kind)
        page.locator(".page.ask h2").click()
        for _ in range(2):
            page.wait_for_function(KIND, arg=kind)
            kinds.append(kind_of(page))
            press(page, {"label": "a", "pair": "y", "word": "n"}[kinds[-1]])
    assert kinds == 2 * ["word"] + 2 * ["label"] + 2 * ["pair"]
    live = demo.session.project.journal.live()
    assert [entry.kind for entry in live] == [
        {"label": "label", "pair": "together", "word": "apart"}[kind] for kind in kinds
    ]
    assert all(entry.why.startswith("asked ") for entry in live)
    page.get_by_text("6 answers so far").wait_for()


def outcome(page, key):
    """What the page says that the answer of a key moves."""
    page.locator(".question .outcomes[aria-busy=false]").wait_for()
    letter = page.locator("kbd", has_text=re.compile(f"^{key}$"))
    return page.locator(".question .outcomes p", has=letter)


def test_what_a_word_answer_moves_is_said_before_it_is_given(page, demo):
    page.get_by_label("Kinds of questions").select_option("word")
    page.locator(".question", has_text="the word").wait_for()
    page.locator(".page.ask h2").click()
    moved = []
    for _ in range(5):
        shown = outcome(page, "a").inner_text()
        assert outcome(page, "n").inner_text().endswith("no document moves")
        press(page, "a")
        moves = demo.session.project.journal.live()[-1].body["moves"]
        number = re.search(r"([\d,]+) documents? moves?", shown)
        moved.append(sum(len(move["documents"]) for move in moves))
        assert (int(number[1]) if number else 0) == moved[-1]
        assert number or shown.endswith("no document moves")
        page.keyboard.press("u")
        page.locator(".question[data-old]").wait_for(state="detached")
        page.get_by_text("6 answers so far").wait_for()
        press(page, "s")
    assert max(moved) > 1


def test_what_each_group_would_move_is_said_by_its_key(page, demo):
    page.get_by_label("Kinds of questions").select_option("label")
    page.wait_for_function(KIND, arg="label")
    page.locator(".question .outcomes[aria-busy=false]").wait_for()
    keys = page.locator(".question .outcomes kbd").all_inner_texts()
    assert sorted(keys) == ["a", "b", "c", "d", "n"]
    page.locator(".question .outcomes p", has_text="1 document moves").first.wait_for()


def test_another_group_is_chosen_by_its_name(page, demo):
    page.get_by_label("Kinds of questions").select_option("label")
    page.wait_for_function(KIND, arg="label")
    page.locator(".page.ask h2").click()
    page.keyboard.press("m")
    page.keyboard.type("5")
    page.locator("dialog .preview p").first.wait_for()
    page.keyboard.press("Enter")
    page.get_by_text("7 answers so far").wait_for()
    assert demo.session.project.journal.live()[-1].body["group"] == 5


def test_skipping_says_nothing_and_undo_takes_an_answer_back(page, demo):
    head = demo.session.project.journal.head
    press(page, "s")
    assert demo.session.project.journal.head == head
    document = demo.session.project.journal.live()[-1].body["document"]
    page.keyboard.press("u")
    page.get_by_text("6 answers so far").wait_for()
    page.locator(".question .id", has_text=document).wait_for()
    assert len(demo.session.project.journal.live()) == 6


def test_the_groups_firm_up_after_clustering_again(page, demo):
    page.keyboard.press("Space")
    page.get_by_text("Run 2 is done").first.wait_for()
    page.locator(".confidence-list .mean", has_text="in run 1").wait_for()
    assert page.locator(".confidence-list li").count() == demo.session.view().result.n_groups()
    assert page.locator(".question").count() == 1


def test_answers_can_be_clicked_too(page, demo):
    page.get_by_label("Kinds of questions").select_option("pair")
    page.locator(".question", has_text="Do these two belong together?").wait_for()
    page.evaluate(MARK)
    page.locator(".question").get_by_role("button", name="No").click()
    page.locator(".question[data-old]").wait_for(state="detached")
    assert demo.session.project.journal.live()[-1].kind == "apart"


def test_undo_takes_back_no_answer_of_an_earlier_sitting(page, demo):
    before = demo.session.project.journal.live()
    page.reload()
    page.locator(".question").wait_for()
    page.keyboard.press("u")
    page.get_by_text("There is no answer to undo.").first.wait_for()
    assert demo.session.project.journal.live() == before != []
