"""What all knowledge bases share: the queries are asked and their answers read in one place.

Answers to free queries as tables, whatever kind of query it was.

Bringing many pairs of texts into order without holding them in memory.
"""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections import defaultdict
from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

from colligate.entities.kb.base import Hierarchy, Info, Pair, QueryResult, choose_labels
from colligate.entities.kb.sparql import (
    STANDARD,
    UNINFORMATIVE_CLASSES,
    Queries,
    form_query,
    is_valid_unicode,
    read_term,
)
from colligate.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from colligate.entities.kb.sparql import Form, Select, Vocabulary


Item = TypeVar("Item")
Row = tuple[str, ...]
Key = TypeVar("Key")


class SparqlBase(ABC):
    """A knowledge base that answers SPARQL; what it lacks is the way in which a query is put."""

    batch = 1000
    """How many things are asked about in one query."""

    def __init__(self, languages: Iterable[str] = (), vocabulary: Vocabulary = STANDARD) -> None:
        self.languages = tuple(sorted({language.lower() for language in languages}))
        for language in self.languages:
            if not all(part.isascii() and part.isalnum() for part in language.split("-")):
                raise ParameterError(f"{language!r} is no language; give tags such as en or pt-br")
        self._queries = Queries(vocabulary, self.languages)

    @abstractmethod
    def query(self, sparql: str) -> QueryResult:
        """The answer to a query in SPARQL 1.1, as it stands."""

    @abstractmethod
    def _rows(self, query: str) -> Iterator[Row]:
        """The rows of a query of ours, in which everything is bound."""

    @abstractmethod
    def _all(self, select: Select) -> Iterator[Row]:
        """The rows of a query of ours, however many there are."""

    def names(self) -> Iterator[tuple[str, str]]:
        """Stream every (entity, name), labels and aliases alike, by entity and then by name."""
        return sort_pairs(cast("Iterator[tuple[str, str]]", self._all(self._queries.names())))

    def named(self, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The entities that go by each name, spelt exactly so; names that nobody has are left out."""
        tags = ("", *self.languages) if self.languages else self._tags
        wanted = [name for name in dict.fromkeys(names) if name and is_valid_unicode(name)]
        rows = self._batched(lambda some: self._queries.named(some, tags), wanted)
        found = _gathered((text, entity) for entity, text in rows)
        return {name: found[name] for name in wanted if name in found}

    def labels(self, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """What entities are called in the first place; those without a label are left out."""
        return self._called(entities, self._queries.words.label)

    def aliases(self, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """What entities go by as well; those without an alias are left out."""
        return self._called(entities, self._queries.words.alias)

    def types(self, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The classes of each entity, the deepest in the hierarchy first; empty for one that has none."""
        rows = self._batched(self._queries.types, list(dict.fromkeys(entities)))
        found = _gathered((entity, kind) for entity, kind in rows if kind not in UNINFORMATIVE_CLASSES)
        depth = self.hierarchy().depth
        return {
            entity: tuple(sorted(found.get(entity, ()), key=lambda kind: (-depth(kind), kind)))
            for entity in entities
        }

    def hierarchy(self) -> Hierarchy:
        """All classes, those above them, and their labels."""
        return self._hierarchy

    def relations(self, pairs: Sequence[Pair]) -> dict[Pair, tuple[str, ...]]:
        """The relations that hold from the first of each pair to the second; unrelated pairs are left out."""
        wanted = list(dict.fromkeys(pairs))
        rows = self._batched(self._queries.relations, wanted)
        found = _gathered(((head, tail), relation) for head, relation, tail in rows)
        return {pair: found[pair] for pair in wanted if pair in found}

    def ask(self, form: Form, limit: int = 1000) -> tuple[tuple[str, ...], ...]:
        """What a form stands for, at most `limit` of it: rows of one entity, or of two for a relation."""
        return tuple(sorted(self._rows(form_query(form, limit))))

    def info(self) -> Info:
        """How much is in the knowledge base."""
        counts = {"classes": len(self.hierarchy().parents)}
        for what, query in self._queries.how_many().items():
            counts |= zip(what, self._numbers(query), strict=True)
        return Info(**counts)

    def _numbers(self, query: str) -> tuple[int, ...]:
        """The one row of a query that counts."""
        return tuple(map(int, next(self._rows(query))))

    @cached_property
    def _tags(self) -> tuple[str, ...]:
        return tuple(sorted({"", *(tag for (tag,) in self._rows(self._queries.tags()))}))

    @cached_property
    def _hierarchy(self) -> Hierarchy:
        parents: dict[str, set[str]] = {kind: set() for (kind,) in self._all(self._queries.classes())}
        for kind, parent in self._all(self._queries.parents()):
            parents.setdefault(kind, set()).add(parent)
            parents.setdefault(parent, set())
        telling = sorted(parents.keys() - UNINFORMATIVE_CLASSES)
        above = {kind: tuple(sorted(parents[kind] - UNINFORMATIVE_CLASSES - {kind})) for kind in telling}
        rows = self._batched(self._queries.labels, telling)
        return Hierarchy(above, choose_labels(cast("Iterator[tuple[str, str, str]]", rows), self.languages))

    def _called(self, entities: Sequence[str], way: str) -> dict[str, tuple[str, ...]]:
        wanted = list(dict.fromkeys(entities))
        rows = self._batched(lambda some: self._queries.called(some, way), wanted)
        return _gathered((entity, name) for entity, name in rows)

    def _batched(self, make: Callable[[Sequence[Item]], str], items: Sequence[Item]) -> Iterator[Row]:
        for start in range(0, len(items), self.batch):
            yield from self._about(make, items[start : start + self.batch])

    def _about(self, make: Callable[[Sequence[Item]], str], items: Sequence[Item]) -> Iterator[Row]:
        """The rows about some things, no more of them than fit into one query."""
        return self._rows(make(items))


def _gathered(pairs: Iterable[tuple[Key, str]]) -> dict[Key, tuple[str, ...]]:
    found: defaultdict[Key, set[str]] = defaultdict(set)
    for key, value in pairs:
        found[key].add(value)
    return {key: tuple(sorted(values)) for key, values in found.items()}


def read_answer(answer: Any) -> QueryResult:
    """The answer of the store to SELECT as its columns, to ASK as true or false, to CONSTRUCT as triples."""
    from pyoxigraph import QueryBoolean, QuerySolutions

    if isinstance(answer, QueryBoolean):
        return boolean_result(bool(answer))
    if not isinstance(answer, QuerySolutions):
        return triples_result(answer)
    columns = tuple(variable.value for variable in answer.variables)
    return QueryResult(columns, tuple(tuple(map(read_term, solution)) for solution in answer))


def boolean_result(answer: bool) -> QueryResult:
    """The answer to ASK as one cell."""
    return QueryResult(("answer",), (("true" if answer else "false",),))


def triples_result(triples: Iterable[Any]) -> QueryResult:
    """Triples as rows, in the order of their texts."""
    rows = {tuple(map(read_term, (each.subject, each.predicate, each.object))) for each in triples}
    return QueryResult(("subject", "predicate", "object"), tuple(sorted(rows, key=str)))


def sort_pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The pairs sorted, each once. They wait in a nameless file of SQLite that goes with the last."""
    with closing(sqlite3.connect("", isolation_level=None)) as waiting:
        waiting.execute("PRAGMA journal_mode = OFF")
        waiting.execute("CREATE TABLE pairs (first TEXT, second TEXT)")
        waiting.execute("BEGIN")
        waiting.executemany("INSERT INTO pairs VALUES (?, ?)", pairs)
        yield from waiting.execute("SELECT DISTINCT first, second FROM pairs ORDER BY first, second")
