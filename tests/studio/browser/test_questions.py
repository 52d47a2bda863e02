"""Questions on the page: a whole sitting by the keyboard alone, and what the groups make of the answers."""

from __future__ import annotations

import pytest

from tests.studio.browser.helpers import demo_project, open_page, picture, serving

pytestmark = pytest.mark.slow
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
    return {"Which": "label", "Do": "pair", "Is": "word"}[text.split()[0]]


def press(page, key):
    """Answer, and wait for the next question."""
    page.evaluate(MARK)
    page.keyboard.press(key)
    page.locator(".question[data-old]").wait_for(state="detached")


def test_a_sitting_by_keys_alone(page, demo):
    page.keyboard.press("5")
    page.locator(".question").wait_for()
    picture(page, "ask")
    kinds = []
    for _ in range(6):
        kinds.append(kind_of(page))
        press(page, {"label": "a", "pair": "y", "word": "n"}[kinds[-1]])
    assert set(kinds) == {"label", "pair", "word"}
    live = demo.session.project.journal.live()
    assert [entry.kind for entry in live] == [
        {"label": "label", "pair": "together", "word": "apart"}[kind] for kind in kinds
    ]
    assert all(entry.why.startswith("asked ") for entry in live)
    page.get_by_text("6 answers so far").wait_for()


def test_another_group_is_chosen_by_its_name(page, demo):
    page.get_by_label("Kinds of questions").select_option("label")
    page.locator(".answers").wait_for()
    page.locator(".page.ask h2").click()
    page.keyboard.press("m")
    page.keyboard.type("5")
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
