"""Readings: what a name may stand for. Each is an entity seen as something of one type.

Kinds of things among things: a profession is no person, and a cause of death is none either.

Knowledge bases file both below one type. Things have names in capitals, and kinds of things are also written
small; so where nearly all of a type are things, what is written small is none of it.

Which of the types of an entity says best what it is.

Knowledge bases give an entity many types, and some of them only tell what it has done: the founder of a
church is found below organisations, and what people died of below people. The classes of an entity vote,
each for the types that its members have. Nearly all founders are people and few people are organisations,
so a founder is one of the people; and since this holds for most founders, they are no organisations at all.
Only where most members of a type are something else in the first place, as all of baseball are, it is kept
beside the other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from colligate.entities.kb.base import query_in_batches
from colligate.entities.mentions.gazetteer import aliases, labels
from colligate.entities.mentions.tokens import load_common_words
from colligate.errors import ParameterError
from colligate.network.objects import DOCUMENTS, WORDS
from colligate.progress import ignore_events

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from colligate.entities.kb.base import Hierarchy, KnowledgeBase
    from colligate.entities.mentions.gazetteer import Owner
    from colligate.progress import Listener


_TAKEN = (DOCUMENTS, WORDS)
_SHOWN = 20

FEW = 0.3
"""The share of kinds below which a type is one of things."""

Class = tuple[str, str]
_FEWEST = 5
"""Of fewer members of a class nothing is said."""


@dataclass(frozen=True)
class Candidate:
    """An entity, the label of a class at the top above it, and those of its classes right below that.

    It is `secondary` if the name alone usually means something else.
    """

    entity: str
    type: str
    subtypes: tuple[str, ...] = ()
    secondary: bool = False


def generate_candidates(
    names: Sequence[tuple[Owner, ...]], base: KnowledgeBase, listener: Listener = ignore_events
) -> list[tuple[Candidate, ...]]:
    """The candidates of each name, whose owners are given.

    An entity of several types has a candidate for each type that fits, the most telling one first; one
    without a class has none.
    """
    wanted = list(dict.fromkeys(owner.entity for owners in names for owner in owners))
    hierarchy = base.hierarchy()
    kinds = query_in_batches(base.types, wanted, "asking for types", listener)
    every = {entity: tuple(_of(entity, own, hierarchy)) for entity, own in kinds.items()}
    called = labels(wanted, base)
    found = rank_candidates(drop_common_nouns(every, called, aliases(wanted, base)))
    return [tuple(_read(owners, found, called)) for owners in names]


def check_types(types: Collection[str], base: KnowledgeBase) -> None:
    """Refuse types that the knowledge base does not have."""
    hierarchy = base.hierarchy()
    known = sorted({_type(hierarchy.label(hierarchy.top(kind))) for kind in hierarchy.parents})
    for kind in types:
        if kind not in known:
            listed = ", ".join(known[:_SHOWN]) + (", …" if len(known) > _SHOWN else "")
            raise ParameterError(f"type {kind!r:.60} is not in the knowledge base; it has {listed or 'none'}")


def _read(
    owners: Iterable[Owner], found: Mapping[str, tuple[Candidate, ...]], called: Mapping[str, set[str]]
) -> Iterator[Candidate]:
    """The candidates of one name: secondary where it is an alias, and the label of something else."""
    first = {owner.entity for owner in owners if owner.name in called.get(owner.entity, ())}
    for owner in owners:
        secondary = owner.secondary or bool(first and owner.entity not in first)
        yield from (replace(one, secondary=secondary) for one in found.get(owner.entity, ()))


def _of(entity: str, kinds: Iterable[str], hierarchy: Hierarchy) -> Iterator[Candidate]:
    below: dict[str, dict[str, None]] = {}
    for kind in kinds:
        subtypes = below.setdefault(_type(hierarchy.label(hierarchy.top(kind))), {})
        if child := hierarchy.child_below_top(kind):
            subtypes[_plain(hierarchy.label(child))] = None
    yield from (Candidate(entity, top, tuple(sorted(subtypes))) for top, subtypes in below.items())


def _type(label: str) -> str:
    """A type must not be called as the types that every corpus has."""
    label = _plain(label)
    return f"{label} (class)" if label in _TAKEN else label


def _plain(label: str) -> str:
    """Tables join several sub-types by a bar."""
    words = label.replace("|", "/").split()
    return "".join(one for one in " ".join(words) if one.isprintable()).strip() or "?"


def drop_common_nouns(
    entities: Mapping[str, Sequence[Candidate]],
    labels: Mapping[str, set[str]],
    aliases: Mapping[str, set[str]],
) -> dict[str, Sequence[Candidate]]:
    """The candidates of each entity, a kind of things without those as one of the things."""
    kinds = {
        entity
        for entity, called in labels.items()
        if all(_is_kind(label) or label.lower() in aliases.get(entity, ()) for label in called)
    }
    every = Counter(candidate.type for candidates in entities.values() for candidate in candidates)
    small = Counter(candidate.type for entity in kinds for candidate in entities.get(entity, ()))
    things = {type for type, many in every.items() if small[type] < FEW * many}
    return {
        entity: [one for one in candidates if one.type not in things] if entity in kinds else candidates
        for entity, candidates in entities.items()
    }


def _is_kind(label: str) -> bool:
    """Whether a label is written small; a capital first word must be an everyday one, as in Head coach."""
    first, _, rest = label.strip().partition(" ")
    return label.islower() or (rest.islower() and first.lower() in load_common_words())


def rank_candidates(entities: Mapping[str, Sequence[Candidate]]) -> dict[str, tuple[Candidate, ...]]:
    """The candidates of each entity, the one that says most first, without those that say what it is not."""
    votes = _Votes((candidates, candidates) for candidates in entities.values())
    ordered = {entity: votes.ordered(candidates) for entity, candidates in entities.items()}
    votes = _Votes((candidates, candidates[:1]) for candidates in ordered.values())
    ordered = {entity: votes.ordered(candidates) for entity, candidates in ordered.items()}
    first = _First(ordered.values())
    return {entity: tuple(first.kept(candidates)) for entity, candidates in ordered.items()}


class _Votes:
    """How the classes of entities vote: each for the types that its members have or, at last, have first."""

    def __init__(self, entities: Iterable[tuple[Sequence[Candidate], Sequence[Candidate]]]) -> None:
        self._members: Counter[Class] = Counter()
        self._types: Counter[str] = Counter()
        self._shared: dict[Class, Counter[str]] = defaultdict(Counter)
        for candidates, shown in entities:
            types = [candidate.type for candidate in shown]
            self._types.update(types)
            for kind in _classes(candidates):
                self._members[kind] += 1
                self._shared[kind].update(types)

    def ordered(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Order the candidates of an entity by votes for their types; among equals the rarer type first."""
        kinds = list(_classes(candidates))
        votes = {one.type: sum(self._voted(kind, one.type) for kind in kinds) for one in candidates}
        return sorted(
            candidates, key=lambda one: (-round(votes[one.type] / len(kinds), 1), self._types[one.type])
        )

    def _voted(self, kind: Class, type: str) -> float:
        return self._shared[kind][type] / self._members[kind]


class _First:
    """Of how many members of each type and class it is the first, which says what they are."""

    def __init__(self, entities: Iterable[Sequence[Candidate]]) -> None:
        self._members: Counter[Class | str] = Counter()
        self._first: Counter[Class | str] = Counter()
        for candidates in entities:
            for at, candidate in enumerate(candidates):
                these: list[Class | str] = [candidate.type, *_classes([candidate])]
                self._members.update(these)
                self._first.update(these if at == 0 else ())

    def kept(self, candidates: Sequence[Candidate]) -> Iterator[Candidate]:
        """Drop candidates whose type is the first of most of its members, but of few in the class."""
        for at, candidate in enumerate(candidates):
            if (
                at == 0
                or not self._is_mostly(candidate.type)
                or any(map(self._may_be, _classes([candidate])))
            ):
                yield candidate

    def _is_mostly(self, these: Class | str) -> bool:
        return 2 * self._first[these] > self._members[these]

    def _may_be(self, kind: Class) -> bool:
        return self._is_mostly(kind) or self._members[kind] < _FEWEST


def _classes(candidates: Iterable[Candidate]) -> Iterator[Class]:
    for candidate in candidates:
        yield from ((candidate.type, subtype) for subtype in candidate.subtypes or ("",))
