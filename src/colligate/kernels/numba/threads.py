"""Running a kernel on chunks of rows by a pool of threads, and runs of a method side by side."""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from functools import cache
from itertools import pairwise
from threading import Event, Lock, local
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from colligate._machine import count_cores
from colligate.errors import CancelledError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

CHUNKS = 32
MIN_PARALLEL = 2048

T = TypeVar("T")


_thread = local()
"""`stop` of a thread that runs a task beside others is set when these tasks should end."""


class ThreadPool:
    """Runs chunks on `n_jobs` threads and returns their values in the order of the chunks."""

    def __init__(self, n_jobs: int | None) -> None:
        self.n_threads = count_cores() if n_jobs is None or n_jobs < 0 else max(1, n_jobs)
        self._lock, self._n_running = Lock(), 0

    @property
    def n_jobs(self) -> int:
        """The threads of one operation: all of them, or a share while tasks run side by side."""
        return -(-self.n_threads // max(self._n_running, 1))

    def run_side_by_side(self, tasks: Iterable[Callable[[], T]], max_running: int) -> list[T]:
        """Run tasks on threads, at most `max_running` at a time; see `Kernels.run_side_by_side`."""
        max_running = min(max_running, self.n_threads)
        if max_running < 2:
            return [task() for task in tasks]
        stop, futures = Event(), list[Future[T]]()
        with ThreadPoolExecutor(max_running, thread_name_prefix="colligate-task") as executor:
            try:
                for task in tasks:
                    running = [future for future in futures if not future.done()]
                    if len(running) >= max_running:
                        finished, _ = wait(running, return_when=FIRST_COMPLETED)
                        for future in finished:
                            future.result()
                    # the context has the settings of NumPy's warnings, and the listener of progress
                    futures.append(executor.submit(copy_context().run, self._run_beside, task, stop))
                return [future.result() for future in futures]
            except BaseException:
                stop.set()
                raise

    def _run_beside(self, task: Callable[[], T], stop: Event) -> T:
        _thread.stop = stop
        self._count_running(1)
        try:
            return task()
        finally:
            # the last tasks of many get the threads of those that ended
            self._count_running(-1)

    def _count_running(self, change: int) -> None:
        with self._lock:
            self._n_running += change

    def map(
        self, work: Callable[[int, int], T], size: int, chunks: int = CHUNKS, small: int = MIN_PARALLEL
    ) -> list[T]:
        """Call `work(start, stop)` for chunks of `range(size)`; their number depends only on `size`.

        Fewer than `small` items are one chunk.
        """
        n_chunks = 1 if size < small else min(chunks, size)
        return self.between(work, np.linspace(0, size, n_chunks + 1).astype(np.int64))

    def rows(self, work: Callable[[int, int], T], size: int) -> list[T]:
        """Do as `map` for work that is quick per item."""
        return self.between(work, self.row_edges(size))

    @staticmethod
    def row_edges(size: int) -> NDArray[np.int64]:
        """Return the edges of chunks for work that is quick per item: of at least `MIN_PARALLEL` items."""
        n_chunks = max(1, min(CHUNKS, size // MIN_PARALLEL))
        return np.linspace(0, size, n_chunks + 1).astype(np.int64)

    def between(self, work: Callable[[int, int], T], edges: NDArray[np.int64]) -> list[T]:
        """Call `work(start, stop)` for the range between each two edges."""
        stop = getattr(_thread, "stop", None)
        if stop is not None and stop.is_set():
            raise CancelledError("this computation was stopped, because one beside it was")
        spans, n_jobs = list(pairwise(edges.tolist())), self.n_jobs
        if n_jobs == 1 or len(spans) == 1:
            return [work(start, stop) for start, stop in spans]
        results: dict[int, T] = {}
        # threads take the next number from one iterator, which the GIL protects: a future for every range
        # would take longer than many ranges
        numbers = iter(range(len(spans)))

        def work_on() -> None:
            for number in numbers:
                results[number] = work(*spans[number])

        # threads suffice, without copies between processes: the kernels release the GIL
        executor = _make_executor(self.n_threads, os.getpid())
        helpers = [executor.submit(work_on) for _ in range(min(n_jobs, len(spans)) - 1)]
        try:
            work_on()
        finally:
            # a helper that has not begun yet is not needed any more
            wait([helper for helper in helpers if not helper.cancel()])
        for helper in helpers:
            if not helper.cancelled():
                helper.result()
        return [results[number] for number in range(len(spans))]


@cache
def _make_executor(n_threads: int, process: int) -> ThreadPoolExecutor:
    """Keep the threads, since starting them takes longer than many kernels; a forked process has its own."""
    return ThreadPoolExecutor(n_threads, thread_name_prefix="colligate")
