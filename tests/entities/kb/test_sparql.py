"""Nothing that comes from outside breaks out of a query."""

from __future__ import annotations

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from colligate.entities.kb import EmbeddedBase
from colligate.entities.kb.sparql import (
    CLASS,
    ENTITY,
    Entity,
    Join,
    Relation,
    decode_id,
    is_iri,
    is_valid_unicode,
    mint_iri,
    quote_iri,
    quote_literal,
)
from colligate.errors import InputError, ParameterError

from .samples import HOSTILE

NASTY = st.text(
    st.sampled_from("\"'\\{}<>?$#\n\r\t\x00\x07\u202e\ud800😀 aé@^|`") | st.characters(), max_size=30
)


def answered(query):
    return [solution[0].value for solution in pyoxigraph.Store().query(query)]


@given(NASTY.filter(is_valid_unicode))
def test_a_literal_is_the_text_and_nothing_else(text):
    assert answered(f"SELECT ?x WHERE {{ VALUES ?x {{ {quote_literal(text)} }} }}") == [text]
    assert quote_literal(text).isascii() or not any(
        char in quote_literal(text) for char in "\u202e\u200f\ufeff"
    )


@given(NASTY)
def test_an_id_is_refused_or_stands_for_itself(text):
    if is_iri(text):
        assert answered(f"SELECT ?x WHERE {{ VALUES ?x {{ {quote_iri(text)} }} }}") == [text]
    else:
        with pytest.raises(InputError, match="is not an id of a knowledge base"):
            quote_iri(text)


@given(NASTY.filter(is_valid_unicode))
def test_ids_of_tables_are_sound_and_come_back(text):
    made = mint_iri(ENTITY, text)
    assert is_iri(made)
    assert decode_id(made) == text


def test_ids_that_are_iris_stay_as_they_are():
    assert mint_iri(CLASS, "http://dbpedia.org/ontology/Person") == "http://dbpedia.org/ontology/Person"
    assert mint_iri(CLASS, "http://not an iri") == f"{CLASS}http://not%20an%20iri"
    assert mint_iri(CLASS, "person: artist") == f"{CLASS}person:%20artist"


@pytest.mark.parametrize("text", [*HOSTILE, "http://a> . ?s ?p ?o } #", "http://a b", "noscheme", ""])
def test_hostile_ids_are_refused_everywhere(text):
    base = EmbeddedBase(pyoxigraph.Store())
    good = "http://example.org/a"
    for ask in (
        lambda: base.types([good, text]),
        lambda: base.relations([(good, text)]),
        lambda: base.ask(Entity(text)),
        lambda: base.ask(Join(Relation(text), Entity(good))),
        lambda: base.ask(Join(Relation(good), Entity(text))),
        lambda: base.ask(Relation(text, inverse=True)),
    ):
        with pytest.raises(InputError, match="is not an id of a knowledge base"):
            ask()


@pytest.mark.parametrize("language", ['en" || true', "en)", "", "é"])
def test_hostile_languages_are_refused(language):
    with pytest.raises(ParameterError, match="is not the tag of a language"):
        EmbeddedBase(pyoxigraph.Store(), languages=[language])


def test_a_free_query_that_is_none_is_told():
    with pytest.raises(InputError, match="this is not a query in SPARQL: error at 1:"):
        EmbeddedBase(pyoxigraph.Store()).query("INSERT DATA { <http://a> <http://b> 1 }")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * WHERE " + "{" * 3000 + "}" * 3000,
        "SELECT * WHERE { FILTER(" + "!" * 20_000 + "true) }",
        "SELECT * WHERE { FILTER(" + "(" * 20_000 + "1" + ")" * 20_000 + ") }",
        "SELECT * WHERE { FILTER(" + "IF(1,1," * 1000 + "1" + ")" * 1000 + ") }",
        "SELECT * WHERE { FILTER(" + "1+" * 20_000 + "1) }",
        "SELECT * WHERE { ?s <a:b>" + "/<a:b>" * 20_000 + " ?o }",
        "SELECT * WHERE { " + "FILTER(true) " * 20_000 + "}",
        "SELECT * WHERE { " + "?s ?p ?o . " * 20_000 + "}",
        "SELECT * WHERE { FILTER(1<" + "(" * 20_000 + "1" + ")" * 20_000 + ">2) }",
        "SELECT * WHERE { FILTER(1<" + "1/" * 20_000 + "1>2) }",
    ],
    ids=["braces", "not", "brackets", "calls", "sum", "path", "filters", "patterns", "in <>", "chain in <>"],
)
def test_queries_that_would_overflow_the_stack_of_the_parser_are_refused(query):
    with pytest.raises(InputError, match=r"the (brackets of the query are nested|query has) "):
        EmbeddedBase(pyoxigraph.Store()).query(query)


def test_brackets_in_texts_iris_and_comments_do_not_count():
    texts = " ".join('"{(["' for _ in range(3000))
    query = f"SELECT ?x WHERE {{ VALUES ?x {{ {texts} <a:b/c(d)!> }} }} # {'(' * 3000}"
    assert len(EmbeddedBase(pyoxigraph.Store()).query(query).rows) == 3001
