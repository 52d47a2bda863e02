"""Words as the papers of 2009 and 2011 count them: Porter's stems of runs of letters."""

from __future__ import annotations

import re
from functools import lru_cache

import snowballstemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

LETTERS = re.compile(r"[a-z]+")
SHORTEST = 2
stem_word = lru_cache(maxsize=200_000)(snowballstemmer.stemmer("porter").stemWord)


def list_stems(text: str) -> list[str]:
    """The stems of all words of a text, in lower case."""
    return [stem_word(word) for word in LETTERS.findall(text.lower())]


def list_content_stems(text: str) -> list[str]:
    """The stems of its words, without stop words and single letters."""
    words = LETTERS.findall(text.lower())
    return [stem_word(word) for word in words if len(word) >= SHORTEST and word not in ENGLISH_STOP_WORDS]
