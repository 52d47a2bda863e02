"""Neighbouring mentions of a sentence, and the phrase between them, which may name a relation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from colligate.progress import Event, nobody
from colligate.world.mentions.tokens import plain, tokens
from colligate.world.parsing.sentences import Sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from colligate.progress import Listener
    from colligate.world.mentions.found import Found, IntArray

LONGEST = 8
"""The most words of a phrase that still says something about the names around it."""

AROUND = 300
"""Of a sentence without end, as a text of a single line is, so many characters on both sides are kept."""

_BEING = ("is", "was", "are", "were", "be", "been", "being", "has", "have", "had")
_SKIPPED = frozenset((*_BEING, "the", "a", "an", "of", "that", "which", "who", "s"))
_TOLD_EVERY = 1000


@dataclass(frozen=True)
class Pair:
    """A mention by its position among the finds, the phrase between it and the next, and their sentence."""

    left: int
    phrase: str
    sentence: tuple[int, int]

    @property
    def right(self) -> int:
        """The position of the next mention."""
        return self.left + 1


def pairs(texts: Iterable[str], found: Found, listener: Listener = nobody) -> Iterator[Pair]:
    """All pairs of different names in the order of the documents."""
    borders = _borders(found.document)
    for number, text in enumerate(texts):
        if number % _TOLD_EVERY == 0:
            listener(Event("parsing", number))
        first, last = borders.get(number, (0, 0))
        if last - first > 1:
            yield from _of_document(text, found, first, last)


def phrase(between: str) -> str | None:
    """The words that may name a relation: without small change, in small letters; None if they are too many.

    A comma alone is a phrase, as in "Boston, Massachusetts".
    """
    words = [plain(word) for word in tokens(between).words]
    said = [word for word in words if word[0].isalpha() and word not in _SKIPPED]
    if len(said) > LONGEST:
        return None
    return " ".join(said) or "".join(words[:1])


def _of_document(text: str, found: Found, first: int, last: int) -> Iterator[Pair]:
    sentences = Sentences(text)
    at = [sentences.at(place) for place in found.start[first:last].tolist()]
    for left in range(first, last - 1):
        here = at[left - first]
        if here != at[left + 1 - first] or found.name[left] == found.name[left + 1]:
            continue
        said = phrase(text[found.end[left] : found.start[left + 1]])
        if said is not None:
            yield Pair(left, said, _near(sentences.span(here), found.start[left], found.end[left + 1]))


def _near(sentence: tuple[int, int], start: int, end: int) -> tuple[int, int]:
    return max(sentence[0], int(start) - AROUND), min(sentence[1], int(end) + AROUND)


def _borders(document: IntArray) -> dict[int, tuple[int, int]]:
    numbers, starts = np.unique(document, return_index=True)
    ends = np.append(starts[1:], len(document))[: len(starts)]
    return dict(zip(numbers.tolist(), zip(starts.tolist(), ends.tolist(), strict=True), strict=True))
