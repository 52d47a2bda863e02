"""The corpus: documents, the words in them, and how often each word occurs in each document."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from colligate._array import check_sparse
from colligate._storage.atomic import expand_path
from colligate._text import clean, clip, count_noun, list_first
from colligate.corpus import store
from colligate.corpus.analyser import Analyser
from colligate.corpus.card import make_corpus_card
from colligate.corpus.columns import (
    ColumnRoles,
    ColumnsBuilder,
    DocumentColumns,
    describe_roles,
    make_columns,
)
from colligate.corpus.debris import describe_debris
from colligate.corpus.duplicates import THRESHOLD, Duplicates, find_duplicates
from colligate.corpus.languages import count_languages, stop_languages
from colligate.corpus.readers import ColumnRequest, FrameSource, MemorySource, find_source, open_source
from colligate.corpus.texts import Texts, TextsBuilder, replace_surrogates
from colligate.corpus.vectorize import count_known_words, count_words, reindex_words
from colligate.errors import CorpusError, InputError, MatrixError, Parameter
from colligate.progress import ignore_events
from colligate.shards.client import is_collection
from colligate.shards.matrix import ShardedMatrix

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.corpus.readers import Source
    from colligate.progress import Listener

MADE_OF_COUNTS = "the corpus was made from counts, so Colligate does not know how to find words in a text"
MAX_SHOWN = 5
LONGEST_HEADING = 200
LONGEST_SOURCE = 120
LONGEST_START = 2_000
"""So much of a text is searched for its first line: a text may be one line of any length."""
MAX_COUNT = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents and their word counts.

    Make one with `read`, `from_texts`, `from_frame`, `from_counts` or `load`. The counts are taken over, not
    copied, and made read-only: results, networks and methods share them.

    Attributes
    ----------
    ids : list of str
        The ids of the documents, all different.
    counts : csr_array of int32
        Documents × words. Documents without a counted word are kept as empty rows.
    words : list of str
        The words, in the order of the columns.
    texts : sequence of str, or None
        The texts of the documents, where they are known.
    analyser : Analyser
        What counts as a word.
    source : str
        Where the documents come from, for messages.
    columns : mapping of str to column
        The columns of the input beside text and id, and that of the titles, as `pyarrow.ChunkedArray`.
    roles : ColumnRoles
        Which columns of the input were read as text, as id and as title.
    debris : mapping of str to int
        What was not counted as words, such as HTML tags, and in how many documents.
    """

    ids: list[str]
    counts: csr_array
    words: list[str]
    texts: Sequence[str] | None
    analyser: Analyser
    source: str
    columns: DocumentColumns = field(default_factory=DocumentColumns)
    roles: ColumnRoles = field(default_factory=ColumnRoles)
    debris: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", freeze_counts(self.counts))
        documents, words = self.counts.shape
        object.__setattr__(self, "ids", check_names(self.ids, documents, "ids"))
        object.__setattr__(self, "words", check_names(self.words, words, "words"))
        if self.texts is not None and len(self.texts) != documents:
            raise InputError(
                f"there are {len(self.texts)} texts for {documents} documents; give one text for each"
            )
        self.columns.check_rows(documents)

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
        """Read documents from a file or a folder.

        Parameters
        ----------
        path : path
            A .csv, .tsv, .jsonl or .parquet file (also .gz or .zst), or a folder of .txt files.
        text : str or list of str, optional
            The column of the text; several columns are joined. The default is the first column with a
            common name, such as text, body or content, after a column called title, headline or subject if
            there is one.
        id : str, optional
            The column of the ids. The default is a column with a common name, such as id, or else the
            numbers "1", "2", ...
        analyser : Analyser, optional
            What counts as a word.
        like : Corpus, optional
            Count the words of this corpus, by its analyser, so that a method fitted on it can predict the
            new documents. Its columns of texts and ids are read here too, if they are there.
        encoding : str, optional
            The encoding of the file. The default is UTF-8, or a guess with a warning.
        listener : callable, optional
            Called with progress events.

        Returns
        -------
        Corpus

        Raises
        ------
        CorpusError
            If the file cannot be read, is malformed or repeats an id.
        EncodingError
            If the file is not text in the encoding.
        """
        request = ColumnRequest.of(text, id, _roles_of(like))
        source = open_source(expand_path(path), request, encoding)
        return cls._from_source(source, analyser, like, listener)

    @classmethod
    def of(
        cls,
        documents: Any,
        *,
        text: str | Sequence[str] | None = None,
        id: str | None = None,
        analyser: Analyser | None = None,
        like: Corpus | None = None,
        encoding: str | None = None,
        listener: Listener = ignore_events,
    ) -> Corpus:
        """Make a corpus of documents in any form that `fit` takes, a matrix aside.

        Parameters
        ----------
        documents : list, array or Series of texts, frame, dataset, path or Corpus
            Texts; or a table: a pandas or polars DataFrame, an Arrow table, a dataset of Hugging Face, or
            anything else with an Arrow stream; or a path as in `read`; or a bag of texts, a Series of texts
            or a DataFrame of Dask, whose counts stay on the workers of the cluster.
        text, id, analyser, like, encoding, listener
            See `read`. `text` and `id` are for tables.

        Returns
        -------
        Corpus

        Raises
        ------
        CorpusError
            If these are no documents.
        """
        corpus = cls.of_documents(
            documents, text=text, id=id, analyser=analyser, like=like, encoding=encoding, listener=listener
        )
        if corpus is None:
            raise CorpusError(
                f"{type(documents).__name__} is no list of texts and no table with texts; pass a matrix to "
                "fit itself, or make a corpus of counts with Corpus.from_counts"
            )
        return corpus

    @classmethod
    def of_documents(
        cls,
        documents: Any,
        *,
        text: str | Sequence[str] | None = None,
        id: str | None = None,
        analyser: Analyser | None = None,
        like: Corpus | None = None,
        encoding: str | None = None,
        listener: Listener = ignore_events,
    ) -> Corpus | None:
        """Make a corpus as `of` does; None for a matrix."""
        if isinstance(documents, Corpus):
            return documents
        request = ColumnRequest.of(text, id, _roles_of(like), "Corpus.of")
        if is_collection(documents):
            from colligate.corpus.partitions import count_collection

            return count_collection(documents, request, analyser, like, listener)
        source = find_source(documents, request, encoding)
        return None if source is None else cls._from_source(source, analyser, like, listener)

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str | None],
        ids: Iterable[object] | None = None,
        *,
        columns: Any = None,
        analyser: Analyser | None = None,
        like: Corpus | None = None,
    ) -> Corpus:
        """Make a corpus of texts in memory.

        Parameters
        ----------
        texts : iterable of str
            The texts, read once, so that a generator will do. None is an empty text.
        ids : iterable, optional
            One id for each text. The default is "1", "2", ...
        columns : mapping or DataFrame, optional
            What else is known of each text, such as its date: names and lists of values, one for each text.
            A column called title, headline or subject has the headings of the documents.
        analyser, like
            See `read`.
        """
        return cls._from_source(
            MemorySource(texts, ids, make_columns(columns)), analyser, like, ignore_events
        )

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
        """Make a corpus of the rows of a data frame.

        Parameters
        ----------
        frame : DataFrame
            A pandas or polars DataFrame, an Arrow table, or anything else with an Arrow stream.
        text, id, analyser, like
            See `read`. The index of a pandas DataFrame is never the id.
        """
        request = ColumnRequest.of(text, id, _roles_of(like))
        return cls._from_source(FrameSource(frame, request), analyser, like, ignore_events)

    @classmethod
    def from_counts(
        cls,
        counts: Any,
        words: Sequence[str],
        ids: Sequence[object] | None = None,
        texts: Iterable[str | None] | None = None,
    ) -> Corpus:
        """Make a corpus of counts.

        Parameters
        ----------
        counts : array or sparse matrix
            Documents × words, whole numbers from 0.
        words : list of str
            One word for each column.
        ids : list, optional
            One id for each document. The default is "1", "2", ...
        texts : iterable of str, optional
            One text for each document. None is an empty text.

        Raises
        ------
        MatrixError
            If the counts are not whole numbers from 0.
        """
        matrix = check_counts(counts)
        numbers: Sequence[object] = range(1, matrix.shape[0] + 1)
        return cls(
            ids=check_names(numbers if ids is None else ids, matrix.shape[0], "ids"),
            counts=matrix,
            words=check_names(words, matrix.shape[1], "words"),
            texts=None if texts is None else _check_texts(texts),
            analyser=Analyser(unusable=MADE_OF_COUNTS),
            source="the counts",
        )

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Corpus:
        """Load a corpus that `save` wrote.

        Raises
        ------
        StoreError
            If a file is missing, damaged or of a newer format.
        """
        return cls(*store.load(expand_path(folder)))

    def save(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Store the corpus as a new folder of Parquet, npz and JSON files.

        Parameters
        ----------
        folder : path
            The folder to make.
        overwrite : bool, default False
            Replace a corpus that is stored there.
        """
        fields = store.CorpusFields(**{name: getattr(self, name) for name in store.CorpusFields._fields})
        store.save(fields, expand_path(folder), overwrite=overwrite)

    @cached_property
    def empty(self) -> NDArray[np.bool_]:
        """Which documents have no counted word."""
        return np.asarray(np.diff(self.counts.indptr) == 0)

    @cached_property
    def language(self) -> str | None:
        """The code of the language that most texts are in, such as "de"; None if it is not known.

        Without texts, it is the language of the analyser's stemmer or stop words.
        """
        set_for = [self.analyser.stem] if self.analyser.stem else stop_languages(self.analyser.stop_words)
        if self.texts is None:
            return set_for[0] if set_for and not self.analyser.unusable else None
        counts = count_languages(self.texts, dict.fromkeys([*set_for, "en"]))
        return max(counts, key=lambda code: counts[code], default=None)

    @property
    def title_column(self) -> Any:
        """The column of the headings (`pyarrow.ChunkedArray`); None if there is none."""
        return None if self.roles.title is None else self.columns.get(self.roles.title)

    def heading(self, position: int) -> str:
        """Return the title of a document, or else the first line of its text, on one line."""
        column = self.title_column
        title = None if column is None else column[position].as_py()
        if title is None or not str(title).strip():
            text = "" if self.texts is None else self.texts[position]
            title = text[:LONGEST_START].lstrip().partition("\n")[0]
        return " ".join(str(title)[:LONGEST_START].split())[:LONGEST_HEADING]

    def describe_columns(self) -> str:
        """Say which columns were read as text and as id, and which are kept; empty if there were none."""
        return describe_roles(self.roles, self.columns)

    def describe_debris(self) -> str:
        """Say what was not counted as words, and in how many documents; empty if there was nothing."""
        return describe_debris(self.debris)

    def duplicates(self, threshold: float = THRESHOLD, *, listener: Listener = ignore_events) -> Duplicates:
        """Find documents that are copies of earlier ones, exactly or nearly.

        Similarity is the share of runs of three words that two texts have in common, of those in either
        (Jaccard, estimated by 128 of them for long texts). Without texts, words take the place of runs. Time
        and memory are linear in the texts.

        Parameters
        ----------
        threshold : float, default 0.6
            The least similarity of near copies. One word in ten left out makes .6, one in a hundred .95.
        listener : callable, optional
            Called with progress events.

        Returns
        -------
        Duplicates
        """
        return find_duplicates(self, threshold, listener)

    def counts_over(self, words: Sequence[str]) -> csr_array:
        """Return the counts over another list of words; other words are left out, new ones have no counts."""
        return reindex_words(self.counts, self.words, check_names(words, len(words), "words"))

    def counts_like(self, corpus: Corpus) -> csr_array:
        """Return the counts over the words of another corpus, found by its analyser if there are texts."""
        if self.analyser == corpus.analyser and self.words == corpus.words:
            return self.counts
        if self.texts is None or corpus.analyser.unusable:
            return self.counts_over(corpus.words)
        return count_known_words(self.texts, corpus.words, corpus.analyser, ignore_events)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of documents and of words."""
        return len(self.ids), len(self.words)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, rows: Any) -> Corpus:
        """Return some of the documents, by a slice, positions or booleans; the words stay the same."""
        # scikit-learn's cross-validation asks for corpus[rows, ...]
        if isinstance(rows, tuple) and len(rows) == 2 and rows[1] is Ellipsis:
            rows = rows[0]
        positions = np.arange(len(self))[rows] if not np.isscalar(rows) else None
        if positions is None or positions.ndim != 1:
            raise TypeError("a corpus is indexed by a slice, positions or booleans, as in corpus[:100]")
        texts = None if self.texts is None else Texts(Texts.of(self.texts).column.take(positions))
        table = self.columns.table
        return replace(
            self,
            ids=[self.ids[position] for position in positions.tolist()],
            counts=self.counts[positions],
            texts=texts,
            columns=DocumentColumns(None if table is None else table.take(positions)),
        )

    def __repr__(self) -> str:
        n_empty = int(self.empty.sum())
        empty = f" ({n_empty:,} empty)" if n_empty else ""
        sizes = f"{count_noun(len(self), 'document')}{empty}, {count_noun(len(self.words), 'word')}"
        return f"Corpus({sizes}, from {clip(clean(str(self.source)), LONGEST_SOURCE)})"

    def _repr_html_(self) -> str:
        return make_corpus_card(self)

    @classmethod
    def _from_source(
        cls, source: Source, analyser: Analyser | None, like: Corpus | None, listener: Listener
    ) -> Corpus:
        chosen = analyser or (like.analyser if like is not None else Analyser())
        chosen.check_usable()
        ids, texts, columns, roles = collect_documents(source, listener)
        if like is not None:
            counts = count_known_words(texts, like.words, chosen, listener)
            return cls(ids, counts, like.words, texts, chosen, source.name, columns, roles)
        counts, words, fitted, debris = count_words(texts, chosen, source.name, listener)
        return cls(ids, counts, words, texts, fitted, source.name, columns, roles, debris)


