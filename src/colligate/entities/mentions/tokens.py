"""Tokens: the pieces of a text that names are matched by, with their places.

Marks of quoted replies and characters that nobody sees are no tokens, so that a name that is broken over
quoted lines is still found. An empty line is one: no name goes on behind it. So is encoded data, in which
nothing is a name. An apostrophe stands alone, which leaves the name of a possessive whole.

Which names are looked for, and in which spellings.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_CONTROL = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff"
_UNSEEN = _CONTROL + "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
_CODE = r"(?<!\S)[!-~]{40,}|^M[ -`]{60}$"
_TOKENS = re.compile(
    rf"(?P<gap>\n[ \t>|:]*(?=\n)|{_CODE})|(?P<quote>^(?:[ \t]*[A-Za-z]{{0,3}}[>|])+:?)|"
    rf"[^\W_]+|[^\w\s{_UNSEEN}]",
    re.MULTILINE,
)
_APOSTROPHES = str.maketrans("’‘ʼ`", "''''")
_OPEN, _CAPITAL, _SMALL, _CLOSE = "\x01", "A", "a", "\x02"
GAP = "\n"
LONGEST = 8
"""Names of more tokens are titles and sentences, which hardly anybody repeats word by word."""
SHORTEST = 2
_ACRONYM = 5
_SHORT = 3
_ARTICLES = frozenset(("the", "a", "an"))
_BRACKETS = re.compile(r"(.*\S)\s*\([^()]+\)\s*", re.DOTALL)


class Tokens(NamedTuple):
    """The tokens of a text, and where each begins."""

    words: list[str]
    starts: list[int]

    def end(self, at: int) -> int:
        """Where a token ends."""
        return self.starts[at] + len(self.words[at])


def tokenise(text: str) -> Tokens:
    """The tokens of a text in their order; an empty line is the token GAP."""
    words, starts = [], []
    for match in _TOKENS.finditer(text):
        kind = match.lastgroup
        if kind != "quote":
            words.append(GAP if kind else match[0])
            starts.append(match.start())
    return Tokens(words, starts)


def encode_tokens(words: Iterable[str]) -> list[str]:
    """Each token as the automaton sees it: wrapped, in small letters, after a sign for a capital first."""
    return list(map(_piece, words))


def encode_name(words: Iterable[str], capital: bool | None = None) -> str:
    """A name as the automaton sees it; `capital` overrides the signs of all tokens that are words."""
    return "".join(_piece(word) if capital is None else _wrapped(word, capital) for word in words)


def normalise(word: str) -> str:
    """The letters of a token, whatever their case, width and kind of apostrophe."""
    if word.isascii():
        return word.lower().replace("`", "'")
    return unicodedata.normalize("NFKC", word).translate(_APOSTROPHES).lower()


@lru_cache(maxsize=1 << 16)
def _piece(word: str) -> str:
    return _wrapped(word, word[0].isupper())


def _wrapped(word: str, capital: bool) -> str:
    return f"{_OPEN}{_CAPITAL if capital and word[0].isalpha() else _SMALL}{normalise(word)}{_CLOSE}"


@cache
def load_common_words() -> frozenset[str]:
    """Everyday English words in small letters: names of one word that are among them are not looked for."""
    text = (files("colligate.entities.mentions") / "everyday.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def tokenise_name(name: str) -> list[str]:
    """The tokens of a name; none for one that is too long or too little to be recognised by its spelling."""
    found = tokenise(name).words
    return found if GAP not in found and _tells_enough(found) else []


def list_patterns(words: list[str]) -> list[str]:
    """The patterns of a name: as it is written, and in the capitals of a headline.

    Small words of a name, such as of and the, are capital there. A name all in small letters is a term, which
    also begins sentences.
    """
    found = [encode_name(words), encode_name(words, capital=True)]
    if not any(word[0].isupper() for word in words):
        found.append(encode_name(words[:1], capital=True) + encode_name(words[1:]))
    return list(dict.fromkeys(found))


def strip_brackets(name: str) -> tuple[str, bool]:
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


def count_words(words: list[str]) -> int:
    """How many words a name has, not counting an article before it."""
    return len(words) - (len(words) > 1 and normalise(words[0]) in _ARTICLES)


def _tells_enough(words: list[str]) -> bool:
    if not 0 < len(words) <= LONGEST:
        return False
    if len(words) > 1 and normalise(words[0]) in _ARTICLES:
        return _tells_enough(words[1:])
    content = [word for word in words if word[0].isalpha() and normalise(word) not in load_common_words()]
    if len(words) == 1:
        return bool(content) and len(words[0]) > SHORTEST and words[0].lower() != words[0]
    letters = [word for word in words if word[0].isalpha()]
    capitals = [word for word in letters if word[0].isupper()]
    return len(letters) > 1 and (bool(content) or len(capitals) > 1)
