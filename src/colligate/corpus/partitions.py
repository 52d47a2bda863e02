"""Documents in the partitions of a Dask collection: read and counted on the workers.

The words are chosen in a first pass over the partitions, and counted in a second one, so that the words and
counts are those of one process. The counts stay on the workers (`shards.matrix`), and the texts at their
source: they are read again when one is shown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from scipy.sparse import csr_array

from colligate.corpus.analyser import Analyser
from colligate.corpus.columns import ColumnRoles
from colligate.corpus.readers import find_source
from colligate.corpus.readers.encoding import format_suffix
from colligate.corpus.texts import check_number
from colligate.corpus.vectorize import count_known_words
from colligate.corpus.vocabulary import WordSummary, choose_words, merge_summaries, summarise_words
from colligate.errors import CorpusError, ParameterError
from colligate.progress import Event, ignore_events
from colligate.shards.client import find_client, gather, is_collection
from colligate.shards.matrix import ShardedMatrix
from colligate.shards.shards import assemble

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.corpus.corpus import Corpus
    from colligate.corpus.readers import ColumnRequest
    from colligate.progress import Listener

NAME = "the Dask collection"
MERGE = 8
"""So many summaries of words are merged by one task."""
BLOCK_BYTES = 2**25
"""So many bytes of a file of lines make a partition."""
CACHED = 64
"""The texts of so many partitions are kept when they are read again."""
MAX_EXACT = 2**24
"""Whole numbers below it are exact in single precision."""


class Partition(NamedTuple):
    """What the first pass finds in a partition; `ids` is None where documents have none."""

    n_documents: int
    ids: list[str] | None
    roles: ColumnRoles


class PartitionTexts(Sequence[str]):
    """The texts of a collection, which are read from their partition when they are asked for.

    Those of documents without a counted word are kept, since methods read them.
    """

    def __init__(self, partitions: list[Any], request: ColumnRequest, starts: Any, kept: dict[int, str]):
        self._partitions, self._request, self._starts, self._kept = partitions, request, starts, kept
        self._read: dict[int, list[str]] = {}

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each partition starts, and where the last ends."""
        return np.asarray(self._starts, dtype=np.int64)

    def __len__(self) -> int:
        return int(self._starts[-1])

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        check_number(index, len(self))
        index %= len(self)
        if index in self._kept:
            return self._kept[index]
        number = int(np.searchsorted(self._starts, index, side="right")) - 1
        if number not in self._read:
            import dask

            read = dask.delayed(read_texts)(self._partitions[number], self._request)
            while len(self._read) >= CACHED:
                del self._read[next(iter(self._read))]
            self._read[number] = find_client().compute(read).result()
        return self._read[number][index - int(self._starts[number])]


def count_collection(
    collection: Any,
    request: ColumnRequest,
    analyser: Analyser | None,
    like: Corpus | None,
    listener: Listener = ignore_events,
) -> Corpus | None:
    """Read and count a bag, Series or DataFrame of Dask; None for an array, which is a matrix of counts."""
    from colligate.corpus.corpus import Corpus

    if is_array(collection):
        return None
    chosen = analyser or (like.analyser if like is not None else Analyser())
    _check_analyser(chosen)
    import dask

    client, request = find_client(), replace(request, keep=False)
    partitions = _list_partitions(collection)
    listener(Event("reading", 0, 2))
    looked = [dask.delayed(describe_partition)(part, request) for part in partitions]
    if like is None:
        summary = _merge([dask.delayed(summarise_partition)(part, request, chosen) for part in partitions])
        *described, summarised = gather(client, client.compute([*looked, summary]))
        _check_any(described)
        words, debris = choose_words(summarised, chosen, NAME), dict(summarised.debris)
    else:
        described, words, debris = gather(client, client.compute(looked)), like.words, {}
    lengths = [part.n_documents for part in described]
    _check_any(described)
    listener(Event("reading", 1, 2))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    known = dask.delayed(words, pure=True)
    counted = client.compute(
        [dask.delayed(count_partition)(part, request, known, chosen) for part in partitions]
    )
    empty = gather(client, [client.submit(_empty_of, part, pure=False) for part in counted])
    kept = {
        int(start) + row: text
        for start, texts in zip(starts[:-1], empty, strict=True)
        for row, text in texts.items()
    }
    matrices = [client.submit(_counts_of, part, pure=False) for part in counted]
    n_entries = sum(gather(client, [client.submit(_count_entries, part, pure=False) for part in matrices]))
    shards = assemble(client, matrices, lengths, n_entries)
    counts = ShardedMatrix.of(shards, len(words))
    listener(Event("reading", 2, 2))
    if not counts.nnz and like is None:
        raise CorpusError(f"no document of {NAME} has a word that can be counted")
    return Corpus(
        ids=_join_ids(described),
        counts=counts,
        words=words,
        texts=PartitionTexts(partitions, request, starts, kept),
        analyser=chosen,
        source=NAME,
        # an empty partition does not show its columns
        roles=next(part.roles for part in described if part.n_documents),
        debris=debris,
    )