def _roles_of(like: Corpus | None) -> ColumnRoles | None:
    return None if like is None else like.roles


def _check_texts(texts: Iterable[str | None]) -> Texts:
    """Keep a user's texts; refuse what is no text."""
    if isinstance(texts, Texts):
        return texts
    return Texts.of(record.text for record in MemorySource(texts).records(ignore_events, ColumnsBuilder()))


class Documents(NamedTuple):
    """The documents of a source, in its order."""

    ids: list[str]
    texts: Texts
    columns: DocumentColumns
    roles: ColumnRoles


def collect_documents(source: Source, listener: Listener) -> Documents:
    """Read a source once; refuse it if it has no documents or two of the same id."""
    ids: list[str] = []
    locations = array("q")
    texts, columns = TextsBuilder(), ColumnsBuilder()
    for record in source.records(listener, columns):
        ids.append(replace_surrogates(record.id))
        locations.append(record.location)
        texts.add(record.text)
    if not ids:
        raise CorpusError(f"there are no documents in {source.name}")
    _check_unique_ids(ids, locations, source)
    kept = columns.finish()
    return Documents(ids, texts.finish(), kept, columns.roles)


def _check_unique_ids(ids: list[str], locations: array[int], source: Source) -> None:
    if len(set(ids)) == len(ids):
        return
    first: dict[str, int] = {}
    repeats: list[str] = []
    for id, location in zip(ids, locations, strict=True):
        if id in first:
            repeats.append(f"{id!r} ({source.describe(first[id])} and {source.describe(location)})")
        first.setdefault(id, location)
    count = "1 repeated id" if len(repeats) == 1 else f"{len(repeats):,} repeated ids"
    raise CorpusError(
        f"ids must be unique, but there {'is' if len(repeats) == 1 else 'are'} {count} in {source.name}: "
        f"{list_first(repeats, MAX_SHOWN)}; correct these ids, or name another id column with ",
        Parameter("id", ...),
    )


