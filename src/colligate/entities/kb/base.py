"""Asking a knowledge base about many things: in batches, with progress told.

What a knowledge base can be asked, wherever it lives: in a folder, in memory, or behind an address.

The hierarchy of classes: which class lies below which, and what they are called.

Choosing what a class is called, where it has labels in several languages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from colligate.entities.kb.sparql import decode_id
from colligate.progress import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from colligate.entities.kb.sparql import Form
    from colligate.progress import Listener


Thing = TypeVar("Thing")
Answer = TypeVar("Answer")
_BATCH = 500


Pair = tuple[str, str]
_END = re.compile(r"[^/#]+(?=[/#]*$)")


def query_in_batches(
    ask: Callable[[Sequence[Thing]], dict[Thing, Answer]],
    things: Sequence[Thing],
    stage: str,
    listener: Listener,
) -> dict[Thing, Answer]:
    """The answers about all things, put together."""
    found: dict[Thing, Answer] = {}
    for start in range(0, len(things), _BATCH):
        listener(Event(stage, start, len(things)))
        found.update(ask(things[start : start + _BATCH]))
    listener(Event(stage, len(things), len(things)))
    return found


@dataclass(frozen=True)
class Info:
    """How much is in a knowledge base."""

    triples: int
    entities: int
    names: int
    classes: int
    relations: int


@dataclass(frozen=True)
class QueryResult:
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

    def query(self, sparql: str) -> QueryResult:
        """The answer to a query in SPARQL 1.1, as it stands."""
        ...

    def info(self) -> Info:
        """How much is in the knowledge base."""
        ...


@dataclass(frozen=True)
class Hierarchy:
    """Classes with their parents and labels. A class may have several parents, and be below itself.

    Where several ways lead up, the shortest counts, and among equally short ones the first by id. A class is
    at the top if it has no parent, or if `tops` names it.
    """

    parents: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, str] = field(default_factory=dict)
    tops: frozenset[str] = frozenset()
    _paths: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def top(self, kind: str) -> str:
        """The class at the top above a class, which is itself where nothing is above it."""
        return self.path(kind)[0]

    def child_below_top(self, kind: str) -> str | None:
        """The class right below the top on the way to a class; None for one that is at the top."""
        path = self.path(kind)
        return path[1] if len(path) > 1 else None

    def path(self, kind: str) -> tuple[str, ...]:
        """The classes from the top down to a class, both included."""
        if kind not in self._paths:
            self._paths[kind] = self._found(kind)
        return self._paths[kind]

    def depth(self, kind: str) -> int:
        """How many classes are above a class on its path."""
        return len(self.path(kind)) - 1

    def label(self, kind: str) -> str:
        """What a class is called; a class without a label goes by the end of its id."""
        if kind in self.labels:
            return self.labels[kind]
        end = _END.search(decode_id(kind))
        return end[0] if end else kind

    def below(self, tops: Collection[str]) -> Hierarchy:
        """The same hierarchy with these classes at the top, whatever is above them."""
        return replace(self, tops=frozenset(tops))

    def _found(self, kind: str) -> tuple[str, ...]:
        """Search upwards, step by step; in a circle without a way out, the class itself is the top."""
        ways: list[tuple[str, ...]] = [(kind,)]
        seen = {kind}
        while ways:
            if ends := [way for way in ways if self._is_top(way[0])]:
                return min(ends)
            steps: dict[str, tuple[str, ...]] = {}
            for longer in sorted((parent, *way) for way in ways for parent in self.parents[way[0]]):
                steps.setdefault(longer[0], longer)
            ways = [way for parent, way in steps.items() if parent not in seen]
            seen |= steps.keys()
        return (kind,)

    def _is_top(self, kind: str) -> bool:
        return kind in self.tops or not self.parents.get(kind)


def choose_labels(rows: Iterable[tuple[str, str, str]], languages: Sequence[str]) -> dict[str, str]:
    """The label of each class: in a wanted language, else without one, else in English, else the first."""
    order = {tag: at for at, tag in reversed([*enumerate((*languages, "", "en"))])}
    best: dict[str, tuple[int, str, str]] = {}
    for kind, text, tag in rows:
        rank = (order.get(tag.lower(), len(languages) + 2), tag, text)
        if text and (kind not in best or rank < best[kind]):
            best[kind] = rank
    return {kind: text for kind, (_, _, text) in best.items()}
