"""Counting words: texts in, a documents × words matrix out."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from colligate.corpus import vectorizers
from colligate.corpus.pattern import pattern_runs, word_runs
from colligate.corpus.pruning import prune
from colligate.corpus.readers.meter import Meter
from colligate.corpus.reindex import reindexed
from colligate.corpus.unspaced import tell_unspaced
from colligate.errors import CorpusError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from colligate.corpus.analyser import Analyser, Tokens
    from colligate.progress import Listener


class Counted(NamedTuple):
    """Counts over words, and the analyser that can count more text over the same words."""

    counts: sparse.csr_array
    words: list[str]
    analyser: Analyser


def count(texts: Sequence[str], analyser: Analyser, source: str, listener: Listener) -> Counted:
    """Count the words of `texts`, and choose which words there are."""
    analyser.refuse_forgotten()
    heard = _heard(texts, listener)
    if analyser.vectorizer is not None:
        fitted, matrix, words = vectorizers.fit(analyser.vectorizer, heard, texts, source)
        counted = Counted(canonical(matrix), words, replace(analyser, vectorizer=fitted))
    else:
        counter = _counter(analyser)
        counts = canonical(vectorizers.fit_counter(counter, heard, source))
        found = vectorizers.names(counter)
        tell_unspaced(counts, found, source)
        counted = Counted(*prune(counts, found, analyser, source), analyser)
    if counted.counts.nnz == 0:
        raise CorpusError(f"no document of {source} holds a countable word; {vectorizers.ADVICE}")
    return counted


def count_over(
    texts: Sequence[str], words: list[str], analyser: Analyser, listener: Listener
) -> sparse.csr_array:
    """Count `texts` over `words`, as another corpus has them; other words are passed over."""
    analyser.refuse_forgotten()
    heard = _heard(texts, listener)
    if analyser.vectorizer is not None:
        matrix, own = vectorizers.transform(analyser.vectorizer, heard, texts, words)
        return reindexed(canonical(matrix), own, words)
    return canonical(_counter(analyser, vocabulary=words).transform(heard))


def canonical(matrix: Any) -> sparse.csr_array:
    """Return counts as CSR of 32-bit integers, sorted, without zeros or duplicates."""
    found = sparse.csr_array(matrix, dtype=np.int32)
    found.sum_duplicates()
    found.eliminate_zeros()
    return found


def _counter(analyser: Analyser, vocabulary: list[str] | None = None) -> Any:
    from sklearn.feature_extraction.text import CountVectorizer

    prepare, find = _finder(analyser)
    return CountVectorizer(
        preprocessor=prepare,
        tokenizer=find,
        token_pattern=None,
        stop_words=_stop_words(analyser, lambda text: find(prepare(text))),
        ngram_range=analyser.ngrams,
        vocabulary=vocabulary,
        dtype=np.int32,
    )


def _finder(analyser: Analyser) -> tuple[Callable[[str], str], Tokens]:
    if analyser.tokens is not None:
        return _as_it_is, _checked(analyser.tokens)
    if analyser.pattern is not None:
        find = pattern_runs(analyser.pattern, analyser.min_length)
    else:
        find = word_runs(analyser.min_length)
    return (_composed_lower if analyser.lowercase else _composed), find


def _stop_words(analyser: Analyser, words_of: Tokens) -> list[str] | None:
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


def _checked(tokens: Tokens) -> Callable[[str], list[str]]:
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


def _composed_lower(text: str) -> str:
    return _composed(text).lower()


def _composed(text: str) -> str:
    # The same letter with an accent may be written as one character or as two; it is one word either way.
    return unicodedata.normalize("NFC", text)


def _as_it_is(text: str) -> str:
    return text


def _heard(texts: Sequence[str], listener: Listener) -> Iterator[str]:
    meter = Meter(listener, "counting", len(texts))
    for done, text in enumerate(texts):
        meter.at(done)
        yield text
    meter.finish()
