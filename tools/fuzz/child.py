"""One process of the fuzzer: it works through inputs of one door, and notes which one it is at.

    python -m tools.fuzz.child DOOR SEED FIRST COUNT REPORT

The first bytes of REPORT are the number of the present input, how many were accepted, and the longest time,
so that the parent knows which input ended the process or blocks it. Findings follow as lines of JSON.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

CPU_SECONDS = 20
WALL_SECONDS = 60
"""Longer than the time of the processor: a busy machine is no finding."""
MEMORY_BYTES = 8 << 30
HEAD = 48


class SlowError(BaseException):
    """An input takes too long. No library may catch it as an ordinary exception."""


def _stop(*_: object) -> None:
    raise SlowError


def main(door: str, seed: int, first: int, count: int, report: Path) -> None:
    """Run the inputs, and write what is found."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    from tools.fuzz.doors import DOORS, is_allowed, silence_warnings

    silence_warnings()
    for alarm in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(alarm, _stop)
    handle = os.open(report, os.O_RDWR | os.O_CREAT)
    os.pwrite(handle, b" " * HEAD + b"\n", 0)
    end = HEAD + 1
    n_accepted, slowest = 0, 0.0
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        made = DOORS[door](Path(folder))
        for number in range(first, first + count):
            os.pwrite(handle, f"{number:>16}{n_accepted:>16}{slowest:>16.3f}".encode(), 0)
            start = time.perf_counter()
            finding = ""
            try:
                signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS)
                signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
                made.attack(random.Random(f"{door} {seed} {number}"))
                n_accepted += 1
            except SlowError:
                finding = f"took more than {CPU_SECONDS} s of the processor, or {WALL_SECONDS} s"
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                if not is_allowed(error):
                    finding = "".join(traceback.format_exception(error))[-3000:]
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.setitimer(signal.ITIMER_PROF, 0)
            slowest = max(slowest, time.perf_counter() - start)
            if finding:
                line = json.dumps({"input": number, "finding": finding}).encode() + b"\n"
                end += os.pwrite(handle, line, end)
    os.pwrite(handle, f"{first + count:>16}{n_accepted:>16}{slowest:>16.3f}".encode(), 0)
    # without the destructors of libraries, which could hide a crash or cause one
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]))
