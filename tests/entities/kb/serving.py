"""A real SPARQL server on the loopback address, over a store that was built."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def serving(knowledge_base: Path) -> Iterator[str]:
    """The address of a server over a folder that `build` wrote."""
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
    if program is None:
        pytest.skip("the server of the package oxigraph is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [program, "serve-read-only", "--location", knowledge_base / "store", "--bind", address]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _await(int(address.rpartition(":")[2]), process)
            yield f"http://{address}/query"
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
