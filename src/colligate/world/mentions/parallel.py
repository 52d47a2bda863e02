"""Work on batches in parallel, with results in the order of the batches, whatever the number of processes."""

from __future__ import annotations

import multiprocessing
import signal
import threading
import warnings
from collections import deque
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from colligate.errors import ColligateError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

Given = TypeVar("Given")
Made = TypeVar("Made")

_AHEAD = 2
"""Batches that wait for each process: enough to keep it busy, few enough to bound the memory."""

# What the processes do. They are forked and so inherit it, with an automaton that is never copied. It is
# there only while they are forked, so that nothing stays in memory, and threads take turns.
_work: Callable[[Any], Any] | None = None
_forking = threading.Lock()


def in_order(work: Callable[[Given], Made], batches: Iterable[Given], jobs: int) -> Iterator[Made]:
    """Apply `work` to every batch: right here for one job, else in forked processes, or in threads."""
    if jobs == 1:
        yield from map(work, batches)
        return
    with _pool(work, jobs) as pool:
        waiting: deque[Future[Made]] = deque()
        call = work if isinstance(pool, ThreadPoolExecutor) else _worked
        try:
            for batch in batches:
                waiting.append(pool.submit(call, batch))
                if len(waiting) > jobs * _AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenExecutor as error:
            raise ColligateError(
                "a process that looked through documents was ended from outside, mostly for want of memory; "
                "go on with fewer processes (n_jobs, or --jobs)"
            ) from error
        finally:
            for left in waiting:
                left.cancel()


def _pool(work: Callable[[Any], Any], jobs: int) -> Executor:
    global _work
    if "fork" not in multiprocessing.get_all_start_methods():
        return ThreadPoolExecutor(jobs)
    # Python 3.12 warns of forking beside threads; the processes touch nothing that those hold.
    with _forking, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        _work = work
        try:
            pool = ProcessPoolExecutor(
                jobs, mp_context=multiprocessing.get_context("fork"), initializer=_deaf
            )
            pool.submit(_started).result()
        finally:
            _work = None
    return pool


def _deaf() -> None:
    """Leave Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _started() -> bool:
    return True


def _worked(batch: Any) -> Any:
    assert _work is not None
    return _work(batch)
