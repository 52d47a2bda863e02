"""Counting with scikit-learn's vectorizers, ours and the user's, without ever changing the user's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.errors import CorpusError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ADVICE = "check the column of text, or loosen stop_words, min_length or pattern of the analyser"


def fit(
    vectorizer: Any, heard: Iterator[str], texts: Sequence[str], source: str
) -> tuple[Any, Any, list[str]]:
    """Return a fitted copy of the user's vectorizer, what it counts in the texts, and its words."""
    copy = _own_copy(vectorizer)
    if _is_fitted(copy):
        matrix = copy.transform(_stream_or_all(copy, heard, texts))
    else:
        matrix = fit_counter(copy, _stream_or_all(copy, heard, texts), source)
    return copy, _whole_counts(matrix, vectorizer), names(copy)


def transform(
    vectorizer: Any, heard: Iterator[str], texts: Sequence[str], words: list[str]
) -> tuple[Any, list[str]]:
    """Return what the vectorizer counts in new texts, and its words."""
    copy = _own_copy(vectorizer)
    if not _is_fitted(copy):
        if not _is_counter(copy):
            raise InputError(
                f"the vectorizer {type(vectorizer).__name__} is not fitted, so it cannot count new text; "
                f"pass analyser=Analyser(vectorizer=...) with the fitted one"
            )
        copy.set_params(vocabulary=words)
    matrix = copy.transform(_stream_or_all(copy, heard, texts))
    return _whole_counts(matrix, vectorizer), names(copy)


def fit_counter(counter: Any, texts: Any, source: str) -> Any:
    """Fit a vectorizer and count, saying it in our words when no word is left."""
    try:
        return counter.fit_transform(texts)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        if "empty vocabulary" in str(error):
            raise CorpusError(f"no document of {source} holds a countable word; {ADVICE}") from error
        if "no terms remain" in str(error).casefold():
            raise CorpusError(
                f"no word of {source} is left; loosen min_df or max_df of the vectorizer"
            ) from error
        raise


def names(vectorizer: Any) -> list[str]:
    """The words a fitted vectorizer counts, in the order of its columns."""
    return [str(word) for word in vectorizer.get_feature_names_out()]


def _own_copy(vectorizer: Any) -> Any:
    """Copy a vectorizer; of one that weighs (tf-idf) only the part that counts, since methods weigh."""
    from copy import deepcopy

    from sklearn.base import clone
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    if not isinstance(vectorizer, TfidfVectorizer):
        return deepcopy(vectorizer) if _is_fitted(vectorizer) else clone(vectorizer)
    known = CountVectorizer().get_params(deep=False)
    options = {name: value for name, value in vectorizer.get_params(deep=False).items() if name in known}
    options["dtype"] = np.int64
    if _is_fitted(vectorizer):
        options["vocabulary"] = dict(vectorizer.vocabulary_)
    return clone(CountVectorizer(**options))


def _is_fitted(vectorizer: Any) -> bool:
    return (
        hasattr(vectorizer, "vocabulary_")
        or getattr(vectorizer, "vocabulary", None) is not None
        or (not _is_counter(vectorizer) and _says_fitted(vectorizer))
    )


def _says_fitted(vectorizer: Any) -> bool:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(vectorizer)
    except NotFittedError:
        return False
    return True


def _is_counter(vectorizer: Any) -> bool:
    from sklearn.feature_extraction.text import CountVectorizer

    return isinstance(vectorizer, CountVectorizer)


def _stream_or_all(vectorizer: Any, heard: Iterator[str], texts: Sequence[str]) -> Any:
    """Give scikit-learn's own counters a stream; others may want to read the texts more than once."""
    return heard if _is_counter(vectorizer) else texts


def _whole_counts(matrix: Any, vectorizer: Any) -> Any:
    found = sparse.csr_array(matrix)
    data = found.data
    if not np.all(np.isfinite(data)) or np.any(data < 0) or np.any(data != np.floor(data)):
        raise InputError(
            f"the vectorizer {type(vectorizer).__name__} does not count: it gives negative or broken "
            f"numbers; use scikit-learn's CountVectorizer"
        )
    return found
