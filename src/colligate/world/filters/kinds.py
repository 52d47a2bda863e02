"""Which of the types of an entity says best what it is.

Knowledge bases give an entity many types, and some of them only tell what it has done: the founder of a
church is found below organisations, and what people died of below people. The classes of an entity vote,
each for the types that its members have. Nearly all founders are people and few people are organisations,
so a founder is one of the people; and since this holds for most founders, they are no organisations at all.
Only where most members of a type are something else in the first place, as all of baseball are, it is kept
beside the other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from colligate.world.filters.readings import Reading

Class = tuple[str, str]

_FEWEST = 5
"""Of fewer members of a class nothing is said."""


def sorted_out(entities: Mapping[str, Sequence[Reading]]) -> dict[str, tuple[Reading, ...]]:
    """The readings of each entity, the one that says most first, without those that say what it is not."""
    votes = _Votes((readings, readings) for readings in entities.values())
    ordered = {entity: votes.ordered(readings) for entity, readings in entities.items()}
    votes = _Votes((readings, readings[:1]) for readings in ordered.values())
    ordered = {entity: votes.ordered(readings) for entity, readings in ordered.items()}
    first = _First(ordered.values())
    return {entity: tuple(first.kept(readings)) for entity, readings in ordered.items()}


class _Votes:
    """How the classes of entities vote: each for the types that its members have or, at last, have first."""

    def __init__(self, entities: Iterable[tuple[Sequence[Reading], Sequence[Reading]]]) -> None:
        self._members: Counter[Class] = Counter()
        self._types: Counter[str] = Counter()
        self._shared: dict[Class, Counter[str]] = defaultdict(Counter)
        for readings, shown in entities:
            types = [reading.type for reading in shown]
            self._types.update(types)
            for kind in _classes(readings):
                self._members[kind] += 1
                self._shared[kind].update(types)

    def ordered(self, readings: Sequence[Reading]) -> list[Reading]:
        """The readings of an entity by the votes for their types; among equals the rarer type comes first."""
        kinds = list(_classes(readings))
        votes = {one.type: sum(self._voted(kind, one.type) for kind in kinds) for one in readings}
        return sorted(
            readings, key=lambda one: (-round(votes[one.type] / len(kinds), 1), self._types[one.type])
        )

    def _voted(self, kind: Class, type: str) -> float:
        return self._shared[kind][type] / self._members[kind]


class _First:
    """Of how many members of each type and class it is the first, which says what they are."""

    def __init__(self, entities: Iterable[Sequence[Reading]]) -> None:
        self._members: Counter[Class | str] = Counter()
        self._first: Counter[Class | str] = Counter()
        for readings in entities:
            for at, reading in enumerate(readings):
                these: list[Class | str] = [reading.type, *_classes([reading])]
                self._members.update(these)
                self._first.update(these if at == 0 else ())

    def kept(self, readings: Sequence[Reading]) -> Iterator[Reading]:
        """The readings without those whose type is the first of most its members, but of few in the class."""
        for at, reading in enumerate(readings):
            if at == 0 or not self._is_mostly(reading.type) or any(map(self._may_be, _classes([reading]))):
                yield reading

    def _is_mostly(self, these: Class | str) -> bool:
        return 2 * self._first[these] > self._members[these]

    def _may_be(self, kind: Class) -> bool:
        return self._is_mostly(kind) or self._members[kind] < _FEWEST


def _classes(readings: Iterable[Reading]) -> Iterator[Class]:
    for reading in readings:
        yield from ((reading.type, subtype) for subtype in reading.subtypes or ("",))
