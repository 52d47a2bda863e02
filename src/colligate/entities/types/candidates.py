"""Candidates: the entities that a name may mean, each seen as an instance of one type.

Knowledge bases give an entity many types. Two corrections decide which of them are informative:

- Common nouns, such as professions, are filed below the same type as the people who have them. Where nearly
  all of a type have capitalised names, those in lower case do not belong to it.
- Some types only say what an entity has done: the founder of a church is found below organisations. The
  classes of an entity vote, each for the types that its members have. Nearly all founders are people and few
  people are organisations, so a founder is a person; and since this holds for most founders, they are no
  organisations at all. A type whose members are mostly something else in the first place, as all of
  baseball's are, is kept beside the first one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from colligate.entities.kb.base import query_in_batches
from colligate.entities.mentions.tokens import load_common_words
from colligate.errors import Parameter, ParameterError
from colligate.network.objects import DOCUMENTS, WORDS
from colligate.progress import ignore_events

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from colligate.entities.kb.base import Hierarchy, KnowledgeBase
    from colligate.entities.mentions.gazetteer import Owner
    from colligate.progress import Listener

MAX_COMMON_NOUNS = 0.3
"""Below this share of common nouns, a type is one of proper names."""
_MIN_MEMBERS = 5
"""A class of fewer members is not informative."""
_RESERVED = (DOCUMENTS, WORDS)
_MAX_LISTED = 20
Class = tuple[str, str]
"""A type and a sub-type, or an empty text if there is none."""


@dataclass(frozen=True)
class Candidate:
    """An entity with a type (the label of a top class) and sub-types (the classes right below that).

    It is `secondary` if the bare name usually means something else.
    """

    entity: str
    type: str
    subtypes: tuple[str, ...] = ()
    secondary: bool = False


def check_types(types: Collection[str], base: KnowledgeBase) -> None:
    """Raise an error for a type that the knowledge base does not have."""
    if isinstance(types, str):
        raise ParameterError(
            Parameter("types"), f" must be a list of names, as in [{types!r:.60}]", parameter="types"
        )
    hierarchy = base.hierarchy()
    available = sorted({_type_name(hierarchy.label(hierarchy.top(kind))) for kind in hierarchy.parents})
    for name in types:
        if name not in available:
            listed = ", ".join(available[:_MAX_LISTED]) + (", …" if len(available) > _MAX_LISTED else "")
            raise ParameterError(
                f"type {name!r:.60} is not in the knowledge base; choose one of its types: "
                f"{listed or 'none'}",
                parameter="types",
            )


def generate_candidates(
    names: Sequence[tuple[Owner, ...]], base: KnowledgeBase, listener: Listener = ignore_events
) -> list[tuple[Candidate, ...]]:
    """Return the candidates of each name, which is given by its owners.

    An entity has a candidate for each informative type, the most informative first; an entity
    without a class has none.
    """
    entities = list(dict.fromkeys(owner.entity for owners in names for owner in owners))
    hierarchy = base.hierarchy()
    classes = query_in_batches(base.types, entities, "querying types", listener)
    unranked = {entity: tuple(_candidates_of(entity, classes[entity], hierarchy)) for entity in classes}
    labels = base.labels(entities)
    ranked = rank_candidates(drop_common_nouns(unranked, labels, base.aliases(entities)))
    return [tuple(_candidates_of_name(owners, ranked, labels)) for owners in names]


def _candidates_of(entity: str, classes: Iterable[str], hierarchy: Hierarchy) -> Iterator[Candidate]:
    subtypes: dict[str, set[str]] = {}
    for kind in classes:
        below = subtypes.setdefault(_type_name(hierarchy.label(hierarchy.top(kind))), set())
        if child := hierarchy.child_below_top(kind):
            below.add(_clean(hierarchy.label(child)))
    yield from (Candidate(entity, top, tuple(sorted(below))) for top, below in subtypes.items())


def _candidates_of_name(
    owners: Iterable[Owner],
    candidates: Mapping[str, tuple[Candidate, ...]],
    labels: Mapping[str, Collection[str]],
) -> Iterator[Candidate]:
    """Yield the candidates of a name; those by an alias are secondary if it is the label of another."""
    labelled = {owner.entity for owner in owners if owner.name in labels.get(owner.entity, ())}
    for owner in owners:
        secondary = owner.secondary or bool(labelled and owner.entity not in labelled)
        yield from (replace(candidate, secondary=secondary) for candidate in candidates.get(owner.entity, ()))


def _type_name(label: str) -> str:
    """Return the name of a type, which must differ from the types that every corpus has."""
    name = _clean(label)
    return f"{name} (class)" if name in _RESERVED else name


def _clean(label: str) -> str:
    """Remove what would break a table, in which a bar separates several sub-types."""
    words = label.replace("|", "/").split()
    return "".join(char for char in " ".join(words) if char.isprintable()).strip() or "?"


def drop_common_nouns(
    candidates: Mapping[str, Sequence[Candidate]],
    labels: Mapping[str, Collection[str]],
    aliases: Mapping[str, Collection[str]],
) -> dict[str, Sequence[Candidate]]:
    """Drop the candidates of entities that are common nouns, for types of proper names."""
    nouns = {
        entity
        for entity, names in labels.items()
        if all(_is_common_noun(name) or name.lower() in aliases.get(entity, ()) for name in names)
    }
    members = Counter(candidate.type for listed in candidates.values() for candidate in listed)
    noun_members = Counter(candidate.type for entity in nouns for candidate in candidates.get(entity, ()))
    proper = {type for type, size in members.items() if noun_members[type] < MAX_COMMON_NOUNS * size}
    return {
        entity: [candidate for candidate in listed if candidate.type not in proper]
        if entity in nouns
        else listed
        for entity, listed in candidates.items()
    }


def _is_common_noun(label: str) -> bool:
    """Return whether a label is in lower case, but for a common first word, as in Head coach."""
    first, _, rest = label.strip().partition(" ")
    return label.islower() or (rest.islower() and first.lower() in load_common_words())


def rank_candidates(candidates: Mapping[str, Sequence[Candidate]]) -> dict[str, tuple[Candidate, ...]]:
    """Order the candidates of each entity by how well their types fit, and drop types that do not."""
    votes = _ClassVotes((listed, listed) for listed in candidates.values())
    ordered = {entity: votes.order(listed) for entity, listed in candidates.items()}
    votes = _ClassVotes((listed, listed[:1]) for listed in ordered.values())
    ordered = {entity: votes.order(listed) for entity, listed in ordered.items()}
    primary = _PrimaryTypes(ordered.values())
    return {entity: tuple(primary.select(listed)) for entity, listed in ordered.items()}


class _ClassVotes:
    """The votes of classes for types: each class votes for the types that are counted for its members."""

    def __init__(self, entities: Iterable[tuple[Sequence[Candidate], Sequence[Candidate]]]) -> None:
        self._members: Counter[Class] = Counter()
        self._types: Counter[str] = Counter()
        self._types_of_members: dict[Class, Counter[str]] = defaultdict(Counter)
        for candidates, counted in entities:
            types = [candidate.type for candidate in counted]
            self._types.update(types)
            for kind in _list_classes(candidates):
                self._members[kind] += 1
                self._types_of_members[kind].update(types)

    def order(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Order the candidates of an entity by votes for their types; among equals the rarer type first."""
        classes = list(_list_classes(candidates))
        votes = {
            candidate.type: sum(self._vote(kind, candidate.type) for kind in classes)
            for candidate in candidates
        }
        return sorted(
            candidates,
            key=lambda candidate: (
                -round(votes[candidate.type] / len(classes), 1),
                self._types[candidate.type],
            ),
        )

    def _vote(self, kind: Class, type: str) -> float:
        return self._types_of_members[kind][type] / self._members[kind]


