"""Aliases of one word that nothing in the documents vouches for.

Knowledge bases list every code and nickname that something has ever gone by, and most of them mean
something else to others: RSA is a cipher, and South Africa. An alias is taken if some of the documents that
have it also call the same thing by another of its names; for a word of the label, or its initials, any
documents will do.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING

from colligate.world.mentions.labels import labels
from colligate.world.mentions.tokens import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from colligate.world.base.interface import KnowledgeBase
    from colligate.world.mentions.found import Found
    from colligate.world.mentions.gazetteer import Gazetteer

VOUCHED = 0.02
"""The least share of the documents with an alias that have another name of the same thing."""

_SMALL = frozenset(("of", "the", "and", "for", "in"))

FEWEST = 3
"""In fewer documents nothing is expected."""


def unvouched(
    found: Found, numbers: Sequence[int], gazetteer: Gazetteer, base: KnowledgeBase
) -> Iterator[int]:
    """Those of some names that are aliases and not vouched for."""
    owners = {number: [owner.entity for owner in gazetteer.owners(number)] for number in numbers}
    called = labels((entity for some in owners.values() for entity in some), base)
    aliases = {
        number: some
        for number, some in owners.items()
        if all(_is_alias(gazetteer.names[number], called.get(entity, set())) for entity in some)
    }
    documents = _documents(found)
    names = _names(found, {entity for some in aliases.values() for entity in some}, gazetteer)
    for number, some in aliases.items():
        own = documents[number]
        others = {entity: _union(names[entity] - {number}, documents) for entity in some}
        if len(own) >= FEWEST and not any(
            len(own & others[entity]) >= VOUCHED * len(own)
            or (others[entity] and not _is_far(gazetteer.names[number], called[entity]))
            for entity in some
        ):
            yield number


def _is_alias(name: str, called: set[str]) -> bool:
    """Whether a name is no label; without a label nobody knows."""
    return bool(called) and _bare(name) not in map(_bare, called)


def _is_far(name: str, called: set[str]) -> bool:
    """Whether a name has nothing to do with any label."""
    return not any(_bare(name) in _words_and_initials(label) for label in called)


def _words_and_initials(label: str) -> set[str]:
    words = _bare(label).split()
    telling = [word for word in words if word not in _SMALL]
    return {*words, *("".join(word[0] for word in some) for some in (words, telling))}


def _bare(name: str) -> str:
    """The letters of a name, without accents and signs."""
    letters = unicodedata.normalize("NFKD", plain(name))
    return " ".join("".join(one if one.isalnum() or one == " " else "" for one in letters).split())


def _documents(found: Found) -> dict[int, set[int]]:
    documents: dict[int, set[int]] = defaultdict(set)
    for document, name in zip(found.document.tolist(), found.name.tolist(), strict=True):
        documents[name].add(document)
    return documents


def _names(found: Found, entities: set[str], gazetteer: Gazetteer) -> dict[str, set[int]]:
    """The names of each entity that the documents have."""
    names: dict[str, set[int]] = defaultdict(set)
    for number in set(found.name.tolist()):
        for owner in gazetteer.owners(number):
            if owner.entity in entities:
                names[owner.entity].add(number)
    return names


def _union(numbers: set[int], documents: dict[int, set[int]]) -> set[int]:
    return set().union(*(documents[number] for number in numbers))
