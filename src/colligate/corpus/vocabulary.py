"""The words of documents that are in several places: each part is summarised, and all choose the words.

The words are those that `vectorize.count_words` chooses for the same documents in one place.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from colligate.corpus.debris import DebrisRemover
from colligate.corpus.languages import make_stemmer
from colligate.corpus.vectorize import (
    count_all_words,
    merge_forms,
    no_words_error,
    select_words,
    warn_unspaced,
)
from colligate.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.corpus.analyser import Analyser


class WordSummary(NamedTuple):
    """The words of some documents: the documents with a word of each stem, and how often each word occurs.

    Without a stemmer, every word is its own stem. `debris` is as in `WordCounts`.
    """

    n_documents: int
    frequency: Counter[str]
    totals: Counter[str]
    debris: Counter[str]


def summarise_words(texts: Sequence[str], analyser: Analyser) -> WordSummary:
    """Count the words of a part of the documents, for `choose_words`."""
    remover = DebrisRemover()
    try:
        counts, words = count_all_words(iter(texts), analyser, "", remover)
    except CorpusError:
        # a part may have no words
        return WordSummary(len(texts), Counter(), Counter(), Counter(remover.documents))
    totals = np.bincount(counts.indices, counts.data, len(words)).astype(np.int64)
    stems = words
    if analyser.stem is not None:
        stem = make_stemmer(analyser.stem)
        counts, forms = merge_forms(counts, words, stem)
        stems = [stem(form) for form in forms]
    frequency = np.bincount(counts.indices, minlength=len(stems))
    return WordSummary(
        len(texts),
        Counter(dict(zip(stems, frequency.tolist(), strict=True))),
        Counter(dict(zip(words, totals.tolist(), strict=True))),
        Counter(remover.documents),
    )


def merge_summaries(left: WordSummary, right: WordSummary) -> WordSummary:
    """Return the summary of two parts together."""
    return WordSummary(
        left.n_documents + right.n_documents,
        left.frequency + right.frequency,
        left.totals + right.totals,
        left.debris + right.debris,
    )


def choose_words(summary: WordSummary, analyser: Analyser, source: str) -> list[str]:
    """Choose the words to keep, as `count_words` does for documents in one place."""
    words = sorted(summary.totals)
    if not words:
        raise no_words_error(source)
    totals = np.array([summary.totals[word] for word in words], dtype=np.float64)
    warn_unspaced(totals, words, source)
    stems = words
    if analyser.stem is not None:
        stem = make_stemmer(analyser.stem)
        best: dict[str, int] = {}
        sums: Counter[str] = Counter()
        for number, word in enumerate(words):
            key = stem(word)
            sums[key] += int(totals[number])
            if totals[number] > totals[best.setdefault(key, number)]:
                best[key] = number
        words = [words[number] for number in sorted(best.values())]
        stems = [stem(word) for word in words]
        totals = np.array([sums[key] for key in stems], dtype=np.float64)
    frequency = np.array([summary.frequency[key] for key in stems])
    kept = select_words(frequency, totals, summary.n_documents, analyser, source)
    return [words[number] for number in np.flatnonzero(kept)]
