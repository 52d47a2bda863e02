"""The gazetteer: all names of a knowledge base in one automaton, which finds them in one pass over a text.

What things are called in the first place, their labels, and the aliases that they go by as well.

Joining what the gazetteer found with what a recogniser found: of finds that overlap, the longest.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from colligate.entities.mentions.context import SENTENCE_ENDS, SpanContext
from colligate.entities.mentions.tokens import (
    count_words,
    encode_name,
    encode_tokens,
    is_bracketed,
    is_spelt,
    list_patterns,
    strip_brackets,
    tokenise,
    tokenise_name,
)
from colligate.errors import InputError
from colligate.progress import Event, ignore_events

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from colligate.entities.kb.base import KnowledgeBase
    from colligate.entities.mentions.recogniser import Span
    from colligate.entities.mentions.tokens import Tokens
    from colligate.progress import Listener


_TOLD_EVERY = 50_000


_UNKNOWN = -1


class Hit(NamedTuple):
    """A name in a text, by its number, and what its place tells of it.

    `small` is a name of one word in small letters, which only counts against the name. `telling` is one
    that does not begin a sentence, where everything is capital; `alone` one that is no part of something
    longer, `led` one with another capital word, an initial or a title before it, and `placed` one that
    something is in.
    """

    name: int
    start: int
    end: int
    small: bool = False
    telling: bool = True
    alone: bool = True
    led: bool = False
    placed: bool = False


class Owner(NamedTuple):
    """An entity that goes by a name; `secondary` if the name alone usually means something else."""

    entity: str
    name: str
    secondary: bool = False


class Gazetteer:
    """Names with the entities that go by them, by number.

    `names[n]` is a name as the knowledge base first spells it, `words[n]` how many words it has. Brackets, as
    in `Windows (band)`, are no part of a name, but say that the name alone usually means something else.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], listener: Listener = ignore_events) -> None:
        self.names: list[str] = []
        self.words = array("B")
        self.entities: list[str] = []
        self._patterns: dict[str, int] = {}
        self._owners: list[int | list[int]] = []
        self._take(pairs, listener)
        if not self.names:
            raise InputError("the knowledge base has no name that could be found in a text; give it labels")
        self._numbers = array("l", self._patterns.values())
        self._small: set[int] = set()
        self._automaton = self._built()
        self._patterns = {}

    def __len__(self) -> int:
        return len(self.names)

    def owners(self, name: int) -> tuple[Owner, ...]:
        """The entities that go by a name, in the order of the knowledge base."""
        found = self._owners[name]
        listed = [found] if isinstance(found, int) else found
        return tuple(Owner(self.entities[max(at, ~at)], self.names[name], at < 0) for at in listed)

    def find(self, text: str) -> list[Hit]:
        """The names in a text from left to right, the longest at each place, none over another."""
        found = tokenise(text)
        pieces = encode_tokens(found.words)
        borders = list(accumulate(map(len, pieces), initial=0))
        matches = self._automaton.find_matches_as_indexes("".join(pieces))
        ranges = [
            (number, bisect_left(borders, start), bisect_left(borders, end) - 1)
            for number, start, end in matches
        ]
        longer = {at for _, first, last in ranges if last > first for at in range(first, last + 1)}
        named = longer.union(first for number, first, _ in ranges if number not in self._small)
        beside = SpanContext(text, found, named, longer)
        hits = (self._hit(number, found, first, last, beside) for number, first, last in ranges)
        return [hit for hit in hits if hit is not None]

    def _hit(self, number: int, found: Tokens, first: int, last: int, beside: SpanContext) -> Hit | None:
        name, start, end = self._numbers[number], found.starts[first], found.end(last)
        if number in self._small:
            return Hit(name, start, end, small=True)
        if first == last and not is_spelt(self.names[name], found.words[first]):
            return None
        telling = first > 0 and found.words[first - 1] not in SENTENCE_ENDS
        led = beside.led(first)
        alone = not led and not beside.is_part(first, last)
        return Hit(name, start, end, False, telling, alone, led, beside.is_placed(first))

    def _take(self, pairs: Iterable[tuple[str, str]], listener: Listener) -> None:
        last = None
        for done, (entity, name) in enumerate(pairs):
            if entity != last:
                self.entities.append(entity)
                last = entity
            alone, secondary = strip_brackets(name)
            if found := tokenise_name(alone):
                at = len(self.entities) - 1
                self._add(alone, found, ~at if secondary or is_bracketed(entity) else at)
            if done % _TOLD_EVERY == 0:
                listener(Event("names", done, note=f"{len(self.names):,} names"))
        listener(Event("names", len(self.names), len(self.names), note=f"{len(self.names):,} names"))

    def _add(self, name: str, words: list[str], entity: int) -> None:
        patterns = list_patterns(words)
        number = self._patterns.setdefault(patterns[0], len(self.names))
        if number == len(self.names):
            self.names.append(" ".join(name.split()))
            self.words.append(count_words(words))
            self._owners.append(entity)
        else:
            self._share(number, entity)
        for other in patterns[1:]:
            self._patterns.setdefault(other, number)

    def _share(self, number: int, entity: int) -> None:
        owners = self._owners[number]
        listed = [owners] if isinstance(owners, int) else owners
        if entity not in listed and ~entity not in listed:
            self._owners[number] = [*listed, entity]

    def _built(self) -> Any:
        from ahocorasick_rs import AhoCorasick, MatchKind

        patterns = list(self._patterns)
        for number, words in enumerate(self.words):
            small = encode_name(tokenise_name(self.names[number]), capital=False) if words == 1 else ""
            if small and small not in self._patterns:
                self._small.add(len(patterns))
                patterns.append(small)
                self._numbers.append(number)
        return AhoCorasick(patterns, matchkind=MatchKind.LeftmostLongest, store_patterns=False)


