"""A batch of inputs in a child process, which the parent watches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.fuzz.child import HEAD, WALL_SECONDS

START_SECONDS = 600
"""To import, and to compile where nothing is cached."""
HANG_SECONDS = 3 * WALL_SECONDS
"""Without a new input the process is blocked in compiled code, where no signal reaches it."""
POLL_SECONDS = 0.2


@dataclass(frozen=True)
class Lane:
    """A door, with or without checks of all indices in compiled code (NUMBA_BOUNDSCHECK=1)."""

    door: str
    bounds: bool = False

    def __str__(self) -> str:
        return f"{self.door} (bounds)" if self.bounds else self.door

    @property
    def environment(self) -> dict[str, str]:
        """The variables of the child."""
        variables = {**os.environ, "NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        if self.bounds:
            variables["NUMBA_BOUNDSCHECK"] = "1"
            # compiled with the checks, so beside those that are cached without them
            variables["NUMBA_CACHE_DIR"] = str(Path(tempfile.gettempdir()) / "fuzz-numba-boundscheck")
        return variables


@dataclass
class Batch:
    """What a child did: how many inputs it ended, how many were accepted, and the findings."""

    inputs: int = 0
    accepted: int = 0
    slowest: float = 0.0
    seconds: float = 0.0
    findings: list[dict[str, Any]] = field(default_factory=list)


def run_batch(lane: Lane, seed: int, first: int, count: int) -> Batch:
    """Run inputs in a child, up to and with one that ends or blocks it."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fuzz-report-") as folder:
        report, errors = Path(folder) / "report", Path(folder) / "errors"
        numbers = map(str, (seed, first, count))
        command = [sys.executable, "-m", "tools.fuzz.child", lane.door, *numbers, str(report)]
        with errors.open("wb") as stream:
            child = subprocess.Popen(
                command,
                env=lane.environment,
                stdout=subprocess.DEVNULL,
                stderr=stream,
                start_new_session=True,
            )
            reason = _watch(child, report)
        written = errors.read_text(errors="replace")[-2000:]
        head, _, lines = report.read_bytes().partition(b"\n") if report.exists() else (b"", b"", b"")
    if not head.strip():
        raise SystemExit(f"the door {lane.door} cannot be prepared: {reason}\n{written}")
    number, accepted, slowest = head[:HEAD].split()
    batch = Batch(int(number) - first, int(accepted), float(slowest), time.monotonic() - start)
    batch.findings = [{"door": str(lane), **json.loads(line)} for line in lines.splitlines()]
    if reason:
        batch.inputs += 1
        batch.findings.append(
            {"door": str(lane), "input": int(number), "finding": f"{reason}\n{written}".strip()}
        )
    return batch


def _watch(child: subprocess.Popen[bytes], report: Path) -> str:
    """Wait until a child ends; return what is wrong with its end, empty if nothing."""
    head, since = b"", time.monotonic()
    while child.poll() is None:
        time.sleep(POLL_SECONDS)
        now = report.read_bytes()[:HEAD] if report.exists() else b""
        if now != head:
            head, since = now, time.monotonic()
        elif time.monotonic() - since > (HANG_SECONDS if head.strip() else START_SECONDS):
            child.kill()
            child.wait()
            return "the process hangs"
    return f"the process ended with {child.returncode}" if child.returncode else ""
