"""Which tests are quick, in which order the workers take them, and how long each lane took."""

from __future__ import annotations

import functools
import gc
import importlib.metadata
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

# dozens of processes load the package, and every worker all tests: one compiles them, and the rest read
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# linear algebra on as many threads as there are cores would crowd out the other workers
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# every result notes the versions of what computed it; to read them anew takes longer than many a small fit
importlib.metadata.version = functools.cache(importlib.metadata.version)

STARTS_A_PROCESS = {"browser", "finished", "server"}
"""Fixtures that start a browser, a server or the worker of a studio: the tests that take them are slow."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as quick whatever is not slow; files with slow tests come first, so that no worker ends late."""
    slow_files = set()
    for item in items:
        if STARTS_A_PROCESS.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("slow"):
            slow_files.add(item.path)
        else:
            item.add_marker(pytest.mark.quick)
    items.sort(key=lambda item: item.path not in slow_files)


def pytest_collection_finish() -> None:
    """Leave what was collected out of every later garbage collection: it is large, and stays to the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Run the tests of a single file in this process: workers would only take time to start."""
    paths = {Path(argument.partition("::")[0]) for argument in config.args}
    return 0 if len(paths) == 1 and paths.pop().is_file() else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the time that the tests took, added up over the workers, and the share of the quick lane."""
    reports = [r for kind in ("passed", "failed", "xfailed", "") for r in terminalreporter.getreports(kind)]
    total = sum(report.duration for report in reports)
    quick = sum(report.duration for report in reports if "quick" in report.keywords)
    if total:
        share = f"{quick:.0f} s of {total:.0f} s, {quick / total:.0%}"
        terminalreporter.write_line(f"time in tests that are quick: {share}")


@pytest.fixture(autouse=True)
def _listening_to_ctrl_c() -> Iterator[None]:
    """A shell that starts the tests in the background lets them ignore Ctrl-C, and their children too."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    """A Dask cluster of two workers in threads: real tasks, without the start of processes."""
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0"
    )
    with cluster, distributed.Client(cluster) as client:
        yield client
