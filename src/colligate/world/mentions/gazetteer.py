"""The gazetteer: all names of a knowledge base in one automaton, which finds them in one pass over a text."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from colligate.errors import InputError
from colligate.progress import Event, nobody
from colligate.world.mentions.names import (
    everyday,
    is_acronym,
    is_bracketed,
    spellings,
    without_brackets,
    words_of,
)
from colligate.world.mentions.tokens import encoded, pattern, plain, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from colligate.progress import Listener
    from colligate.world.mentions.tokens import Tokens

_TOLD_EVERY = 50_000
_SENTENCE_ENDS = frozenset(".!?:\n\"'(*")


class Hit(NamedTuple):
    """A name in a text, by its number, and what its place tells of it.

    `small` is a name of one word in small letters, which only counts against the name. `telling` is one that
    does not begin a sentence, where everything is capital; `alone` one without another capital word beside
    it, unless that is a part of another name.
    """

    name: int
    start: int
    end: int
    small: bool = False
    telling: bool = True
    alone: bool = True


class Owner(NamedTuple):
    """An entity that goes by a name; `secondary` if the name alone usually means something else."""

    entity: str
    secondary: bool = False


class Gazetteer:
    """Names with the entities that go by them, by number.

    `names[n]` is a name as the knowledge base first spells it, `words[n]` how many words it has. Brackets, as
    in `Windows (band)`, are no part of a name, but say that the name alone usually means something else.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], listener: Listener = nobody) -> None:
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
        return tuple(
            Owner(self.entities[at], False) if at >= 0 else Owner(self.entities[~at], True) for at in listed
        )

    def find(self, text: str) -> list[Hit]:
        """The names in a text from left to right, the longest at each place, none over another."""
        found = tokens(text)
        pieces = encoded(found.words)
        borders = list(accumulate(map(len, pieces), initial=0))
        matches = self._automaton.find_matches_as_indexes("".join(pieces))
        ranges = [
            (number, bisect_left(borders, start), bisect_left(borders, end) - 1)
            for number, start, end in matches
        ]
        longer = {at for _, first, last in ranges if last > first for at in range(first, last + 1)}
        hits = (self._hit(number, found, first, last, longer) for number, first, last in ranges)
        return [hit for hit in hits if hit is not None]

    def _hit(self, number: int, found: Tokens, first: int, last: int, longer: set[int]) -> Hit | None:
        name, start, end = self._numbers[number], found.starts[first], found.end(last)
        if number in self._small:
            return Hit(name, start, end, small=True)
        if is_acronym(self.names[name]) and not found.words[first].isupper():
            return None
        telling = first > 0 and found.words[first - 1] not in _SENTENCE_ENDS
        beside = [at for at in (first - 1, last + 1) if 0 <= at < len(found.words) and at not in longer]
        alone = not any(_may_belong(found, at, first) for at in beside)
        return Hit(name, start, end, False, telling, alone)

    def _take(self, pairs: Iterable[tuple[str, str]], listener: Listener) -> None:
        last = None
        for done, (entity, name) in enumerate(pairs):
            if entity != last:
                self.entities.append(entity)
                last = entity
            alone, secondary = without_brackets(name)
            if found := words_of(alone):
                at = len(self.entities) - 1
                self._add(alone, found, ~at if secondary or is_bracketed(entity) else at)
            if done % _TOLD_EVERY == 0:
                listener(Event("names", done, note=f"{len(self.names):,} names"))
        listener(Event("names", len(self.names), len(self.names), note=f"{len(self.names):,} names"))

    def _add(self, name: str, words: list[str], entity: int) -> None:
        patterns = spellings(words)
        number = self._patterns.setdefault(patterns[0], len(self.names))
        if number == len(self.names):
            self.names.append(" ".join(name.split()))
            self.words.append(len(words))
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
            small = pattern(words_of(self.names[number]), capital=False) if words == 1 else ""
            if small and small not in self._patterns:
                self._small.add(len(patterns))
                patterns.append(small)
                self._numbers.append(number)
        return AhoCorasick(patterns, matchkind=MatchKind.LeftmostLongest, store_patterns=False)


def _may_belong(found: Tokens, at: int, name: int) -> bool:
    """Whether the token beside a name may be a part of it: a capital word, one space away."""
    left = at if at < name else at - 1
    word = found.words[at]
    gap = found.starts[left + 1] - found.end(left)
    return gap == 1 and word[0].isupper() and plain(word) not in everyday()
