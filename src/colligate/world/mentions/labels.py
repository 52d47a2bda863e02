"""What things are called in the first place, their labels, and the aliases that they go by as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from colligate.world.base.interface import KnowledgeBase


def labels(entities: Iterable[str], base: KnowledgeBase) -> Mapping[str, set[str]]:
    """The labels of some entities; none for one whose knowledge base does not tell them from aliases."""
    return {entity: set(names) for entity, names in base.labels(list(entities)).items()}


def aliases(entities: Iterable[str], base: KnowledgeBase) -> Mapping[str, set[str]]:
    """The aliases of some entities."""
    return {entity: set(names) for entity, names in base.aliases(list(entities)).items()}
