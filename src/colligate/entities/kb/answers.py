"""The answers that all knowledge bases share: queries are made and their answers read in one place."""

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
Key = TypeVar("Key")
Row = tuple[str, ...]


class SparqlBase(ABC):
    """A knowledge base that answers SPARQL; subclasses add the transport."""

    batch_size = 1000
    """The number of items in one query."""

    def __init__(self, languages: Iterable[str] = (), vocabulary: Vocabulary = STANDARD) -> None:
        self.languages = tuple(sorted({language.lower() for language in languages}))
        for language in self.languages:
            # languages go into queries as they are; any other character could change the query
            if not all(part.isascii() and part.isalnum() for part in language.split("-")):
                raise ParameterError(
                    f"{language!r} is not the tag of a language; use a tag such as en or pt-br",
                    parameter="languages",
                )
        self._queries = Queries(vocabulary, self.languages)

    @abstractmethod
    def query(self, sparql: str) -> QueryResult:
        """Return the answer to a query in SPARQL 1.1."""

    @abstractmethod
    def _rows(self, query: str) -> Iterator[Row]:
        """Return the rows of one of our queries, in which everything is bound."""

    @abstractmethod
    def _all_rows(self, select: Select) -> Iterator[Row]:
        """Return the rows of one of our queries, however many there are."""

    def names(self) -> Iterator[tuple[str, str]]:
        """Stream every (entity, name), labels and aliases alike, by entity and then by name."""
        return sort_pairs(cast("Iterator[tuple[str, str]]", self._all_rows(self._queries.names())))

    def named(self, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the entities with each name, spelt exactly so; names without an entity are left out."""
        # a literal equals another only with the same tag, so all tags in use are asked for
        tags = ("", *self.languages) if self.languages else self._language_tags
        wanted = [name for name in dict.fromkeys(names) if name and is_valid_unicode(name)]
        rows = self._batch_rows(lambda batch: self._queries.named(batch, tags), wanted)
        entities = _group((text, entity) for entity, text in rows)
        return {name: entities[name] for name in wanted if name in entities}

    def labels(self, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the labels of entities; those without a label are left out."""
        return self._names_by(self._queries.vocabulary.label, entities)

    def aliases(self, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the aliases of entities; those without an alias are left out."""
        return self._names_by(self._queries.vocabulary.alias, entities)

    def _names_by(self, predicate: str, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        rows = self._batch_rows(
            lambda batch: self._queries.names_by(predicate, batch), list(dict.fromkeys(entities))
        )
        return _group((entity, name) for entity, name in rows)

    def types(self, entities: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the classes of each entity, the deepest in the hierarchy first; maybe none."""
        rows = self._batch_rows(self._queries.types, list(dict.fromkeys(entities)))
        classes = _group((entity, kind) for entity, kind in rows if kind not in UNINFORMATIVE_CLASSES)
        depth = self.hierarchy().depth
        return {
            entity: tuple(sorted(classes.get(entity, ()), key=lambda kind: (-depth(kind), kind)))
            for entity in entities
        }

    def hierarchy(self) -> Hierarchy:
        """Return all classes, their parents, and their labels."""
        return self._hierarchy

    def relations(self, pairs: Sequence[Pair]) -> dict[Pair, tuple[str, ...]]:
        """Return the relations from the first of each pair to the second; unrelated pairs are left out."""
        wanted = list(dict.fromkeys(pairs))
        rows = self._batch_rows(self._queries.relations, wanted)
        relations = _group(((head, tail), relation) for head, relation, tail in rows)
        return {pair: relations[pair] for pair in wanted if pair in relations}

    def ask(self, form: Form, limit: int = 1000) -> tuple[tuple[str, ...], ...]:
        """Return the denotation of a form, at most `limit` rows: of one entity, or of two for a relation."""
        return tuple(sorted(self._rows(form_query(form, limit))))

    def info(self) -> Info:
        """Return the size of the knowledge base."""
        counts = {"classes": len(self.hierarchy().parents)}
        for fields, query in self._queries.counts().items():
            counts |= zip(fields, self._numbers(query), strict=True)
        return Info(**counts)

    def _numbers(self, query: str) -> tuple[int, ...]:
        """Return the one row of a query that counts."""
        return tuple(map(int, next(self._rows(query))))

    @cached_property
    def _language_tags(self) -> tuple[str, ...]:
        return tuple(sorted({"", *(tag for (tag,) in self._rows(self._queries.tags()))}))

    @cached_property
    def _hierarchy(self) -> Hierarchy:
        parents: dict[str, set[str]] = {kind: set() for (kind,) in self._all_rows(self._queries.classes())}
        for kind, parent in self._all_rows(self._queries.parents()):
            parents.setdefault(kind, set()).add(parent)
            parents.setdefault(parent, set())
        classes = sorted(parents.keys() - UNINFORMATIVE_CLASSES)
        # some bases say that a class is below itself
        above = {kind: tuple(sorted(parents[kind] - UNINFORMATIVE_CLASSES - {kind})) for kind in classes}
        rows = self._batch_rows(self._queries.labels, classes)
        return Hierarchy(above, choose_labels(cast("Iterator[tuple[str, str, str]]", rows), self.languages))

    def _batch_rows(self, make: Callable[[Sequence[Item]], str], items: Sequence[Item]) -> Iterator[Row]:
        """Return the rows about any number of items."""
        for start in range(0, len(items), self.batch_size):
            yield from self._rows_about(make, items[start : start + self.batch_size])

    def _rows_about(self, make: Callable[[Sequence[Item]], str], items: Sequence[Item]) -> Iterator[Row]:
        """Return the rows about the items of one query."""
        return self._rows(make(items))


def _group(pairs: Iterable[tuple[Key, str]]) -> dict[Key, tuple[str, ...]]:
    groups: defaultdict[Key, set[str]] = defaultdict(set)
    for key, value in pairs:
        groups[key].add(value)
    return {key: tuple(sorted(values)) for key, values in groups.items()}


def read_answer(answer: Any) -> QueryResult:
    """Read an answer of the store: columns for SELECT, true or false for ASK, triples for CONSTRUCT."""
    from pyoxigraph import QueryBoolean, QuerySolutions

    if isinstance(answer, QueryBoolean):
        return boolean_result(bool(answer))
    if not isinstance(answer, QuerySolutions):
        return triples_result(answer)
    columns = tuple(variable.value for variable in answer.variables)
    return QueryResult(columns, tuple(tuple(map(read_term, solution)) for solution in answer))


def boolean_result(answer: bool) -> QueryResult:
    """Return the answer to ASK as one cell."""
    return QueryResult(("answer",), (("true" if answer else "false",),))


def triples_result(triples: Iterable[Any]) -> QueryResult:
    """Return triples as rows, in the order of their texts."""
    rows = {tuple(map(read_term, (each.subject, each.predicate, each.object))) for each in triples}
    return QueryResult(("subject", "predicate", "object"), tuple(sorted(rows, key=str)))


def sort_pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Sort pairs, each once, without holding them in memory: they wait in a temporary file of SQLite."""
    # an empty path is a temporary file, which SQLite removes
    with closing(sqlite3.connect("", isolation_level=None)) as database:
        # a table that is dropped anyway needs no journal to roll it back
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("CREATE TABLE pairs (first TEXT, second TEXT)")
        database.execute("BEGIN")
        database.executemany("INSERT INTO pairs VALUES (?, ?)", pairs)
        yield from database.execute("SELECT DISTINCT first, second FROM pairs ORDER BY first, second")
