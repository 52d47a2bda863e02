"""What a question is."""

from __future__ import annotations

from dataclasses import dataclass

LABEL, PAIR, WORD = "label", "pair", "word"
KINDS = (LABEL, PAIR, WORD)
"""Which group is this document in? Do these two belong together? Is this word about that group?"""


@dataclass(frozen=True)
class Question:
    """One question about a result; objects and groups are given by position.

    `items` are the document of a `label`, both documents of a `pair` (the second is known better), or the
    `word` and the word that leads its group. `groups` are those in question, the likeliest first: a label has
    several to choose from, a pair that of either document, a word one. `effect` is what the answer is
    expected to settle, in documents, by which questions are ordered.
    """

    kind: str
    items: tuple[int, ...]
    groups: tuple[int, ...]
    effect: float
