"""Counting words: texts in, a documents × words matrix out.

Words are found by our own tokenizer or a user's, counted by scikit-learn's CountVectorizer, and pruned by how
many documents they are in. A vectorizer of the user may do all of that; it is never changed.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from colligate.corpus.debris import DebrisRemover
from colligate.corpus.languages import (
    guess_segmenter,
    list_stop_words,
    make_segmenter,
    make_stemmer,
    stop_languages,
    warn_of_languages,
)
from colligate.errors import CorpusError, InputError, Parameter, UnspacedTextWarning
from colligate.progress import ProgressMeter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.corpus.analyser import Analyser, Tokenizer
    from colligate.progress import Listener

    Tokens = Callable[[str], list[str]]

NO_WORDS_ADVICE = ("check the text column, or keep stop words with ", Parameter("stop_words", None))
COMBINING_MARKS = ("Mn", "Mc", "Me")
MARKS_END = 0x20000
"""Above it, Unicode has only Chinese characters, which are letters."""
# Chinese characters and kana; then Thai, Lao, Burmese and Khmer, whose words have more letters
CLAUSE = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]{6}"
    "|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{16}"
)
MAX_CLAUSE_SHARE = 0.25
_CLAUSE_END = re.compile(r"[^\w\s'’-]+|\n\s*\n|-{2,}")
_HAS_LETTER = re.compile(r"[^\W\d_]")


class WordCounts(NamedTuple):
    """Counts over words, the analyser that can count more text over them, and what was not counted.

    `debris` has the number of documents with each kind of debris.
    """

    counts: csr_array
    words: list[str]
    analyser: Analyser
    debris: Mapping[str, int]


def count_words(texts: Sequence[str], analyser: Analyser, source: str, listener: Listener) -> WordCounts:
    """Count the words of texts, and choose which words to keep."""
    analyser.check_usable()
    stream = _report_progress(texts, listener)
    remover = DebrisRemover()
    if analyser.vectorizer is not None:
        fitted, matrix = _fit_vectorizer(analyser.vectorizer, stream, texts, source)
        counts, words = make_canonical(matrix), _feature_names(fitted)
        analyser = replace(analyser, vectorizer=fitted)
    else:
        counts, words = count_all_words(stream, analyser, source, remover)
        warn_unspaced(np.bincount(counts.indices, counts.data, len(words)), words, source)
        warn_of_languages(texts, analyser, source)
        if analyser.stem is not None:
            counts, words = merge_forms(counts, words, make_stemmer(analyser.stem))
        counts, words = prune_words(counts, words, analyser, source)
    if counts.nnz == 0:
        raise no_words_error(source)
    return WordCounts(counts, words, analyser, dict(remover.documents))


def count_known_words(
    texts: Sequence[str], words: list[str], analyser: Analyser, listener: Listener
) -> csr_array:
    """Count the words of another corpus in texts; other words are left out."""
    analyser.check_usable()
    stream = _report_progress(texts, listener)
    if analyser.vectorizer is None and analyser.stem is not None:
        return _count_known_stems(stream, words, analyser, make_stemmer(analyser.stem))
    if analyser.vectorizer is None and _can_scan(analyser):
        return make_canonical(reindex_words(*_scan_words(stream, analyser, DebrisRemover()), words))
    if analyser.vectorizer is None:
        return make_canonical(_make_counter(analyser, vocabulary=words).transform(stream))
    vectorizer = _copy_vectorizer(analyser.vectorizer)
    if not _is_fitted(vectorizer):
        if not _is_counter(vectorizer):
            raise InputError(
                f"the vectorizer {type(vectorizer).__name__} is not fitted, so it cannot count new text; "
                f"pass the fitted vectorizer with analyser=Analyser(vectorizer=...)"
            )
        vectorizer.set_params(vocabulary=words)
    matrix = _check_counts(vectorizer.transform(_choose_input(vectorizer, stream, texts)), vectorizer)
    return reindex_words(make_canonical(matrix), _feature_names(vectorizer), words)


def _count_known_stems(
    stream: Iterator[str], words: Sequence[str], analyser: Analyser, stem: Callable[[str], str]
) -> csr_array:
    """Count all words of texts, each for the known word with its stem."""
    n_texts = 0

    def count_texts() -> Iterator[str]:
        nonlocal n_texts
        for text in stream:
            n_texts += 1
            yield text

    counter = _make_counter(analyser)
    try:
        counts = make_canonical(counter.fit_transform(count_texts()))
    except ValueError as error:
        if isinstance(error, InputError) or "empty vocabulary" not in str(error):
            raise
        return make_canonical(np.zeros((n_texts, len(words)), dtype=np.int32))
    column = {stem(word): number for number, word in enumerate(words)}
    forms = _feature_names(counter)
    target = np.fromiter((column.get(stem(form), -1) for form in forms), dtype=np.int64, count=len(forms))
    return make_canonical(_move_columns(counts, target, len(words)))


def count_all_words(
    stream: Iterator[str], analyser: Analyser, source: str, remover: DebrisRemover
) -> tuple[csr_array, list[str]]:
    """Count all words of texts, but no stop words; the words are sorted."""
    if not _can_scan(analyser):
        counter = _make_counter(analyser, remover=remover)
        return make_canonical(_fit_counts(counter, stream, source)), _feature_names(counter)
    counts, words = _scan_words(stream, analyser, remover)
    prepare, tokenize = _choose_tokenizer(analyser)
    stop_words = frozenset(_list_stop_words(analyser, lambda text: tokenize(prepare(text))) or ())
    kept = sorted(word for word in words if word not in stop_words)
    if not kept:
        raise no_words_error(source)
    return make_canonical(reindex_words(counts, words, kept)), kept


def _can_scan(analyser: Analyser) -> bool:
    """Return whether words are found by our own tokenizer alone, one at a time."""
    options = (analyser.tokens, analyser.pattern, analyser.segmenter)
    return all(option is None for option in options) and analyser.ngrams == (1, 1)


def _scan_words(
    stream: Iterator[str], analyser: Analyser, remover: DebrisRemover
) -> tuple[csr_array, list[str]]:
    """Count the words of texts, stop words too; texts that are not in ASCII are split by Python first."""
    from colligate.corpus.scanner import WordTable

    prepare, tokenize = _choose_tokenizer(analyser)
    table = WordTable(analyser.min_length, numbers=analyser.keep_markup, lower=analyser.lowercase)
    clean = _identity if analyser.keep_markup else remover
    for text in stream:
        text = clean(text)
        if text.isascii():
            table.count(text.encode(), is_split=False)
        else:
            table.count(" ".join(tokenize(prepare(text))).encode(), is_split=True)
    return table.finish()


def _report_progress(texts: Sequence[str], listener: Listener) -> Iterator[str]:
    meter = ProgressMeter(listener, "counting", len(texts))
    for done, text in enumerate(texts):
        meter.update(done)
        yield text
    meter.finish()


def no_words_error(source: str) -> CorpusError:
    """Return the error of documents without words."""
    return CorpusError(f"no document of {source} has a word that can be counted; ", *NO_WORDS_ADVICE)


# Counts over other words


def make_canonical(matrix: Any) -> csr_array:
    """Return counts as CSR of 32-bit integers, sorted, without zeros or duplicates."""
    counts = sparse.csr_array(matrix, dtype=np.int32)
    counts.sum_duplicates()
    counts.eliminate_zeros()
    return counts


def reindex_words(counts: csr_array, words: Sequence[str], onto: Sequence[str]) -> csr_array:
    """Return the counts over the words `onto`: other words are left out, new ones have no counts."""
    if list(words) == list(onto):
        return counts
    column = {word: number for number, word in enumerate(onto)}
    target = np.fromiter((column.get(word, -1) for word in words), dtype=np.int64, count=len(words))
    return _move_columns(counts, target, len(onto))


def _move_columns(counts: csr_array, target: NDArray[Any], width: int) -> csr_array:
    """Move column j to `target[j]`, or drop it if that is -1; the result is sorted."""
    dtype = counts.indices.dtype
    columns = target.astype(dtype)[counts.indices]
    kept = columns >= 0
    # the entries that are kept before each position, which gives the new starts of the rows
    n_before = np.concatenate(([0], np.cumsum(kept)))
    moved = sparse.csr_array(
        (counts.data[kept], columns[kept], n_before[counts.indptr].astype(dtype)),
        shape=(counts.shape[0], width),
    )
    moved.sort_indices()
    return moved


def merge_forms(
    counts: csr_array, words: list[str], stem: Callable[[str], str]
) -> tuple[csr_array, list[str]]:
    """Add up the counts of words with one stem; the most frequent of these words stands for them."""
    totals = np.bincount(counts.indices, counts.data, len(words))
    best: dict[str, int] = {}
    stems = [stem(word) for word in words]
    for number, key in enumerate(stems):
        if totals[number] > totals[best.setdefault(key, number)]:
            best[key] = number
    forms = sorted(best.values())
    column = {stems[number]: position for position, number in enumerate(forms)}
    target = np.array([column[key] for key in stems], dtype=np.int64)
    return make_canonical(_move_columns(counts, target, len(forms))), [words[number] for number in forms]


def prune_words(
    counts: csr_array, words: list[str], analyser: Analyser, source: str
) -> tuple[csr_array, list[str]]:
    """Keep the words that `min_df`, `max_df` and `max_words` of the analyser allow, in their order."""
    frequency = np.bincount(counts.indices, minlength=len(words))
    totals = np.bincount(counts.indices, counts.data, len(words))
    kept = select_words(frequency, totals, counts.shape[0], analyser, source)
    if kept.all():
        return counts, words
    target: NDArray[Any] = np.where(kept, np.cumsum(kept) - 1, -1)
    return _move_columns(counts, target, int(kept.sum())), [words[j] for j in np.flatnonzero(kept)]


def select_words(
    frequency: NDArray[Any], totals: NDArray[Any], n_documents: int, analyser: Analyser, source: str
) -> NDArray[np.bool_]:
    """Mark the words to keep, by the documents that have them and by how often they occur."""
    enough = frequency >= analyser.min_documents(n_documents)
    kept = enough & (frequency <= analyser.max_documents(n_documents))
    if not kept.any():
        raise _all_pruned_error(enough, analyser, n_documents, source)
    if analyser.max_words is not None and kept.sum() > analyser.max_words:
        return _select_most_frequent(totals, kept, analyser.max_words)
    return kept


def _all_pruned_error(
    enough: NDArray[np.bool_], analyser: Analyser, n_documents: int, source: str
) -> CorpusError:
    if enough.any():
        reason = f"every word of {source} is either too rare (min_df) or too frequent (max_df)"
        option = Parameter("max_df")
    else:
        least = analyser.min_documents(n_documents)
        reason = f"no word of {source} occurs in at least {least:g} of its {n_documents} documents"
        option = Parameter("min_df")
    return CorpusError(f"{reason}; choose a less strict ", option)


def _select_most_frequent(totals: NDArray[Any], kept: NDArray[np.bool_], n_words: int) -> NDArray[np.bool_]:
    candidates = np.flatnonzero(kept)
    order = np.argsort(-totals[candidates], kind="stable")
    selected = np.zeros_like(kept)
    selected[candidates[order[:n_words]]] = True
    return selected


def warn_unspaced(totals: NDArray[Any], words: Sequence[str], source: str) -> None:
    """Warn if many words are whole clauses, since the script is written without spaces."""
    clauses = np.array([CLAUSE.search(word) is not None for word in words], dtype=bool)
    share = totals[clauses].sum() / max(totals.sum(), 1)
    if share > MAX_CLAUSE_SHARE:
        example = words[int(np.flatnonzero(clauses)[totals[clauses].argmax()])]
        language = guess_segmenter(example)
        advice: tuple[str | Parameter, ...] = (
            "insert spaces, or pass Analyser(tokens=...) with a function that splits a text into words",
        )
        if language is not None:
            advice = ("set ", Parameter("segmenter", language))
        warnings.warn(
            UnspacedTextWarning(
                f"{share:.0%} of the words of {source} are whole clauses, such as {example[:40]!r}, because "
                "there are no spaces between the words; ",
                *advice,
            ),
            stacklevel=2,
        )


# Tokenizers


def _make_counter(
    analyser: Analyser, vocabulary: list[str] | None = None, remover: DebrisRemover | None = None
) -> Any:
    from sklearn.feature_extraction.text import CountVectorizer

    prepare, tokenize = _choose_tokenizer(analyser)
    return CountVectorizer(
        preprocessor=_clean_first(prepare, analyser, remover or DebrisRemover()),
        tokenizer=tokenize,
        token_pattern=None,
        stop_words=_list_stop_words(analyser, lambda text: tokenize(prepare(text))),
        ngram_range=analyser.ngrams,
        vocabulary=vocabulary,
        dtype=np.int32,
    )


def make_run_finder(analyser: Analyser) -> Callable[[str], list[list[str]]] | None:
    """Return a function that finds runs of words: neighbours, with no stop word or punctuation between them.

    None if functions of the user find the words.
    """
    if analyser.tokens or analyser.vectorizer or analyser.pattern or analyser.unusable:
        return None
    prepare, tokenize = _choose_tokenizer(analyser)
    clean = _clean_first(prepare, analyser, DebrisRemover())
    stop_words = frozenset(_list_stop_words(analyser, lambda text: tokenize(prepare(text))) or ())
    split = make_word_tokenizer(1)

    def find_runs(text: str) -> list[list[str]]:
        runs: list[list[str]] = []
        for clause in _CLAUSE_END.split(clean(text)):
            runs.append([])
            for word in split(clause):
                if len(word) < analyser.min_length or word in stop_words or not _HAS_LETTER.search(word):
                    runs.append([])
                else:
                    runs[-1].append(word)
        return [run for run in runs if run]

    return find_runs


def _clean_first(
    prepare: Callable[[str], str], analyser: Analyser, remover: DebrisRemover
) -> Callable[[str], str]:
    """Return a function that also removes debris, unless the analyser keeps it."""
    if analyser.keep_markup or analyser.tokens is not None:
        return prepare
    return lambda text: prepare(remover(text))


def _choose_tokenizer(analyser: Analyser) -> tuple[Callable[[str], str], Tokens]:
    if analyser.tokens is not None:
        return _identity, _check_tokens(analyser.tokens)
    if analyser.pattern is not None:
        tokenize = _make_pattern_tokenizer(analyser.pattern, analyser.min_length)
    else:
        tokenize = make_word_tokenizer(analyser.min_length, numbers=analyser.keep_markup)
    normalize = _normalize_lower if analyser.lowercase else _normalize
    if analyser.segmenter is None:
        return normalize, tokenize
    segment = make_segmenter(analyser.segmenter)
    return lambda text: segment(normalize(text)), tokenize


def _list_stop_words(analyser: Analyser, tokenize: Tokens) -> list[str] | None:
    if analyser.stop_words is None:
        return None
    languages = stop_languages(analyser.stop_words)
    listed = sorted({word for code in languages for word in list_stop_words(code)})
    listed = listed if languages else list(analyser.stop_words)
    if analyser.tokens is not None:
        return listed
    # also in the forms that the tokenizer makes of them: "don't" as "don", "The" as "the"
    return sorted({*listed, *(token for word in listed for token in tokenize(word))})


def _check_tokens(tokens: Tokenizer) -> Tokens:
    def tokenize(text: str) -> list[str]:
        words = tokens(text)
        if isinstance(words, str):
            raise InputError("the function tokens must return a list of words; it returned a single text")
        if not isinstance(words, Iterable):
            raise InputError(
                f"the function tokens must return a list of words; it returned {type(words).__name__}"
            )
        words = list(words)
        for word in words:
            if not isinstance(word, str):
                raise InputError(
                    f"the function tokens must return words as str; it returned {word!r} "
                    f"({type(word).__name__})"
                )
        return words

    return tokenize


def _normalize_lower(text: str) -> str:
    return _normalize(text).lower()


def _normalize(text: str) -> str:
    # a letter with an accent may be written as one character or as two
    return unicodedata.normalize("NFC", text)


def _identity(text: str) -> str:
    return text


def make_word_tokenizer(min_length: int, *, numbers: bool = True) -> Tokens:
    """Return a function that finds runs of at least `min_length` word characters, as scikit-learn does.

    A run of only underscores is no word, nor is one without a letter unless `numbers` count. Marks that
    combine with a letter belong to it, as scripts such as Devanagari need; apostrophes separate words.
    """
    needed = "_*[a-zA-Z0-9]" if numbers else "[0-9_]*[a-zA-Z]"
    # a run is tried once only, from its first character
    ascii_runs = re.compile(rf"(?<![a-zA-Z0-9_])(?={needed})[a-zA-Z0-9_]{{{min_length},}}").findall
    runs = _word_pattern().findall

    def tokenize(text: str) -> list[str]:
        if text.isascii():
            return ascii_runs(text)
        words = (run for run in runs(text) if len(run) >= min_length and run.strip("_"))
        return list(words) if numbers else [word for word in words if _HAS_LETTER.search(word)]

    return tokenize


def _make_pattern_tokenizer(pattern: str, min_length: int) -> Tokens:
    """Return a function that finds what matches `pattern` (its group, if it has one) and is long enough."""
    find_all = re.compile(pattern).findall
    return lambda text: [match for match in find_all(text) if len(match) >= min_length]


@lru_cache(maxsize=1)
def _word_pattern() -> re.Pattern[str]:
    marks = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in _combining_mark_ranges())
    return re.compile(rf"\w[\w{marks}]*")


def _combining_mark_ranges() -> Iterator[tuple[int, int]]:
    first: int | None = None
    for code in range(MARKS_END + 1):
        is_mark = code < MARKS_END and unicodedata.category(chr(code)) in COMBINING_MARKS
        if is_mark and first is None:
            first = code
        elif not is_mark and first is not None:
            yield first, code - 1
            first = None


# Vectorizers


def _fit_vectorizer(
    vectorizer: Any, stream: Iterator[str], texts: Sequence[str], source: str
) -> tuple[Any, Any]:
    """Return a fitted copy of the user's vectorizer, and what it counts in the texts."""
    copy = _copy_vectorizer(vectorizer)
    documents = _choose_input(copy, stream, texts)
    matrix = copy.transform(documents) if _is_fitted(copy) else _fit_counts(copy, documents, source)
    return copy, _check_counts(matrix, vectorizer)


