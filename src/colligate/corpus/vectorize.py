"""Counting words: texts in, a documents × words matrix out.

Moving the columns of a matrix of counts onto another list of words.

Counting with scikit-learn's vectorizers, ours and the user's, without ever changing the user's.

Finding the words in a text: runs of letters, digits and underscores, in any script.

Leaving out words that are in too few or too many documents.

Telling of text that is written without spaces, where a whole clause would count as one word.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from colligate.errors import CorpusError, InputError, Parameter, UnspacedTextWarning
from colligate.progress import ProgressMeter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.corpus.analyser import Analyser, Tokenizer
    from colligate.progress import Listener

NO_WORDS_ADVICE = ("check the text column, or keep stop words with ", Parameter("stop_words", None))
MARKS_END = 0x20000
"""Behind it stand only Chinese characters, which are letters."""
# Chinese characters and kana; then Thai, Lao, Burmese and Khmer, whose words have more letters
CLAUSE = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]{6}"
    "|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{16}"
)
MAX_CLAUSE_SHARE = 0.25


class WordCounts(NamedTuple):
    """Counts over words, and the analyser that can count more text over the same words."""

    counts: sparse.csr_array
    words: list[str]
    analyser: Analyser


def count_words(texts: Sequence[str], analyser: Analyser, source: str, listener: Listener) -> WordCounts:
    """Count the words of `texts`, and choose which words there are."""
    analyser.refuse_forgotten()
    heard = _report_progress(texts, listener)
    if analyser.vectorizer is not None:
        fitted, matrix, words = fit_vectorizer(analyser.vectorizer, heard, texts, source)
        counted = WordCounts(make_canonical(matrix), words, replace(analyser, vectorizer=fitted))
    else:
        counter = _make_counter(analyser)
        counts = make_canonical(fit_counts(counter, heard, source))
        found = feature_names(counter)
        warn_unspaced(counts, found, source)
        counted = WordCounts(*prune_words(counts, found, analyser, source), analyser)
    if counted.counts.nnz == 0:
        raise CorpusError(f"no document of {source} holds a countable word; ", *NO_WORDS_ADVICE)
    return counted


def count_known_words(
    texts: Sequence[str], words: list[str], analyser: Analyser, listener: Listener
) -> sparse.csr_array:
    """Count `texts` over `words`, as another corpus has them; other words are passed over."""
    analyser.refuse_forgotten()
    heard = _report_progress(texts, listener)
    if analyser.vectorizer is not None:
        matrix, own = apply_vectorizer(analyser.vectorizer, heard, texts, words)
        return reindex_words(make_canonical(matrix), own, words)
    return make_canonical(_make_counter(analyser, vocabulary=words).transform(heard))


def make_canonical(matrix: Any) -> sparse.csr_array:
    """Return counts as CSR of 32-bit integers, sorted, without zeros or duplicates."""
    found = sparse.csr_array(matrix, dtype=np.int32)
    found.sum_duplicates()
    found.eliminate_zeros()
    return found


def _make_counter(analyser: Analyser, vocabulary: list[str] | None = None) -> Any:
    from sklearn.feature_extraction.text import CountVectorizer

    prepare, find = _choose_tokenizer(analyser)
    return CountVectorizer(
        preprocessor=prepare,
        tokenizer=find,
        token_pattern=None,
        stop_words=_stop_words(analyser, lambda text: find(prepare(text))),
        ngram_range=analyser.ngrams,
        vocabulary=vocabulary,
        dtype=np.int32,
    )


def _choose_tokenizer(analyser: Analyser) -> tuple[Callable[[str], str], Tokenizer]:
    if analyser.tokens is not None:
        return _identity, _check_tokens(analyser.tokens)
    if analyser.pattern is not None:
        find = make_pattern_tokenizer(analyser.pattern, analyser.min_length)
    else:
        find = make_word_tokenizer(analyser.min_length)
    return (_normalize_lower if analyser.lowercase else _normalize), find


def _stop_words(analyser: Analyser, words_of: Tokenizer) -> list[str] | None:
    if analyser.stop_words is None:
        return None
    if analyser.stop_words == "english":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        listed = sorted(ENGLISH_STOP_WORDS)
    else:
        listed = list(analyser.stop_words)
    if analyser.tokens is not None:
        return listed
    # A stop word is stopped in the form in which it is met: "don't" as "don", "The" as "the".
    return sorted({*listed, *(part for word in listed for part in words_of(word))})


def _check_tokens(tokens: Tokenizer) -> Callable[[str], list[str]]:
    def find(text: str) -> list[str]:
        found = tokens(text)
        if isinstance(found, str):
            raise InputError("tokens must give the words of a text one by one; it gave a single str")
        words = list(found)
        for word in words:
            if not isinstance(word, str):
                raise InputError(f"tokens must give words as str; it gave {word!r} ({type(word).__name__})")
        return words

    return find


def _normalize_lower(text: str) -> str:
    return _normalize(text).lower()


def _normalize(text: str) -> str:
    # The same letter with an accent may be written as one character or as two; it is one word either way.
    return unicodedata.normalize("NFC", text)


def _identity(text: str) -> str:
    return text


def _report_progress(texts: Sequence[str], listener: Listener) -> Iterator[str]:
    meter = ProgressMeter(listener, "counting", len(texts))
    for done, text in enumerate(texts):
        meter.update(done)
        yield text
    meter.finish()


def reindex_words(counts: sparse.csr_array, words: Sequence[str], onto: Sequence[str]) -> sparse.csr_array:
    """Return `counts` over the words `onto`: words that are not there fall away, new ones have no counts."""
    if list(words) == list(onto):
        return counts
    column = {word: at for at, word in enumerate(onto)}
    target = np.fromiter((column.get(word, -1) for word in words), dtype=np.int64, count=len(words))
    return move_columns(counts, target, len(onto))


def move_columns(counts: sparse.csr_array, target: NDArray[Any], width: int) -> sparse.csr_array:
    """Move column j to `target[j]`, or drop it where that is -1; the result is sorted."""
    index = counts.indices.dtype
    columns = target.astype(index)[counts.indices]
    kept = columns >= 0
    before = np.concatenate(([0], np.cumsum(kept)))
    result = sparse.csr_array(
        (counts.data[kept], columns[kept], before[counts.indptr].astype(index)),
        shape=(counts.shape[0], width),
    )
    result.sort_indices()
    return result


def fit_vectorizer(
    vectorizer: Any, heard: Iterator[str], texts: Sequence[str], source: str
) -> tuple[Any, Any, list[str]]:
    """Return a fitted copy of the user's vectorizer, what it counts in the texts, and its words."""
    copy = _copy_vectorizer(vectorizer)
    if _is_fitted(copy):
        matrix = copy.transform(_choose_input(copy, heard, texts))
    else:
        matrix = fit_counts(copy, _choose_input(copy, heard, texts), source)
    return copy, _check_counts(matrix, vectorizer), feature_names(copy)