class _PrimaryTypes:
    """Counts of how many members of each type and class have it as their first, which describes them best."""

    def __init__(self, entities: Iterable[Sequence[Candidate]]) -> None:
        self._members: Counter[Class | str] = Counter()
        self._first: Counter[Class | str] = Counter()
        for candidates in entities:
            for rank, candidate in enumerate(candidates):
                keys: list[Class | str] = [candidate.type, *_list_classes([candidate])]
                self._members.update(keys)
                self._first.update(keys if rank == 0 else ())

    def select(self, candidates: Sequence[Candidate]) -> Iterator[Candidate]:
        """Drop candidates whose type is first for most of its members, but for few of their class."""
        for rank, candidate in enumerate(candidates):
            doubtful = rank > 0 and self._is_mostly_first(candidate.type)
            if not doubtful or any(map(self._may_be_first, _list_classes([candidate]))):
                yield candidate

    def _is_mostly_first(self, key: Class | str) -> bool:
        return 2 * self._first[key] > self._members[key]

    def _may_be_first(self, kind: Class) -> bool:
        return self._is_mostly_first(kind) or self._members[kind] < _MIN_MEMBERS


def _list_classes(candidates: Iterable[Candidate]) -> Iterator[Class]:
    for candidate in candidates:
        yield from ((candidate.type, subtype) for subtype in candidate.subtypes or ("",))
