"""Finding the names of the knowledge base in all documents: in batches, in parallel, to be gone on with."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from colligate.errors import CancelledError
from colligate.progress import Event, nobody
from colligate.world.mentions.found import Found
from colligate.world.mentions.parallel import in_order
from colligate.world.mentions.spans import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from colligate.progress import Listener
    from colligate.world.mentions.gazetteer import Gazetteer, Hit
    from colligate.world.mentions.kept import Kept
    from colligate.world.mentions.recogniser import Recogniser

_DOCUMENTS, _CHARACTERS = 200, 2_000_000
Batch = tuple[int, list[str]]


@dataclass(frozen=True)
class Finder:
    """The gazetteer and, where there is one, the recogniser."""

    gazetteer: Gazetteer
    recogniser: Recogniser | None = None

    def __call__(self, batch: Batch) -> tuple[int, Found]:
        """The finds in a batch of documents, and the number of the document behind it."""
        first, texts = batch
        hits = ((first + at, hit) for at, text in enumerate(texts) for hit in self.find(text))
        return first + len(texts), Found.of(hits)

    def find(self, text: str) -> list[Hit]:
        """The finds in one text."""
        hits = self.gazetteer.find(text)
        if self.recogniser is None:
            return hits
        return joined(text, hits, self.recogniser.find(text), self.gazetteer)


def find(
    finder: Finder,
    texts: Sequence[str],
    *,
    jobs: int | None = None,
    listener: Listener = nobody,
    kept: Kept | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Found:
    """All mentions. With `kept`, what is done lies on disk, and work that was stopped goes on from there."""
    done, parts = kept.load() if kept else (0, [])
    processes = jobs if jobs and jobs > 0 else os.cpu_count() or 1
    for end, part in in_order(finder, _batches(texts, done), processes):
        parts.append(part)
        done = end
        listener(Event("finding names", done, len(texts)))
        if kept:
            kept.save(done, parts)
        if cancelled():
            _stop(kept, done, parts)
    if kept:
        kept.save(done, parts, force=True)
    return Found.joined(parts)


def _stop(kept: Kept | None, done: int, parts: list[Found]) -> None:
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
