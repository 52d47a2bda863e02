"""The corpus: documents, the words in them, and how often each occurs.

Taking in all records of a source: ids, and texts held compactly.

What must hold for the parts of a corpus to fit together.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from colligate._storage.atomic import expand_path
from colligate.corpus import store
from colligate.corpus.analyser import Analyser
from colligate.corpus.readers import ColumnRequest, FrameSource, MemorySource, open_source
from colligate.corpus.texts import Texts, TextsBuilder, replace_surrogates
from colligate.corpus.vectorize import count_known_words, count_words, reindex_words
from colligate.errors import CorpusError, InputError, MatrixError, Parameter
from colligate.progress import ignore_events

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.corpus.readers import Source
    from colligate.progress import Listener


MADE_OF_COUNTS = "the corpus was made of counts, so how its words were made is not known"
MAX_SHOWN = 5
MAX_COUNT = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents × words: `counts`, with `ids` and `words` naming its sides; `texts` where they are known.

    Documents without any counted word are kept; `empty` marks them. The counts are taken over and made
    read-only: results, networks and methods share them.
    """

    ids: list[str]
    counts: csr_array
    words: list[str]
    texts: Sequence[str] | None
    analyser: Analyser
    source: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", freeze_counts(self.counts))
        documents, words = self.counts.shape
        object.__setattr__(self, "ids", check_names(self.ids, documents, "ids"))
        object.__setattr__(self, "words", check_names(self.words, words, "words"))
        if self.texts is not None and len(self.texts) != documents:
            raise InputError(
                f"there are {len(self.texts)} texts for {documents} documents; give one for each"
            )

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        text: str | Sequence[str] | None = None,
        id: str | None = None,
        analyser: Analyser | None = None,
        like: Corpus | None = None,
        encoding: str | None = None,
        listener: Listener = ignore_events,
    ) -> Corpus:
        """Read a .csv, .tsv, .jsonl or .parquet file (also .gz or .zst), or a folder of .txt files.

        `text` and `id` name columns (several of text are joined); without them likely names are looked for,
        and documents without ids are called "1", "2", ... With `like`, words are counted over that corpus's
        words by its analyser, so that a method fitted on it can take the new documents.
        """
        source = open_source(expand_path(path), ColumnRequest.of(text, id), encoding)
        return cls._from_source(source, analyser, like, listener)

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str | None],
        ids: Iterable[object] | None = None,
        *,
        analyser: Analyser | None = None,
        like: Corpus | None = None,
    ) -> Corpus:
        """Make a corpus of texts in memory; they are read once, so a generator will do."""
        return cls._from_source(MemorySource(texts, ids), analyser, like, ignore_events)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        text: str | Sequence[str] | None = None,
        id: str | None = None,
        analyser: Analyser | None = None,
        like: Corpus | None = None,
    ) -> Corpus:
        """Make a corpus of a pandas or polars DataFrame, an Arrow table, or anything with an Arrow stream."""
        return cls._from_source(FrameSource(frame, ColumnRequest.of(text, id)), analyser, like, ignore_events)

    @classmethod
    def from_counts(
        cls,
        counts: Any,
        words: Sequence[str],
        ids: Sequence[object] | None = None,
        texts: Iterable[str] | None = None,
    ) -> Corpus:
        """Make a corpus of a documents × words matrix of counts; documents without ids are "1", "2", ..."""
        matrix = check_counts(counts)
        numbers: Sequence[object] = range(1, matrix.shape[0] + 1)
        return cls(
            ids=check_names(numbers if ids is None else ids, matrix.shape[0], "ids"),
            counts=matrix,
            words=check_names(words, matrix.shape[1], "words"),
            texts=None if texts is None else Texts.of(texts),
            analyser=Analyser(forgotten=MADE_OF_COUNTS),
            source="the counts",
        )

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Corpus:
        """Load what `save` wrote; a damaged, incomplete or newer one is refused by the name of the file."""
        stored = store.load(expand_path(folder))
        return cls(*stored)

    def save(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Store the corpus as a new folder of Parquet, npz and JSON files."""
        stored = store.CorpusFields(self.ids, self.counts, self.words, self.texts, self.analyser, self.source)
        store.save(stored, expand_path(folder), overwrite=overwrite)

    @cached_property
    def empty(self) -> NDArray[np.bool_]:
        """Which documents hold no counted word."""
        return np.asarray(np.diff(self.counts.indptr) == 0)

    def counts_over(self, words: Sequence[str]) -> csr_array:
        """Return the counts over another list of words; words that are not in it fall away."""
        return reindex_words(self.counts, self.words, check_names(words, len(words), "words"))

    def counted_like(self, known: Corpus) -> csr_array:
        """Return the counts over another corpus' words: the texts, by its analyser, where both are."""
        if self.analyser == known.analyser and self.words == known.words:
            return self.counts
        if self.texts is None or known.analyser.forgotten:
            return self.counts_over(known.words)
        return count_known_words(self.texts, known.words, known.analyser, ignore_events)

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        empty = int(self.empty.sum())
        return f"Corpus({len(self)} documents ({empty} empty), {len(self.words)} words, from {self.source})"

    @classmethod
    def _from_source(
        cls, source: Source, analyser: Analyser | None, like: Corpus | None, listener: Listener
    ) -> Corpus:
        chosen = analyser or (like.analyser if like is not None else Analyser())
        chosen.refuse_forgotten()
        ids, texts = collect_documents(source, listener)
        if like is not None:
            counts = count_known_words(texts, like.words, chosen, listener)
            return cls(ids, counts, like.words, texts, chosen, source.name)
        counts, words, used = count_words(texts, chosen, source.name, listener)
        return cls(ids, counts, words, texts, used, source.name)


class Documents(NamedTuple):
    """The documents of a source, in its order."""

    ids: list[str]
    texts: Texts


def collect_documents(source: Source, listener: Listener) -> Documents:
    """Read `source` once; refuse it if it holds no documents or two of the same id."""
    ids: list[str] = []
    places = array("q")
    texts = TextsBuilder()
    for record in source.records(listener):
        ids.append(replace_surrogates(record.id))
        places.append(record.where)
        texts.add(record.text)
    if not ids:
        raise CorpusError(f"{source.name}: there are no documents in it")
    _check_unique_ids(ids, places, source)
    return Documents(ids, texts.finish())


def _check_unique_ids(ids: list[str], places: array[int], source: Source) -> None:
    if len(set(ids)) == len(ids):
        return
    first: dict[str, int] = {}
    repeats: list[str] = []
    for at, id in enumerate(ids):
        if id in first:
            repeats.append(f"{id!r} ({source.place(places[first[id]])} and {source.place(places[at])})")
        first.setdefault(id, at)
    more = f", and {len(repeats) - MAX_SHOWN} more" if len(repeats) > MAX_SHOWN else ""
    raise CorpusError(
        f"ids must differ, but {source.name} repeats {len(repeats)}: {', '.join(repeats[:MAX_SHOWN])}{more}; "
        "make them differ, or name another column with ",
        Parameter("id", ...),
    )


def check_names(found: Sequence[object], size: int, kind: str) -> list[str]:
    """Return names as a list of str: one for each of `size` objects, all different, fit for a file."""
    if isinstance(found, str):
        raise InputError(f"{kind} must be a list of names; got a single str")
    result = [name if isinstance(name, str) else str(name) for name in found]
    if len(result) != size:
        raise InputError(f"there are {len(result)} {kind} for {size} in the counts; give one for each")
    _check_unique(result, kind)
    for name in result:
        _check_encodable(name, kind)
    return result


def check_counts(matrix: Any) -> sparse.csr_array:
    """Return what a user gives as counts in canonical form: whole numbers, none of them negative."""
    try:
        found = sparse.csr_array(matrix, copy=True)
    except (TypeError, ValueError) as error:
        raise MatrixError(f"counts must be a matrix of documents × words ({error})") from error
    if found.ndim != 2:
        raise MatrixError(f"counts must be a matrix of documents × words; got {found.ndim} dimension(s)")
    if found.dtype.kind not in "biuf":
        raise MatrixError(f"counts must be numbers; got {found.dtype}")
    found.sum_duplicates()
    _check_entries(found)
    counts = found.astype(np.int32)
    counts.eliminate_zeros()
    return counts


def freeze_counts(counts: sparse.csr_array) -> sparse.csr_array:
    """Return counts that nobody can change, in canonical form, which SciPy would otherwise make in place."""
    if not counts.has_canonical_format:
        counts = counts.copy()
        counts.sum_duplicates()
    for part in (counts.data, counts.indices, counts.indptr):
        part.setflags(write=False)
    return counts


def _check_entries(matrix: sparse.csr_array) -> None:
    data = matrix.data
    with np.errstate(invalid="ignore"):
        bad = ~np.isfinite(data) | (data < 0) | (data > MAX_COUNT) | (data != np.floor(data))
    if bad.any():
        at = int(np.flatnonzero(bad)[0])
        row = int(np.searchsorted(matrix.indptr, at, side="right")) - 1
        raise MatrixError(
            f"counts must be whole numbers from 0 to {MAX_COUNT}; got {data[at]} at row {row}, column "
            f"{matrix.indices[at]} ({int(bad.sum())} in all); "
            f"to use weights, fit a method on the matrix itself"
        )


def _check_unique(found: list[str], kind: str) -> None:
    if len(set(found)) == len(found):
        return
    seen: dict[str, int] = {}
    for at, name in enumerate(found):
        if name in seen:
            raise CorpusError(f"{kind} must differ; {name!r} is at {seen[name]} and at {at}")
        seen[name] = at


def _check_encodable(name: str, kind: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise CorpusError(f"{kind} must be text that a file can hold; {name!r} is not") from error
