"""SPARQL 1.1: how ids and texts are quoted, the vocabulary of a knowledge base, and the queries it answers.

Logical forms are small immutable trees. A unary form denotes a set of entities, a binary one a set of pairs:
"presidents of the USA" is `Join(Relation(president_of), Entity(usa))`, "people born in Hawaii who are
presidents of the USA" an `Intersection` of two joins. A class is an entity here: all cities are
`Join(Relation(type), Entity(city))`.
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
"""The prefixes that the ids of a table get in a store."""
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\\x7f-\xa0\ud800-\udfff]*")
_ABSOLUTE = re.compile(r"(?:https?://|urn:)", re.IGNORECASE)
_ESCAPED = re.compile(r"[^ !#-\[\]-~\u00a1-\u1fff\u2c00-\ud7ff]")
_UNPAIRED = re.compile(r"[\ud800-\udfff]")
_SAFE = "/:_.-~()',!*&=+$@;"
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
"""Classes of the vocabulary itself: their members have names, but are not entities."""
TOP_CLASSES = (
    f"{OWL}Thing",
    f"{OWL}NamedIndividual",
    f"{RDFS}Resource",
    "http://schema.org/Thing",
    "https://schema.org/Thing",
)
"""Classes that contain everything: the classes right below them are at the top."""
UNINFORMATIVE_CLASSES = frozenset(DEFINITIONS + TOP_CLASSES)


MAX_NESTING = 100
MAX_OPERATORS = 2000
"""The parser of the store recurses into brackets and chains of operators, and crashes on very long ones."""
# Possessive quantifiers do not backtrack, however long a text without an end is.
_IRI_REFERENCE = r'<[^<>"{}|^`\\\x00-\x20]{0,2000}+>'
_TEXT_OR_IRI = re.compile(
    r""""{3}(?:[^"\\]|\\.|"(?!""))*+"{3}|'{3}(?:[^'\\]|\\.|'(?!''))*+'{3}|"""
    rf""""(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|#[^\n]*+|{_IRI_REFERENCE}""",
    re.DOTALL,
)
_OPERATOR = re.compile(r"[!+*/|&^=<>;.({\[-]")
HASHES = 1 << 32
"""The number of prefixes of eight hexadecimal digits that a hash can have."""


def check_complexity(query: str) -> None:
    """Raise an error for a query that is nested too deeply, or too long, for the parser of the store."""
    if not is_valid_unicode(query):
        raise KnowledgeBaseError("the query contains an unpaired surrogate, which is no character; remove it")
    # Between < and > the parser may also read an expression, so brackets count there, and length is limited.
    structure = _TEXT_OR_IRI.sub(lambda match: match[0] if match[0][0] == "<" else " ", query)
    depth = deepest = 0
    for bracket in re.findall(r"[({\[)}\]]", structure):
        depth = depth + 1 if bracket in "({[" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    if deepest > MAX_NESTING:
        raise KnowledgeBaseError(
            f"the brackets of the query are nested {deepest:,} levels deep; at most {MAX_NESTING} are "
            "allowed; simplify the query"
        )
    # The dots and slashes of IRIs are no operators.
    n_operators = len(_OPERATOR.findall(re.sub(_IRI_REFERENCE, " ", structure)))
    if n_operators > MAX_OPERATORS:
        raise KnowledgeBaseError(
            f"the query has {n_operators:,} operators and brackets, but at most {MAX_OPERATORS:,} are "
            "allowed; split the query"
        )


def is_iri(text: str) -> bool:
    """Return whether a text can be put between < and > in a query."""
    return _IRI.fullmatch(text) is not None


def quote_iri(text: str) -> str:
    """Quote an id for SPARQL; an id that could break out of the quotes is refused."""
    if not is_iri(text):
        raise KnowledgeBaseError(
            f"{text!a:.80} is not an id of a knowledge base; ids are IRIs such as http://…"
        )
    return f"<{text}>"


def quote_iris(texts: Iterable[str]) -> str:
    """Quote several ids for SPARQL."""
    return " ".join(map(quote_iri, texts))


def is_valid_unicode(text: str) -> bool:
    """Return whether a text has no lone surrogate, which a broken decoding leaves and no store takes."""
    return _UNPAIRED.search(text) is None


def quote_literal(text: str, language: str = "") -> str:
    """Quote a text for SPARQL: quotes, backslashes, control characters and direction marks are escaped."""
    tag = f"@{language}" if language else ""
    return f'"{_ESCAPED.sub(_escape, text)}"{tag}'


def mint_iri(prefix: str, text: str) -> str:
    """Return the id of what a table calls `text`: the text itself if it is an IRI, else an IRI made of it."""
    if _ABSOLUTE.match(text) and is_iri(text):
        return text
    return prefix + quote(text, safe=_SAFE)


