"""Copies among documents: equal texts, and texts that are nearly equal.

Two texts are compared by the shingles they share: runs of `SHINGLE` words. Of every document only the
`SKETCH` shingles with the smallest hashes are kept (a bottom-k sketch), so that memory and time are linear in
the texts. Documents that share some of their `N_KEYS` smallest shingles are compared. A document is a copy of
the most similar earlier document that is no copy itself, so that no chain of small differences joins two
documents that differ.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from colligate.errors import ParameterError
from colligate.progress import ProgressMeter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scipy.sparse import csr_array

    from colligate.corpus import Corpus
    from colligate.progress import Listener

SHINGLE = 3
SKETCH = 128
N_KEYS = 16
"""So many of the smallest shingles of a document are looked up among earlier documents."""
LEAST_SHARED = 0.25
"""Documents are compared if they share this part of the smallest shingles that similar ones would share."""
MOST_COMPARED = 64
"""So many documents are compared with one at most: text that all documents share makes no quadratic time."""
THRESHOLD = 0.6
# Chinese, Japanese and Thai are written without spaces: there a character counts as a word
UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff"
WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")
# the constants of the mixing function of SplitMix64
MIX = tuple(map(np.uint64, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)))

Ints = NDArray[np.int64]
Hashes = NDArray[np.uint64]


@dataclass(frozen=True, eq=False, repr=False)
class Duplicates:
    """Which documents are copies of which.

    Attributes
    ----------
    ids : list of str
        The ids of the documents.
    original : array of int
        For each document the position of the one that it is a copy of; its own position if it is none.
    similarity : array of float
        The share of three-word runs that a copy has in common with its original, of those in either; 1 for
        documents that are no copies.
    exact : array of bool
        Which documents are copies with the same text, white space aside.
    """

    ids: Sequence[str]
    original: Ints
    similarity: NDArray[np.float64]
    exact: NDArray[np.bool_]

    @cached_property
    def copies(self) -> Ints:
        """The positions of the documents that are copies of others."""
        return np.flatnonzero(self.original != np.arange(len(self.original)))

    @cached_property
    def originals(self) -> Ints:
        """The positions of all documents that are no copies."""
        return np.flatnonzero(self.original == np.arange(len(self.original)))

    @property
    def sets(self) -> list[Ints]:
        """The documents with copies, each followed by its copies."""
        order = self.copies[np.argsort(self.original[self.copies], kind="stable")]
        first, start = np.unique(self.original[order], return_index=True)
        return [np.append(o, part) for o, part in zip(first, np.split(order, start[1:]), strict=False)]

    def __len__(self) -> int:
        return len(self.copies)

    def __repr__(self) -> str:
        return f"Duplicates({self.describe() or f'no copies among {len(self.ids):,} documents'})"

    def describe(self) -> str:
        """Say in one line how many copies there are; empty if there are none."""
        if not len(self):
            return ""
        first = int(self.copies[0])
        n_exact, total = int(self.exact.sum()), len(self.ids)
        are = "documents is a copy of another" if len(self) == 1 else "documents are copies of others"
        return (
            f"{len(self):,} of {total:,} {are} ({n_exact:,} exact, {len(self) - n_exact:,} near), "
            f"such as {self.ids[first]!s:.60} of {self.ids[int(self.original[first])]!s:.60}"
        )

    def table(self) -> Any:
        """Return the copies as a `pyarrow.Table`: id, copy_of, similarity and exact."""
        import pyarrow as pa

        return pa.table(
            {
                "id": [self.ids[row] for row in self.copies.tolist()],
                "copy_of": [self.ids[row] for row in self.original[self.copies].tolist()],
                "similarity": np.round(self.similarity[self.copies], 4),
                "exact": self.exact[self.copies],
            }
        )


def find_duplicates(corpus: Corpus, threshold: float, listener: Listener) -> Duplicates:
    """Find the copies in a corpus; see `Corpus.duplicates`."""
    if not 0 < threshold <= 1:
        raise ParameterError(
            f"threshold must be above 0 and at most 1; got {threshold!r:.60}", parameter="threshold"
        )
    search, meter = _Search(len(corpus), float(threshold)), ProgressMeter(listener, "copies", len(corpus))
    documents = (
        _read_counts(corpus.counts, corpus.words) if corpus.texts is None else _read_texts(corpus.texts)
    )
    for row, (key, sketch) in enumerate(documents):
        if key:
            search.add(row, key, sketch)
        meter.update(row)
    meter.finish()
    return Duplicates(corpus.ids, search.original, search.similarity, search.exact)


def _read_texts(texts: Iterable[str]) -> Iterator[tuple[bytes, Hashes]]:
    """Yield of each text a key, equal for equal texts and empty without text, and its sketch."""
    code_of_word = _WordCodes()
    for text in texts:
        plain = " ".join(text.split())
        words = WORD.findall(plain.casefold())
        codes = np.fromiter(map(code_of_word.__getitem__, words), dtype=np.uint64, count=len(words))
        key = blake2b(plain.encode(), digest_size=16).digest() if plain else b""
        yield key, _sketch(_hash_shingles(codes))


class _WordCodes(dict[str, int]):
    """A number for every word, the same in every run; those of words seen before are kept."""

    def __missing__(self, word: str) -> int:
        code = self[word] = crc32(word.encode())
        return code


def _read_counts(counts: csr_array, words: Sequence[str]) -> Iterator[tuple[bytes, Hashes]]:
    """Yield the same of documents without a text: their words stand for the shingles."""
    codes = _mix(np.array([crc32(word.encode()) for word in words], dtype=np.uint64))
    for start, stop in pairwise(counts.indptr.tolist()):
        columns = counts.indices[start:stop]
        row = columns.astype(np.int64).tobytes() + counts.data[start:stop].tobytes()
        yield blake2b(row, digest_size=16).digest() if stop > start else b"", _sketch(codes[columns])


def _hash_shingles(codes: Hashes) -> Hashes:
    """Return a hash of every run of words; a shorter text is one run."""
    length = min(SHINGLE, len(codes))
    if not length:
        return codes
    n_runs = len(codes) - length + 1
    hashes = np.zeros(n_runs, dtype=np.uint64)
    for offset in range(length):
        hashes = _mix(hashes + codes[offset : offset + n_runs])
    return hashes


def _mix(values: Hashes) -> Hashes:
    """Mix the bits of numbers, so that their order is as if drawn at random (SplitMix64)."""
    mixed = values + MIX[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * MIX[1]
    mixed = (mixed ^ (mixed >> np.uint64(27))) * MIX[2]
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


def _sketch(hashes: Hashes) -> Hashes:
    return np.unique(hashes)[:SKETCH]


class _Search:
    """Documents seen so far, found again by their text and by their smallest shingles."""

    def __init__(self, n_documents: int, threshold: float) -> None:
        self.original = np.arange(n_documents)
        self.similarity = np.ones(n_documents)
        self.exact = np.zeros(n_documents, dtype=bool)
        self._threshold = threshold
        self._row_of_text: dict[bytes, int] = {}
        self._rows_of_shingle: dict[int, list[int]] = {}
        self._sketches: dict[int, Hashes] = {}

    def add(self, row: int, key: bytes, sketch: Hashes) -> None:
        """Compare a document with the earlier ones that are no copies."""
        equal = self._row_of_text.setdefault(key, row)
        if equal != row:
            self.original[row] = self.original[equal]
            self.similarity[row] = self.similarity[equal]
            self.exact[row] = self.original[equal] == equal
            return
        smallest = sketch[:N_KEYS].tolist()
        best, similarity = self._find_most_similar(smallest, sketch)
        if similarity >= self._threshold:
            self.original[row], self.similarity[row] = best, similarity
            return
        self._sketches[row] = sketch
        for shingle in smallest:
            rows = self._rows_of_shingle.setdefault(shingle, [])
            if len(rows) < MOST_COMPARED:
                rows.append(row)

    def _find_most_similar(self, smallest: list[int], sketch: Hashes) -> tuple[int, float]:
        """Return the most similar original, the first of equals, and its similarity; 0 without any."""
        shared = Counter(row for shingle in smallest for row in self._rows_of_shingle.get(shingle, ()))
        best, highest = -1, 0.0
        least = LEAST_SHARED * self._threshold * len(smallest)
        for row, n_shared in shared.most_common(MOST_COMPARED):
            if n_shared < least:
                break
            similarity = _compare(self._sketches[row], sketch)
            if similarity > highest or (similarity == highest and row < best):
                best, highest = row, similarity
        return best, highest


def _compare(first: Hashes, second: Hashes) -> float:
    """Estimate the Jaccard similarity of two sets by the smallest hashes of their union.

    It is exact where both sketches hold their whole set.
    """
    both = np.sort(np.concatenate([first, second]))
    is_shared = both[1:] == both[:-1]
    is_first = np.append(True, ~is_shared)
    n_union = min(int(is_first.sum()), SKETCH)
    last = both[is_first][n_union - 1]
    return float((is_shared & (both[1:] <= last)).sum() / n_union)
