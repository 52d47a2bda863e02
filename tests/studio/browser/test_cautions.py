"""Knowledge that does not hold is named on the page of the knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.cli.options import DEFAULT_METHOD
from colligate.corpus import Corpus
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from tests.studio.browser.helpers import demo_project, open_page, serving
from tests.studio.helpers import TOPICS, write_corpus

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

# three words of every topic in one group: most of them must be elsewhere
MIXED = [word for words in TOPICS.values() for word in words.split()[:3]]
KNOWLEDGE = f"words:\n  groups:\n    mixed: [{', '.join(MIXED)}]\n"


def test_a_source_that_does_not_hold_is_named_before_the_statements(browser: Browser, tmp_path: Path) -> None:
    docs = write_corpus(tmp_path / "docs.jsonl")
    folder = tmp_path / "docs.jsonl.studio"
    settings = Settings(str(docs), hash_input(docs), DEFAULT_METHOD, 4)
    Project.create(folder, Corpus.read(docs), settings, KNOWLEDGE).close()
    with serving(folder) as studio:
        page = open_page(browser, studio)
        page.evaluate("() => { location.hash = '#/knowledge'; }")
        box = page.get_by_role("region", name="Before you read on")
        box.wait_for()
        assert "do not hold in these groups" in box.inner_text()
        assert page.errors == []  # type: ignore[attr-defined]


def test_documents_left_out_by_a_fresh_start_are_counted_before_the_moves(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(demo_project(tmp_path)) as studio:
        view = studio.session.view()
        marked = view.ids(view.by_membership[0][:3])
        studio.session.record("outside", {"documents": marked})
        page = open_page(browser, studio)
        page.keyboard.press("Shift+A")
        page.locator("dialog .warning", has_text="You marked 3 documents as no group").wait_for()
        page.keyboard.press("Enter")
        note = page.locator("#details").get_by_role("region", name="Before you read on")
        note.wait_for()
        left_out = list(studio.groups().values()).count(-1) - len(marked)
        assert left_out > 1
        assert f"{left_out} other documents were also left out" in note.inner_text()
        page.evaluate("() => { location.hash = '#/map'; }")
        page.locator("#details h2", has_text="wikipedia.jsonl").wait_for()
        note.wait_for()
        assert page.errors == []  # type: ignore[attr-defined]
