"""Tokens of texts and of names, and the patterns by which the automaton matches names.

Marks of quoted replies and invisible characters are not tokens, so that a name broken over quoted lines is
still found. An empty line is a token, because no name continues across it; so is encoded data, which contains
no names. An apostrophe is a separate token, so that a possessive leaves the name whole.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

GAP = "\n"
"""The token of an empty line or of encoded data."""
MAX_TOKENS = 8
"""Longer names are titles and sentences, which texts hardly ever repeat word by word."""
_MIN_LETTERS = 3
_MAX_ACRONYM = 5
_ARTICLES = frozenset(("the", "a", "an"))

_CONTROL = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff"
# soft hyphens, zero-width characters and direction marks, which a reader does not see
_INVISIBLE = _CONTROL + "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
# long runs without a space (base64, addresses), and full lines of uuencode, which begin with M
_ENCODED_DATA = r"(?<!\S)[!-~]{40,}|^M[ -`]{60}$"
_TOKENS = re.compile(
    rf"(?P<gap>\n[ \t>|:]*(?=\n)|{_ENCODED_DATA})|(?P<quote>^(?:[ \t]*[A-Za-z]{{0,3}}[>|])+:?)|"
    rf"[^\W_]+|[^\w\s{_INVISIBLE}]",
    re.MULTILINE,
)
_BRACKETS = re.compile(r"(.*\S)\s*\([^()]+\)\s*", re.DOTALL)
_APOSTROPHES = str.maketrans("’‘ʼ`", "''''")
# control characters are in no token, so no text can imitate a delimiter
_OPEN, _UPPER, _LOWER, _CLOSE = "\x01", "A", "a", "\x02"


class Tokens(NamedTuple):
    """The tokens of a text, and the offset at which each begins."""

    words: list[str]
    starts: list[int]

    def end(self, index: int) -> int:
        """Return the offset at which a token ends."""
        return self.starts[index] + len(self.words[index])


def tokenise(text: str) -> Tokens:
    """Split a text into tokens; an empty line becomes the token GAP."""
    words, starts = [], []
    for match in _TOKENS.finditer(text):
        group = match.lastgroup
        if group != "quote":
            words.append(GAP if group else match[0])
            starts.append(match.start())
    return Tokens(words, starts)


def tokenise_name(name: str) -> list[str]:
    """Split a name into tokens; return none if it is too long or too common to be searched for."""
    words = tokenise(name).words
    return words if GAP not in words and _is_distinctive(words) else []


def _is_distinctive(words: list[str]) -> bool:
    if not 0 < len(words) <= MAX_TOKENS:
        return False
    if len(words) > 1 and normalise(words[0]) in _ARTICLES:
        return _is_distinctive(words[1:])
    rare = [word for word in words if word[0].isalpha() and normalise(word) not in load_common_words()]
    if len(words) == 1:
        return bool(rare) and len(words[0]) >= _MIN_LETTERS and words[0].lower() != words[0]
    alphabetic = [word for word in words if word[0].isalpha()]
    capitalised = [word for word in alphabetic if word[0].isupper()]
    return len(alphabetic) > 1 and (bool(rare) or len(capitalised) > 1)


@cache
def load_common_words() -> frozenset[str]:
    """Load common English words in lower case; a name of one word that is among them is not searched for."""
    text = (files("colligate.entities.mentions") / "common_words.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def normalise(word: str) -> str:
    """Fold case, width and kind of apostrophe."""
    # NFKC is slow, and ASCII needs none of it
    if word.isascii():
        return word.lower().replace("`", "'")
    return unicodedata.normalize("NFKC", word).translate(_APOSTROPHES).lower()


def encode_tokens(words: Iterable[str]) -> list[str]:
    """Encode each token for the automaton: delimited, in lower case, with a mark of its case in front."""
    return list(map(_encode, words))


def encode_name(words: Iterable[str], capital: bool | None = None) -> str:
    """Encode a name for the automaton; `capital` overrides the case of all its words."""
    return "".join(_encode(word) if capital is None else _delimit(word, capital) for word in words)


@lru_cache(maxsize=1 << 16)
def _encode(word: str) -> str:
    return _delimit(word, word[0].isupper())


def _delimit(word: str, capital: bool) -> str:
    return f"{_OPEN}{_UPPER if capital and word[0].isalpha() else _LOWER}{normalise(word)}{_CLOSE}"


def list_patterns(words: list[str]) -> list[str]:
    """List the patterns of a name: as it is written, and with the capitals of a headline.

    A headline capitalises words such as *of* and *the* as well. A name in lower case is a term, which may
    also begin a sentence.
    """
    patterns = [encode_name(words), encode_name(words, capital=True)]
    if not any(word[0].isupper() for word in words):
        patterns.append(encode_name(words[:1], capital=True) + encode_name(words[1:]))
    return list(dict.fromkeys(patterns))


def matches_case(name: str, word: str) -> bool:
    """Return whether a word has the case that a name of one word needs to differ from another word.

    An acronym must be written as it is (AIDS is not Aids, DoS is not DOS), and a short name must not be in
    capitals (Cal is not CAL).
    """
    if 1 < len(name) <= _MAX_ACRONYM and name[1:] != name[1:].lower():
        return word == name
    return len(name) > _MIN_LETTERS or not word[1:].isupper()


def strip_brackets(name: str) -> tuple[str, bool]:
    """Strip the brackets at the end of a name, and return whether it had any."""
    match = _BRACKETS.fullmatch(name)
    return (match[1], True) if match else (name, False)


def has_bracketed_id(entity: str) -> bool:
    """Return whether the id of an entity ends with brackets, as `Windows_(band)`."""
    # %29 is a closing bracket in an IRI
    return entity.endswith((")", "%29"))


def count_words(words: list[str]) -> int:
    """Count the words of a name, without a leading article."""
    return len(words) - (len(words) > 1 and normalise(words[0]) in _ARTICLES)
