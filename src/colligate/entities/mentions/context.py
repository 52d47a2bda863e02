"""What stands beside a name in a text, and whether it makes the name a part of something longer."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from colligate.entities.mentions.tokens import load_common_words, normalise

if TYPE_CHECKING:
    from collections.abc import Set

    from colligate.entities.mentions.tokens import Tokens

SENTENCE_ENDS = frozenset(".!?:\n\"'(*")
_OF = frozenset(("of", "de", "du", "von", "van"))
_WITHIN = frozenset(("in", "near", "outside"))
_JOINTS = frozenset("-/")
_GLUE = frozenset("@=+\\$%^&_")
_TITLE = 4


@cache
def _small_words() -> frozenset[str]:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(ENGLISH_STOP_WORDS)


class SpanContext:
    """The neighbours of names in one text: `named` are the tokens of all names, `longer` of the longer ones.

    A word right before or behind a name is a part of the same name, unless it is of a longer one: Paris
    Hilton is no city. Words that are joined otherwise may be names of their own: Turkey-Cyprus.
    """

    def __init__(self, text: str, found: Tokens, named: Set[int], longer: Set[int]) -> None:
        self._text, self._named, self._longer = text, named, longer
        self._words, self._starts = found

    def led(self, first: int) -> bool:
        """Whether a capital word, an initial or a title stands before: Janet Reno, J. Reno, Ms. Reno."""
        if self._space(first) and self._other(first - 1, first):
            return normalise(self._words[first - 1]) not in (
                _small_words() if self._headed(first) else load_common_words()
            )
        return (
            self._dot(first) and self._foreign(first - 2, self._longer) and _is_title(self._words[first - 2])
        )

    def is_placed(self, first: int) -> bool:
        """Whether the text says that something is in what is named."""
        return self._space(first) and normalise(self._words[first - 1]) in _WITHIN

    def is_part(self, first: int, last: int) -> bool:
        """Whether the name is a part of a longer one, of a joined word, or of an address or other code."""
        return (
            self._glued(first, last)
            or self._joined(first - 2, first - 2)
            or self._joined(last, last + 2)
            or self._is_of(first)
            or self._goes_on(first, last)
            or self._follows(first)
        )

    def _goes_on(self, first: int, last: int) -> bool:
        """Whether a capital word follows: the Denver of Denver Post, the University of Texas at Austin."""
        if self._headed(first) and self._space(last + 1) and self._words[last + 1] == "at":
            return self._foreign(last + 2, frozenset())
        if not self._space(last + 1) or not self._other(last + 1, last):
            return False
        return normalise(self._words[last + 1]) not in _small_words()

    def _follows(self, first: int) -> bool:
        """Whether a capital word within a sentence stands before: the Europe of Central Europe."""
        if not self._space(first) or not self._other(first - 1, first) or not self._space(first - 1):
            return False
        inside = self._words[first - 2] not in SENTENCE_ENDS
        return inside and normalise(self._words[first - 1]) not in _small_words()

    def _headed(self, first: int) -> bool:
        """Whether the name begins with a word that tells its kind, as University of."""
        return first + 1 in self._longer and self._words[first + 1] == "of"

    def _is_of(self, first: int) -> bool:
        """Whether the name says of what something is: the Delaware of Univ. of Delaware."""
        if not self._space(first) or normalise(self._words[first - 1]) not in _OF:
            return False
        if self._dot(first - 1):
            return self._foreign(first - 3, self._named)
        if not self._space(first - 1) or not self._foreign(first - 2, self._named):
            return False
        return normalise(self._words[first - 2]) not in _small_words()

    def _joined(self, left: int, other: int) -> bool:
        """Whether a hyphen or a slash joins the name with a capital word, a number, or the rest of a word.

        The joint stands between `left` and the token two behind it; `other` is the one that is not the name.
        """
        if not 0 <= left < len(self._words) - 2 or self._words[left + 1] not in _JOINTS:
            return False
        if self._gap(left + 1):
            return False
        if self._gap(left + 2):
            return other > left and self._broken(other)
        return (
            self._foreign(other, self._named) or self._words[other][0].isdigit() or self._prefix(left, other)
        )

    def _prefix(self, left: int, other: int) -> bool:
        """Whether a small word is joined before the name: the Jews of non-Jews."""
        return other == left and self._words[left + 1] == "-" and self._words[left][0].islower()

    def _broken(self, rest: int) -> bool:
        between = self._text[self._end(rest - 1) : self._starts[rest]]
        return "\n" in between and self._words[rest][0].islower()

    def _glued(self, first: int, last: int) -> bool:
        """Whether a sign stands beside the name that only addresses, formulas and encoded data have there."""
        start, end = self._starts[first], self._end(last)
        before, after = self._text[max(start - 1, 0) : start], self._text[end : end + 2]
        return any(one.isalnum() or one in _GLUE for one in (before, after[:1])) or (
            after[:1] == "." and after[1:].isalnum()
        )

    def _other(self, at: int, name: int) -> bool:
        """Whether a token beside a name is another capital word, of no longer name."""
        return self._foreign(at, self._longer) and self._words[at] != self._words[name]

    def _foreign(self, at: int, known: Set[int]) -> bool:
        """Whether a token is a capital word that belongs to no known name."""
        return 0 <= at < len(self._words) and self._words[at][0].isupper() and at not in known

    def _space(self, at: int) -> bool:
        """Whether one space, and no line break, stands before a token."""
        return 0 < at < len(self._words) and self._text[self._end(at - 1) : self._starts[at]] == " "

    def _dot(self, at: int) -> bool:
        """Whether an abbreviation stands before a token: a word, a dot right behind it, and one space."""
        return at > 1 and self._words[at - 1] == "." and self._space(at) and not self._gap(at - 1)

    def _gap(self, at: int) -> int:
        """How many characters stand between a token and the one before it."""
        return self._starts[at] - self._end(at - 1)

    def _end(self, at: int) -> int:
        return self._starts[at] + len(self._words[at])


def _is_title(word: str) -> bool:
    return len(word) == 1 or (len(word) <= _TITLE and word[1:].islower())