def is_array(collection: Any) -> bool:
    """Return whether a collection of Dask is an array."""
    return type(collection).__module__.startswith("dask.array")


def _list_partitions(collection: Any) -> list[Any]:
    # a delayed value has every attribute
    is_delayed = type(collection).__module__ == "dask.delayed"
    if is_delayed or not is_collection(collection) or not hasattr(collection, "to_delayed"):
        raise CorpusError(
            f"{type(collection).__name__} of Dask has no partitions of documents; pass a bag of texts, a "
            "Series of texts, a DataFrame, or an array of counts"
        )
    return list(np.ravel(collection.to_delayed()))


def _check_analyser(analyser: Analyser) -> None:
    analyser.check_usable()
    if analyser.vectorizer is not None:
        raise ParameterError(
            "a vectorizer cannot choose words in the partitions of a Dask collection; use the options of "
            "Analyser, or pass a Dask array of the counts that the vectorizer makes",
            parameter="vectorizer",
        )


def _merge(summaries: list[Any]) -> Any:
    """Return a tree of tasks that merges summaries."""
    import dask

    while len(summaries) > 1:
        groups = [summaries[start : start + MERGE] for start in range(0, len(summaries), MERGE)]
        summaries = [dask.delayed(merge_all)(group) for group in groups]
    return summaries[0]


def _check_any(described: list[Partition]) -> None:
    if not sum(part.n_documents for part in described):
        raise CorpusError(f"there are no documents in {NAME}")


def _join_ids(described: list[Partition]) -> list[str]:
    ids: list[str] = []
    for part in described:
        # documents without ids are numbered through
        first = len(ids) + 1
        ids += [str(first + number) for number in range(part.n_documents)] if part.ids is None else part.ids
    return ids


def open_collection(path: Path, encoding: str | None = None) -> Any:
    """Open a file, or a folder of files of one kind, as a collection of Dask; the workers must see the path.

    Parquet files are read by row groups, .jsonl files in blocks of lines, compressed ones and .csv and .tsv
    files as a whole.
    """
    _check_path(path)
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    files = [file for file in files if not file.name.startswith((".", "_")) and file.is_file()]
    kinds = {format_suffix(file) for file in files}
    if len(kinds) != 1 or not kinds <= {".parquet", ".jsonl", ".ndjson", ".csv", ".tsv"}:
        raise CorpusError(
            f"cannot read {path} on a cluster: it has {', '.join(sorted(kinds)) or 'no'} files; use "
            ".parquet, .jsonl, .csv or .tsv files, one kind in a folder"
        )
    names, kind = [str(file) for file in files], kinds.pop()
    if kind == ".parquet":
        import dask.dataframe

        return dask.dataframe.read_parquet(names)
    if kind in (".csv", ".tsv"):
        import dask.dataframe

        return dask.dataframe.read_csv(
            names,
            blocksize=None,
            sep="\t" if kind == ".tsv" else ",",
            dtype=str,
            keep_default_na=False,
            encoding=encoding or "utf-8",
        )
    import dask.bag

    is_plain = all(name.endswith((".jsonl", ".ndjson")) for name in names)
    lines = dask.bag.read_text(
        names, blocksize=BLOCK_BYTES if is_plain else None, encoding=encoding or "utf-8", errors="strict"
    )
    return lines.filter(str.strip).map(json.loads)


