"""What a knowledge base can be asked, wherever it lives: in a folder, in memory, or behind an address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from colligate.world.base.forms import Form
    from colligate.world.base.hierarchy import Hierarchy

Pair = tuple[str, str]


@dataclass(frozen=True)
class Info:
    """How much is in a knowledge base."""

    triples: int
    entities: int
    names: int
    classes: int
    relations: int


@dataclass(frozen=True)
class Table:
    """The answer to a query: every cell is text, or None where nothing is bound."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]


class KnowledgeBase(Protocol):
    """Entities with names, classes and relations. Every id is an IRI, and every answer has a fixed order."""

    def names(self) -> Iterator[tuple[str, str]]:
        """Stream every (entity, name), labels and aliases alike, by entity and then by name."""
        ...

    def named(self, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The entities that go by each name, spelt exactly so; names that nobody has are left out."""
        ...

    def labels(self, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """What entities are called in the first place; those without a label are left out."""
        ...

    def aliases(self, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """What entities go by as well; those without an alias are left out."""
        ...

    def types(self, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The classes of each entity, the deepest in the hierarchy first; empty for one that has none."""
        ...

    def hierarchy(self) -> Hierarchy:
        """All classes, those above them, and their labels."""
        ...

    def relations(self, pairs: Sequence[Pair]) -> dict[Pair, tuple[str, ...]]:
        """The relations that hold from the first of each pair to the second; unrelated pairs are left out."""
        ...

    def ask(self, form: Form, limit: int = 1000) -> tuple[tuple[str, ...], ...]:
        """What a form stands for, at most `limit` of it: rows of one entity, or of two for a relation."""
        ...

    def query(self, sparql: str) -> Table:
        """The answer to a query in SPARQL 1.1, as it stands."""
        ...

    def info(self) -> Info:
        """How much is in the knowledge base."""
        ...
