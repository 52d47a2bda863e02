"""Acts on groups by the keyboard, each followed by another run: merge, split, freeze; and calling it off."""

from __future__ import annotations

import os
import signal

import pytest

from tests.studio.browser.helpers import open_page, serving
from tests.studio.helpers import copy_project

pytestmark = pytest.mark.slow


@pytest.fixture
def studio(finished, tmp_path):
    with serving(copy_project(finished, tmp_path)) as made:
        yield made


@pytest.fixture
def page(browser, studio):
    made = open_page(browser, studio)
    yield made
    assert made.errors == []
    made.context.close()


def choose_group(page, group):
    page.locator(f"#groups li[data-group='{group}'] button").click()
    page.locator("#details .facts").wait_for()


def cluster_again(page, run):
    page.locator("#view").click(position={"x": 5, "y": 5})  # Space on a button presses it
    page.keyboard.press("Space")
    page.get_by_text(f"Run {run} is done").first.wait_for()


def group_of(studio, document):
    return studio.groups()[document]


def test_two_groups_are_merged_and_undoing_gives_them_back(page, studio):
    space, hockey = group_of(studio, "s0"), group_of(studio, "h0")
    choose_group(page, space)
    page.keyboard.press("g")
    page.keyboard.type(str(hockey))
    page.keyboard.press("Enter")
    page.locator("#journal .what", has_text="are one group").wait_for()
    cluster_again(page, 2)
    page.locator("#groups h2", has_text="3 groups").wait_for()
    assert group_of(studio, "h5") == space
    page.keyboard.press("u")
    page.locator("#journal li.undone").wait_for()
    cluster_again(page, 3)
    page.locator("#groups h2", has_text="4 groups").wait_for()
    assert group_of(studio, "h5") == hockey


def test_a_group_is_split(page, studio):
    choose_group(page, group_of(studio, "c0"))
    page.keyboard.press("s")
    page.locator("dialog .parts li").nth(1).wait_for()
    page.keyboard.press("Enter")
    page.locator("#journal .what", has_text="is 2 groups").wait_for()
    cluster_again(page, 2)
    page.locator("#groups h2", has_text="5 groups").wait_for()
    assert len(set(studio.groups().values())) == 5


def test_a_frozen_group_is_marked_and_stays(page, studio):
    food = group_of(studio, "f0")
    inside = {id for id, group in studio.groups().items() if group == food}
    choose_group(page, food)
    page.keyboard.press("f")
    page.locator(f"#groups li[data-group='{food}']").get_by_role("img", name="frozen").wait_for()
    assert page.locator("#details").get_by_role("button", name="Thaw").is_visible()
    cluster_again(page, 2)
    assert inside <= {id for id, group in studio.groups().items() if group == food}


def test_a_run_is_called_off(page, studio):
    """The worker is held back, so that it cannot be done before."""
    studio.session.worker.start()
    os.kill(studio.session.worker.pid, signal.SIGSTOP)
    page.keyboard.press("Space")
    page.get_by_role("button", name="Cancel").click()
    os.kill(studio.session.worker.pid, signal.SIGCONT)
    page.get_by_text("The run was cancelled").first.wait_for()
    assert [run.number for run in studio.session.project.work.runs()] == [1]
    cluster_again(page, 2)