def apply_vectorizer(
    vectorizer: Any, heard: Iterator[str], texts: Sequence[str], words: list[str]
) -> tuple[Any, list[str]]:
    """Return what the vectorizer counts in new texts, and its words."""
    copy = _copy_vectorizer(vectorizer)
    if not _is_fitted(copy):
        if not _is_counter(copy):
            raise InputError(
                f"the vectorizer {type(vectorizer).__name__} is not fitted, so it cannot count new text; "
                f"pass analyser=Analyser(vectorizer=...) with the fitted one"
            )
        copy.set_params(vocabulary=words)
    matrix = copy.transform(_choose_input(copy, heard, texts))
    return _check_counts(matrix, vectorizer), feature_names(copy)


def fit_counts(counter: Any, texts: Any, source: str) -> Any:
    """Fit a vectorizer and count, saying it in our words when no word is left."""
    try:
        return counter.fit_transform(texts)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        if "empty vocabulary" in str(error):
            raise CorpusError(
                f"no document of {source} holds a countable word; ", *NO_WORDS_ADVICE
            ) from error
        if "no terms remain" in str(error).casefold():
            raise CorpusError(
                f"no word of {source} is left; relax min_df or max_df of the vectorizer"
            ) from error
        raise


def feature_names(vectorizer: Any) -> list[str]:
    """The words a fitted vectorizer counts, in the order of its columns."""
    return [str(word) for word in vectorizer.get_feature_names_out()]


def _copy_vectorizer(vectorizer: Any) -> Any:
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
        or (not _is_counter(vectorizer) and _passes_fitted_check(vectorizer))
    )


def _passes_fitted_check(vectorizer: Any) -> bool:
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


def _choose_input(vectorizer: Any, heard: Iterator[str], texts: Sequence[str]) -> Any:
    """Give scikit-learn's own counters a stream; others may want to read the texts more than once."""
    return heard if _is_counter(vectorizer) else texts


def _check_counts(matrix: Any, vectorizer: Any) -> Any:
    found = sparse.csr_array(matrix)
    data = found.data
    if not np.all(np.isfinite(data)) or np.any(data < 0) or np.any(data != np.floor(data)):
        raise InputError(
            f"the vectorizer {type(vectorizer).__name__} does not count: it gives negative or broken "
            f"numbers; use scikit-learn's CountVectorizer"
        )
    return found


