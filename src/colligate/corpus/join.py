"""Two corpora as one: documents that come later, after those that are there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scipy import sparse

from colligate._text import list_first
from colligate.corpus.columns import DocumentColumns, is_exact
from colligate.corpus.texts import Texts
from colligate.corpus.vectorize import count_known_words, count_words, reindex_words
from colligate.errors import CorpusError
from colligate.progress import ignore_events

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scipy.sparse import csr_array

    from colligate.corpus.corpus import Corpus
    from colligate.progress import Listener

MAX_SHOWN = 5


def join_corpora(
    first: Corpus, later: Corpus, *, widen: bool = True, listener: Listener = ignore_events
) -> Corpus:
    """Append documents to a corpus.

    Words keep their columns. With `widen`, words that the documents of both have often enough for the
    analyser follow; they need the texts of both, and a tokeniser that can count them again. New documents
    without ids go on with the numbers.

    Raises
    ------
    CorpusError
        If a new document has the id of one that is there.
    """
    ids = [*first.ids, *_number_on(first, later)]
    table = _join_tables(first, later)
    joined = replace(
        first,
        ids=ids,
        counts=sparse.csr_array(sparse.vstack([first.counts, later.counts_like(first)], format="csr")),
        texts=_join_texts(first, later),
        source=f"{first.source} and {later.source}",
        columns=DocumentColumns(table),
    )
    has_texts = first.texts is not None and later.texts is not None
    can_widen = has_texts and not first.analyser.unusable and first.analyser.vectorizer is None
    return _widen_words(joined, listener) if widen and can_widen else joined


def _number_on(first: Corpus, later: Corpus) -> list[str]:
    """Return the ids of new documents; those that are only numbers from 1 go on from the present ones."""
    taken = set(first.ids)
    if later.ids == [str(number) for number in range(1, len(later) + 1)] and later.roles.id is None:
        start = 1 + max((int(name) for name in first.ids if name.isdecimal()), default=len(first))
        return [str(start + position) for position in range(len(later))]
    repeated = [name for name in later.ids if name in taken]
    if repeated:
        raise CorpusError(
            f"the ids of new documents must be new, but these are there already: "
            f"{list_first(repeated, MAX_SHOWN, repr)}; leave these documents out, or give them "
            "other ids"
        )
    return later.ids


def _join_texts(first: Corpus, later: Corpus) -> Sequence[str] | None:
    if first.texts is None:
        return None
    import pyarrow as pa

    texts = [""] * len(later) if later.texts is None else later.texts
    chunks = [*Texts.of(first.texts).column.chunks, *Texts.of(texts).column.chunks]
    return Texts(pa.chunked_array(chunks, type=pa.large_string()))


def _join_tables(first: Corpus, later: Corpus) -> Any:
    """Put the columns of both on top of each other; a document has no value in a column of the others."""
    import pyarrow as pa

    tables = [corpus.columns.table for corpus in (first, later)]
    if all(table is None for table in tables):
        return None
    columns: dict[str, Any] = {}
    for name in dict.fromkeys(name for table in tables if table is not None for name in table.column_names):
        parts = [_take_column(corpus, name) for corpus in (first, later)]
        kind = _choose_type(parts)
        chunks = [chunk for part in parts for chunk in part.cast(kind).chunks]
        columns[name] = pa.chunked_array(chunks, type=kind)
    return pa.table(columns)


def _take_column(corpus: Corpus, name: str) -> Any:
    """Return a column with plain values; nulls if the corpus does not have it."""
    import pyarrow as pa

    column = corpus.columns.get(name)
    if column is None:
        return pa.chunked_array([pa.nulls(len(corpus))])
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _choose_type(parts: list[Any]) -> Any:
    """Return a type for all parts of a column: numbers of both kinds are floats, other mixtures are text.

    Whole numbers that floats cannot hold become text, too.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kinds = {part.type for part in parts if not pa.types.is_null(part.type)}
    if len(kinds) <= 1:
        return next(iter(kinds), pa.large_string())
    whole = [part for part in parts if pa.types.is_integer(part.type)]
    is_numeric = all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in kinds)
    ends = [end for part in whole for end in pc.min_max(part).as_py().values()]
    return pa.float64() if is_numeric and all(map(is_exact, ends)) else pa.large_string()


def _widen_words(joined: Corpus, listener: Listener) -> Corpus:
    """Count all texts again, with the words of the first documents and those that are frequent by now."""
    assert joined.texts is not None
    counts, words, _, debris = count_words(joined.texts, joined.analyser, joined.source, listener)
    kept = set(words)
    known = set(joined.words)
    wider = [*joined.words, *(word for word in words if word not in known)]
    if all(word in kept for word in joined.words):
        return _with_words(joined, reindex_words(counts, words, wider), wider, debris)
    # limits such as `max_df` may leave out words that are there by now
    counted = count_known_words(joined.texts, wider, joined.analyser, listener)
    return _with_words(joined, counted, wider, debris)


def _with_words(joined: Corpus, counts: csr_array, words: list[str], debris: Mapping[str, int]) -> Corpus:
    return replace(joined, counts=counts, words=words, debris=debris)
