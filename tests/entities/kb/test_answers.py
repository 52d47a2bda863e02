"""The embedded store and a real SPARQL server give the same answers, however little is asked at a time."""

from __future__ import annotations

import pytest

from colligate.entities.kb import Cache, EndpointBase, RequestPolicy, open_base
from colligate.entities.kb.sparql import STANDARD, Entity, Intersection, Join, Relation

from .samples import HOSTILE

EX = "http://example.org/"
FOUNDED, RIVAL = Relation(f"{EX}founded"), Relation(f"{EX}rival")
FORMS = [
    Entity(f"{EX}jobs"),
    Entity(f"{EX}nobody"),
    FOUNDED,
    Relation(f"{EX}founded", inverse=True),
    Join(FOUNDED, Entity(f"{EX}apple")),
    Join(Relation(f"{EX}founded", inverse=True), Entity(f"{EX}jobs")),
    Join(Relation(STANDARD.type), Entity(f"{EX}Firm")),
    Join(FOUNDED, Join(RIVAL, Entity(f"{EX}next"))),
    Intersection(Join(FOUNDED, Entity(f"{EX}apple")), Join(FOUNDED, Entity(f"{EX}next"))),
    Intersection(Entity(f"{EX}woz"), Join(FOUNDED, Entity(f"{EX}next"))),
]


@pytest.fixture
def embedded(stored):
    return open_base(stored)


@pytest.fixture(params=[{}, {"page_size": 16, "batch_size": 3}], ids=["at once", "in parts"])
def remote(server, request, tmp_path):
    return EndpointBase(
        server, policy=RequestPolicy(pause=0, **request.param), cache=Cache(tmp_path / "cache.sqlite")
    )


def test_names(embedded, remote):
    names = list(embedded.names())
    assert names == sorted(set(names))
    assert len(names) == 300 + len(HOSTILE) + 8
    assert {name for entity, name in names if entity == f"{EX}apple"} == {"Apple", "Apfel AG", "Apple Inc."}
    assert not {f"{EX}Agent", f"{EX}Person", f"{EX}founded"} & {entity for entity, _ in names}
    assert list(remote.names()) == names


def test_named(embedded, remote):
    asked = ["Apple", "Woz", "nobody", "", "Apple", "\ud800", *HOSTILE]
    answer = embedded.named(asked)
    assert answer["Apple"] == (f"{EX}apple", f"{EX}pome")
    assert [answer[name] for name in HOSTILE] == [
        (f"{EX}hostile/{position}",) for position in range(len(HOSTILE))
    ]
    assert answer.keys() == {"Apple", "Woz", *HOSTILE}
    assert remote.named(asked) == answer


def test_labels_and_aliases(embedded, remote):
    entities = [f"{EX}{name}" for name in ("woz", "apple", "pome", "unnamed")]
    answer = embedded.labels(entities)
    assert answer == {
        f"{EX}woz": ("Steve Wozniak",),
        f"{EX}apple": ("Apfel AG", "Apple"),
        f"{EX}pome": ("Apple",),
    }
    assert remote.labels(entities) == answer
    assert embedded.aliases(entities) == {f"{EX}woz": ("Woz",), f"{EX}apple": ("Apple Inc.",)}
    assert remote.aliases(entities) == embedded.aliases(entities)


def test_types_and_hierarchy(embedded, remote):
    entities = [f"{EX}{name}" for name in ("jobs", "pome", "many/1", "apple")]
    types = embedded.types(entities)
    assert types[f"{EX}jobs"] == (f"{EX}Person", f"{EX}Agent")
    assert types[f"{EX}many/1"] == ()
    hierarchy = embedded.hierarchy()
    assert (hierarchy.top(f"{EX}Fruit"), hierarchy.child_below_top(f"{EX}Fruit")) == (
        f"{EX}Food",
        f"{EX}Fruit",
    )
    assert (hierarchy.label(f"{EX}Agent"), hierarchy.label(f"{EX}Fruit")) == ("agent", "Fruit")
    assert remote.types(entities) == types
    assert remote.hierarchy() == hierarchy


def test_relations(embedded, remote):
    pairs = [
        (f"{EX}{head}", f"{EX}{tail}") for head in ("jobs", "woz", "apple") for tail in ("apple", "next")
    ]
    answer = embedded.relations(pairs)
    assert answer == {
        (f"{EX}jobs", f"{EX}apple"): (f"{EX}founded",),
        (f"{EX}jobs", f"{EX}next"): (f"{EX}founded",),
        (f"{EX}woz", f"{EX}apple"): (f"{EX}founded",),
        (f"{EX}apple", f"{EX}next"): (f"{EX}rival",),
    }
    assert remote.relations(pairs) == answer


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_forms(embedded, remote, form):
    assert remote.ask(form) == embedded.ask(form)


def test_what_forms_stand_for(embedded):
    expected = [
        {("jobs",)},
        set(),
        {("jobs", "apple"), ("jobs", "next"), ("woz", "apple")},
        {("apple", "jobs"), ("next", "jobs"), ("apple", "woz")},
        {("jobs",), ("woz",)},
        {("apple",), ("next",)},
        {("apple",), ("next",)},
        {("jobs",), ("woz",)},
        {("jobs",)},
        set(),
    ]
    for form, rows in zip(FORMS, expected, strict=True):
        assert embedded.ask(form) == tuple(sorted(tuple(f"{EX}{end}" for end in row) for row in rows)), form
    assert embedded.ask(FOUNDED, limit=1) == ((f"{EX}jobs", f"{EX}apple"),)


def test_info(embedded, remote):
    answer = embedded.info()
    assert (answer.names, answer.entities) == (300 + len(HOSTILE) + 8, 300 + len(HOSTILE) + 5)
    assert (answer.classes, answer.relations) == (5, 2)
    assert remote.info() == answer


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT ?x ?none WHERE {{ ?x <{EX}founded> <{EX}apple> }} ORDER BY ?x",
        f"ASK {{ <{EX}jobs> <{EX}founded> ?x }}",
        f"CONSTRUCT {{ ?x <{EX}by> ?y }} WHERE {{ ?y <{EX}founded> ?x }}",
        f'SELECT (STRLANG("a", "en") AS ?a) (1.5 AS ?b) (<{EX}c> AS ?c) WHERE {{}}',
    ],
)
def test_free_queries(embedded, remote, query):
    answer = embedded.query(query)
    assert answer.rows
    assert remote.query(query) == answer


def test_languages(stored, server, tmp_path):
    for place in (stored, server):
        base = open_base(place, languages=["en"], cache=Cache(tmp_path / "cache.sqlite"))
        assert {name for entity, name in base.names() if entity == f"{EX}apple"} == {"Apple", "Apple Inc."}
        assert base.named(["Apfel AG", "Apple"]) == {"Apple": (f"{EX}apple", f"{EX}pome")}
    assert open_base(stored, languages=["de"]).hierarchy().label(f"{EX}Agent") == "Akteur"
