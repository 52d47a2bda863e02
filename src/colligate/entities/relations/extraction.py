"""Extraction of relations: neighbouring mentions of a sentence, the phrase between them, and known facts."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise, product
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

MAX_PHRASE = 8
"""A phrase of more words is not used for the names around it."""
MAX_CONTEXT = 300
"""The most characters kept on each side of a pair, for a text without sentence ends."""
MAX_ENTITIES = 5
"""The most entities of one name that are queried."""
_AUXILIARIES = ("is", "was", "are", "were", "be", "been", "being", "has", "have", "had")
_SKIPPED = frozenset((*_AUXILIARIES, "the", "a", "an", "of", "that", "which", "who", "s"))
_EVENT_EVERY = 1000
# Possessive quantifiers take a row of stops whole or not at all: trying each part of a long one is quadratic.
_ENDS = re.compile(r"""(?P<stop>(?<![.!?])[.!?]++["'”’)\]]*+)(?=\s+["'“‘(\[>|]*[A-Z0-9])|\n[ \t>|:]*(?=\n)""")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Rev|Gen|Col|Sen|Rep|Gov|St|Jr|Sr|Inc|Ltd|Co|Corp|No|vs|etc|e\.g|i\.e)|\b[A-Z])$"
)
_MAX_ABBREVIATION = 6
NamePair = tuple[int, int]
Offsets = tuple[int, int]


@dataclass(frozen=True)
class MentionPair:
    """A mention by its row in the table, the phrase between it and the next one, and their sentence."""

    left: int
    phrase: str
    sentence: Offsets

    @property
    def right(self) -> int:
        """The row of the next mention."""
        return self.left + 1

    def names(self, mentions: MentionTable) -> NamePair:
        """Return the names of both mentions, by number."""
        return int(mentions.name[self.left]), int(mentions.name[self.right])


def pair_mentions(
    texts: Iterable[str], mentions: MentionTable, listener: Listener = ignore_events
) -> Iterator[MentionPair]:
    """Yield all pairs of different neighbouring names in a sentence, in the order of the documents."""
    documents, starts = np.unique(mentions.document, return_index=True)
    ends = np.append(starts[1:], len(mentions))[: len(starts)]
    borders = dict(zip(documents.tolist(), zip(starts.tolist(), ends.tolist(), strict=True), strict=True))
    for number, text in enumerate(texts):
        if number % _EVENT_EVERY == 0:
            listener(Event("parsing", number))
        first, last = borders.get(number, (0, 0))
        if last - first > 1:
            yield from _pair_in_document(text, mentions, first, last)


def _pair_in_document(text: str, mentions: MentionTable, first: int, last: int) -> Iterator[MentionPair]:
    sentences = Sentences(text)
    numbers = [sentences.find(offset) for offset in mentions.start[first:last].tolist()]
    for left, (number, following) in enumerate(pairwise(numbers), first):
        if number != following or mentions.name[left] == mentions.name[left + 1]:
            continue
        phrase = normalise_phrase(text[mentions.end[left] : mentions.start[left + 1]])
        if phrase is not None:
            start, end = sentences.span(number)
            start = max(start, int(mentions.start[left]) - MAX_CONTEXT)
            end = min(end, int(mentions.end[left + 1]) + MAX_CONTEXT)
            yield MentionPair(left, phrase, (start, end))


def normalise_phrase(between: str) -> str | None:
    """Return the words that may name a relation, in lower case, without function words; None if too many.

    A single comma is a phrase, as in "Boston, Massachusetts".
    """
    words = [normalise(word) for word in tokenise(between).words]
    content = [word for word in words if word[0].isalpha() and word not in _SKIPPED]
    if len(content) > MAX_PHRASE:
        return None
    return " ".join(content) or "".join(words[:1])


class Sentences:
    """The sentences of one text, which end with a stop before a capital, or with an empty line."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._ends = [match.end() for match in _ENDS.finditer(text) if not _is_abbreviation(text, match)]

    def find(self, offset: int) -> int:
        """Return the number of the sentence at an offset of the text."""
        return bisect_right(self._ends, offset)

    def span(self, number: int) -> Offsets:
        """Return the offsets at which a sentence begins and ends."""
        start = self._ends[number - 1] if number else 0
        return start, self._ends[number] if number < len(self._ends) else self._length


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    if match["stop"] != ".":
        return False
    before = text[max(match.start() - _MAX_ABBREVIATION, 0) : match.start()]
    return _ABBREVIATION.search(before) is not None


class Facts:
    """The facts of the knowledge base between the entities of two names."""

    def __init__(
        self, relations: dict[tuple[str, str], tuple[str, ...]], entities: Sequence[tuple[str, ...]]
    ) -> None:
        self._relations = relations
        self._entities = entities

    @classmethod
    def query(
        cls,
        base: KnowledgeBase,
        names: Iterable[NamePair],
        entities: Sequence[tuple[str, ...]],
        listener: Listener = ignore_events,
    ) -> Facts:
        """Query each pair of names once and in both directions; `entities` are by name."""
        pairs = set()
        for left, right in names:
            for head, tail in product(entities[left][:MAX_ENTITIES], entities[right][:MAX_ENTITIES]):
                if head != tail:
                    pairs |= {(head, tail), (tail, head)}
        return cls(query_in_batches(base.relations, sorted(pairs), "querying relations", listener), entities)

    def between(self, left: int, right: int) -> Iterator[tuple[str, str, DirectedRelation]]:
        """Yield what holds between the entities of two names: left entity, right entity, relation."""
        for a, b in product(*(self._entities[name][:MAX_ENTITIES] for name in (left, right))):
            yield from ((a, b, (relation, False)) for relation in self._relations.get((a, b), ()))
            yield from ((a, b, (relation, True)) for relation in self._relations.get((b, a), ()))

    def relations(self, left: int, right: int) -> list[DirectedRelation]:
        """Return the relations between two names, over all their entities."""
        return sorted({relation for *_, relation in self.between(left, right)})


@dataclass(frozen=True)
class Triple:
    """A relation from the case `head` to the case `tail`, and the sentence that states it.

    `share` is how likely the phrase between both means the relation, by the lexicon.
    """

    head: int
    relation: str
    tail: int
    document: int
    phrase: str
    sentence: Offsets
    share: float


def extract_triples(
    mentions: MentionTable,
    case: IntArray,
    entities: Sequence[str | None],
    pairs: Iterable[MentionPair],
    facts: Facts,
    lexicon: Lexicon,
) -> Iterator[Triple]:
    """Yield, for each pair of mentions whose entities are decided and related, the best fitting relation.

    `entities` are by case, None if nothing is decided.
    """
    for pair in pairs:
        left, right = int(case[pair.left]), int(case[pair.right])
        ends = entities[left], entities[right]
        relations = [relation for a, b, relation in facts.between(*pair.names(mentions)) if (a, b) == ends]
        if relations:
            best = min(relations, key=lambda relation: (-lexicon.share(pair.phrase, relation), relation))
            name, inverse = best
            head, tail = (right, left) if inverse else (left, right)
            document, share = int(mentions.document[pair.left]), lexicon.share(pair.phrase, best)
            yield Triple(head, name, tail, document, pair.phrase, pair.sentence, share)
