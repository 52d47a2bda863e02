"""Which names are looked for, and in which spellings."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from colligate.world.mentions.tokens import GAP, pattern, plain, tokens

LONGEST = 8
"""Names of more tokens are titles and sentences, which hardly anybody repeats word by word."""

SHORTEST = 2
_ACRONYM = 5
_SHORT = 3
_ARTICLES = frozenset(("the", "a", "an"))
_BRACKETS = re.compile(r"(.*\S)\s*\([^()]+\)\s*", re.DOTALL)


@cache
def everyday() -> frozenset[str]:
    """Everyday English words in small letters: names of one word that are among them are not looked for."""
    text = (files("colligate.world.mentions") / "everyday.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def words_of(name: str) -> list[str]:
    """The tokens of a name; none for one that is too long or too little to be recognised by its spelling."""
    found = tokens(name).words
    return found if GAP not in found and _tells_enough(found) else []


def spellings(words: list[str]) -> list[str]:
    """The patterns of a name: as it is written, and in the capitals of a headline.

    Small words of a name, such as of and the, are capital there. A name all in small letters is a term, which
    also begins sentences.
    """
    found = [pattern(words), pattern(words, capital=True)]
    if not any(word[0].isupper() for word in words):
        found.append(pattern(words[:1], capital=True) + pattern(words[1:]))
    return list(dict.fromkeys(found))


def without_brackets(name: str) -> tuple[str, bool]:
    """A name without what stands in brackets at its end, and whether there was any."""
    found = _BRACKETS.fullmatch(name)
    return (found[1], True) if found else (name, False)


def is_bracketed(entity: str) -> bool:
    """Whether the id of an entity has brackets at its end, as `Windows_(band)`."""
    return entity.endswith((")", "%29"))


def is_spelt(name: str, word: str) -> bool:
    """Whether a word is spelt as a name of one word must be where its case tells it from another.

    An acronym is one only as it is written (AIDS is not Aids, DoS is not DOS), and a word of a few letters is
    none (Cal is not CAL).
    """
    if 1 < len(name) <= _ACRONYM and name[1:] != name[1:].lower():
        return word == name
    return len(name) > _SHORT or not word[1:].isupper()


def length(words: list[str]) -> int:
    """How many words a name has, not counting an article before it."""
    return len(words) - (len(words) > 1 and plain(words[0]) in _ARTICLES)


def _tells_enough(words: list[str]) -> bool:
    if not 0 < len(words) <= LONGEST:
        return False
    if len(words) > 1 and plain(words[0]) in _ARTICLES:
        return _tells_enough(words[1:])
    content = [word for word in words if word[0].isalpha() and plain(word) not in everyday()]
    if len(words) == 1:
        return bool(content) and len(words[0]) > SHORTEST and words[0].lower() != words[0]
    letters = [word for word in words if word[0].isalpha()]
    capitals = [word for word in letters if word[0].isupper()]
    return len(letters) > 1 and (bool(content) or len(capitals) > 1)
