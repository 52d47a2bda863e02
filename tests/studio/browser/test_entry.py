"""A browser that opens the entry file is let in, though the file is not of the studio's origin."""

from __future__ import annotations

import pytest

from colligate.studio.server.security import ENTRY_NAME, write_entry_file
from tests.studio.helpers import Serving, copy_project


@pytest.fixture
def entered(finished, tmp_path):
    from colligate.studio.project import Project

    made = Serving(Project(copy_project(finished, tmp_path)))
    yield made
    made.close()


def test_the_entry_file_opens_the_studio(browser, entered):
    folder = entered.session.project.folder
    gate = entered.server.config.app
    gate._token = "the-token-of-this-test"
    address = entered.server.address.partition("?")[0]
    path = write_entry_file(f"{address}?token={gate._token}", folder)
    context = browser.new_context()
    page = context.new_page()
    page.goto(path.as_uri())
    page.locator("#map, #journal").first.wait_for(timeout=30_000)
    assert page.url.startswith(address)
    assert "token" not in page.url
    assert not (folder / ENTRY_NAME).exists()
    context.close()
