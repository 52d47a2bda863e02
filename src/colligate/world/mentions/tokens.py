"""Tokens: the pieces of a text that names are matched by, with their places.

Marks of quoted replies and characters that nobody sees are no tokens, so that a name that is broken over
quoted lines is still found. An empty line is one: no name goes on behind it. So is encoded data, in which
nothing is a name. An apostrophe stands alone, which leaves the name of a possessive whole.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
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


class Tokens(NamedTuple):
    """The tokens of a text, and where each begins."""

    words: list[str]
    starts: list[int]

    def end(self, at: int) -> int:
        """Where a token ends."""
        return self.starts[at] + len(self.words[at])


def tokens(text: str) -> Tokens:
    """The tokens of a text in their order; an empty line is the token GAP."""
    words, starts = [], []
    for match in _TOKENS.finditer(text):
        kind = match.lastgroup
        if kind != "quote":
            words.append(GAP if kind else match[0])
            starts.append(match.start())
    return Tokens(words, starts)


def encoded(words: Iterable[str]) -> list[str]:
    """Each token as the automaton sees it: wrapped, in small letters, after a sign for a capital first."""
    return list(map(_piece, words))


def pattern(words: Iterable[str], capital: bool | None = None) -> str:
    """A name as the automaton sees it; `capital` overrides the signs of all tokens that are words."""
    return "".join(_piece(word) if capital is None else _wrapped(word, capital) for word in words)


def plain(word: str) -> str:
    """The letters of a token, whatever their case, width and kind of apostrophe."""
    if word.isascii():
        return word.lower().replace("`", "'")
    return unicodedata.normalize("NFKC", word).translate(_APOSTROPHES).lower()


@lru_cache(maxsize=1 << 16)
def _piece(word: str) -> str:
    return _wrapped(word, word[0].isupper())


def _wrapped(word: str, capital: bool) -> str:
    return f"{_OPEN}{_CAPITAL if capital and word[0].isalpha() else _SMALL}{plain(word)}{_CLOSE}"