def _fit_counts(vectorizer: Any, documents: Any, source: str) -> Any:
    """Fit a vectorizer and count; raise our error when no word is left."""
    try:
        return vectorizer.fit_transform(documents)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        if "empty vocabulary" in str(error):
            raise no_words_error(source) from error
        if "no terms remain" in str(error).casefold():
            raise CorpusError(
                f"no word of {source} is left; choose a less strict min_df or max_df of the vectorizer"
            ) from error
        raise


def _feature_names(vectorizer: Any) -> list[str]:
    return [str(word) for word in vectorizer.get_feature_names_out()]


def _copy_vectorizer(vectorizer: Any) -> Any:
    """Copy a vectorizer; of a tf-idf vectorizer only the part that counts, since methods weight words."""
    from copy import deepcopy

    from sklearn.base import clone
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    if not isinstance(vectorizer, TfidfVectorizer):
        return deepcopy(vectorizer) if _is_fitted(vectorizer) else clone(vectorizer)
    names = CountVectorizer().get_params(deep=False)
    options = {name: value for name, value in vectorizer.get_params(deep=False).items() if name in names}
    options["dtype"] = np.int64
    if _is_fitted(vectorizer):
        options["vocabulary"] = dict(vectorizer.vocabulary_)
    return clone(CountVectorizer(**options))


def _is_fitted(vectorizer: Any) -> bool:
    if hasattr(vectorizer, "vocabulary_") or getattr(vectorizer, "vocabulary", None) is not None:
        return True
    if _is_counter(vectorizer):
        return False
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


def _choose_input(vectorizer: Any, stream: Iterator[str], texts: Sequence[str]) -> Any:
    """Return the stream for scikit-learn's counters; others may read the texts more than once."""
    return stream if _is_counter(vectorizer) else texts


def _check_counts(matrix: Any, vectorizer: Any) -> csr_array:
    counts = sparse.csr_array(matrix)
    data = counts.data
    if not np.all(np.isfinite(data)) or np.any(data < 0) or np.any(data != np.floor(data)):
        raise InputError(
            f"the vectorizer {type(vectorizer).__name__} must return counts, but some of its numbers are "
            f"negative or not whole; use scikit-learn's CountVectorizer"
        )
    return counts
