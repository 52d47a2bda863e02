"""The queries that every knowledge base answers, in SPARQL 1.1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from colligate.world.base.terms import iri, iris, literal
from colligate.world.base.vocabulary import DEFINITIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from colligate.world.base.interface import Pair
    from colligate.world.base.vocabulary import Vocabulary

HASHES = 1 << 32
"""The beginnings of hashes, of eight hexadecimal digits each, that tell the parts of an answer apart."""


@dataclass(frozen=True)
class Select:
    """A query whose answer may be large: it can be counted, and asked for in parts.

    The parts are told apart by the hash of the variable `key`, which is spread evenly whatever the ids look
    like. Unlike pages by offset they need no order, which is what costs a server most.
    """

    columns: str
    where: str
    key: str

    def text(self, first: int = 0, last: int = HASHES) -> str:
        """The query for the rows whose key has a hash from `first` up to, but not including, `last`."""
        hash = f"MD5(STR({self.key}))"
        low = f'FILTER({hash} >= "{first:08x}")' if first > 0 else ""
        high = f'FILTER({hash} < "{last:08x}")' if last < HASHES else ""
        return f"SELECT DISTINCT {self.columns} WHERE {{ {self.where} {low} {high} }}"

    def count(self) -> str:
        """The query for the number of rows."""
        return f"SELECT (COUNT(*) AS ?n) WHERE {{ {self.text()} }}"


@dataclass(frozen=True)
class Queries:
    """The queries in one vocabulary, over names in some languages (all of them where none is named)."""

    words: Vocabulary
    languages: tuple[str, ...] = ()

    def names(self) -> Select:
        """Every entity with every name it goes by."""
        where = f"?entity {self.words.names} ?name . {self._named('MINUS')}"
        return Select("?entity (STR(?name) AS ?text)", where, "?entity")

    def named(self, names: Sequence[str], tags: Sequence[str]) -> str:
        """The entities that go by some names."""
        texts = " ".join(literal(name, tag) for name in names for tag in tags)
        return (
            f"SELECT DISTINCT ?entity (STR(?name) AS ?text) WHERE {{ VALUES ?name {{ {texts} }} "
            f"?entity {self.words.names} ?name . {self._named('FILTER NOT EXISTS')} }}"
        )

    def called(self, entities: Sequence[str], way: str) -> str:
        """What some entities are called, by one of the predicates for names."""
        return (
            f"SELECT DISTINCT ?entity (STR(?name) AS ?text) WHERE {{ VALUES ?entity {{ {iris(entities)} }} "
            f"?entity <{way}> ?name . FILTER(isLiteral(?name) && STR(?name) != '') {self._in_languages()} }}"
        )

    def tags(self) -> str:
        """The languages of all names."""
        return f"SELECT DISTINCT (LANG(?name) AS ?tag) WHERE {{ ?entity {self.words.names} ?name }}"

    def types(self, entities: Sequence[str]) -> str:
        """The classes of some entities."""
        return (
            f"SELECT DISTINCT ?entity ?class WHERE {{ VALUES ?entity {{ {iris(entities)} }} "
            f"?entity <{self.words.type}> ?class . FILTER(isIRI(?class)) }}"
        )

    def classes(self) -> Select:
        """Every class that something is of."""
        return Select("?class", f"?entity <{self.words.type}> ?class . FILTER(isIRI(?class))", "?class")

    def parents(self) -> Select:
        """Every class with every class above it."""
        where = f"?class <{self.words.subclass}> ?parent . FILTER(isIRI(?class) && isIRI(?parent))"
        return Select("?class ?parent", where, "?class")

    def labels(self, classes: Sequence[str]) -> str:
        """What some classes are called, and in which language."""
        return (
            "SELECT DISTINCT ?class (STR(?name) AS ?text) (LANG(?name) AS ?tag) WHERE { "
            f"VALUES ?class {{ {iris(classes)} }} ?class <{self.words.label}> ?name . "
            "FILTER(isLiteral(?name)) }"
        )

    def relations(self, pairs: Sequence[Pair]) -> str:
        """What holds between some pairs."""
        values = " ".join(f"({iri(head)} {iri(tail)})" for head, tail in pairs)
        return (
            f"SELECT DISTINCT ?head ?relation ?tail WHERE {{ VALUES (?head ?tail) {{ {values} }} "
            f"?head ?relation ?tail . {self._related()} }}"
        )

    def how_many(self) -> dict[tuple[str, ...], str]:
        """What is counted, and how; each answer is one row of numbers."""
        relations = f"?head ?relation ?tail . FILTER(isIRI(?tail)) {self._related()}"
        return {
            ("triples",): "SELECT (COUNT(*) AS ?n) WHERE { ?head ?relation ?tail }",
            ("entities", "names"): "SELECT (COUNT(DISTINCT ?entity) AS ?n) (COUNT(*) AS ?m) "
            f"WHERE {{ {self.names().text()} }}",
            ("relations",): f"SELECT (COUNT(DISTINCT ?relation) AS ?n) WHERE {{ {relations} }}",
        }

    def _named(self, without: str) -> str:
        """What makes a name one of an entity: classes and other definitions have labels too.

        `without` is MINUS where nearly all names are wanted, which is quicker then, or FILTER NOT EXISTS.
        """
        of, below = f"<{self.words.type}>", f"<{self.words.subclass}>"
        others = (
            f"?member {of} ?entity",
            f"?entity {below} ?up",
            f"?down {below} ?entity",
            f"VALUES ?kind {{ {iris(DEFINITIONS)} }} ?entity {of} ?kind",
        )
        left_out = " ".join(f"{without} {{ {pattern} }}" for pattern in others)
        sound = "FILTER(isIRI(?entity) && isLiteral(?name) && STR(?name) != '')"
        return f"{sound} {self._in_languages()} {left_out}"

    def _in_languages(self) -> str:
        if not self.languages:
            return ""
        return f"FILTER(LCASE(LANG(?name)) IN ({', '.join(map(literal, ('', *self.languages)))}))"

    def _related(self) -> str:
        return f"FILTER(?relation NOT IN (<{self.words.type}>, <{self.words.subclass}>))"
