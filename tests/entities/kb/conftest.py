"""A small knowledge base, and servers that answer for it: a real one, and one that misbehaves as told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from colligate.entities.kb import build

from .misbehaving import Misbehaving, Play
from .samples import HOSTILE, TURTLE, ntriples
from .serving import serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("knowledge")
    (folder / "world.ttl").write_text(TURTLE, encoding="utf-8")
    many = [ntriples(f"many/{number}", f"thing {number}") for number in range(300)]
    hostile = [ntriples(f"hostile/{number}", name) for number, name in enumerate(HOSTILE)]
    (folder / "many.nt").write_text("".join(many + hostile), encoding="utf-8")
    build([folder / "world.ttl", folder / "many.nt"], folder / "kb")
    return folder / "kb"


@pytest.fixture(scope="session")
def server(stored: Path) -> Iterator[str]:
    """The address of a real SPARQL server over the same store."""
    with serving(stored) as address:
        yield address


@pytest.fixture
def misbehaving() -> Iterator[Callable[..., Misbehaving]]:
    started: list[Misbehaving] = []

    def start(*plays: Play) -> Misbehaving:
        started.append(Misbehaving(*plays))
        return started[-1]

    yield start
    for each in started:
        each.stop()
