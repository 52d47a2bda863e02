"""Words that are parts of many longer names, and so name none of them: given and family names, University."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from colligate.world.mentions.tokens import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.world.base.interface import KnowledgeBase
    from colligate.world.mentions.gazetteer import Gazetteer

NAMESAKES = 10
"""So many people whose names begin or end with a word make it a given or a family name."""

HEADS = 30
"""So many names that end with a word, or go on with "of" behind it, make it a common noun."""

_ASKED = 40
_PEOPLE = frozenset({"person", "people", "human", "human being", "persons", "humans"})


@dataclass
class _Longer:
    """The longer names that a word is a part of: some of their entities by its place, and a count."""

    begun: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    headed: int = 0

    def is_shared(self, people: set[str]) -> bool:
        """Whether the word is a given name, a family name or a common noun."""
        most = max(len(self.begun & people), len(self.ended & people))
        return most >= NAMESAKES or self.headed >= HEADS


def shared_words(numbers: Sequence[int], gazetteer: Gazetteer, base: KnowledgeBase) -> list[int]:
    """Those of some names of one word that are parts of many others."""
    longer = _longer(numbers, gazetteer)
    people = _people(sorted({entity for one in longer.values() for entity in one.begun | one.ended}), base)
    return [number for number, found in longer.items() if found.is_shared(people)]


def _longer(numbers: Sequence[int], gazetteer: Gazetteer) -> dict[int, _Longer]:
    found = {number: _Longer() for number in numbers}
    by_word = {plain(gazetteer.names[number]): found[number] for number in numbers}
    for number, name in enumerate(gazetteer.names):
        words = plain(name).split()
        if len(words) < 2:
            continue
        if begun := by_word.get(words[0]):
            begun.headed += words[1] == "of"
            _take(begun.begun, number, gazetteer)
        if ended := by_word.get(words[-1]):
            ended.headed += words[-2] not in ("of", "in", "at") and not words[-2].endswith(",")
            _take(ended.ended, number, gazetteer)
    return found


def _take(some: set[str], number: int, gazetteer: Gazetteer) -> None:
    if len(some) < _ASKED:
        some.update(owner.entity for owner in gazetteer.owners(number))


def _people(entities: Sequence[str], base: KnowledgeBase) -> set[str]:
    if not entities:
        return set()
    hierarchy = base.hierarchy()
    return {
        entity
        for entity, kinds in base.types(entities).items()
        if any(hierarchy.label(above).lower() in _PEOPLE for kind in kinds for above in hierarchy.path(kind))
    }
