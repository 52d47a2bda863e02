"""Ids and texts as they may stand in a query: nothing that comes from outside can end its own quotes.

The words in which a knowledge base speaks of names, classes and what lies below what.

The queries that every knowledge base answers, in SPARQL 1.1.

Logical forms: what can be asked of a knowledge base, as small immutable trees.

A unary form stands for a set of entities, a binary one for a set of pairs. "Presidents of the USA" is
`Join(Relation(president_of), Entity(usa))`, "people born in Hawaii who are presidents of the USA" an
`Intersection` of two joins. A class is an entity here: all cities are `Join(Relation(type), Entity(city))`.

Logical forms in SPARQL: every form is a pattern around one variable, or two for a relation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from colligate.errors import KnowledgeBaseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from colligate.entities.kb.base import Pair

ENTITY, CLASS, RELATION = (f"urn:colligate:{kind}:" for kind in ("entity", "class", "relation"))
"""What the ids of a table begin with once they are in a store."""
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\\x7f-\xa0\ud800-\udfff]*")
_ABSOLUTE = re.compile(r"(?:https?://|urn:)", re.IGNORECASE)
_PLAIN = re.compile(r"[^ !#-\[\]-~\u00a1-\u1fff\u2c00-\ud7ff]")
_UNPAIRED = re.compile(r"[\ud800-\udfff]")
_UNQUOTED = "/:_.-~()',!*&=+$@;"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
OWL = "http://www.w3.org/2002/07/owl#"
DEFINITIONS = (
    f"{RDF}Property",
    f"{RDFS}Class",
    f"{OWL}Class",
    f"{OWL}ObjectProperty",
    f"{OWL}DatatypeProperty",
    f"{OWL}AnnotationProperty",
    f"{OWL}Ontology",
)
"""Classes of the vocabulary itself: their members have names, but are no entities."""
TOP_CLASSES = (
    f"{OWL}Thing",
    f"{OWL}NamedIndividual",
    f"{RDFS}Resource",
    "http://schema.org/Thing",
    "https://schema.org/Thing",
)
"""Classes that hold everything and tell nothing: the classes right below them are at the top."""
UNINFORMATIVE_CLASSES = frozenset(DEFINITIONS + TOP_CLASSES)


HASHES = 1 << 32
"""The beginnings of hashes, of eight hexadecimal digits each, that tell the parts of an answer apart."""


def is_iri(text: str) -> bool:
    """Whether a text can stand between < and > in a query."""
    return _IRI.fullmatch(text) is not None


def quote_iri(text: str) -> str:
    """An id as SPARQL; whatever could end it or reach beyond it is refused."""
    if not is_iri(text):
        raise KnowledgeBaseError(f"{text!a:.80} is no id of a knowledge base; ids are IRIs such as http://…")
    return f"<{text}>"


def quote_iris(texts: Iterable[str]) -> str:
    """Ids as SPARQL, one after another."""
    return " ".join(map(quote_iri, texts))


def is_valid_unicode(text: str) -> bool:
    """Whether a text is one: half a character, as a broken decoding leaves it, is in no store."""
    return _UNPAIRED.search(text) is None


def quote_literal(text: str, language: str = "") -> str:
    """A text as SPARQL: quotes, backslashes, control characters and marks of direction are escaped."""
    tag = f"@{language}" if language else ""
    return f'"{_PLAIN.sub(_escaped, text)}"{tag}'


def mint_iri(kind: str, text: str) -> str:
    """The id of something that a table calls `text`: itself where it is an IRI, otherwise one of ours."""
    if _ABSOLUTE.match(text) and is_iri(text):
        return text
    return kind + quote(text, safe=_UNQUOTED)


def decode_id(id: str) -> str:
    """What the table called it, for ids that were made of a table; others stay as they are."""
    for kind in (ENTITY, CLASS, RELATION):
        if id.startswith(kind):
            return unquote(id.removeprefix(kind))
    return id


def read_term(term: Any) -> str | None:
    """A term of an answer as text; None where nothing is bound."""
    from pyoxigraph import BlankNode, Literal, NamedNode

    if term is None:
        return None
    if isinstance(term, NamedNode | Literal):
        return term.value
    return f"_:{term.value}" if isinstance(term, BlankNode) else str(term)


def _escaped(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\u{number:04X}" if number < 0x10000 else f"\\U{number:08X}"


@dataclass(frozen=True)
class Vocabulary:
    """The predicates for names, classes and the hierarchy; some bases have others than the usual ones."""

    label: str = f"{RDFS}label"
    alias: str = f"{SKOS}altLabel"
    type: str = f"{RDF}type"
    subclass: str = f"{RDFS}subClassOf"

    @property
    def names(self) -> str:
        """The predicates for names, as a path of SPARQL."""
        return f"<{self.label}>|<{self.alias}>"


STANDARD = Vocabulary()


WIKIDATA = Vocabulary(
    type="http://www.wikidata.org/prop/direct/P31", subclass="http://www.wikidata.org/prop/direct/P279"
)


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
        texts = " ".join(quote_literal(name, tag) for name in names for tag in tags)
        return (
            f"SELECT DISTINCT ?entity (STR(?name) AS ?text) WHERE {{ VALUES ?name {{ {texts} }} "
            f"?entity {self.words.names} ?name . {self._named('FILTER NOT EXISTS')} }}"
        )

    def called(self, entities: Sequence[str], way: str) -> str:
        """What some entities are called, by one of the predicates for names."""
        return (
            "SELECT DISTINCT ?entity (STR(?name) AS ?text) WHERE "
            f"{{ VALUES ?entity {{ {quote_iris(entities)} }} "
            f"?entity <{way}> ?name . FILTER(isLiteral(?name) && STR(?name) != '') {self._in_languages()} }}"
        )

    def tags(self) -> str:
        """The languages of all names."""
        return f"SELECT DISTINCT (LANG(?name) AS ?tag) WHERE {{ ?entity {self.words.names} ?name }}"

    def types(self, entities: Sequence[str]) -> str:
        """The classes of some entities."""
        return (
            f"SELECT DISTINCT ?entity ?class WHERE {{ VALUES ?entity {{ {quote_iris(entities)} }} "
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
            f"VALUES ?class {{ {quote_iris(classes)} }} ?class <{self.words.label}> ?name . "
            "FILTER(isLiteral(?name)) }"
        )

    def relations(self, pairs: Sequence[Pair]) -> str:
        """What holds between some pairs."""
        values = " ".join(f"({quote_iri(head)} {quote_iri(tail)})" for head, tail in pairs)
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
            f"VALUES ?kind {{ {quote_iris(DEFINITIONS)} }} ?entity {of} ?kind",
        )
        left_out = " ".join(f"{without} {{ {pattern} }}" for pattern in others)
        sound = "FILTER(isIRI(?entity) && isLiteral(?name) && STR(?name) != '')"
        return f"{sound} {self._in_languages()} {left_out}"

    def _in_languages(self) -> str:
        if not self.languages:
            return ""
        return f"FILTER(LCASE(LANG(?name)) IN ({', '.join(map(quote_literal, ('', *self.languages)))}))"

    def _related(self) -> str:
        return f"FILTER(?relation NOT IN (<{self.words.type}>, <{self.words.subclass}>))"


@dataclass(frozen=True)
class Entity:
    """The one entity that has this id."""

    id: str


@dataclass(frozen=True)
class Relation:
    """All pairs (head, tail) between which a relation holds; `inverse` turns them round."""

    id: str
    inverse: bool = False


@dataclass(frozen=True)
class Join:
    """The entities that stand in the relation to something that the unary form `of` stands for."""

    relation: Relation
    of: Unary


@dataclass(frozen=True)
class Intersection:
    """The entities for which both unary forms stand."""

    left: Unary
    right: Unary


Unary = Entity | Join | Intersection


Form = Unary | Relation


def form_query(form: Form, limit: int) -> str:
    """The query for what a form stands for, in the order of the ids."""
    if isinstance(form, Relation):
        columns, where = "?x ?y", _triple("?x", form, "?y") + " FILTER(isIRI(?x) && isIRI(?y))"
    else:
        columns, where = "?x", _pattern(form, "?x", count(1)) + " FILTER(isIRI(?x))"
    return f"SELECT DISTINCT {columns} WHERE {{ {where} }} ORDER BY {columns} LIMIT {int(limit)}"


def _pattern(form: Unary, variable: str, numbers: Iterator[int]) -> str:
    if isinstance(form, Entity):
        number = next(numbers)
        there = f"{{ {variable} ?p{number} ?o{number} }} UNION {{ ?s{number} ?p{number} {variable} }}"
        return f"VALUES {variable} {{ {quote_iri(form.id)} }} FILTER EXISTS {{ {there} }}"
    if isinstance(form, Intersection):
        return f"{_pattern(form.left, variable, numbers)} {_pattern(form.right, variable, numbers)}"
    return _join(form, variable, numbers)


def _join(form: Join, variable: str, numbers: Iterator[int]) -> str:
    if isinstance(form.of, Entity):
        return _triple(variable, form.relation, quote_iri(form.of.id))
    other = f"?v{next(numbers)}"
    return f"{_triple(variable, form.relation, other)} {_pattern(form.of, other, numbers)}"


def _triple(head: str, relation: Relation, tail: str) -> str:
    if relation.inverse:
        head, tail = tail, head
    return f"{head} {quote_iri(relation.id)} {tail} ."
