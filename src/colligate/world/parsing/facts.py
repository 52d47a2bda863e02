"""Facts: which relations of the knowledge base hold between entities that a sentence names side by side."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from colligate.progress import nobody
from colligate.world.asking import ask_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from colligate.progress import Listener
    from colligate.world.base.interface import KnowledgeBase
    from colligate.world.parsing.lexicon import Told

MOST_ENTITIES = 5
"""Of a name that more entities go by, so many are asked about."""

Names = tuple[int, int]


class Facts:
    """By two names the facts between the entities that go by them."""

    def __init__(
        self, found: dict[tuple[str, str], tuple[str, ...]], entities: Sequence[tuple[str, ...]]
    ) -> None:
        self._found = found
        self._entities = entities

    @classmethod
    def ask(
        cls,
        base: KnowledgeBase,
        names: Iterable[Names],
        entities: Sequence[tuple[str, ...]],
        listener: Listener = nobody,
    ) -> Facts:
        """Ask about each pair of names once and in both directions, in batches; `entities` are by name."""
        wanted = sorted({pair for both in names for pair in _both_ways(both, entities)})
        return cls(ask_all(base.relations, wanted, "asking for relations", listener), entities)

    def between(self, left: int, right: int) -> Iterator[tuple[str, str, Told]]:
        """What holds between the entities of two names: left entity, right entity, relation."""
        for one, other in product(*(self._entities[name][:MOST_ENTITIES] for name in (left, right))):
            yield from ((one, other, (relation, False)) for relation in self._found.get((one, other), ()))
            yield from ((one, other, (relation, True)) for relation in self._found.get((other, one), ()))

    def told(self, left: int, right: int) -> list[Told]:
        """The relations between two names, whichever entities they stand for."""
        return sorted({relation for *_, relation in self.between(left, right)})


def _both_ways(names: Names, entities: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    for one, other in product(*(entities[name][:MOST_ENTITIES] for name in names)):
        if one != other:
            yield from ((one, other), (other, one))
