"""Sentences, by their ends: a stop before a capital, or an empty line."""

from __future__ import annotations

import re
from bisect import bisect_right

# a row of stops is taken whole or not at all: to try every part of a long one would take for ever
_ENDS = re.compile(r"""(?P<stop>(?<![.!?])[.!?]++["'”’)\]]*+)(?=\s+["'“‘(\[>|]*[A-Z0-9])|\n[ \t>|:]*(?=\n)""")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Rev|Gen|Col|Sen|Rep|Gov|St|Jr|Sr|Inc|Ltd|Co|Corp|No|vs|etc|e\.g|i\.e)|\b[A-Z])$"
)
_BEFORE = 6


class Sentences:
    """The sentences of one text."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._ends = [match.end() for match in _ENDS.finditer(text) if not _is_abbreviation(text, match)]

    def at(self, place: int) -> int:
        """The number of the sentence that a place of the text is in."""
        return bisect_right(self._ends, place)

    def span(self, number: int) -> tuple[int, int]:
        """Where a sentence begins and ends."""
        start = self._ends[number - 1] if number else 0
        return start, self._ends[number] if number < len(self._ends) else self._length


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    if match["stop"] != ".":
        return False
    before = text[max(match.start() - _BEFORE, 0) : match.start()]
    return _ABBREVIATION.search(before) is not None
