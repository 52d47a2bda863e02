"""The corpus: documents, the words in them, and how often each occurs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.corpus import checks, store
from colligate.corpus.analyser import Analyser
from colligate.corpus.counting import count, count_over
from colligate.corpus.gather import gather
from colligate.corpus.readers import FrameSource, ListedSource, Wanted, source_of
from colligate.corpus.reindex import reindexed
from colligate.corpus.texts import Texts
from colligate.errors import InputError
from colligate.files import located
from colligate.progress import nobody

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.corpus.readers import Source
    from colligate.progress import Listener

OF_COUNTS = "the corpus was made of counts, so how its words were made is not known"


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
        object.__setattr__(self, "counts", checks.read_only(self.counts))
        documents, words = self.counts.shape
        object.__setattr__(self, "ids", checks.names(self.ids, documents, "ids"))
        object.__setattr__(self, "words", checks.names(self.words, words, "words"))
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
        listener: Listener = nobody,
    ) -> Corpus:
        """Read a .csv, .tsv, .jsonl or .parquet file (also .gz or .zst), or a folder of .txt files.

        `text` and `id` name columns (several of text are joined); without them likely names are looked for,
        and documents without ids are called "1", "2", ... With `like`, words are counted over that corpus's
        words by its analyser, so that a method fitted on it can take the new documents.
        """
        source = source_of(located(path), Wanted.of(text, id), encoding)
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
        return cls._from_source(ListedSource(texts, ids), analyser, like, nobody)

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
        return cls._from_source(FrameSource(frame, Wanted.of(text, id)), analyser, like, nobody)

    @classmethod
    def from_counts(
        cls,
        counts: Any,
        words: Sequence[str],
        ids: Sequence[object] | None = None,
        texts: Iterable[str] | None = None,
    ) -> Corpus:
        """Make a corpus of a documents × words matrix of counts; documents without ids are "1", "2", ..."""
        matrix = checks.whole_counts(counts)
        numbers: Sequence[object] = range(1, matrix.shape[0] + 1)
        return cls(
            ids=checks.names(numbers if ids is None else ids, matrix.shape[0], "ids"),
            counts=matrix,
            words=checks.names(words, matrix.shape[1], "words"),
            texts=None if texts is None else Texts.of(texts),
            analyser=Analyser(forgotten=OF_COUNTS),
            source="the counts",
        )

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Corpus:
        """Load what `save` wrote; a damaged, incomplete or newer one is refused by the name of the file."""
        stored = store.load(located(folder))
        return cls(*stored)

    def save(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Store the corpus as a new folder of Parquet, npz and JSON files."""
        stored = store.Stored(self.ids, self.counts, self.words, self.texts, self.analyser, self.source)
        store.save(stored, located(folder), overwrite=overwrite)

    @cached_property
    def empty(self) -> NDArray[np.bool_]:
        """Which documents hold no counted word."""
        return np.asarray(np.diff(self.counts.indptr) == 0)

    def counts_over(self, words: Sequence[str]) -> csr_array:
        """Return the counts over another list of words; words that are not in it fall away."""
        return reindexed(self.counts, self.words, checks.names(words, len(words), "words"))

    def counted_like(self, known: Corpus) -> csr_array:
        """Return the counts over another corpus' words: the texts, by its analyser, where both are."""
        if self.analyser == known.analyser and self.words == known.words:
            return self.counts
        if self.texts is None or known.analyser.forgotten:
            return self.counts_over(known.words)
        return count_over(self.texts, known.words, known.analyser, nobody)

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
        ids, texts = gather(source, listener)
        if like is not None:
            counts = count_over(texts, like.words, chosen, listener)
            return cls(ids, counts, like.words, texts, chosen, source.name)
        counts, words, used = count(texts, chosen, source.name, listener)
        return cls(ids, counts, words, texts, used, source.name)