def _check_path(path: Path) -> None:
    if not path.exists():
        raise CorpusError(f"there is no file or folder {str(path)!r}")


# --- on the workers ---


def _make_table(partition: Any) -> Any:
    """Return a partition of a bag as a list of texts, or as a table if it has records."""
    if hasattr(partition, "__len__") and not isinstance(partition, list):
        return partition
    values = list(partition)
    if not values or not all(isinstance(value, Mapping) for value in values):
        return values
    import pyarrow as pa

    names = dict.fromkeys(name for value in values for name in value)
    return pa.table({name: [_cell(value.get(name)) for value in values] for name in names})


def _cell(value: Any) -> str | None:
    """Return a value of a record as text: only texts and ids are read."""
    return value if value is None or isinstance(value, str) else str(value)


def describe_partition(partition: Any, request: ColumnRequest) -> Partition:
    """Return the ids of a partition, and the columns that were read."""
    from colligate.corpus.corpus import collect_documents

    partition = _make_table(partition)
    if not len(partition):
        return Partition(0, [], ColumnRoles())
    source = find_source(partition, request)
    if source is None:
        raise CorpusError(
            f"{NAME} has only numbers; pass a Dask array of documents × words, or a column of texts"
        )
    documents = collect_documents(source, ignore_events)
    numbered = [str(number) for number in range(1, len(documents.ids) + 1)]
    has_ids = documents.roles.id is not None or documents.ids != numbered
    return Partition(len(documents.ids), documents.ids if has_ids else None, documents.roles)


def read_texts(partition: Any, request: ColumnRequest) -> Any:
    """Return the texts of a partition."""
    from colligate.corpus.corpus import collect_documents

    partition = _make_table(partition)
    if not len(partition):
        return []
    source = find_source(partition, request)
    assert source is not None
    return list(collect_documents(source, ignore_events).texts)


def summarise_partition(partition: Any, request: ColumnRequest, analyser: Analyser) -> WordSummary:
    """Count the words of a partition."""
    return summarise_words(read_texts(partition, request), analyser)


def merge_all(summaries: list[WordSummary]) -> WordSummary:
    """Merge the summaries of several partitions."""
    return reduce(merge_summaries, summaries)


def count_partition(
    partition: Any, request: ColumnRequest, words: list[str], analyser: Analyser
) -> tuple[csr_array, dict[int, str]]:
    """Count known words in a partition; also return the texts of the documents that have none of them."""
    texts = read_texts(partition, request)
    if not texts:
        return csr_array(np.zeros((0, len(words)), dtype=np.float32)), {}
    counts = count_known_words(texts, words, analyser, ignore_events)
    is_exact = counts.data.max(initial=0) < MAX_EXACT
    values = counts.data.astype(np.float32 if is_exact else np.float64)
    empty = np.flatnonzero(np.diff(counts.indptr) == 0).tolist()
    matrix: Any = csr_array((values, counts.indices, counts.indptr), shape=counts.shape)
    return matrix, {row: texts[row] for row in empty}


def _counts_of(counted: tuple[csr_array, dict[int, str]]) -> csr_array:
    return counted[0]


def _count_entries(counts: csr_array) -> int:
    return int(counts.nnz)


def _empty_of(counted: tuple[csr_array, dict[int, str]]) -> dict[int, str]:
    return counted[1]
