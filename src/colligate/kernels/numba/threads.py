"""Running a kernel on chunks of rows by a pool of threads."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from colligate.corpus.texts import count_cores

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

CHUNKS = 32
MIN_PARALLEL = 2048

T = TypeVar("T")


class ThreadPool:
    """Runs chunks on `n_jobs` threads and returns their values in the order of the chunks."""

    def __init__(self, n_jobs: int | None) -> None:
        self.n_jobs = count_cores() if n_jobs is None or n_jobs < 0 else max(1, n_jobs)

    def map(
        self, work: Callable[[int, int], T], size: int, chunks: int = CHUNKS, small: int = MIN_PARALLEL
    ) -> list[T]:
        """Call `work(start, stop)` for chunks of `range(size)`; their number depends only on `size`.

        Fewer than `small` items are one chunk.
        """
        n_chunks = 1 if size < small else min(chunks, size)
        return self.between(work, np.linspace(0, size, n_chunks + 1).astype(np.int64))

    def rows(self, work: Callable[[int, int], T], size: int) -> list[T]:
        """Do as `map` for work that is quick per item: each chunk has at least `MIN_PARALLEL` items."""
        return self.map(work, size, chunks=max(1, min(CHUNKS, size // MIN_PARALLEL)))

    def between(self, work: Callable[[int, int], T], edges: NDArray[np.int64]) -> list[T]:
        """Call `work(start, stop)` for the range between each two edges."""
        spans = list(pairwise(edges.tolist()))
        if self.n_jobs == 1 or len(spans) == 1:
            return [work(start, stop) for start, stop in spans]
        # threads suffice, without copies between processes: the kernels release the GIL
        return list(_make_executor(self.n_jobs, os.getpid()).map(lambda span: work(*span), spans))


@cache
def _make_executor(n_jobs: int, process: int) -> ThreadPoolExecutor:
    """Keep the threads, since starting them takes longer than many kernels; a forked process has its own."""
    return ThreadPoolExecutor(n_jobs, thread_name_prefix="colligate")
