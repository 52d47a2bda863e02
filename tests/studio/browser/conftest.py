"""A real browser, and a studio on a small corpus; skipped with the reason where there is no browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.studio.browser.helpers import chromium_path, serving
from tests.studio.helpers import make_project

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.studio.browser.helpers import Studio

FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
    path = chromium_path()
    if path is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A small studio with one run; its address works once, so a module opens one page of it."""
    project = make_project(tmp_path_factory.mktemp("studio"))
    folder = project.folder
    project.close()
    with serving(folder) as made:
        yield made
