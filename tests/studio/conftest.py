"""Projects and servers on a small corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.studio.helpers import Serving, make_project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from colligate.studio.project import Project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    made = make_project(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with one finished run; the tests of a module share it."""
    made = Serving(make_project(tmp_path_factory.mktemp("serving")))
    try:
        assert made.watched.run()["status"] == "done"
        yield made
    finally:
        made.close()
