"""Keeping a worker: start it, hand it orders, hear what it tells, and start another when it dies.

Messages between the studio and its worker: one JSON object on a line.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

END_SECONDS = 5.0
ENDS = ("done", "failed", "cancelled")
Message = dict[str, Any]


class WorkerProcess:
    """One worker at a time for one project; `hear` is called, from a thread, with all that it tells.

    When a worker ends with an order under way, `hear` is told that it failed, and the next order finds a new
    worker.
    """

    def __init__(self, folder: Path, hear: Callable[[Message], None]) -> None:
        self._folder = folder
        self._hear = hear
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._busy: tuple[subprocess.Popen[bytes], int] | None = None
        self._listener: threading.Thread | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process number of the worker, if one is alive."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self) -> None:
        """See to it that there is a worker, which then reads the documents."""
        with self._lock:
            self._started()

    def order(self, job: int, order: Mapping[str, Any]) -> None:
        """Hand over an order; the worker must have none."""
        with self._lock:
            process = self._started()
            self._busy = (process, job)
            self._send(process, {"do": "run", "job": job, **order})

    def cancel(self, job: int) -> None:
        """Ask the worker to stop an order after its sweep."""
        with self._lock:
            if self._busy is not None and self._busy[1] == job:
                self._send(self._busy[0], {"do": "cancel", "job": job})

    def close(self) -> None:
        """End the worker."""
        with self._lock:
            self._closed = True
            process = self._process
        if process is None:
            return
        process.terminate()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._listener is not None:
            self._listener.join()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            # -P: a file in the folder the user stands in must not be taken for a module
            command = [sys.executable, "-P", "-m", "colligate.studio.worker", str(self._folder)]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._listener = threading.Thread(target=self._listen, args=(self._process,), daemon=True)
            self._listener.start()
        return self._process

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        stream: IO[bytes] = process.stdout  # type: ignore[assignment]
        for message in received(stream):
            if message["tell"] in ENDS:
                self._ended(process)
            self._hear(message)
        code = process.wait()
        self._close_pipes(process)
        job = self._ended(process)
        if job is not None and not self._closed:
            told = f"the worker ended in the middle of this run (code {code}); run it again"
            self._hear({"tell": "failed", "job": job, "message": told})

    def _close_pipes(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock, contextlib.suppress(OSError):
            for pipe in (process.stdout, process.stdin):
                if pipe is not None:
                    pipe.close()

    def _ended(self, process: subprocess.Popen[bytes]) -> int | None:
        """Which job of a worker is over; None if it had none."""
        with self._lock:
            if self._busy is None or self._busy[0] is not process:
                return None
            job, self._busy = self._busy[1], None
            return job

    def _send(self, process: subprocess.Popen[bytes], message: Message) -> None:
        try:
            send(process.stdin, message)  # type: ignore[arg-type]
        except (OSError, ValueError):
            return  # it has just ended, and whoever listens to it says so


def send(stream: IO[bytes], message: Mapping[str, Any]) -> None:
    """Send one message."""
    stream.write(json.dumps(message).encode() + b"\n")
    stream.flush()


def received(stream: IO[bytes]) -> Iterator[Message]:
    """The messages as they come, until the other side is gone; a line cut off by its end is no message."""
    for line in stream:
        if line.endswith(b"\n"):
            yield json.loads(line)
