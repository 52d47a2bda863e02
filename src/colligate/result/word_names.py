"""Names of groups made of words: the most characteristic words and phrases, readable and different.

A word names a group if it is characteristic by its occurrences and by the documents that have it, and if
other groups have less of it. A word that mostly occurs in a phrase is shown as this phrase. Of words with the
same stem, in the language of the texts, the first one is enough.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.corpus.languages import list_stemmers, make_stemmer
from colligate.corpus.vectorize import make_run_finder
from colligate.progress import report
from colligate.result.association import TINY, count_by_group, take_top

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.corpus import Corpus
    from colligate.result.association import GroupObjectTable

    Labels = NDArray[np.integer[Any]]
    Phrases = Mapping[str, tuple[str, ...]]
    Forms = Callable[[str, str], bool]

# So many of the best words may get into a name.
CANDIDATES = 12
# Phrases are looked for at the beginnings of so many documents of a group.
SAMPLE, SAMPLE_CHARACTERS = 60, 3_000
# A phrase is in so many documents of the sample, and in this share of those that have its word.
MIN_PHRASE_DOCUMENTS, MIN_PHRASE_SHARE = 3, 0.4
# A phrase of three words is in this share of the documents that have two of them.
MIN_LONGER_SHARE = 0.7
# Words in more documents of other groups than this share say little in a phrase, such as "said".
MAX_COMMON = 0.2
MAX_PHRASE = 40
SHORTEST_STEM = 3
SUFFIXES = ("ings", "ing", "ers", "er", "ies", "ied", "es", "ed", "ly", "s", "y")
_LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"\d")


def rank_terms(table: GroupObjectTable, labels: Labels, matrix: sparse.csr_array) -> sparse.csr_array:
    """Score the terms of each group for its name.

    The score is the geometric mean of three: how characteristic the term is by its occurrences, the same by
    the documents that have it, and the group's share of it. Occurrences alone would let one long document
    name a group; documents alone would prefer words that say little.
    """
    n_groups = table.counts.shape[0]
    documents = _count_documents(matrix, labels, n_groups)
    scores = table.scores
    sizes = np.bincount(labels[labels >= 0], minlength=n_groups)
    inside = documents.data / np.repeat(np.maximum(sizes, 1), np.diff(documents.indptr))
    everywhere = np.bincount(matrix.indices, minlength=matrix.shape[1])[documents.indices] / max(
        labels.size, 1
    )
    by_documents = inside * np.log(inside / everywhere)
    share = inside / np.maximum(
        np.bincount(documents.indices, inside, matrix.shape[1])[documents.indices], TINY
    )
    values = np.maximum(scores.data, 0) * np.maximum(by_documents, 0) * share
    return sparse.csr_array((np.cbrt(values), scores.indices, scores.indptr), scores.shape)


def _count_documents(matrix: sparse.csr_array, labels: Labels, n_groups: int) -> sparse.csr_array:
    """Count the documents of each group that have each term."""
    has_term = np.ones_like(matrix.data, dtype=np.float64)
    presence = sparse.csr_array((has_term, matrix.indices, matrix.indptr), matrix.shape)
    return count_by_group(labels, n_groups, presence)


def is_readable(word: str) -> bool:
    """Whether a word can name a group: it has letters, and more of them than digits."""
    return len(_LETTER.findall(word)) > len(_DIGIT.findall(word))


def has_same_stem(first: str, second: str) -> bool:
    """Whether two English words are forms of one: player and players, ride and riding, Israel and Israeli."""
    if first == second or cut_suffix(first) == cut_suffix(second):
        return True
    short, long = sorted((first, second), key=len)
    return len(short) > SHORTEST_STEM and len(long) - len(short) <= 3 and long.startswith(short)


def cut_suffix(word: str) -> str:
    """Return a word without an English ending."""
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= SHORTEST_STEM:
            word = word.removesuffix(suffix)
            break
    doubled = len(word) > SHORTEST_STEM and word[-1] == word[-2]
    return word[:-1] if doubled or (len(word) > SHORTEST_STEM and word[-1] in "ei") else word


def choose_forms(language: str | None) -> Forms:
    """Return how to tell forms of one word in a language: by its stemmer, if there is one."""
    if language in (None, "en"):
        return has_same_stem
    if language not in list_stemmers():
        return lambda first, second: first == second
    stem = make_stemmer(str(language))
    return lambda first, second: stem(first) == stem(second)


def choose_parts(
    candidates: Sequence[str], phrases: Phrases, limit: int, is_form: Forms = has_same_stem
) -> list[str]:
    """Choose the words and phrases of a name, best first; none has a word with the stem of another.

    A phrase takes the place of a word in it that was chosen before.
    """
    readable = [word for word in candidates if is_readable(word)]
    parts: list[tuple[str, ...]] = []
    for word in readable or candidates:
        part = phrases.get(word) or tuple(word.split())
        alike = [k for k, chosen in enumerate(parts) if _share_stem(part, chosen, is_form)]
        if not alike:
            if len(parts) == limit:
                break
            parts.append(part)
        elif len(part) > 1 and len(alike) == 1 and set(parts[alike[0]]) < set(part):
            parts[alike[0]] = part
    return [" ".join(part) for part in parts]


def _share_stem(first: Sequence[str], second: Sequence[str], is_form: Forms) -> bool:
    return any(is_form(one, other) for one in first for other in second)


def find_phrases(
    corpus: Corpus | None, labels: Labels, tops: Sequence[Sequence[str]]
) -> list[dict[str, tuple[str, ...]]]:
    """Find for each group the phrases that its top words mostly occur in; none without texts.

    Only some documents of a group are read, spread evenly over it.
    """
    find_runs = None if corpus is None or corpus.texts is None else make_run_finder(corpus.analyser)
    if corpus is None or corpus.texts is None or find_runs is None:
        return [{} for _ in tops]
    documents = _count_documents(corpus.counts, labels, len(tops))
    everywhere = np.bincount(corpus.counts.indices, minlength=len(corpus.words))
    phrases = []
    for group, words in enumerate(tops):
        report("naming groups", group, len(tops))
        members = np.flatnonzero(labels == group)
        spread = np.unique(np.linspace(0, members.size - 1, min(SAMPLE, members.size)).astype(np.int64))
        texts = (corpus.texts[int(members[k])][:SAMPLE_CHARACTERS] for k in spread)
        elsewhere = everywhere - documents[[group]].toarray()[0]
        n_elsewhere = max(len(corpus) - members.size, 1)
        common = {corpus.words[k] for k in np.flatnonzero(elsewhere > MAX_COMMON * n_elsewhere).tolist()}
        phrases.append(_collect_phrases([find_runs(text) for text in texts], set(words), common - set(words)))
    report("naming groups", len(tops), len(tops))
    return phrases


def _collect_phrases(
    documents: Sequence[list[list[str]]], words: set[str], common: set[str]
) -> dict[str, tuple[str, ...]]:
    """Return the phrase of each word that mostly occurs in one without common words."""
    counts: Counter[tuple[str, ...]] = Counter()
    for runs in documents:
        grams = {gram for run in runs for gram in _list_grams(run, words)}
        counts.update(gram for gram in grams if common.isdisjoint(gram))
    phrase_of: dict[str, tuple[str, ...]] = {}
    pairs = [gram for gram in counts if len(gram) == 2]
    for word in sorted(words):
        with_word = [pair for pair in pairs if word in pair]
        if not with_word:
            continue
        best = min(with_word, key=lambda pair: (-counts[pair], pair))
        if counts[best] < max(MIN_PHRASE_DOCUMENTS, MIN_PHRASE_SHARE * counts[(word,)]):
            continue
        longer = [gram for gram in counts if len(gram) == 3 and best in (gram[:2], gram[1:])]
        longest = min(longer, key=lambda gram: (-counts[gram], gram), default=best)
        phrase = longest if counts[longest] >= MIN_LONGER_SHARE * counts[best] else best
        if len(" ".join(phrase)) <= MAX_PHRASE:
            phrase_of[word] = phrase
    return phrase_of


def _list_grams(run: list[str], words: set[str]) -> Iterator[tuple[str, ...]]:
    """Yield the words of a run that are among `words`, and the phrases of two or three that have one."""
    for start, word in enumerate(run):
        if word in words:
            yield (word,)
        for end in (start + 2, start + 3):
            gram = tuple(run[start:end])
            if len(gram) == end - start == len(set(gram)) and not words.isdisjoint(gram):
                yield gram


def name_by_words(
    scores: sparse.csr_array,
    frequent: sparse.csr_array,
    words: Sequence[str],
    limit: int,
    phrases_of: Callable[[Sequence[Sequence[str]]], Sequence[Phrases]],
    language: str | None = None,
) -> list[str]:
    """Name each group by words and phrases; a group without a characteristic word by its most frequent ones.

    The name of a group that another one has already gets more words, if there are any.
    """
    tops = zip(take_top(scores, CANDIDATES), take_top(frequent, CANDIDATES), strict=True)
    candidates = [
        [words[k] for k in (best if best.size else common).tolist()] for (best, _), (common, _) in tops
    ]
    is_form = choose_forms(language)
    names: list[str] = []
    for words_of_group, phrases in zip(candidates, phrases_of(candidates), strict=True):
        name = ", ".join(choose_parts(words_of_group, phrases, limit, is_form))
        longer = limit
        while name in names and longer < CANDIDATES:
            longer += 1
            name = ", ".join(choose_parts(words_of_group, phrases, longer, is_form))
        names.append(name)
    return names
