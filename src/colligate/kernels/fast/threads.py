"""Mapping a kernel over chunks of rows on a pool of threads."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

CHUNKS = 32
SMALL = 2048

T = TypeVar("T")


class Pool:
    """Runs chunks on `n_jobs` threads and returns their values in the order of the chunks."""

    def __init__(self, n_jobs: int | None) -> None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.n_jobs = cores if n_jobs is None or n_jobs < 0 else max(1, n_jobs)

    def map(
        self, work: Callable[[int, int], T], size: int, chunks: int = CHUNKS, small: int = SMALL
    ) -> list[T]:
        """Call `work(start, stop)` for chunks of `range(size)`; their number depends on `size` alone.

        Fewer than `small` items are one chunk.
        """
        n_chunks = 1 if size < small else min(chunks, size)
        edges = np.linspace(0, size, n_chunks + 1).astype(np.int64)
        spans = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
        if self.n_jobs == 1 or n_chunks == 1:
            return [work(start, stop) for start, stop in spans]
        with ThreadPoolExecutor(self.n_jobs) as executor:
            return list(executor.map(lambda span: work(*span), spans))
