"""Projects and servers on a small corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from colligate.studio.project import Project
from tests.studio.helpers import Serving, Watched, copy_project, make_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from colligate.studio.session import Session


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    made = make_project(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a closed project with one finished run, of which tests take copies."""
    made = Watched(make_project(tmp_path_factory.mktemp("finished")))
    assert made.run()["status"] == "done"
    made.session.close()
    return made.session.project.folder


@pytest.fixture(scope="module")
def watched(finished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A session with one finished run; the tests of a module share it."""
    made = Watched(Project(copy_project(finished, tmp_path_factory.mktemp("session"))))
    yield made
    made.session.close()


@pytest.fixture
def session(watched: Watched) -> Iterator[Session]:
    """The shared session; what a test said is taken back."""
    yield watched.session
    while watched.session.project.journal.live():
        watched.session.undo()


@pytest.fixture(scope="module")
def serving(finished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with one finished run; the tests of a module share it."""
    made = Serving(Project(copy_project(finished, tmp_path_factory.mktemp("serving"))))
    yield made
    made.close()