def check_names(names: Sequence[object], size: int, what: str) -> list[str]:
    """Return names as str: one for each of `size` objects, all different, and valid Unicode."""
    if isinstance(names, str):
        raise InputError(f"{what} must be a list of names; got a single text")
    texts = [name if isinstance(name, str) else str(name) for name in names]
    if len(texts) != size:
        raise InputError(
            f"there are {len(texts)} {what}, but the matrix of counts is for {size}; both numbers must be "
            "equal"
        )
    if len(set(texts)) < size:
        _refuse_repeated(texts, what)
    for name in texts:
        try:
            name.encode()
        except UnicodeEncodeError as error:
            raise CorpusError(f"{what} must be valid Unicode; {name!r} cannot be stored as UTF-8") from error
    return texts


def _refuse_repeated(names: list[str], what: str) -> None:
    first: dict[str, int] = {}
    for position, name in enumerate(names):
        if name in first:
            raise CorpusError(f"{what} must be unique; {name!r} is at positions {first[name]} and {position}")
        first[name] = position


def check_counts(matrix: Any) -> sparse.csr_array:
    """Return a user's counts in canonical form: whole numbers, none of them negative."""
    try:
        check_sparse(matrix)
        counts = sparse.csr_array(matrix, copy=True)
    except (TypeError, ValueError) as error:
        raise MatrixError(f"counts must be a matrix of documents × words ({error})") from error
    if counts.ndim != 2:
        raise MatrixError(f"counts must be a matrix of documents × words; got {counts.ndim} dimension(s)")
    if counts.dtype.kind not in "biuf":
        raise MatrixError(f"counts must be numbers; got {counts.dtype}")
    counts.sum_duplicates()
    _check_entries(counts)
    counts = counts.astype(np.int32)
    counts.eliminate_zeros()
    return counts


def _check_entries(matrix: sparse.csr_array) -> None:
    data = matrix.data
    with np.errstate(invalid="ignore"):
        bad = ~np.isfinite(data) | (data < 0) | (data > MAX_COUNT) | (data != np.floor(data))
    if bad.any():
        entry = int(np.flatnonzero(bad)[0])
        row = int(np.searchsorted(matrix.indptr, entry, side="right")) - 1
        raise MatrixError(
            f"counts must be whole numbers from 0 to {MAX_COUNT}; got {data[entry]} at row {row}, column "
            f"{matrix.indices[entry]} ({int(bad.sum())} wrong entries in all); to use weights, "
            "pass the matrix itself to fit"
        )


def freeze_counts(counts: sparse.csr_array) -> sparse.csr_array:
    """Return read-only counts in canonical form, which SciPy would otherwise make in place later."""
    if isinstance(counts, ShardedMatrix):
        return counts
    if not counts.has_canonical_format:
        counts = counts.copy()
        counts.sum_duplicates()
    for part in (counts.data, counts.indices, counts.indptr):
        part.setflags(write=False)
    return counts
