"""The gazetteer: all names of a knowledge base in one automaton, which finds them in one pass over a text."""

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
    has_bracketed_id,
    list_patterns,
    matches_case,
    strip_brackets,
    tokenise,
    tokenise_name,
)
from colligate.errors import InputError
from colligate.progress import Event, ignore_events

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from colligate.entities.mentions.recogniser import Span
    from colligate.entities.mentions.tokens import Tokens
    from colligate.progress import Listener

_EVENT_EVERY = 50_000
_NO_NAME = -1


class Hit(NamedTuple):
    """A name in a text, by its number, and the evidence of its context.

    `lowercase`: a name of one word in lower case, which only counts against the name.
    `mid_sentence`: not at the start of a sentence, so that its capital is informative.
    `standalone`: not part of something longer.
    `preceded`: after another capital word, an initial or a title.
    `locative`: after a preposition of place.
    """

    name: int
    start: int
    end: int
    lowercase: bool = False
    mid_sentence: bool = True
    standalone: bool = True
    preceded: bool = False
    locative: bool = False


class Owner(NamedTuple):
    """An entity that has a name; `secondary` if the bare name usually means something else."""

    entity: str
    name: str
    secondary: bool = False


class Gazetteer:
    """Numbered names with the entities that have them.

    `names[n]` is a name as the knowledge base first spells it, `words[n]` the number of its words. Brackets,
    as in `Windows (band)`, are not part of a name, but show that the bare name usually means something else.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], listener: Listener = ignore_events) -> None:
        self.names: list[str] = []
        self.words = array("B")
        self.entities: list[str] = []
        self._patterns: dict[str, int] = {}
        # by name the position of its entity, or positions of several; ~position marks a secondary owner
        self._owners: list[int | list[int]] = []
        n_pairs = self._add_pairs(pairs, listener)
        if not self.names and n_pairs:
            raise InputError(
                f"none of the {n_pairs:,} names in the knowledge base can be searched for; a name of one "
                "word needs a capital letter and must not be a common English word"
            )
        if not self.names:
            raise InputError(
                "the entities of the knowledge base have no names, so none can be found in texts; add "
                "labels to the entities"
            )
        self._numbers = array("l", self._patterns.values())
        self._lowercase: set[int] = set()
        self._automaton = self._build_automaton()
        # only the automaton needs the patterns from here on, and they take much memory
        self._patterns = {}

    def __len__(self) -> int:
        return len(self.names)

    def owners(self, name: int) -> tuple[Owner, ...]:
        """Return the entities that have a name, in the order of the knowledge base."""
        positions = self._owners[name]
        listed = [positions] if isinstance(positions, int) else positions
        return tuple(
            # ~position is negative, so the larger of the two is the position itself
            Owner(self.entities[max(position, ~position)], self.names[name], position < 0)
            for position in listed
        )

    def find(self, text: str) -> list[Hit]:
        """Find the names in a text from left to right: the longest at each place, without overlaps."""
        tokens = tokenise(text)
        pieces = encode_tokens(tokens.words)
        borders = list(accumulate(map(len, pieces), initial=0))
        matches = self._automaton.find_matches_as_indexes("".join(pieces))
        ranges = [
            # patterns consist of whole delimited tokens, so matches begin and end at borders
            (number, bisect_left(borders, start), bisect_left(borders, end) - 1)
            for number, start, end in matches
        ]
        longer = {index for _, first, last in ranges if last > first for index in range(first, last + 1)}
        named = longer.union(first for number, first, _ in ranges if number not in self._lowercase)
        context = SpanContext(text, tokens, named, longer)
        hits = (self._make_hit(number, tokens, first, last, context) for number, first, last in ranges)
        return [hit for hit in hits if hit is not None]

    def _make_hit(
        self, number: int, tokens: Tokens, first: int, last: int, context: SpanContext
    ) -> Hit | None:
        name, start, end = self._numbers[number], tokens.starts[first], tokens.end(last)
        if number in self._lowercase:
            return Hit(name, start, end, lowercase=True)
        if first == last and not matches_case(self.names[name], tokens.words[first]):
            return None
        preceded = context.is_preceded(first)
        return Hit(
            name,
            start,
            end,
            mid_sentence=first > 0 and tokens.words[first - 1] not in SENTENCE_ENDS,
            standalone=not preceded and not context.is_part(first, last),
            preceded=preceded,
            locative=context.is_locative(first),
        )

    def _add_pairs(self, pairs: Iterable[tuple[str, str]], listener: Listener) -> int:
        """Add the names that can be searched for; return how many names there are."""
        previous, done = None, -1
        for done, (entity, name) in enumerate(pairs):
            # names come by entity, so a comparison with the last one is enough
            if entity != previous:
                self.entities.append(entity)
                previous = entity
            bare, secondary = strip_brackets(name)
            if words := tokenise_name(bare):
                position = len(self.entities) - 1
                self._add(bare, words, ~position if secondary or has_bracketed_id(entity) else position)
            if done % _EVENT_EVERY == 0:
                listener(Event("names", done, note=f"{len(self.names):,} names"))
        listener(Event("names", len(self.names), len(self.names), note=f"{len(self.names):,} names"))
        return done + 1

    def _add(self, name: str, words: list[str], owner: int) -> None:
        first, *variants = list_patterns(words)
        number = self._patterns.setdefault(first, len(self.names))
        if number == len(self.names):
            self.names.append(" ".join(name.split()))
            self.words.append(count_words(words))
            self._owners.append(owner)
        else:
            self._add_owner(number, owner)
        for pattern in variants:
            self._patterns.setdefault(pattern, number)

    def _add_owner(self, number: int, owner: int) -> None:
        owners = self._owners[number]
        listed = [owners] if isinstance(owners, int) else owners
        # an entity that has a name twice, with and without brackets, owns it once
        if owner not in listed and ~owner not in listed:
            self._owners[number] = [*listed, owner]

    def _build_automaton(self) -> Any:
        from ahocorasick_rs import AhoCorasick, MatchKind

        patterns = list(self._patterns)
        for number, n_words in enumerate(self.words):
            lowercase = encode_name(tokenise_name(self.names[number]), capital=False) if n_words == 1 else ""
            # a lower-case form that is a name itself is no evidence against this one
            if lowercase and lowercase not in self._patterns:
                self._lowercase.add(len(patterns))
                patterns.append(lowercase)
                self._numbers.append(number)
        return AhoCorasick(patterns, matchkind=MatchKind.LeftmostLongest, store_patterns=False)


def merge_hits(text: str, hits: list[Hit], spans: Iterable[Span], gazetteer: Gazetteer) -> list[Hit]:
    """Merge hits with recognised spans that the gazetteer has, in the order of the text.

    A recognised name of one word counts whatever its context. A recognised name that the gazetteer lacks is
    dropped, and hides what is inside it: the York of Peter York is not a city.
    """
    recognised = [_look_up(text, span, gazetteer) for span in spans]
    kept = _drop_overlaps([*recognised, *(hit for hit in hits if not hit.lowercase)])
    named = [hit for hit in kept if hit.name != _NO_NAME]
    return sorted(named + [hit for hit in hits if hit.lowercase], key=lambda hit: hit.start)


def _look_up(text: str, span: Span, gazetteer: Gazetteer) -> Hit:
    hits = gazetteer.find(text[span.start : span.end])
    if len(hits) == 1 and hits[0].end - hits[0].start == span.end - span.start:
        return Hit(hits[0].name, span.start, span.end)
    return Hit(_NO_NAME, span.start, span.end)


def _drop_overlaps(hits: list[Hit]) -> Iterator[Hit]:
    """Yield the longest hits first, each unless it overlaps with a longer or an earlier one."""
    starts: list[int] = []
    ends: list[int] = []
    for hit in sorted(hits, key=lambda hit: (hit.start - hit.end, hit.start)):
        # kept hits do not overlap, so only the last that begins before the end can overlap this one
        index = bisect_left(starts, hit.end)
        if index == 0 or ends[index - 1] <= hit.start:
            starts.insert(index, hit.start)
            ends.insert(index, hit.end)
            yield hit
