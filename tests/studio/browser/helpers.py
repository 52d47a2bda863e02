"""A studio in this process, and a page of it in a real browser."""

from __future__ import annotations

import gzip
import shutil
import threading
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colligate.corpus import Corpus
from colligate.studio.project import Project, Settings
from colligate.studio.project.documents import digest_of
from colligate.studio.server.serve import Server
from tests.studio.helpers import WAIT, Watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZE = {"width": 1280, "height": 720}
IMAGES = Path(__file__).parents[3] / "docs" / "images"
PATIENCE_MS = 1000 * WAIT


class Studio:
    """A project that is served, as `colligate studio` does it."""

    def __init__(self, folder: Path) -> None:
        self.watched = Watched(Project(folder))
        self.session = self.watched.session
        if self.session.project.latest() is None:
            assert self.watched.run()["status"] == "done"
        self.server = Server(self.session, 0)
        self._thread = threading.Thread(target=self.server.serve_here)
        self._thread.start()

    def groups(self) -> dict[str, int]:
        """The lasting number of the group of every document of the last run."""
        view = self.session.view()
        return dict(zip(view.places, view.identities.tolist(), strict=True))

    def close(self) -> None:
        self.server.should_exit = True
        self._thread.join(20)
        self.session.close()
        assert not self._thread.is_alive()


def demo_project(folder: Path) -> Path:
    """The demo corpus and its word lists as a project of six groups; its labels would leave little to correct."""
    docs = folder / "posts.jsonl"
    with gzip.open(str(files("colligate.demo") / "newsgroups.jsonl.gz")) as stream:
        docs.write_bytes(stream.read())
    settings = Settings(str(docs), digest_of(docs), "citcc", 6)
    Project.create(folder / "posts.jsonl.studio", Corpus.read(docs), settings).close()
    return folder / "posts.jsonl.studio"


def open_page(browser: Browser, studio: Studio, **context: Any) -> Page:
    """A page of a studio in a browser of its own, past its first paint; errors in it fail the test."""
    page = browser.new_context(viewport=SIZE, **context).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.errors = []  # type: ignore[attr-defined]
    page.on("pageerror", lambda error: page.errors.append(str(error)))  # type: ignore[attr-defined]
    page.goto(studio.server.address)
    page.wait_for_selector("#middle[data-ready]")
    page.wait_for_selector(".groups li")
    return page


def picture(page: Page, name: str) -> None:
    """Keep what is seen for the docs, once notices are gone."""
    page.mouse.move(640, 715)
    for close in page.query_selector_all("#notices [aria-label^=Close]"):
        close.click()
    page.wait_for_timeout(400)
    page.screenshot(path=IMAGES / f"studio-{name}.png", animations="disabled")


def chromium_path() -> str | None:
    """Debian's Chromium, or one by another name."""
    return next(
        (
            found
            for name in ("chromium", "chromium-browser", "google-chrome")
            if (found := shutil.which(name))
        ),
        None,
    )
