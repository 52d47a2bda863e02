"""Readings: what a name may stand for. Each is an entity seen as something of one type."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from colligate.errors import ParameterError
from colligate.network.objects import DOCUMENTS, WORDS
from colligate.progress import nobody
from colligate.world.asking import ask_all
from colligate.world.filters.concepts import without_kinds
from colligate.world.filters.kinds import sorted_out
from colligate.world.mentions.labels import aliases, labels

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from colligate.progress import Listener
    from colligate.world.base.hierarchy import Hierarchy
    from colligate.world.base.interface import KnowledgeBase
    from colligate.world.mentions.gazetteer import Owner

_TAKEN = (DOCUMENTS, WORDS)
_SHOWN = 20


@dataclass(frozen=True)
class Reading:
    """An entity, the label of a class at the top above it, and those of its classes right below that.

    It is `secondary` if the name alone usually means something else.
    """

    entity: str
    type: str
    subtypes: tuple[str, ...] = ()
    secondary: bool = False


def readings(
    names: Sequence[tuple[Owner, ...]], base: KnowledgeBase, listener: Listener = nobody
) -> list[tuple[Reading, ...]]:
    """The readings of each name, whose owners are given.

    An entity of several types has a reading for each that says what it is, the one that says most first; one
    without a class has none.
    """
    wanted = list(dict.fromkeys(owner.entity for owners in names for owner in owners))
    hierarchy = base.hierarchy()
    kinds = ask_all(base.types, wanted, "asking for types", listener)
    every = {entity: tuple(_of(entity, own, hierarchy)) for entity, own in kinds.items()}
    called = labels(wanted, base)
    found = sorted_out(without_kinds(every, called, aliases(wanted, base)))
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
    owners: Iterable[Owner], found: Mapping[str, tuple[Reading, ...]], called: Mapping[str, set[str]]
) -> Iterator[Reading]:
    """The readings of one name: secondary where it is an alias, and the label of something else."""
    first = {owner.entity for owner in owners if owner.name in called.get(owner.entity, ())}
    for owner in owners:
        secondary = owner.secondary or bool(first and owner.entity not in first)
        yield from (replace(one, secondary=secondary) for one in found.get(owner.entity, ()))


def _of(entity: str, kinds: Iterable[str], hierarchy: Hierarchy) -> Iterator[Reading]:
    below: dict[str, dict[str, None]] = {}
    for kind in kinds:
        subtypes = below.setdefault(_type(hierarchy.label(hierarchy.top(kind))), {})
        if child := hierarchy.child_below_top(kind):
            subtypes[_plain(hierarchy.label(child))] = None
    yield from (Reading(entity, top, tuple(sorted(subtypes))) for top, subtypes in below.items())


def _type(label: str) -> str:
    """A type must not be called as the types that every corpus has."""
    label = _plain(label)
    return f"{label} (class)" if label in _TAKEN else label


def _plain(label: str) -> str:
    """Tables join several sub-types by a bar."""
    words = label.replace("|", "/").split()
    return "".join(one for one in " ".join(words) if one.isprintable()).strip() or "?"
