"""The tokens around a span of text, and whether they make it part of a longer name."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from colligate.entities.mentions.tokens import load_common_words, normalise

if TYPE_CHECKING:
    from collections.abc import Set

    from colligate.entities.mentions.tokens import Tokens

SENTENCE_ENDS = frozenset(".!?:\n\"'(*")
_OF = frozenset(("of", "de", "du", "von", "van"))
_LOCATIVES = frozenset(("in", "near", "outside"))
_JOINTS = frozenset("-/")
_CODE_SIGNS = frozenset("@=+\\$%^&_")
_MAX_TITLE = 4


@cache
def _stop_words() -> frozenset[str]:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(ENGLISH_STOP_WORDS)


class SpanContext:
    """The neighbours of spans in one text.

    `named` has the tokens of all matched names, `longer` those of names of several words. A capitalised
    word right before or after a name belongs to the same name, unless it is part of a longer one: Paris
    Hilton is not a city. Words joined by a hyphen or slash may be two names: Turkey-Cyprus.
    """

    def __init__(self, text: str, tokens: Tokens, named: Set[int], longer: Set[int]) -> None:
        self._text, self._named, self._longer = text, named, longer
        self._words, self._starts = tokens

    def is_preceded(self, first: int) -> bool:
        """Return whether a forename, an initial or a title comes before: Janet Reno, J. Reno, Ms. Reno."""
        if self._after_space(first) and self._is_different_name(first - 1, first):
            return normalise(self._words[first - 1]) not in (
                _stop_words() if self._has_head_noun(first) else load_common_words()
            )
        return (
            self._after_abbreviation(first)
            and self._is_capital_outside(first - 2, self._longer)
            and _is_title(self._words[first - 2])
        )

    def is_locative(self, first: int) -> bool:
        """Return whether the span follows a preposition of place, such as *in*."""
        return self._after_space(first) and normalise(self._words[first - 1]) in _LOCATIVES

    def is_part(self, first: int, last: int) -> bool:
        """Return whether the span is part of a longer name, a joined word, an address or other code."""
        return (
            self._is_code(first, last)
            or self._is_joined(first - 2, first - 2)
            or self._is_joined(last, last + 2)
            or self._is_complement(first)
            or self._continues(first, last)
            or self._follows_name(first)
        )

    def _continues(self, first: int, last: int) -> bool:
        """Whether a capital word follows: the Denver of Denver Post, the University of Texas at Austin."""
        if self._has_head_noun(first) and self._after_space(last + 1) and self._words[last + 1] == "at":
            return self._is_capital_outside(last + 2, frozenset())
        if not self._after_space(last + 1) or not self._is_different_name(last + 1, last):
            return False
        return normalise(self._words[last + 1]) not in _stop_words()

    def _follows_name(self, first: int) -> bool:
        """Whether a capital word within a sentence comes before: the Europe of Central Europe."""
        if not self._after_space(first) or not self._is_different_name(first - 1, first):
            return False
        # the first word of a sentence has a capital anyway
        if not self._after_space(first - 1) or self._words[first - 2] in SENTENCE_ENDS:
            return False
        return normalise(self._words[first - 1]) not in _stop_words()

    def _has_head_noun(self, first: int) -> bool:
        """Whether the name begins with a noun for its class, as University of."""
        return first + 1 in self._longer and self._words[first + 1] == "of"

    def _is_complement(self, first: int) -> bool:
        """Whether the span completes a phrase with *of*: the Delaware of Univ. of Delaware."""
        if not self._after_space(first) or normalise(self._words[first - 1]) not in _OF:
            return False
        if self._after_abbreviation(first - 1):
            return self._is_capital_outside(first - 3, self._named)
        if not self._after_space(first - 1) or not self._is_capital_outside(first - 2, self._named):
            return False
        return normalise(self._words[first - 2]) not in _stop_words()

    def _is_joined(self, left: int, neighbour: int) -> bool:
        """Whether a hyphen or slash joins the name with a capital word, a number, or the rest of a word.

        The joint is between the tokens `left` and `left + 2`; `neighbour` is the one outside the name.
        """
        if not 0 <= left < len(self._words) - 2 or self._words[left + 1] not in _JOINTS:
            return False
        if self._gap_before(left + 1):
            return False
        # a hyphen at the end of a line may divide a word
        if self._gap_before(left + 2):
            return neighbour > left and self._is_hyphenated_rest(neighbour)
        return (
            self._is_capital_outside(neighbour, self._named)
            or self._words[neighbour][0].isdigit()
            or self._is_prefix(left, neighbour)
        )

    def _is_prefix(self, left: int, neighbour: int) -> bool:
        """Whether a word in lower case is joined before the name: the Jews of non-Jews."""
        return neighbour == left and self._words[left + 1] == "-" and self._words[left][0].islower()

    def _is_hyphenated_rest(self, index: int) -> bool:
        between = self._text[self._end(index - 1) : self._starts[index]]
        return "\n" in between and self._words[index][0].islower()

    def _is_code(self, first: int, last: int) -> bool:
        """Whether a sign beside the name is one that only addresses, formulas and encoded data have there."""
        start, end = self._starts[first], self._end(last)
        before, after = self._text[max(start - 1, 0) : start], self._text[end : end + 2]
        return any(sign.isalnum() or sign in _CODE_SIGNS for sign in (before, after[:1])) or (
            after[:1] == "." and after[1:].isalnum()
        )

    def _is_different_name(self, index: int, name: int) -> bool:
        """Whether a token beside a name is another capital word that belongs to no longer name."""
        return self._is_capital_outside(index, self._longer) and self._words[index] != self._words[name]

    def _is_capital_outside(self, index: int, names: Set[int]) -> bool:
        """Whether a token is a capital word outside these names."""
        return 0 <= index < len(self._words) and self._words[index][0].isupper() and index not in names

    def _after_space(self, index: int) -> bool:
        """Whether exactly one space, and no line break, comes before a token."""
        return 0 < index < len(self._words) and self._text[self._end(index - 1) : self._starts[index]] == " "

    def _after_abbreviation(self, index: int) -> bool:
        """Whether a word, a dot right behind it, and one space come before a token."""
        return (
            index > 1
            and self._words[index - 1] == "."
            and self._after_space(index)
            and not self._gap_before(index - 1)
        )

    def _gap_before(self, index: int) -> int:
        """Count the characters between a token and the one before it."""
        return self._starts[index] - self._end(index - 1)

    def _end(self, index: int) -> int:
        return self._starts[index] + len(self._words[index])


def _is_title(word: str) -> bool:
    return len(word) == 1 or (len(word) <= _MAX_TITLE and word[1:].islower())
