"""Projects and servers on a small corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.studio.helpers import Serving, Watched, make_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from colligate.studio.project import Project
    from colligate.studio.session import Session


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    made = make_project(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A session with one finished run; the tests of a module share it."""
    made = Watched(make_project(tmp_path_factory.mktemp("session")))
    assert made.run()["status"] == "done"
    yield made
    made.session.close()


@pytest.fixture
def session(watched: Watched) -> Iterator[Session]:
    """The shared session; what a test said is taken back."""
    yield watched.session
    while watched.session.project.journal.live():
        watched.session.undo()


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with one finished run; the tests of a module share it."""
    made = Serving(make_project(tmp_path_factory.mktemp("serving")))
    try:
        assert made.watched.run()["status"] == "done"
        yield made
    finally:
        made.close()
