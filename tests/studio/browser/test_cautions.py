"""Knowledge that does not hold is named on the page of the knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from colligate.cli.options import DEFAULT_METHOD
from colligate.corpus import Corpus
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from tests.studio.browser.helpers import open_page, serving
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
