"""The cores and the memory that this process may use."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path


def count_cores() -> int:
    """Return how many cores this process may use."""
    # affinity before cpu_count: a container or batch system may allow fewer cores than the machine has
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Memory:
    """The bytes of the machine, or of its container, and what is free of them; None if unknown."""

    total: int | None
    available: int | None


def read_memory() -> Memory:
    """Return the memory of this machine."""
    total = available = None
    with contextlib.suppress(AttributeError, ValueError, OSError):  # no such call on Windows
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with contextlib.suppress(OSError, StopIteration, ValueError):  # files of Linux alone
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        available = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        if limit.isdigit() and total is not None:
            total = min(total, int(limit))
            available = min(available, total)
    return Memory(total, available)
