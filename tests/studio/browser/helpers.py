"""A studio in this process, and a page of it in a real browser."""

from __future__ import annotations

import gzip
import os
import shutil
import threading
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colligate.cli.options import DEFAULT_METHOD
from colligate.corpus import Corpus
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from colligate.studio.server.app import Server
from tests.studio.helpers import Watched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.studio.test_command import Studio as Commanded

SIZE = {"width": 1280, "height": 720}
PICTURES = os.environ.get("STUDIO_PICTURES")
"""The folder that keeps the pictures of the docs: STUDIO_PICTURES=docs/images pytest tests/studio/browser."""
PATIENCE_MS = 60_000
TOUR = "colligate_first_steps"
"""The cookie that notes how far a user is in the first steps."""


class Studio:
    """A project that is served, as `colligate studio` does it."""

    def __init__(self, folder: Path) -> None:
        self.watched = Watched(Project(folder), who="Ada")
        self.session = self.watched.session
        if self.session.current() is None:
            assert self.watched.run()["status"] == "done"
        self.server = Server(self.session, 0)
        self.address = self.server.address
        self._thread = threading.Thread(target=self.server.serve_until_stopped)
        self._thread.start()

    def groups(self) -> dict[str, int]:
        """The lasting number of the group of every document of the last run."""
        view = self.session.view()
        return dict(zip(view.row_of, view.identities.tolist(), strict=True))

    def close(self) -> None:
        self.server.should_exit = True
        self._thread.join(20)
        self.session.close()
        assert not self._thread.is_alive()


@contextmanager
def serving(folder: Path) -> Iterator[Studio]:
    """A studio while it is needed."""
    made = Studio(folder)
    try:
        yield made
    finally:
        made.close()


def demo_project(folder: Path) -> Path:
    """The demo corpus as a project of six groups by the usual method, with nothing said of it."""
    docs = demo_texts(folder)
    settings = Settings(docs.name, hash_input(docs), DEFAULT_METHOD, 6)
    project = docs.with_name(f"{docs.name}.studio")
    Project.create(project, Corpus.read(docs), settings).close()
    return project


def demo_texts(folder: Path) -> Path:
    """The file of the demo corpus."""
    docs = folder / "wikipedia.jsonl"
    with gzip.open(str(files("colligate.demo") / "articles.jsonl.gz")) as stream:
        docs.write_bytes(stream.read())
    return docs


def new_context(browser: Browser, *, has_toured: bool = True, **options: Any) -> BrowserContext:
    """A browser of its own, of a user who has taken the first steps before."""
    context = browser.new_context(viewport=SIZE, **options)
    if has_toured:
        context.add_cookies([{"name": TOUR, "value": "done", "url": "http://127.0.0.1"}])
    return context


def open_page(browser: Browser, studio: Studio | Commanded, **context: Any) -> Page:
    """A page of a studio in a browser of its own, past its first paint; errors in it fail the test."""
    page = new_context(browser, **context).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.errors = []  # type: ignore[attr-defined]
    page.on("pageerror", lambda error: page.errors.append(str(error)))  # type: ignore[attr-defined]
    page.goto(studio.address)
    page.wait_for_selector("#middle[data-ready]")
    page.wait_for_selector(".groups li")
    return page


def picture(page: Page, name: str) -> None:
    """Take a picture of what is seen, once notices are gone, and keep it where it is asked for."""
    # the folder of the test says nothing to a reader
    page.evaluate(
        """() => document.querySelectorAll(".command").forEach(({ firstChild }) => {
            firstChild.textContent = firstChild.textContent.replace(/ \\/\\S+\\//, " ");
        })"""
    )
    page.mouse.move(640, 715)
    for close in page.query_selector_all("#notices [aria-label^=Close]"):
        close.click()
    page.wait_for_timeout(400)
    path = Path(PICTURES) / f"studio-{name}.png" if PICTURES else None
    page.screenshot(path=path, animations="disabled")


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
