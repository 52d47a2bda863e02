"""Statements land in the group that was pointed at, whatever it is called: on the page, with news."""

from __future__ import annotations

import re

import pytest

from colligate.cli.options import DEFAULT_METHOD
from colligate.corpus import Corpus
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from tests.studio.browser.helpers import open_page, serving
from tests.studio.browser.news import SUBJECTS, read_sections, write_news
from tests.studio.browser.test_whole_session import cluster_again

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("news")
    docs = write_news(folder / "news.csv")
    settings = Settings(docs.name, hash_input(docs), DEFAULT_METHOD, 5)
    Project.create(folder / "news.studio", Corpus.read(docs), settings).close()
    with serving(folder / "news.studio") as made:
        made.sections = read_sections(docs)
        yield made


@pytest.fixture(scope="module")
def page(browser, studio):
    made = open_page(browser, studio)
    yield made
    assert made.errors == []


def home(studio, section):
    groups = [group for id, group in studio.groups().items() if studio.sections[id] == section]
    return max(set(groups), key=groups.count)


def names_on_page(page):
    return page.locator("#groups .name").all_inner_texts()


def test_a_word_question_about_a_renamed_group_means_that_group(page, studio):
    group, before = home(studio, "politics"), studio.groups()
    page.evaluate("group => { location.hash = `#/map/group/${group}`; }", group)
    page.locator("#details .facts").wait_for()
    page.keyboard.press("r")
    page.keyboard.type("UK party politics")
    page.keyboard.press("Enter")
    page.locator("#groups .name", has_text="UK party politics").wait_for()
    page.keyboard.press("5")
    page.get_by_label("Kinds of questions").select_option("word")
    page.locator(".question .text", has_text="the word").wait_for()
    page.locator(".page.ask h2").click()
    for _ in range(20):
        word = page.locator(".about strong").inner_text()
        if word in SUBJECTS["politics"]:
            break
        page.evaluate("() => { document.querySelector('.question').dataset.old = 'true'; }")
        page.keyboard.press("s")
        page.locator(".question[data-old]").wait_for(state="detached")
    page.locator(".question .answer", has_text="UK party politics").click()
    page.locator("#journal .what", has_text=f"{word} is about UK party politics").wait_for()
    cluster_again(page, 2)
    assert names_on_page(page).count("UK party politics") == 1
    assert page.locator(f"#groups li[data-group='{group}'] .name").inner_text() == "UK party politics"
    after = studio.groups()
    moved = [id for id in before if before[id] != after[id]]
    assert all(after[id] == group for id in moved)
    assert len(moved) <= 5
    page.locator("#journal li", has_text=f"{word} is about").locator(".verdict.kept").wait_for()


def test_a_seed_word_with_a_new_name_says_that_it_makes_a_group_and_what_moves(page, studio):
    before, names = studio.groups(), names_on_page(page)
    page.locator("#search > input").fill("olympic")
    page.locator(".results .word", has_text="olympic").click()
    page.get_by_label("Group", exact=True).select_option("new")
    page.get_by_label("Name of the new group").fill("Athletics and tennis")
    preview = page.locator("dialog .preview[aria-busy=false]", has_text="It makes a new group.")
    preview.wait_for()
    announced = sum(int(number) for number in re.findall(r"(\d+) documents? move", preview.inner_text()))
    page.locator("dialog").get_by_role("button", name="Apply").click()
    page.locator("#journal .what", has_text="the new group Athletics and tennis").wait_for()
    page.get_by_role("button", name="Close the search").click()
    cluster_again(page, 3)
    after = studio.groups()
    assert len(names_on_page(page)) == len(names) + 1
    assert set(before.values()) < set(after.values())
    moved = [id for id in before if before[id] != after[id]]
    assert len(moved) == pytest.approx(announced, abs=3)
    (new,) = set(after.values()) - set(before.values())
    assert sum(after[id] == new for id in moved) >= 0.9 * announced
