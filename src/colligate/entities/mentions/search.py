"""The search for names in all documents: in batches, in parallel processes, resumable from a checkpoint."""

from __future__ import annotations

import multiprocessing
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

from colligate._machine import count_cores
from colligate._storage.arrays import read_arrays, write_arrays
from colligate._storage.atomic import write_file
from colligate.entities.mentions.gazetteer import merge_hits
from colligate.errors import CancelledError, ColligateError, Parameter, StoreError
from colligate.progress import Event, ignore_events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from colligate.entities.mentions.gazetteer import Gazetteer, Hit
    from colligate.entities.mentions.recogniser import Recogniser
    from colligate.progress import Listener

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Batch = tuple[int, list[str]]
Item = TypeVar("Item")
Output = TypeVar("Output")
_BATCH_DOCUMENTS, _BATCH_CHARACTERS = 200, 2_000_000
_COLUMNS = 8
_AHEAD = 2
"""Batches waiting for each process: enough to keep it busy, few enough to bound the memory."""


@dataclass(frozen=True)
class MentionFinder:
    """The gazetteer and, if there is one, the recogniser."""

    gazetteer: Gazetteer
    recogniser: Recogniser | None = None

    def __call__(self, batch: Batch) -> tuple[int, MentionTable]:
        """Find the mentions in a batch; return them after the number of the document behind the batch."""
        first, texts = batch
        hits = ((first + offset, hit) for offset, text in enumerate(texts) for hit in self.find(text))
        return first + len(texts), MentionTable.from_hits(hits)

    def find(self, text: str) -> list[Hit]:
        """Find the names in one text."""
        hits = self.gazetteer.find(text)
        if self.recogniser is None:
            return hits
        return merge_hits(text, hits, self.recogniser.find(text), self.gazetteer)


@dataclass(frozen=True, eq=False)
class MentionTable:
    """Mentions by document and position; `lowercase` counts the names that occur in lower case.

    `hits` has a row for each mention: document, name, start, end, mid_sentence, standalone, preceded,
    locative (see `Hit`). `lowercase` has rows of a name and its number of occurrences in lower case.
    """

    hits: IntArray
    lowercase: IntArray

    @classmethod
    def from_hits(cls, hits: Iterable[tuple[int, Hit]]) -> MentionTable:
        """Make a table of hits and the numbers of their documents."""
        rows: list[tuple[int, ...]] = []
        lowercase: dict[int, int] = {}
        for document, hit in hits:
            if hit.lowercase:
                lowercase[hit.name] = lowercase.get(hit.name, 0) + 1
            else:
                flags = hit.mid_sentence, hit.standalone, hit.preceded, hit.locative
                rows.append((document, hit.name, hit.start, hit.end, *flags))
        return cls(
            np.array(rows, dtype=np.int64).reshape(-1, _COLUMNS),
            np.array(sorted(lowercase.items()), dtype=np.int64).reshape(-1, 2),
        )

    @classmethod
    def concatenate(cls, parts: Iterable[MentionTable]) -> MentionTable:
        """Put tables together in their order."""
        listed = [cls.from_hits(()), *parts]
        return cls(
            np.concatenate([part.hits for part in listed]),
            np.concatenate([part.lowercase for part in listed]),
        )

    def __len__(self) -> int:
        return len(self.hits)

    @property
    def document(self) -> IntArray:
        """The document of each mention."""
        return self.hits[:, 0]

    @property
    def name(self) -> IntArray:
        """The name of each mention, by number."""
        return self.hits[:, 1]

    @property
    def start(self) -> IntArray:
        """The offset at which each mention begins."""
        return self.hits[:, 2]

    @property
    def end(self) -> IntArray:
        """The offset at which each mention ends."""
        return self.hits[:, 3]

    @property
    def mid_sentence(self) -> BoolArray:
        """Whether each mention is inside a sentence."""
        return self.hits[:, 4] > 0

    @property
    def standalone(self) -> BoolArray:
        """Whether each mention is part of nothing longer."""
        return self.hits[:, 5] > 0

    @property
    def preceded(self) -> BoolArray:
        """Whether a capital word, an initial or a title comes before each mention."""
        return self.hits[:, 6] > 0

    @property
    def locative(self) -> BoolArray:
        """Whether each mention follows a preposition of place."""
        return self.hits[:, 7] > 0

    def select(self, mask: BoolArray) -> MentionTable:
        """Keep some of the mentions."""
        return MentionTable(self.hits[mask], self.lowercase)

    def select_names(self, names: IntArray) -> MentionTable:
        """Keep the mentions of some names, given in ascending order, and number these from 0."""
        hits = self.hits[np.isin(self.name, names)]
        # The mask has made a copy, so the table itself is not changed.
        hits[:, 1] = np.searchsorted(names, hits[:, 1])
        return MentionTable(hits, self.lowercase)


