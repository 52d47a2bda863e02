"""The groups of new documents, by the scores of the method that made the result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate import registry
from colligate.corpus import Corpus
from colligate.errors import InputError, MatrixError
from colligate.network.matrix import checked_matrix
from colligate.result.confidence import CHUNK, soft_memberships

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from colligate.result.result import Result


def predict(result: Result, new: Any) -> NDArray[np.int32]:
    """The group of each new document; -1 for documents without a known word."""
    matrix = _seen(result, counted(result, new))
    labels = np.full(matrix.shape[0], -1, dtype=np.int32)
    for rows, scores in _scores(result, matrix):
        labels[rows] = scores.argmax(axis=1)
    return labels


def predict_memberships(result: Result, new: Any) -> NDArray[np.float32]:
    """The membership of each new document in each group; a row of zeros without a known word."""
    matrix = _seen(result, counted(result, new))
    memberships = np.zeros((matrix.shape[0], result.n_groups("documents")), dtype=np.float32)
    for rows, scores in _scores(result, matrix):
        memberships[rows] = soft_memberships(scores)
    return memberships


def counted(result: Result, new: Any) -> sparse.csr_array:
    """New documents as counts over the words of the result.

    Texts are counted again by the analyser of the result's corpus, and refused if it was not stored; a corpus
    without texts is matched word by word; a matrix must have a column for each word already.
    """
    words = len(result.network.types["words"])
    if isinstance(new, Corpus):
        return _counted_corpus(result, new)
    if isinstance(new, str):
        raise InputError(
            "predict takes a list of texts, a corpus or a matrix; got a single text, put it in a list"
        )
    if isinstance(new, (list, tuple)) and all(isinstance(text, str) for text in new):
        return _counted_texts(_training_corpus(result), new)
    matrix = checked_matrix(new)
    if matrix.shape[1] != words:
        raise MatrixError(
            f"the matrix has {matrix.shape[1]} columns, the result was made with {words} words; "
            "count the new documents over the same words in the same order"
        )
    return matrix


def _seen(result: Result, matrix: sparse.csr_array) -> sparse.csr_array:
    """The counts without words that no document of the result had: they cannot speak for any group."""
    unseen = np.bincount(result.counts.indices, minlength=matrix.shape[1]) == 0
    if not unseen[matrix.indices].any():
        return matrix
    known = matrix.copy()
    known.data = np.where(unseen[matrix.indices], 0, matrix.data)
    known.eliminate_zeros()
    return known


def _counted_corpus(result: Result, new: Corpus) -> sparse.csr_array:
    known = result.corpus
    if known is not None and new.analyser == known.analyser and new.words == known.words:
        return checked_matrix(new.counts)
    if known is not None and new.texts is not None:
        return _counted_texts(known, new.texts, new.ids)
    words = result.network.types["words"].names
    if isinstance(words, range):
        raise InputError(
            "this result knows its words only by position; give predict a matrix with the same columns"
        )
    return checked_matrix(new.counts_over(words))


def _counted_texts(known: Corpus, texts: Sequence[str], ids: list[str] | None = None) -> sparse.csr_array:
    if known.analyser.forgotten:
        raise InputError(
            f"cannot count new text: {known.analyser.forgotten}; pass analyser=... to Result.load, "
            "or give predict a matrix, such as corpus.counts_over(result.corpus.words)"
        )
    return checked_matrix(Corpus.from_texts(texts, ids=ids, like=known).counts)


def _training_corpus(result: Result) -> Corpus:
    if result.corpus is None:
        raise InputError(
            "this result was made from a matrix, so it cannot count texts; give predict a matrix "
            "with the same columns, or fit on a corpus"
        )
    return result.corpus


def _scores(
    result: Result, matrix: sparse.csr_array
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Scores of the rows that hold a known word, a bounded number of rows at a time."""
    scores = registry.find(result.method).scores
    known = np.flatnonzero(np.diff(matrix.indptr))
    for start in range(0, known.size, CHUNK):
        rows = known[start : start + CHUNK]
        part = matrix if rows.size == matrix.shape[0] else matrix[rows]
        yield rows, scores(result.model, part)