def decode_id(id: str) -> str:
    """Return the text that `mint_iri` made an id of; other ids stay as they are."""
    for prefix in (ENTITY, CLASS, RELATION):
        if id.startswith(prefix):
            return unquote(id.removeprefix(prefix))
    return id


def read_term(term: Any) -> str | None:
    """Return a term of an answer as text; None if nothing is bound."""
    from pyoxigraph import BlankNode, Literal, NamedNode

    if term is None:
        return None
    if isinstance(term, NamedNode | Literal):
        return term.value
    return f"_:{term.value}" if isinstance(term, BlankNode) else str(term)


def _escape(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\u{number:04X}" if number < 0x10000 else f"\\U{number:08X}"


@dataclass(frozen=True)
class Vocabulary:
    """The predicates for names, classes and the hierarchy; by default those of RDFS and SKOS."""

    label: str = f"{RDFS}label"
    alias: str = f"{SKOS}altLabel"
    type: str = f"{RDF}type"
    subclass: str = f"{RDFS}subClassOf"

    @property
    def names(self) -> str:
        """The predicates for names, as a property path."""
        return f"<{self.label}>|<{self.alias}>"


STANDARD = Vocabulary()


WIKIDATA = Vocabulary(
    type="http://www.wikidata.org/prop/direct/P31", subclass="http://www.wikidata.org/prop/direct/P279"
)


@dataclass(frozen=True)
class Select:
    """A query whose answer may be large: it can be counted, and fetched in parts.

    The parts are ranges of the hash of the variable `key`, which is spread evenly for any ids. Unlike pages
    by offset they need no order, which costs a server most.
    """

    columns: str
    where: str
    key: str

    def text(self, first: int = 0, last: int = HASHES) -> str:
        """Return the query for the rows whose key has a hash from `first` to below `last`."""
        hash = f"MD5(STR({self.key}))"
        # The whole range needs no hash, which a server would compute for every row.
        low = f'FILTER({hash} >= "{first:08x}")' if first > 0 else ""
        high = f'FILTER({hash} < "{last:08x}")' if last < HASHES else ""
        return f"SELECT DISTINCT {self.columns} WHERE {{ {self.where} {low} {high} }}"

    def count(self) -> str:
        """Return the query for the number of rows."""
        return f"SELECT (COUNT(*) AS ?n) WHERE {{ {self.text()} }}"


@dataclass(frozen=True)
class Queries:
    """The queries in one vocabulary, over names in some languages (all if none is listed)."""

    vocabulary: Vocabulary
    languages: tuple[str, ...] = ()

    def names(self) -> Select:
        """Query every entity with all its names."""
        where = f"?entity {self.vocabulary.names} ?name . {self._is_name('MINUS')}"
        return Select("?entity (STR(?name) AS ?text)", where, "?entity")

    def named(self, names: Sequence[str], tags: Sequence[str]) -> str:
        """Query the entities with some names."""
        texts = " ".join(quote_literal(name, tag) for name in names for tag in tags)
        return (
            f"SELECT DISTINCT ?entity (STR(?name) AS ?text) WHERE {{ VALUES ?name {{ {texts} }} "
            f"?entity {self.vocabulary.names} ?name . {self._is_name('FILTER NOT EXISTS')} }}"
        )

    def names_by(self, predicate: str, entities: Sequence[str]) -> str:
        """Query the names of some entities by one predicate."""
        return (
            "SELECT DISTINCT ?entity (STR(?name) AS ?text) WHERE { "
            f"VALUES ?entity {{ {quote_iris(entities)} }} ?entity <{predicate}> ?name . "
            f"FILTER(isLiteral(?name) && STR(?name) != '') {self._in_languages()} }}"
        )

    def tags(self) -> str:
        """Query the languages of all names."""
        return f"SELECT DISTINCT (LANG(?name) AS ?tag) WHERE {{ ?entity {self.vocabulary.names} ?name }}"

    def types(self, entities: Sequence[str]) -> str:
        """Query the classes of some entities."""
        return (
            f"SELECT DISTINCT ?entity ?class WHERE {{ VALUES ?entity {{ {quote_iris(entities)} }} "
            f"?entity <{self.vocabulary.type}> ?class . FILTER(isIRI(?class)) }}"
        )

    def classes(self) -> Select:
        """Query every class that has a member."""
        return Select("?class", f"?entity <{self.vocabulary.type}> ?class . FILTER(isIRI(?class))", "?class")

    def parents(self) -> Select:
        """Query every class with its parents."""
        where = f"?class <{self.vocabulary.subclass}> ?parent . FILTER(isIRI(?class) && isIRI(?parent))"
        return Select("?class ?parent", where, "?class")

    def labels(self, classes: Sequence[str]) -> str:
        """Query the labels of some classes and their languages."""
        return (
            "SELECT DISTINCT ?class (STR(?name) AS ?text) (LANG(?name) AS ?tag) WHERE { "
            f"VALUES ?class {{ {quote_iris(classes)} }} ?class <{self.vocabulary.label}> ?name . "
            "FILTER(isLiteral(?name)) }"
        )

    def relations(self, pairs: Sequence[Pair]) -> str:
        """Query the relations between some pairs."""
        values = " ".join(f"({quote_iri(head)} {quote_iri(tail)})" for head, tail in pairs)
        return (
            f"SELECT DISTINCT ?head ?relation ?tail WHERE {{ VALUES (?head ?tail) {{ {values} }} "
            f"?head ?relation ?tail . {self._related()} }}"
        )

    def counts(self) -> dict[tuple[str, ...], str]:
        """Return, by the names of the counts, the query whose answer is one row of these numbers."""
        relations = f"?head ?relation ?tail . FILTER(isIRI(?tail)) {self._related()}"
        return {
            ("triples",): "SELECT (COUNT(*) AS ?n) WHERE { ?head ?relation ?tail }",
            ("entities", "names"): "SELECT (COUNT(DISTINCT ?entity) AS ?n) (COUNT(*) AS ?m) "
            f"WHERE {{ {self.names().text()} }}",
            ("relations",): f"SELECT (COUNT(DISTINCT ?relation) AS ?n) WHERE {{ {relations} }}",
        }

    def _is_name(self, without: str) -> str:
        """Return the conditions on the name of an entity: classes and other definitions have labels too.

        `without` is MINUS, which is faster if nearly all names are wanted, or FILTER NOT EXISTS.
        """
        type, below = f"<{self.vocabulary.type}>", f"<{self.vocabulary.subclass}>"
        definitions = (
            f"?member {type} ?entity",
            f"?entity {below} ?up",
            f"?down {below} ?entity",
            f"VALUES ?kind {{ {quote_iris(DEFINITIONS)} }} ?entity {type} ?kind",
        )
        excluded = " ".join(f"{without} {{ {pattern} }}" for pattern in definitions)
        valid = "FILTER(isIRI(?entity) && isLiteral(?name) && STR(?name) != '')"
        return f"{valid} {self._in_languages()} {excluded}"

    def _in_languages(self) -> str:
        if not self.languages:
            return ""
        return f"FILTER(LCASE(LANG(?name)) IN ({', '.join(map(quote_literal, ('', *self.languages)))}))"

    def _related(self) -> str:
        return f"FILTER(?relation NOT IN (<{self.vocabulary.type}>, <{self.vocabulary.subclass}>))"


@dataclass(frozen=True)
class Entity:
    """The entity with this id."""

    id: str


@dataclass(frozen=True)
class Relation:
    """All pairs (head, tail) of a relation; `inverse` swaps them."""

    id: str
    inverse: bool = False


@dataclass(frozen=True)
class Join:
    """The entities that have the relation to something that the unary form `of` denotes."""

    relation: Relation
    of: Unary


@dataclass(frozen=True)
class Intersection:
    """The entities that both unary forms denote."""

    left: Unary
    right: Unary


Unary = Entity | Join | Intersection


Form = Unary | Relation


def form_query(form: Form, limit: int) -> str:
    """Return the query for the denotation of a form, in the order of the ids."""
    if isinstance(form, Relation):
        columns, where = "?x ?y", _triple("?x", form, "?y") + " FILTER(isIRI(?x) && isIRI(?y))"
    else:
        columns, where = "?x", _pattern(form, "?x", count(1)) + " FILTER(isIRI(?x))"
    # `int`, so that nothing but a number gets into the query.
    return f"SELECT DISTINCT {columns} WHERE {{ {where} }} ORDER BY {columns} LIMIT {int(limit)}"


def _pattern(form: Unary, variable: str, numbers: Iterator[int]) -> str:
    if isinstance(form, Entity):
        number = next(numbers)
        # VALUES alone would return the id even if the knowledge base does not have it.
        exists = f"{{ {variable} ?p{number} ?o{number} }} UNION {{ ?s{number} ?p{number} {variable} }}"
        return f"VALUES {variable} {{ {quote_iri(form.id)} }} FILTER EXISTS {{ {exists} }}"
    if isinstance(form, Intersection):
        return f"{_pattern(form.left, variable, numbers)} {_pattern(form.right, variable, numbers)}"
    return _join(form, variable, numbers)


def _join(form: Join, variable: str, numbers: Iterator[int]) -> str:
    if isinstance(form.of, Entity):
        return _triple(variable, form.relation, quote_iri(form.of.id))
    object = f"?v{next(numbers)}"
    return f"{_triple(variable, form.relation, object)} {_pattern(form.of, object, numbers)}"


def _triple(head: str, relation: Relation, tail: str) -> str:
    if relation.inverse:
        head, tail = tail, head
    return f"{head} {quote_iri(relation.id)} {tail} ."
