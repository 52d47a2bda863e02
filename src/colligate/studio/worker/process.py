"""The worker process seen from the studio: start it, send orders, pass on messages, replace it when it dies.

Messages in both directions are JSON objects, one on a line.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from typing import IO, TYPE_CHECKING, Any

from colligate.errors import ColligateError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

END_SECONDS = 5.0
ENDS = ("done", "failed", "cancelled")
Message = dict[str, Any]


class WorkerError(ColligateError):
    """The machine lacks the memory, processes or threads for a worker."""


class WorkerProcess:
    """One worker at a time for one project; `on_message` is called, from a thread, with each message.

    When a worker ends before its order is done, `on_message` gets a failure, and the next order starts a new
    worker.
    """

    def __init__(self, folder: Path, on_message: Callable[[Message], None]) -> None:
        self._folder = folder
        self._on_message = on_message
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._busy: tuple[subprocess.Popen[bytes], int] | None = None
        self._listener: threading.Thread | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process id of the worker, if it is alive."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self) -> None:
        """Start a worker unless there is one; it reads the documents. If it cannot start, `order` says so."""
        with self._lock, contextlib.suppress(OSError, RuntimeError):
            self._ensure_started()

    def order(self, job: int, order: Mapping[str, Any]) -> None:
        """Send an order to the worker, which must be idle; raise WorkerError if none can be started."""
        with self._lock:
            try:
                process = self._ensure_started()
            except (OSError, RuntimeError) as error:
                raise WorkerError(
                    f"the process that clusters cannot be started ({error}); close other programs, and start "
                    "the run again"
                ) from error
            self._busy = (process, job)
            self._send(process, {"do": "run", "job": job, **order})

    def cancel(self, job: int) -> None:
        """Ask the worker to stop an order after the present iteration."""
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

    def _ensure_started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            # -P: a file in the current folder must not shadow a module
            command = [sys.executable, "-P", "-m", "colligate.studio.worker", str(self._folder)]
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            listener = threading.Thread(target=self._listen, args=(process,), daemon=True)
            try:
                listener.start()
            except RuntimeError:
                # the system has no thread left; nobody would hear this worker
                process.kill()
                process.communicate()  # waits, and closes the pipes
                raise
            self._process, self._listener = process, listener
        return self._process

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        stream: IO[bytes] = process.stdout  # type: ignore[assignment]
        for message in receive(stream):
            if message["event"] in ENDS:
                # before the message is passed on: its receiver may send the next order at once
                self._take_job(process)
            self._on_message(message)
        code = process.wait()
        self._close_pipes(process)
        job = self._take_job(process)
        if job is not None and not self._closed:
            reason = f"the process that clusters ended unexpectedly (exit code {code}); start the run again"
            self._on_message({"event": "failed", "job": job, "message": reason})

    def _close_pipes(self, process: subprocess.Popen[bytes]) -> None:
        # under the lock, since another thread may be sending
        with self._lock, contextlib.suppress(OSError):
            for pipe in (process.stdout, process.stdin):
                if pipe is not None:
                    pipe.close()

    def _take_job(self, process: subprocess.Popen[bytes]) -> int | None:
        """Take the job of a worker that is over; None if it had none."""
        with self._lock:
            if self._busy is None or self._busy[0] is not process:
                return None
            job, self._busy = self._busy[1], None
            return job

    def _send(self, process: subprocess.Popen[bytes], message: Message) -> None:
        try:
            send(process.stdin, message)  # type: ignore[arg-type]
        except (OSError, ValueError):
            return  # it has just ended, which the listening thread reports


def send(stream: IO[bytes], message: Mapping[str, Any]) -> None:
    """Send one message."""
    stream.write(json.dumps(message).encode() + b"\n")
    stream.flush()


def receive(stream: IO[bytes]) -> Iterator[Message]:
    """Receive messages until the other side is gone; an incomplete last line is ignored."""
    for line in stream:
        if line.endswith(b"\n"):
            yield json.loads(line)
