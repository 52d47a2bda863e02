"""What a knowledge base can answer, wherever it is stored, and the hierarchy of its classes."""

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

Pair = tuple[str, str]
Item = TypeVar("Item")
Answer = TypeVar("Answer")
_BATCH = 500
_LAST_PART = re.compile(r"[^/#]+(?=[/#]*$)")


@dataclass(frozen=True)
class Info:
    """The size of a knowledge base."""

    triples: int
    entities: int
    names: int
    classes: int
    relations: int


@dataclass(frozen=True)
class QueryResult:
    """The answer to a query as a table: every cell is text, or None if nothing is bound."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]


class KnowledgeBase(Protocol):
    """Entities with names, classes and relations. Every id is an IRI, and every answer has a fixed order."""

    def names(self) -> Iterator[tuple[str, str]]:
        """Stream every (entity, name), labels and aliases alike, by entity and then by name."""
        ...

    def named(self, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the entities with each name, spelt exactly so; names without an entity are left out."""
        ...

    def labels(self, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the labels of entities; those without a label are left out."""
        ...

    def aliases(self, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the aliases of entities; those without an alias are left out."""
        ...

    def types(self, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the classes of each entity, the deepest in the hierarchy first; maybe none."""
        ...

    def hierarchy(self) -> Hierarchy:
        """Return all classes, their parents, and their labels."""
        ...

    def relations(self, pairs: Sequence[Pair]) -> dict[Pair, tuple[str, ...]]:
        """Return the relations from the first of each pair to the second; unrelated pairs are left out."""
        ...

    def ask(self, form: Form, limit: int = 1000) -> tuple[tuple[str, ...], ...]:
        """Return the denotation of a form, at most `limit` rows: of one entity, or of two for a relation."""
        ...

    def query(self, sparql: str) -> QueryResult:
        """Return the answer to a query in SPARQL 1.1."""
        ...

    def info(self) -> Info:
        """Return the size of the knowledge base."""
        ...


def query_in_batches(
    query: Callable[[Sequence[Item]], dict[Item, Answer]],
    items: Sequence[Item],
    stage: str,
    listener: Listener,
) -> dict[Item, Answer]:
    """Query many items in batches, report progress, and return all answers."""
    answers: dict[Item, Answer] = {}
    for start in range(0, len(items), _BATCH):
        listener(Event(stage, start, len(items)))
        answers.update(query(items[start : start + _BATCH]))
    listener(Event(stage, len(items), len(items)))
    return answers


@dataclass(frozen=True)
class Hierarchy:
    """Classes with their parents and labels. A class may have several parents, and be below itself.

    If several paths lead up, the shortest counts, and among equally short ones the first by id. A class is at
    the top if it has no parent, or if `tops` names it.
    """

    parents: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, str] = field(default_factory=dict)
    tops: frozenset[str] = frozenset()
    _paths: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def top(self, kind: str) -> str:
        """Return the top class above a class, or the class itself if nothing is above it."""
        return self.path(kind)[0]

    def child_below_top(self, kind: str) -> str | None:
        """Return the class right below the top on the path to a class; None for a top class."""
        path = self.path(kind)
        return path[1] if len(path) > 1 else None

    def path(self, kind: str) -> tuple[str, ...]:
        """Return the classes from the top down to a class, both included."""
        if kind not in self._paths:
            self._paths[kind] = self._find_path(kind)
        return self._paths[kind]

    def depth(self, kind: str) -> int:
        """Count the classes above a class on its path."""
        return len(self.path(kind)) - 1

    def label(self, kind: str) -> str:
        """Return the label of a class, or the end of its id if it has none."""
        if kind in self.labels:
            return self.labels[kind]
        end = _LAST_PART.search(decode_id(kind))
        return end[0] if end else kind

    def below(self, tops: Collection[str]) -> Hierarchy:
        """Return the same hierarchy with these classes at the top, whatever is above them."""
        return replace(self, tops=frozenset(tops))

    def _find_path(self, kind: str) -> tuple[str, ...]:
        """Search upwards, level by level; in a cycle without an exit, the class itself is the top."""
        paths: list[tuple[str, ...]] = [(kind,)]
        seen = {kind}
        while paths:
            if complete := [path for path in paths if path[0] in self.tops or not self.parents.get(path[0])]:
                return min(complete)
            first: dict[str, tuple[str, ...]] = {}
            for longer in sorted((parent, *path) for path in paths for parent in self.parents[path[0]]):
                first.setdefault(longer[0], longer)
            paths = [path for parent, path in first.items() if parent not in seen]
            seen |= first.keys()
        return (kind,)


def choose_labels(rows: Iterable[tuple[str, str, str]], languages: Sequence[str]) -> dict[str, str]:
    """Choose the label of each class: in a wanted language, else without one, else in English, else any."""
    # reversed, so that the first rank of a tag counts where the languages include English
    order = {tag: rank for rank, tag in reversed([*enumerate((*languages, "", "en"))])}
    best: dict[str, tuple[int, str, str]] = {}
    for kind, text, tag in rows:
        rank = (order.get(tag.lower(), len(languages) + 2), tag, text)
        if text and (kind not in best or rank < best[kind]):
            best[kind] = rank
    return {kind: text for kind, (_, _, text) in best.items()}
