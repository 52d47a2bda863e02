"""A small knowledge base, and servers that answer for it: a real one, and one that misbehaves as told."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from colligate.world.base import build

from .misbehaving import Misbehaving, Play
from .samples import HOSTILE, TURTLE, ntriples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


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
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
    if program is None:
        pytest.skip("the server of the package oxigraph is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, "serve-read-only", "--location", stored / "store", "--bind", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _await(port, process)
            yield f"http://127.0.0.1:{port}/query"
        finally:
            process.terminate()


def _await(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert process.poll() is None, "the server ended by itself"
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the server did not start")


@pytest.fixture
def misbehaving() -> Iterator[Callable[..., Misbehaving]]:
    started: list[Misbehaving] = []

    def start(*plays: Play) -> Misbehaving:
        started.append(Misbehaving(*plays))
        return started[-1]

    yield start
    for each in started:
        each.stop()
