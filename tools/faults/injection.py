"""The faults: a process is killed, the disk is full, bytes change, the clock goes back, memory or workers go.

Each runs a function in a forked child. Calls that change the disk are counted by an audit hook of Python, so
that a fault hits an exact one of them, and needs no other file system. So are the files that are opened to be
read, for the faults of reading.
"""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import sys
import tempfile
import threading
import time
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

CHANGING = ("os.rename", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "tempfile.mkstemp")
CHILD_SECONDS = 400
DEFECT = 99
"""The exit code of a child that ended with an exception that no user should see."""
LOST_WORKER = "lost worker"
FAILING_READ = "failing read"
KINDS = (
    *("kill", "interrupt", "full", "small files", "refused", "failing sync", "changed bytes", FAILING_READ),
    *("clock set back", "little memory", "no threads"),
)
"""Those of every scenario; where there are worker processes, one of them can be lost."""
WORKER_SECONDS = 5.0


@dataclass(frozen=True)
class Fault:
    """A fault of one kind, at the disk operation (or the opening of a file to read it) number `call`."""

    kind: str
    call: int
    seed: int


@dataclass(frozen=True)
class Ending:
    """How a child ended: its exit code (negative for a signal), what it wrote, and its use of the disk."""

    code: int
    output: str
    n_calls: int
    n_reads: int


def draw_fault(rng: random.Random, undisturbed: Ending, *, workers: bool) -> Fault:
    """Draw a fault at one of the disk operations of an undisturbed run."""
    kind = rng.choice((*KINDS, LOST_WORKER, LOST_WORKER) if workers else KINDS)
    n_moments = undisturbed.n_reads if kind == FAILING_READ else undisturbed.n_calls
    return Fault(kind, rng.randint(1, max(n_moments, 1)), rng.randrange(2**32))


def run_child(work: Callable[[], int], fault: Fault | None, folder: Path) -> Ending:
    """Run a function in a forked child, with a fault; the folder is the one whose bytes may change."""
    with tempfile.TemporaryDirectory(prefix="faults-") as place:
        output, counter = Path(place, "output"), Path(place, "calls")
        child = os.fork()
        if not child:
            _be_child(work, fault, folder, output, counter)
        timer = threading.Timer(CHILD_SECONDS, os.kill, (child, signal.SIGKILL))
        timer.start()
        _, status = os.waitpid(child, 0)
        timer.cancel()
        text = output.read_text(errors="replace") if output.exists() else ""
        counts = counter.read_bytes() if counter.exists() else b""
    return Ending(os.waitstatus_to_exitcode(status), text, counts.count(b"."), counts.count(b"r"))


def evaluate(function: Callable[[], Any]) -> Any:
    """Return what a function returns in a forked child.

    The process that forks must not use compiled libraries itself: their threads do not survive a fork.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, json.dumps(function()).encode())
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        data = stream.read()
    os.waitpid(child, 0)
    if not data:
        raise RuntimeError("the check itself failed")
    return json.loads(data)


def _be_child(
    work: Callable[[], int], fault: Fault | None, folder: Path, output: Path, counter: Path
) -> NoReturn:
    code = DEFECT
    try:
        handle = os.open(output, os.O_WRONLY | os.O_CREAT)
        count = os.open(counter, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for stream in (1, 2):
            os.dup2(handle, stream)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _inject(fault, folder, count)
        code = work()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def _inject(fault: Fault | None, folder: Path, count: int) -> None:
    """Count the operations on the disk from here on, and let the fault happen at its number."""
    n_calls = n_reads = 0
    inputs = str(folder.parent)
    if fault is not None and fault.kind == "small files":
        # a write beyond this fails as on a full disk, in compiled code too
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        limit = 64 + fault.seed % 20_000
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    if fault is not None and fault.kind == "failing sync":

        def fail(_: int) -> None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

        os.fsync = fail  # type: ignore[assignment]

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal n_calls, n_reads
        if event == "open":
            flags = arguments[2] if len(arguments) > 2 and isinstance(arguments[2], int) else 0
            if not flags & (os.O_WRONLY | os.O_RDWR):
                if str(arguments[0]).startswith(inputs):
                    n_reads += 1
                    os.write(count, b"r")
                    if fault is not None and fault.kind == FAILING_READ and n_reads == fault.call:
                        raise OSError(errno.EIO, os.strerror(errno.EIO))
                return
        elif event not in CHANGING:
            return
        n_calls += 1
        os.write(count, b".")
        if fault is not None and n_calls == fault.call:
            _strike(fault, folder)

    sys.addaudithook(hook)


def _strike(fault: Fault, folder: Path) -> None:
    if fault.kind == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif fault.kind == "interrupt":
        os.kill(os.getpid(), signal.SIGINT)
    elif fault.kind == "full":
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    elif fault.kind == "refused":
        raise PermissionError(errno.EROFS, os.strerror(errno.EROFS))
    elif fault.kind == "changed bytes":
        change_bytes(folder, fault.seed)
        os.kill(os.getpid(), signal.SIGKILL)
    elif fault.kind == "clock set back":
        set_clock_back(folder, fault.seed)
    elif fault.kind == "little memory":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + fault.seed % (64 << 20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    elif fault.kind == "no threads":
        threading.Thread.start = _refuse_thread  # type: ignore[method-assign]
    elif fault.kind == LOST_WORKER:
        threading.Thread(target=_kill_worker, daemon=True).start()


def _refuse_thread(_: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def _kill_worker() -> None:
    """Kill the first child of this process that there is, as a system without memory does."""
    end = time.monotonic() + WORKER_SECONDS
    while time.monotonic() < end:
        for children in Path("/proc/self/task").glob("*/children"):
            for child in children.read_text().split():
                os.kill(int(child), signal.SIGKILL)
                return
        time.sleep(0.002)


def set_clock_back(folder: Path, seed: int) -> None:
    """Set the clock of this process back; the files that are there come from the future then."""
    shift = (3600, 86_400, 400 * 86_400)[seed % 3]
    now = time.time

    class Earlier(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(tz or UTC) - timedelta(seconds=shift)

    time.time = lambda: now() - shift
    for name, module in list(sys.modules.items()):
        if name.startswith("colligate") and getattr(module, "datetime", None) is datetime:
            module.datetime = Earlier  # type: ignore[attr-defined]
    for path in folder.rglob("*") if folder.exists() else ():
        os.utime(path, (now() + shift, now() + shift), follow_symlinks=False)


def change_bytes(folder: Path, seed: int) -> None:
    """Change one byte of a file in the folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.exists() else []
    if files:
        path = files[seed % len(files)]
        with path.open("r+b") as stream:
            data = bytearray(stream.read())
            if data:
                data[seed % len(data)] ^= 1 + seed % 255
                stream.seek(0)
                stream.write(data)