def make_word_tokenizer(min_length: int) -> Callable[[str], list[str]]:
    """Return a function that finds runs of at least `min_length` word characters, as scikit-learn does.

    A run of underscores alone is no word. Marks that combine with a letter belong to it, as scripts such as
    Devanagari need; apostrophes part words.
    """
    ascii_runs = re.compile(rf"(?=_*[a-zA-Z0-9])[a-zA-Z0-9_]{{{min_length},}}").findall
    runs = _word_pattern().findall

    def find(text: str) -> list[str]:
        if text.isascii():
            return ascii_runs(text)
        return [run for run in runs(text) if len(run) >= min_length and run.strip("_")]

    return find


def make_pattern_tokenizer(pattern: str, min_length: int) -> Callable[[str], list[str]]:
    """Return a function that finds what matches `pattern` (its group, if it has one) and is long enough."""
    find_all = re.compile(pattern).findall
    return lambda text: [run for run in find_all(text) if len(run) >= min_length]


@lru_cache(maxsize=1)
def _word_pattern() -> re.Pattern[str]:
    return re.compile(rf"\w[\w{_character_class(('Mn', 'Mc', 'Me'))}]*")


def _character_class(categories: tuple[str, ...]) -> str:
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in _code_ranges(categories))


def _code_ranges(categories: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    first: int | None = None
    for code in range(MARKS_END + 1):
        inside = code < MARKS_END and unicodedata.category(chr(code)) in categories
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            yield first, code - 1
            first = None


def prune_words(
    counts: csr_array, words: list[str], analyser: Analyser, source: str
) -> tuple[csr_array, list[str]]:
    """Keep the words that `min_df`, `max_df` and `max_words` of the analyser allow, in their order."""
    documents = counts.shape[0]
    frequency = np.bincount(counts.indices, minlength=len(words))
    enough = frequency >= analyser.min_documents(documents)
    kept = enough & (frequency <= analyser.max_documents(documents))
    if not kept.any():
        raise _no_words_left(enough, analyser, documents, source)
    if analyser.max_words is not None and kept.sum() > analyser.max_words:
        kept = _select_most_frequent(counts, kept, analyser.max_words)
    if kept.all():
        return counts, words
    columns = np.flatnonzero(kept)
    return _select_columns(counts, kept), [words[column] for column in columns]


def _no_words_left(enough: NDArray[np.bool_], analyser: Analyser, documents: int, source: str) -> CorpusError:
    if enough.any():
        reason = f"every word of {source} that is in enough documents is in more than max_df allows"
        option = Parameter("max_df", analyser.max_df)
    else:
        least = analyser.min_documents(documents)
        reason = f"no word of {source} is in at least {least:g} of its {documents} documents"
        option = Parameter("min_df", least if analyser.min_df is None else analyser.min_df)
    return CorpusError(f"{reason}, so none is left; relax ", option, " of the analyser")


def _select_most_frequent(counts: csr_array, kept: NDArray[np.bool_], most: int) -> NDArray[np.bool_]:
    totals = np.bincount(counts.indices, weights=counts.data, minlength=counts.shape[1])
    candidates = np.flatnonzero(kept)
    order = np.argsort(-totals[candidates], kind="stable")
    chosen = np.zeros_like(kept)
    chosen[candidates[order[:most]]] = True
    return chosen


def _select_columns(counts: csr_array, kept: NDArray[np.bool_]) -> csr_array:
    target: NDArray[Any] = np.where(kept, np.cumsum(kept) - 1, -1)
    return move_columns(counts, target, int(kept.sum()))


def warn_unspaced(counts: sparse.csr_array, words: Sequence[str], source: str) -> None:
    """Warn if many of the words that were found are clauses."""
    often = np.bincount(counts.indices, counts.data, len(words))
    clauses = np.array([CLAUSE.search(word) is not None for word in words], dtype=bool)
    share = often[clauses].sum() / max(often.sum(), 1)
    if share > MAX_CLAUSE_SHARE:
        example = words[int(np.flatnonzero(clauses)[often[clauses].argmax()])]
        warnings.warn(
            f"{share:.0%} of the words of {source} are whole clauses, such as {example[:40]!r}: the script "
            "is written without spaces; put spaces between the words first, or pass Analyser(tokens=...) "
            "with a callable that finds them",
            UnspacedTextWarning,
            stacklevel=2,
        )
