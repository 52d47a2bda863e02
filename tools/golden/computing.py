"""Every item there is, and its computation, in this process or in several."""

from __future__ import annotations

import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from tools.golden.corpora import MAKERS
from tools.golden.fits import Fit, describe_corpus, list_fits, run_fit
from tools.golden.sessions import list_sessions, reopen_project, replay_session

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tools.golden.files import Items

CORPUS, STUDIO, PROJECT = "corpus", "studio", "studio/project"


def list_items(only: str | None = None) -> list[str]:
    """List the names of all items, or of those that a pattern matches; plain text matches any part."""
    names = [f"{name}/{CORPUS}" for name in MAKERS] + [str(fit) for fit in list_fits()]
    names += [f"{STUDIO}/{name}" for name in list_sessions()] + [PROJECT]
    return [name for name in names if matches(name, only)]


def matches(name: str, only: str | None) -> bool:
    """Tell whether a name fits a pattern."""
    if not only:
        return True
    return fnmatchcase(name, only) if set(only) & set("*?[") else only in name


def compute_item(name: str) -> dict[str, Any]:
    """Compute one item."""
    first, _, rest = name.partition("/")
    if rest == CORPUS:
        return describe_corpus(first)
    if name == PROJECT:
        return reopen_project()
    if first == STUDIO:
        return replay_session(rest)
    return run_fit(Fit.parse(name))


def attempt_item(name: str) -> dict[str, Any]:
    """Compute one item; an error becomes what is computed."""
    try:
        return compute_item(name)
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"}


def compute_items(names: Iterable[str], jobs: int = 1) -> Items:
    """Compute items, and show how far it is."""
    wanted = list(names)
    items: Items = {}
    for number, (name, item) in enumerate(zip(wanted, _attempts(wanted, jobs), strict=True), 1):
        items[name] = item
        if sys.stderr.isatty() or number % 100 == 0 or number == len(wanted):
            end = "\r" if sys.stderr.isatty() and number < len(wanted) else "\n"
            print(f"{number}/{len(wanted)} {name:60s}", end=end, file=sys.stderr, flush=True)
    return items


def _attempts(names: list[str], jobs: int) -> Iterator[dict[str, Any]]:
    if jobs == 1:
        yield from map(attempt_item, names)
        return
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(attempt_item, names, chunksize=6)
