"""Concepts of a knowledge base: its classes, and its entities below the classes they are of."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from colligate.knowledge.sources.tables import Concepts


class _Hierarchy(Protocol):
    @property
    def parents(self) -> Mapping[str, tuple[str, ...]]: ...

    def label(self, kind: str) -> str: ...


class Base(Protocol):
    """What is asked of a knowledge base: those of `colligate.world` answer it."""

    def names(self) -> Iterator[tuple[str, str]]:
        """Every (entity, name)."""

    def types(self, entities: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """The classes of each entity."""

    def hierarchy(self) -> _Hierarchy:
        """All classes, those above them, and their labels."""


def base_concepts(base: Base) -> Concepts:
    """The names of each class and entity, and the classes it stands below."""
    hierarchy, called = base.hierarchy(), defaultdict(list)
    for entity, name in base.names():
        called[entity].append(name)
    types = base.types(tuple(called))
    broader = {entity: tuple(types.get(entity, ())) for entity in called} | dict(hierarchy.parents)
    classes = {kind for above in broader.values() for kind in above} | set(hierarchy.parents)
    names = {entity: tuple(own) for entity, own in called.items()}
    return names | {kind: (hierarchy.label(kind),) for kind in sorted(classes)}, broader, "knowledge base"
