"""Finding the names of the knowledge base in all documents: in batches, in parallel, to be gone on with.

What was found in all documents, as columns of numbers.

Work on batches in parallel, with results in the order of the batches, whatever the number of processes.

Finds kept on disk while the documents are gone through, so that the work can go on after any end.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import warnings
from collections import deque
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from colligate._storage.arrays import read_arrays, write_arrays
from colligate._storage.atomic import write_file
from colligate.entities.mentions.gazetteer import merge_hits
from colligate.errors import CancelledError, ColligateError, StoreError
from colligate.progress import Event, ignore_events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from colligate.entities.mentions.gazetteer import Gazetteer, Hit
    from colligate.entities.mentions.recogniser import Recogniser
    from colligate.progress import Listener


_DOCUMENTS, _CHARACTERS = 200, 2_000_000
Batch = tuple[int, list[str]]

IntArray = NDArray[np.int64]
DOCUMENT, NAME, START, END, TELLING, ALONE, LED, PLACED = range(8)
WIDTH = 8
Given = TypeVar("Given")
Made = TypeVar("Made")
_AHEAD = 2
"""Batches that wait for each process: enough to keep it busy, few enough to bound the memory."""
# What the processes do. They are forked and so inherit it, with an automaton that is never copied. It is
# there only while they are forked, so that nothing stays in memory, and threads take turns.
_work: Callable[[Any], Any] | None = None
_forking = threading.Lock()


@dataclass(frozen=True)
class MentionFinder:
    """The gazetteer and, where there is one, the recogniser."""

    gazetteer: Gazetteer
    recogniser: Recogniser | None = None

    def __call__(self, batch: Batch) -> tuple[int, MentionTable]:
        """The finds in a batch of documents, and the number of the document behind it."""
        first, texts = batch
        hits = ((first + at, hit) for at, text in enumerate(texts) for hit in self.find(text))
        return first + len(texts), MentionTable.of(hits)

    def find(self, text: str) -> list[Hit]:
        """The finds in one text."""
        hits = self.gazetteer.find(text)
        if self.recogniser is None:
            return hits
        return merge_hits(text, hits, self.recogniser.find(text), self.gazetteer)


def find_mentions(
    finder: MentionFinder,
    texts: Sequence[str],
    *,
    jobs: int | None = None,
    listener: Listener = ignore_events,
    kept: SearchCheckpoint | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> MentionTable:
    """All mentions. With `kept`, what is done lies on disk, and work that was stopped goes on from there."""
    done, parts = kept.load() if kept else (0, [])
    processes = jobs if jobs and jobs > 0 else os.cpu_count() or 1
    for end, part in map_in_order(finder, _batches(texts, done), processes):
        parts.append(part)
        done = end
        listener(Event("finding names", done, len(texts)))
        if kept:
            kept.save(done, parts)
        if cancelled():
            _stop(kept, done, parts)
    if kept:
        kept.save(done, parts, force=True)
    return MentionTable.joined(parts)


def _stop(kept: SearchCheckpoint | None, done: int, parts: list[MentionTable]) -> None:
    if kept:
        kept.save(done, parts, force=True)
    raise CancelledError(f"stopped after {done:,} documents")


def _batches(texts: Sequence[str], first: int) -> Iterator[Batch]:
    """Batches of documents from `first` on, bounded by their number and by their characters."""
    batch: list[str] = []
    size = 0
    for at, text in enumerate(_from(texts, first), first + 1):
        batch.append(text)
        size += len(text)
        if len(batch) == _DOCUMENTS or size >= _CHARACTERS:
            yield at - len(batch), batch
            batch, size = [], 0
    if batch:
        yield len(texts) - len(batch), batch


def _from(texts: Sequence[str], first: int) -> Iterable[str]:
    return texts[first:] if first else texts


@dataclass(frozen=True, eq=False)
class MentionTable:
    """Mentions in the order of the documents and of their places; `small` counts names in small letters.

    `hits` has a row for each mention: document, name, start, end, and whether it is telling, alone, led,
    placed. `small` has rows of a name and how often it occurs in small letters.
    """

    hits: IntArray
    small: IntArray

    @classmethod
    def of(cls, hits: Iterable[tuple[int, Hit]]) -> MentionTable:
        """Take in hits with the numbers of their documents."""
        named: list[tuple[int, ...]] = []
        small: dict[int, int] = {}
        for document, hit in hits:
            if hit.small:
                small[hit.name] = small.get(hit.name, 0) + 1
            else:
                tells = hit.telling, hit.alone, hit.led, hit.placed
                named.append((document, hit.name, hit.start, hit.end, *tells))
        return cls(
            np.array(named, dtype=np.int64).reshape(-1, WIDTH),
            np.array(sorted(small.items()), dtype=np.int64).reshape(-1, 2),
        )

    @classmethod
    def joined(cls, parts: Iterable[MentionTable]) -> MentionTable:
        """Put parts together in their order."""
        listed = [cls.of(()), *parts]
        return cls(
            np.concatenate([part.hits for part in listed]), np.concatenate([part.small for part in listed])
        )

    def __len__(self) -> int:
        return len(self.hits)

    @property
    def document(self) -> IntArray:
        """The document of each mention."""
        return self.hits[:, DOCUMENT]

    @property
    def name(self) -> IntArray:
        """The name of each mention."""
        return self.hits[:, NAME]

    @property
    def start(self) -> IntArray:
        """Where each mention begins in its text."""
        return self.hits[:, START]

    @property
    def end(self) -> IntArray:
        """Where each mention ends in its text."""
        return self.hits[:, END]

    def where(self, keep: NDArray[np.bool_]) -> MentionTable:
        """Some of the mentions."""
        return MentionTable(self.hits[keep], self.small)


def map_in_order(work: Callable[[Given], Made], batches: Iterable[Given], jobs: int) -> Iterator[Made]:
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


@dataclass
class SearchCheckpoint:
    """One npz file of plain arrays, replaced as a whole; `fingerprint` (hexadecimal) tells whose it is."""

    path: Path
    fingerprint: str
    interval: float = 5.0
    _written: float = field(default_factory=time.monotonic, init=False)

    def save(self, done: int, parts: list[MentionTable], *, force: bool = False) -> None:
        """Write what was found in the first `done` documents, unless that was done a moment ago."""
        if not force and time.monotonic() - self._written < self.interval:
            return
        parts[:] = [MentionTable.joined(parts)]
        hits, small = parts[0].hits, parts[0].small
        arrays = {"owner": self._owner, "hits": hits, "small": small, "done": np.array([done])}
        with write_file(self.path) as temporary:
            write_arrays(temporary, arrays)
        self._written = time.monotonic()

    def load(self) -> tuple[int, list[MentionTable]]:
        """Documents that are done, and what was found in them; nothing if there is no file."""
        if not self.path.exists():
            return 0, []
        try:
            stored = read_arrays(self.path)
            found = MentionTable(stored["hits"].reshape(-1, WIDTH), stored["small"].reshape(-1, 2))
            owner, done = stored["owner"], int(stored["done"][0])
        except (OSError, ValueError, KeyError, IndexError, EOFError, BadZipFile) as error:
            raise StoreError(f"{self.path} is damaged ({error}); remove it and start anew") from error
        if not np.array_equal(owner, self._owner):
            raise StoreError(
                f"{self.path} belongs to other documents, another knowledge base or other options; "
                f"run with the same ones, or remove it and start anew"
            )
        return done, [found]

    @property
    def _owner(self) -> np.ndarray:
        return np.frombuffer(bytes.fromhex(self.fingerprint), dtype=np.uint8)