def find_mentions(
    finder: MentionFinder,
    texts: Sequence[str],
    *,
    jobs: int | None = None,
    listener: Listener = ignore_events,
    checkpoint: SearchCheckpoint | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> MentionTable:
    """Find all mentions. With a `checkpoint`, a search that was stopped continues from there."""
    done, parts = checkpoint.load() if checkpoint else (0, [])
    processes = jobs if jobs and jobs > 0 else count_cores()
    for end, part in map_in_order(finder, _make_batches(texts, done), processes):
        parts.append(part)
        done = end
        listener(Event("finding names", done, len(texts)))
        stopped = cancelled()
        if checkpoint:
            checkpoint.save(done, parts, force=stopped)
        if stopped:
            raise CancelledError(f"stopped after {done:,} documents")
    if checkpoint:
        checkpoint.save(done, parts, force=True)
    return MentionTable.concatenate(parts)


def _make_batches(texts: Sequence[str], first: int) -> Iterator[Batch]:
    """Yield batches of documents from `first` on, limited by their number and their characters."""
    batch: list[str] = []
    size = 0
    for end, text in enumerate(texts[first:] if first else texts, first + 1):
        batch.append(text)
        size += len(text)
        if len(batch) == _BATCH_DOCUMENTS or size >= _BATCH_CHARACTERS:
            yield end - len(batch), batch
            batch, size = [], 0
    if batch:
        yield len(texts) - len(batch), batch


def map_in_order(work: Callable[[Item], Output], batches: Iterable[Item], jobs: int) -> Iterator[Output]:
    """Apply `work` to every batch, in forked processes or else in threads; results keep the order."""
    try:
        started = _start_pool(work, jobs) if jobs > 1 else None
        if started is None:
            yield from map(work, batches)
            return
        with started as pool:
            waiting: deque[Future[Output]] = deque()
            call = work if isinstance(pool, ThreadPoolExecutor) else _call_work
            try:
                for batch in batches:
                    waiting.append(pool.submit(call, batch))
                    if len(waiting) > jobs * _AHEAD:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                # The caller may stop early, as a cancelled search does.
                for future in waiting:
                    future.cancel()
    except BrokenExecutor as error:
        raise ColligateError(
            "a process that searched documents was killed, probably for lack of memory; "
            "to use fewer processes, lower ",
            Parameter("n_jobs"),
        ) from error


# The work of the processes. Forked processes inherit it, and so never copy the automaton. It is set only
# during the fork, so that nothing stays in memory; a lock lets threads take turns.
_work: Callable[[Any], Any] | None = None
_fork_lock = threading.Lock()


def _start_pool(work: Callable[[Any], Any], jobs: int) -> Executor | None:
    """Start processes, or threads where there is no fork; None if the system has no thread left."""
    global _work
    try:
        # a pool that lacks its own thread would leave processes that nobody ends
        probe = threading.Thread(target=bool)
        probe.start()
        probe.join()
    except RuntimeError:
        return None
    if "fork" not in multiprocessing.get_all_start_methods():
        return ThreadPoolExecutor(jobs)
    # Python 3.12 warns of forking beside threads; the processes use nothing that threads hold.
    with _fork_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        _work = work
        try:
            context = multiprocessing.get_context("fork")
            pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_ignore_interrupts)
            try:
                pool.submit(bool).result()  # the first task forks the processes
            except BrokenExecutor:
                pool.shutdown()
                raise
        finally:
            _work = None
    return pool


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _call_work(batch: Any) -> Any:
    assert _work is not None
    return _work(batch)


@dataclass
class SearchCheckpoint:
    """One npz file with the mentions so far; `fingerprint` (hexadecimal) identifies documents and names."""

    path: Path
    fingerprint: str
    interval: float = 5.0
    _written: float = field(default_factory=time.monotonic, init=False)

    def save(self, done: int, parts: list[MentionTable], *, force: bool = False) -> None:
        """Write the mentions of the first `done` documents, unless the last save was a moment ago."""
        if not force and time.monotonic() - self._written < self.interval:
            return
        # One table in place of many, so that the next save has less to join.
        parts[:] = [MentionTable.concatenate(parts)]
        arrays: dict[str, np.ndarray] = {
            "fingerprint": self._fingerprint_bytes,
            "hits": parts[0].hits,
            "lowercase": parts[0].lowercase,
            "done": np.array([done]),
        }
        with write_file(self.path) as temporary:
            write_arrays(temporary, arrays)
        self._written = time.monotonic()

    def load(self) -> tuple[int, list[MentionTable]]:
        """Load the number of searched documents and their mentions; nothing if there is no file."""
        if not self.path.exists():
            return 0, []
        try:
            stored = read_arrays(self.path)
            table = MentionTable(stored["hits"].reshape(-1, _COLUMNS), stored["lowercase"].reshape(-1, 2))
            fingerprint, done = stored["fingerprint"], int(stored["done"][0])
        except (OSError, ValueError, KeyError, IndexError, EOFError, BadZipFile) as error:
            raise StoreError(f"{self.path} is damaged ({error}); remove it and start again") from error
        if not np.array_equal(fingerprint, self._fingerprint_bytes):
            raise StoreError(
                f"{self.path} is from a run with other documents, another knowledge base or other options; "
                f"run with the same input and options, or remove this file and start again"
            )
        return done, [table]

    @property
    def _fingerprint_bytes(self) -> NDArray[np.uint8]:
        return np.frombuffer(bytes.fromhex(self.fingerprint), dtype=np.uint8)
