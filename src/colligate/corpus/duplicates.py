"""Copies among documents: equal texts, and texts that are nearly equal.

Two texts are compared by the shingles they share: runs of `SHINGLE` words. Of every document only the
`SKETCH` shingles with the smallest hashes are kept (a bottom-k sketch), so that memory and time are linear in
the texts. Documents that share some of their `N_KEYS` smallest shingles are compared. A document is a copy of
the most similar earlier document that is no copy itself, so that no chain of small differences joins two
documents that differ.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from colligate._machine import count_cores
from colligate.corpus.texts import Texts, arrow_bytes
from colligate.errors import InputError, ParameterError
from colligate.progress import ProgressMeter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
BLOCKS_AT_ONCE = 32
MAX_DOCUMENTS = (2**31 - 1) // N_KEYS
"""The places of the shingles that are looked up are numbers of 32 bits."""
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
    from colligate.corpus import scanner

    if not 0 < threshold <= 1:
        raise ParameterError(
            f"threshold must be above 0 and at most 1; got {threshold!r:.60}", parameter="threshold"
        )
    if len(corpus) > MAX_DOCUMENTS:
        raise InputError(
            f"copies can be found among at most {MAX_DOCUMENTS:,} documents, and this corpus has "
            f"{len(corpus):,}; look for copies in parts of it, such as corpus[:{MAX_DOCUMENTS}]"
        )
    meter = ProgressMeter(listener, "looking for copies", len(corpus))
    if corpus.texts is None:
        equal, sketches = _read_counts(corpus.counts, corpus.words, meter)
    else:
        equal, sketches = _read_texts(Texts.of(corpus.texts), meter)
    n = len(corpus)
    copies = Duplicates(corpus.ids, np.arange(n), np.ones(n), np.zeros(n, dtype=bool))
    offsets = np.concatenate([[0], np.cumsum([len(part) for part in sketches], dtype=np.int64)])
    scanner.find_originals(
        np.concatenate([np.zeros(0, dtype=np.uint64), *sketches]),
        offsets,
        equal,
        float(threshold),
        (SKETCH, N_KEYS, MOST_COMPARED, LEAST_SHARED),
        copies.original,
        copies.similarity,
        copies.exact,
    )
    meter.finish()
    return copies


class _EqualTexts:
    """The first document with each key; keys that are equal by chance are told apart by the texts."""

    def __init__(self, plain: Callable[[int], Any]) -> None:
        self._plain = plain
        self._first: dict[int, int] = {}

    def find(self, row: int, key: int) -> int:
        """Return the first document with the text of this one; -1 without a text."""
        if not key:
            return -1
        first = self._first.setdefault(key, row)
        return first if first == row or self._plain(first) == self._plain(row) else row


def _read_texts(texts: Texts, meter: ProgressMeter) -> tuple[Ints, list[Hashes]]:
    """Return of each text the first one that is equal, -1 without text, and its sketch."""
    equal, sketches = np.empty(len(texts), dtype=np.int64), []
    first_of = _EqualTexts(lambda row: texts[row].split())
    code_of_word = _WordCodes()
    with ThreadPoolExecutor(count_cores()) as pool:
        row = 0
        # a few blocks at a time: the sketches of a block take more memory than those that are kept
        blocks = texts.blocks()
        groups = iter(lambda: list(islice(blocks, BLOCKS_AT_ONCE)), [])
        for block, (hashes, sizes, smallest) in chain.from_iterable(
            pool.map(_scan_block, group) for group in groups
        ):
            for number, (value, size) in enumerate(zip(hashes.tolist(), sizes.tolist(), strict=True)):
                if size < 0:
                    value, part = _scan_text(block[number].as_py(), code_of_word)
                else:
                    part = smallest[number, :size].copy()
                equal[row] = first_of.find(row, value)
                sketches.append(part)
                row += 1
            meter.update(row)
    return equal, sketches


def _scan_block(block: Any) -> tuple[Any, tuple[Hashes, Ints, Hashes]]:
    """Hash and sketch the texts of an Arrow array that are in ASCII."""
    from colligate.corpus import scanner

    data, offsets = arrow_bytes(block)
    hashes, sizes = np.zeros(len(block), dtype=np.uint64), np.zeros(len(block), dtype=np.int64)
    smallest = np.empty((len(block), SKETCH), dtype=np.uint64)
    scanner.sketch_texts(data, offsets, SHINGLE, hashes, sizes, smallest)
    return block, (hashes, sizes, smallest)


def _scan_text(text: str, code_of_word: _WordCodes) -> tuple[int, Hashes]:
    """Return a hash of a text, 0 without any, and its sketch; the way for all scripts."""
    plain = " ".join(text.split())
    words = WORD.findall(plain.casefold())
    codes = np.fromiter(map(code_of_word.__getitem__, words), dtype=np.uint64, count=len(words))
    return _hash_bytes(plain.encode()), sketch_codes(codes)


def sketch_codes(codes: Hashes) -> Hashes:
    """Return the smallest hashes of the runs of words."""
    from colligate.corpus import scanner

    smallest = np.empty(SKETCH, dtype=np.uint64)
    return smallest[: scanner.sketch(codes, SHINGLE, smallest)]


def _hash_bytes(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little") if data else 0


class _WordCodes(dict[str, int]):
    """A number for every word, the same in every run; those of words seen before are kept."""

    def __missing__(self, word: str) -> int:
        code = self[word] = crc32(word.encode())
        return code


def _read_counts(counts: csr_array, words: Sequence[str], meter: ProgressMeter) -> tuple[Ints, list[Hashes]]:
    """Return the same of documents without a text: their words stand for the shingles."""
    codes = _mix(np.array([crc32(word.encode()) for word in words], dtype=np.uint64))
    bounds = counts.indptr.tolist()

    def entries(row: int) -> bytes:
        part = slice(bounds[row], bounds[row + 1])
        return counts.indices[part].astype(np.int64).tobytes() + counts.data[part].tobytes()

    first_of, equal, sketches = _EqualTexts(entries), np.empty(len(bounds) - 1, dtype=np.int64), []
    for row, (start, stop) in enumerate(pairwise(bounds)):
        equal[row] = first_of.find(row, _hash_bytes(entries(row)))
        sketches.append(np.unique(codes[counts.indices[start:stop]])[:SKETCH])
        meter.update(row)
    return equal, sketches


def _mix(values: Hashes) -> Hashes:
    """Mix the bits of numbers, so that their order is as if drawn at random (SplitMix64)."""
    mixed = values + MIX[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * MIX[1]
    mixed = (mixed ^ (mixed >> np.uint64(27))) * MIX[2]
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
