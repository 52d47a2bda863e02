"""Before the first run is done, the page shows its stages, the share that is done, and a first look."""

from __future__ import annotations

import threading

import pytest

from colligate.studio.server.app import Server
from colligate.studio.session import Session
from tests.studio.browser.helpers import PATIENCE_MS, SIZE
from tests.studio.helpers import make_project


@pytest.fixture
def session(tmp_path):
    """A session without a run, whose only job never starts, so that a test can report its progress."""
    made = Session(make_project(tmp_path))
    made.project.work.set_job(made.project.work.add_job({}).number, "running")
    yield made
    made.close()


@pytest.fixture
def page(browser, session):
    server = Server(session, 0)
    thread = threading.Thread(target=server.serve_until_stopped)
    thread.start()
    page = browser.new_context(viewport=SIZE).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(server.address)
    page.wait_for_selector("#middle[data-ready]")
    yield page
    page.context.close()
    server.should_exit = True
    thread.join()


def report(session, **content):
    session._on_message({"event": "progress", "job": 1, **content})


def test_the_stages_and_the_share_are_shown_as_they_come(page, session):
    panel = page.locator("#waiting")
    panel.get_by_text("Read 120 documents").wait_for()
    report(session, stage="starting", note="run 3 of 8", share=0.43, left=33.2)
    panel.get_by_text("Trying starts: run 3 of 8").wait_for()
    panel.get_by_text("43 %, about 33 s left").wait_for()
    assert panel.locator(".now").inner_text().endswith("Try several starts")
    assert panel.locator(".done").count() == 3
    assert panel.locator("progress").evaluate("bar => bar.value") == 0.43
    report(session, stage="clustering", restart=1, restarts=1, sweep=7, objective=-1.0, share=0.8, left=200)
    panel.get_by_text("Refining: iteration 7").wait_for()
    panel.get_by_text("80 %, about 3 min left").wait_for()


def test_rough_groups_are_listed_before_the_run_is_done(page, session):
    words = ["<b>orbit</b>", "moon", "nasa", "rocket"]
    report(session, stage="first look", share=0.05, left=None, groups=[{"size": 1200, "words": words}])
    row = page.locator("#groups .first-look li")
    row.get_by_text("<b>orbit</b>, moon, nasa").wait_for()
    row.get_by_text("1,200").wait_for()
    assert page.locator("#groups").get_by_text("They will change").count() == 1
    page.reload()
    page.locator("#groups .first-look li").get_by_text("1,200").wait_for()
    page.locator("#waiting .now", has_text="Take a first look").wait_for()


def test_a_failed_first_run_leaves_nothing_behind(page, session):
    report(session, stage="first look", share=0.05, left=None, groups=[{"size": 7, "words": ["moon"]}])
    page.locator(".first-look li").wait_for()
    session._set_status(1, "failed", "there is not enough memory")
    page.locator(".notice.bad", has_text="not enough memory").wait_for()
    assert page.locator("#waiting").is_hidden()
    assert page.locator(".first-look li").count() == 0
