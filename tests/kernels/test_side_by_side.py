"""Tasks side by side: in order, on several threads, bounded, and ended together."""

import threading
import time
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from colligate.errors import CancelledError
from colligate.kernels import make_kernels

BACK_ENDS = [("fast", 1), ("fast", 2), ("fast", 5), ("reference", 1)]


def count_threads():
    return sum(thread.name.startswith("colligate-task") for thread in threading.enumerate())


@pytest.mark.parametrize(("name", "n_jobs"), BACK_ENDS)
def test_results_and_draws_are_in_order(name, n_jobs):
    rng, kernels = np.random.default_rng(0), make_kernels(name, n_jobs)

    def wait_and_return(number, draw):
        # later tasks take less time
        time.sleep(0.004 * (9 - number))
        return number, draw

    def draw_tasks():
        for number in range(9):
            yield partial(wait_and_return, number, rng.random())

    expected = np.random.default_rng(0).random(9)
    assert kernels.run_side_by_side(draw_tasks(), 4) == list(enumerate(expected))
    assert kernels.run_side_by_side([], 4) == []


@pytest.mark.parametrize(
    ("n_jobs", "n_entries", "n_threads"),
    [(None, 1_000_000, 8), (None, 20_000_000, 64), (-1, 1_000_000, 64), (12, 1_000_000, 12), (None, 0, 64)],
)
def test_few_entries_are_not_given_to_more_threads_than_help(monkeypatch, n_jobs, n_entries, n_threads):
    for module in ("colligate.kernels", "colligate.kernels.numba.threads"):
        monkeypatch.setattr(f"{module}.count_cores", lambda: 64)
    kernels = make_kernels("fast", n_jobs, n_entries=n_entries)
    assert kernels._pool.n_threads == n_threads


def test_tasks_run_at_the_same_time():
    barrier = threading.Barrier(2, timeout=20)
    places = make_kernels("fast", 2).run_side_by_side([barrier.wait, barrier.wait], 8)
    assert sorted(places) == [0, 1]


@pytest.mark.parametrize("max_running", [1, 2, 3])
def test_so_many_tasks_are_in_memory_at_most(max_running):
    lock, running, most = threading.Lock(), 0, 0

    def task():
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1

    make_kernels("fast", 8).run_side_by_side([task] * 12, max_running)
    assert most == max_running


def test_tasks_share_the_threads_of_the_kernels():
    kernels = make_kernels("fast", 6)
    barrier = threading.Barrier(3, timeout=20)

    def count_share():
        barrier.wait()
        share = kernels._pool.n_jobs
        barrier.wait()
        return share

    assert kernels.run_side_by_side([count_share] * 3, 3) == [2, 2, 2]
    assert kernels._pool.n_jobs == 6


def test_numbers_do_not_depend_on_what_runs_beside():
    rng = np.random.default_rng(0)
    left, right = rng.random((20_000, 12)), rng.random((20_000, 5))
    alone = make_kernels("fast", 1).overlap(left, right)
    kernels = make_kernels("fast", 4)
    for beside in kernels.run_side_by_side([lambda: kernels.overlap(left, right)] * 6, 3):
        np.testing.assert_array_equal(beside, alone)


def test_an_error_of_a_task_is_raised():
    def fail():
        raise ArithmeticError("of this task")

    with pytest.raises(ArithmeticError, match="of this task"):
        make_kernels("fast", 3).run_side_by_side([lambda: 1, fail, lambda: 2], 3)
    assert count_threads() == 0


def test_who_stops_the_draws_stops_the_tasks_at_their_next_operation():
    kernels, rows = make_kernels("fast", 3), np.ones((50, 2))
    ended = []

    def task():
        try:
            # without an end, if nobody stops it
            while True:
                kernels.overlap(rows, rows)
        except CancelledError:
            ended.append(True)
            raise

    def draw_tasks():
        yield task
        yield task
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kernels.run_side_by_side(draw_tasks(), 3)
    assert ended == [True, True]
    assert count_threads() == 0
    # the kernels still work
    np.testing.assert_array_equal(kernels.overlap(rows, rows), np.full((2, 2), 50.0))


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_ranges_are_worked_on_once_each_and_return_in_order(n_jobs):
    lock, seen = threading.Lock(), []

    def work(start, stop):
        with lock:
            seen.append(start)
        # later ranges take less time
        time.sleep(0.001 * (20 - start))
        return start, stop

    results = make_kernels("fast", n_jobs).map_ranges(work, np.arange(21))
    assert results == [(number, number + 1) for number in range(20)]
    assert sorted(seen) == list(range(20))


@pytest.mark.parametrize(("n_jobs", "n_ranges"), [(1, 1), (2, 8), (5, 15)])
def test_rows_are_divided_into_few_ranges(n_jobs, n_ranges):
    seen = []
    make_kernels("fast", n_jobs).map_rows(lambda start, stop: seen.append((start, stop)), 30_000)
    assert len(seen) == n_ranges
    edges = sorted(seen)
    assert edges[0][0] == 0
    assert edges[-1][1] == 30_000
    assert all(left[1] == right[0] for left, right in pairwise(edges))


def test_side_by_side_runs_with_a_thread_each_have_one_range_of_rows():
    kernels, barrier, seen = make_kernels("fast", 2), threading.Barrier(2, timeout=20), []

    def run():
        barrier.wait()
        kernels.map_rows(lambda start, stop: seen.append((start, stop)), 30_000)
        barrier.wait()

    kernels.run_side_by_side([run, run], 2)
    assert seen == [(0, 30_000)] * 2


def test_several_threads_work_on_ranges():
    barrier = threading.Barrier(3, timeout=20)
    places = make_kernels("fast", 3).map_ranges(lambda *_: barrier.wait(), np.arange(4))
    assert sorted(places) == [0, 1, 2]


@pytest.mark.parametrize("failing", [0, 7])
def test_an_error_in_a_range_reaches_the_caller_after_all_threads_are_done(failing):
    lock, running = threading.Lock(), 0

    def work(start, _):
        nonlocal running
        with lock:
            running += 1
        time.sleep(0.002)
        with lock:
            running -= 1
        if start == failing:
            raise ValueError("range")

    with pytest.raises(ValueError, match="range"):
        make_kernels("fast", 4).map_ranges(work, np.arange(31))
    assert running == 0
