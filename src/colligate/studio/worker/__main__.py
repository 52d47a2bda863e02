"""The worker process: `python -m colligate.studio.worker FOLDER`.

Its orders come on stdin, and what it has to tell goes to stdout. It ends when the studio is gone,
because then its stdin ends.

The progress of a run in numbers: restart, sweep and objective, from the events of the loop.
"""

from __future__ import annotations

import os
import queue
import re
import signal
import sys
import threading
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from colligate.errors import CancelledError, ColligateError
from colligate.studio.project.folder import load_documents
from colligate.studio.worker.process import Message, received, send
from colligate.studio.worker.runner import Runner

if TYPE_CHECKING:
    from colligate.progress import Event

NOTE = re.compile(r"restart (\d+) of (\d+), sweep (\d+), objective (\S+)")


class Desk:
    """Takes orders from one thread while another works on them; a cancelled one is left or stopped."""

    def __init__(self) -> None:
        self.orders: queue.Queue[Message] = queue.Queue()
        self._cancelled: set[int] = set()

    def listen(self, stream: IO[bytes]) -> None:
        """Take in messages until the studio is gone, and end the process with it."""
        for message in received(stream):
            if message["do"] == "cancel":
                self._cancelled.add(message["job"])
            else:
                self.orders.put(message)
        os._exit(0)

    def is_cancelled(self, job: int) -> bool:
        """Whether a job was called off."""
        return job in self._cancelled


def work(order: Message, runner: Runner, desk: Desk, out: IO[bytes]) -> None:
    """Carry out one order and tell how it ended."""
    job = order["job"]

    def tell(what: str, **more: Any) -> None:
        send(out, {"tell": what, "job": job, **more})

    try:
        found = runner.run(
            order, lambda event: tell("progress", **step_of(event)), lambda: desk.is_cancelled(job)
        )
    except CancelledError:
        tell("cancelled")
    except ColligateError as error:
        tell("failed", message=str(error))
    except MemoryError:
        tell("failed", message="there is not enough memory for this run; ask for fewer groups")
    except Exception as error:
        tell("failed", message=f"{type(error).__name__}: {error}; this is a defect, please report it")
    else:
        tell("done", **found)


def main() -> None:
    """Serve until the studio is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the studio, which then ends this
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that prints may get between the messages
    desk = Desk()
    threading.Thread(target=desk.listen, args=(sys.stdin.buffer,), daemon=True).start()
    runner = Runner(folder := Path(sys.argv[1]), load_documents(folder))
    send(out, {"tell": "ready"})
    while True:
        work(desk.orders.get(), runner, desk, out)


def step_of(event: Event) -> dict[str, Any]:
    """What an event tells; only the stage where it is not a sweep."""
    found = NOTE.fullmatch(event.note)
    if found is None:
        return {"stage": event.stage, "note": event.note}
    return {
        "stage": event.stage,
        "restart": int(found[1]),
        "restarts": int(found[2]),
        "sweep": int(found[3]),
        "objective": float(found[4]),
    }


if __name__ == "__main__":
    main()