def labels(entities: Iterable[str], base: KnowledgeBase) -> Mapping[str, set[str]]:
    """The labels of some entities; none for one whose knowledge base does not tell them from aliases."""
    return {entity: set(names) for entity, names in base.labels(list(entities)).items()}


def aliases(entities: Iterable[str], base: KnowledgeBase) -> Mapping[str, set[str]]:
    """The aliases of some entities."""
    return {entity: set(names) for entity, names in base.aliases(list(entities)).items()}


def merge_hits(text: str, hits: list[Hit], places: Iterable[Span], gazetteer: Gazetteer) -> list[Hit]:
    """Hits and recognised names that the gazetteer knows, in the order of the text.

    A recognised name of one word is one, whatever its place tells. One that nobody knows falls away, and
    hides what is inside it: the York of Peter York is no city.
    """
    recognised = [_known(text, place, gazetteer) for place in places]
    named = [hit for hit in hits if not hit.small]
    kept = _longest([*recognised, *named])
    small = [hit for hit in hits if hit.small]
    return sorted([hit for hit in kept if hit.name != _UNKNOWN] + small, key=lambda hit: hit.start)


def _known(text: str, place: Span, gazetteer: Gazetteer) -> Hit:
    found = gazetteer.find(text[place.start : place.end])
    if len(found) == 1 and found[0].end - found[0].start == place.end - place.start:
        return Hit(found[0].name, place.start, place.end)
    return Hit(_UNKNOWN, place.start, place.end)


def _longest(hits: list[Hit]) -> Iterator[Hit]:
    """The longest first, each unless a longer one covers a part of it; among equals the first given."""
    starts: list[int] = []
    ends: list[int] = []
    for hit in sorted(hits, key=lambda hit: (hit.start - hit.end, hit.start)):
        at = bisect_left(starts, hit.end)
        if at == 0 or ends[at - 1] <= hit.start:
            starts.insert(at, hit.start)
            ends.insert(at, hit.end)
            yield hit
