"""A real browser, and a studio on a small corpus; skipped with the reason where there is no browser.

With STUDIO_BROWSER=needed, as in .ci/run, that fails instead.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from tests.studio.browser.helpers import SIZE, chromium_path, open_page, serving
from tests.studio.helpers import copy_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.studio.browser.helpers import Studio

FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for one module: while it is open, an event loop runs, which stops other modules."""
    path, playwright = chromium_path(), find_spec("playwright")
    if path is None or playwright is None:
        lacking = "Chromium: apt-get install chromium" if playwright else "playwright: pip install playwright"
        (pytest.fail if os.environ.get("STUDIO_BROWSER") == "needed" else pytest.skip)(f"needs {lacking}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def first(browser: Browser, studio: Studio) -> Iterator[Page]:
    """The page that the tests of a module share."""
    made = open_page(browser, studio)
    yield made
    assert made.errors == []  # type: ignore[attr-defined]


@pytest.fixture
def page(first: Page, studio: Studio) -> Iterator[Page]:
    """The page at its beginning; what a test said is taken back."""
    first.set_viewport_size(SIZE)
    first.evaluate("() => { location.hash = '#/map'; }")
    first.keyboard.press("Escape")
    yield first
    while studio.session.project.journal.live():
        studio.session.undo()


@pytest.fixture(scope="module")
def studio(finished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A small studio with one run; its address works once, so a module opens one page of it."""
    with serving(copy_project(finished, tmp_path_factory.mktemp("studio"))) as made:
        yield made
