"""Neighbouring mentions of a sentence, and the phrase between them, which may name a relation.

Sentences, by their ends: a stop before a capital, or an empty line.

Triples: what sentences say of two entities and the knowledge base confirms.

Facts: which relations of the knowledge base hold between entities that a sentence names side by side.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from colligate.entities.kb.base import query_in_batches
from colligate.entities.mentions.tokens import normalise, tokenise
from colligate.progress import Event, ignore_events

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from colligate.entities.kb.base import KnowledgeBase
    from colligate.entities.mentions.search import IntArray, MentionTable
    from colligate.entities.relations.lexicon import DirectedRelation, Lexicon
    from colligate.progress import Listener


LONGEST = 8
"""The most words of a phrase that still says something about the names around it."""
AROUND = 300
"""Of a sentence without end, as a text of a single line is, so many characters on both sides are kept."""
_BEING = ("is", "was", "are", "were", "be", "been", "being", "has", "have", "had")
_SKIPPED = frozenset((*_BEING, "the", "a", "an", "of", "that", "which", "who", "s"))
_TOLD_EVERY = 1000
# a row of stops is taken whole or not at all: to try every part of a long one would take for ever
_ENDS = re.compile(r"""(?P<stop>(?<![.!?])[.!?]++["'”’)\]]*+)(?=\s+["'“‘(\[>|]*[A-Z0-9])|\n[ \t>|:]*(?=\n)""")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Rev|Gen|Col|Sen|Rep|Gov|St|Jr|Sr|Inc|Ltd|Co|Corp|No|vs|etc|e\.g|i\.e)|\b[A-Z])$"
)
_BEFORE = 6


MOST_ENTITIES = 5
"""Of a name that more entities go by, so many are asked about."""
Names = tuple[int, int]


@dataclass(frozen=True)
class MentionPair:
    """A mention by its position among the finds, the phrase between it and the next, and their sentence."""

    left: int
    phrase: str
    sentence: tuple[int, int]

    @property
    def right(self) -> int:
        """The position of the next mention."""
        return self.left + 1


def pair_mentions(
    texts: Iterable[str], found: MentionTable, listener: Listener = ignore_events
) -> Iterator[MentionPair]:
    """All pairs of different names in the order of the documents."""
    borders = _borders(found.document)
    for number, text in enumerate(texts):
        if number % _TOLD_EVERY == 0:
            listener(Event("parsing", number))
        first, last = borders.get(number, (0, 0))
        if last - first > 1:
            yield from _of_document(text, found, first, last)


def normalise_phrase(between: str) -> str | None:
    """The words that may name a relation: without small change, in small letters; None if they are too many.

    A comma alone is a phrase, as in "Boston, Massachusetts".
    """
    words = [normalise(word) for word in tokenise(between).words]
    said = [word for word in words if word[0].isalpha() and word not in _SKIPPED]
    if len(said) > LONGEST:
        return None
    return " ".join(said) or "".join(words[:1])


def _of_document(text: str, found: MentionTable, first: int, last: int) -> Iterator[MentionPair]:
    sentences = Sentences(text)
    at = [sentences.at(place) for place in found.start[first:last].tolist()]
    for left in range(first, last - 1):
        here = at[left - first]
        if here != at[left + 1 - first] or found.name[left] == found.name[left + 1]:
            continue
        said = normalise_phrase(text[found.end[left] : found.start[left + 1]])
        if said is not None:
            yield MentionPair(left, said, _near(sentences.span(here), found.start[left], found.end[left + 1]))


def _near(sentence: tuple[int, int], start: int, end: int) -> tuple[int, int]:
    return max(sentence[0], int(start) - AROUND), min(sentence[1], int(end) + AROUND)


def _borders(document: IntArray) -> dict[int, tuple[int, int]]:
    numbers, starts = np.unique(document, return_index=True)
    ends = np.append(starts[1:], len(document))[: len(starts)]
    return dict(zip(numbers.tolist(), zip(starts.tolist(), ends.tolist(), strict=True), strict=True))


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


@dataclass(frozen=True)
class Triple:
    """A relation from the case `head` to the case `tail`, and where it is said.

    `share` is how likely the phrase between both means the relation, by the lexicon.
    """

    head: int
    relation: str
    tail: int
    document: int
    phrase: str
    sentence: tuple[int, int]
    share: float


def extract_triples(
    found: MentionTable,
    case: IntArray,
    entities: Sequence[str | None],
    pairs: Iterable[MentionPair],
    facts: Facts,
    lexicon: Lexicon,
) -> Iterator[Triple]:
    """For each pair of mentions whose entities are decided and related, the relation that fits best.

    `entities` are by case, None where nothing is decided.
    """
    for pair in pairs:
        left, right = int(case[pair.left]), int(case[pair.right])
        one, other = entities[left], entities[right]
        names = int(found.name[pair.left]), int(found.name[pair.right])
        told = [relation for a, b, relation in facts.between(*names) if a == one and b == other]
        if told:
            (relation, inverse), share = _best(told, pair.phrase, lexicon)
            head, tail = (right, left) if inverse else (left, right)
            document = int(found.document[pair.left])
            yield Triple(head, relation, tail, document, pair.phrase, pair.sentence, share)


def _best(told: list[DirectedRelation], phrase: str, lexicon: Lexicon) -> tuple[DirectedRelation, float]:
    chosen = min(told, key=lambda relation: (-lexicon.share(phrase, relation), relation))
    return chosen, lexicon.share(phrase, chosen)


class Facts:
    """By two names the facts between the entities that go by them."""

    def __init__(
        self, found: dict[tuple[str, str], tuple[str, ...]], entities: Sequence[tuple[str, ...]]
    ) -> None:
        self._found = found
        self._entities = entities

    @classmethod
    def ask(
        cls,
        base: KnowledgeBase,
        names: Iterable[Names],
        entities: Sequence[tuple[str, ...]],
        listener: Listener = ignore_events,
    ) -> Facts:
        """Ask about each pair of names once and in both directions, in batches; `entities` are by name."""
        wanted = sorted({pair for both in names for pair in _both_ways(both, entities)})
        return cls(query_in_batches(base.relations, wanted, "asking for relations", listener), entities)

    def between(self, left: int, right: int) -> Iterator[tuple[str, str, DirectedRelation]]:
        """What holds between the entities of two names: left entity, right entity, relation."""
        for one, other in product(*(self._entities[name][:MOST_ENTITIES] for name in (left, right))):
            yield from ((one, other, (relation, False)) for relation in self._found.get((one, other), ()))
            yield from ((one, other, (relation, True)) for relation in self._found.get((other, one), ()))

    def told(self, left: int, right: int) -> list[DirectedRelation]:
        """The relations between two names, whichever entities they stand for."""
        return sorted({relation for *_, relation in self.between(left, right)})


def _both_ways(names: Names, entities: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    for one, other in product(*(entities[name][:MOST_ENTITIES] for name in names)):
        if one != other:
            yield from ((one, other), (other, one))
