"""The worker process: `python -m colligate.studio.worker FOLDER`.

It reads orders from stdin and writes messages to stdout. It ends with the studio, because then stdin ends.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from pathlib import Path
from typing import IO, Any

from colligate.errors import CancelledError, ColligateError
from colligate.studio.project.folder import load_documents
from colligate.studio.worker.meter import RunMeter
from colligate.studio.worker.process import Message, receive, send
from colligate.studio.worker.runner import Runner


class OrderQueue:
    """Orders read by one thread and carried out by another; a cancelled order is stopped."""

    def __init__(self) -> None:
        self.waiting: queue.Queue[Message] = queue.Queue()
        self._cancelled: set[int] = set()

    def listen(self, stream: IO[bytes]) -> None:
        """Read messages until the studio is gone, then end the process."""
        for message in receive(stream):
            if message["do"] == "cancel":
                self._cancelled.add(message["job"])
            else:
                self.waiting.put(message)
        # a run in the main thread would keep the process alive
        os._exit(0)

    def is_cancelled(self, job: int) -> bool:
        """Tell whether a job was cancelled."""
        return job in self._cancelled


def carry_out(order: Message, runner: Runner, orders: OrderQueue, out: IO[bytes]) -> None:
    """Carry out one order and report how it ended."""
    job = order["job"]

    def emit(kind: str, **more: Any) -> None:
        send(out, {"event": kind, "job": job, **more})

    meter = RunMeter()
    try:
        done = runner.run(
            order,
            lambda event: emit("progress", **meter.read(event)),
            lambda: orders.is_cancelled(job),
            lambda groups: emit("progress", groups=groups),
        )
    except CancelledError:
        emit("cancelled")
    except ColligateError as error:
        emit("failed", message=str(error))
    except MemoryError:
        emit("failed", message="there is not enough memory for this run; choose fewer groups")
    except Exception as error:
        emit("failed", message=f"{type(error).__name__}: {error}; this is a defect, please report it")
    else:
        emit("done", **done)


def main() -> None:
    """Serve until the studio is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the studio handles Ctrl-C and then ends the worker
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of libraries must not mix with the messages
    orders = OrderQueue()
    # before the documents are read, so that the end of the studio is noticed meanwhile
    threading.Thread(target=orders.listen, args=(sys.stdin.buffer,), daemon=True).start()
    runner = Runner(folder := Path(sys.argv[1]), load_documents(folder))
    send(out, {"event": "ready"})
    while True:
        carry_out(orders.waiting.get(), runner, orders, out)


if __name__ == "__main__":
    main()
