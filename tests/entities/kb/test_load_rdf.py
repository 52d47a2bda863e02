"""The formats of RDF: the same triples from each, plain or compressed, and errors with their lines."""

from __future__ import annotations

import gzip

import pyoxigraph
import pytest

from colligate.entities.kb import build, open_base
from colligate.errors import InputError

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
XML = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">
<rdf:Description rdf:about="http://example.org/a"><e:knows rdf:resource="http://example.org/b"/>
</rdf:Description>
{}
</rdf:RDF>
"""
ENTITIES = '<!DOCTYPE r [\n<!ENTITY a "aaaaaaaaaa">\n<!ENTITY b "{}">\n]>\n'


def triples(path):
    quads = open_base(path).query("SELECT ?s ?p ?o WHERE { ?s ?p ?o }")
    return sorted(quads.rows)


@pytest.fixture
def store():
    made = pyoxigraph.Store()
    made.update(
        f"INSERT DATA {{ <http://example.org/a> <{LABEL}> 'Ärger \"1\"'@de, 'x' ; "
        "<http://example.org/knows> <http://example.org/b> }"
    )
    return made


FORMATS = [
    (".nt", pyoxigraph.RdfFormat.N_TRIPLES),
    (".ttl", pyoxigraph.RdfFormat.TURTLE),
    (".rdf", pyoxigraph.RdfFormat.RDF_XML),
    (".jsonld", pyoxigraph.RdfFormat.JSON_LD),
]
every_format = pytest.mark.parametrize(("suffix", "kind"), FORMATS, ids=[suffix for suffix, _ in FORMATS])
packed_or_not = pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])


@packed_or_not
@every_format
def test_every_format_gives_the_same(store, tmp_path, suffix, kind, packed):
    content = store.dump(format=kind, from_graph=pyoxigraph.DefaultGraph())
    path = tmp_path / f"world{suffix}{'.gz' if packed else ''}"
    path.write_bytes(gzip.compress(content) if packed else content)
    assert triples(path) == sorted(store_rows(store))


def store_rows(store):
    return [(quad.subject.value, quad.predicate.value, quad.object.value) for quad in store]


@packed_or_not
@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.nt", "<http://a> <http://b> <http://c> .\n\n<http://a> <http://b> .\n", 3),
        ("a.ttl", "@prefix e: <http://e/> .\ne:a e:b e:c .\ne:a e:b oops .\n", 3),
        ("a.ttl", "\n<relative> <http://b> 1 .\n", 2),
        ("a.rdf", XML.format("<e:a>\n<b></c>"), 6),
        ("a.rdf", XML.format('<rdf:Description rdf:about="relative"/>'), 5),
        ("a.rdf", XML.format("<b/>"), 5),
        ("a.rdf", XML.format("").replace("</rdf:RDF>\n", ""), 6),
        ("a.jsonld", '{"@id": "http://a",\n "http://b": [oops}', 2),
        ("a.jsonld", '{"@id": "http://a",\n "@type": 3\n}\n', 3),
        ("a.jsonld", '{"@context": "http://127.0.0.1:9/context",\n "@id": "http://a"}', 1),
    ],
)
def test_a_malformed_file_is_told_with_its_line_and_nothing_is_built(tmp_path, name, text, line, packed):
    path = tmp_path / f"{name}{'.gz' if packed else ''}"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    with pytest.raises(InputError) as error:
        build([path], tmp_path / "kb")
    assert str(error.value).startswith(f"{path}:{line}: ")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("left", [0.5, 0.98], ids=["in the middle", "at its end"])
@every_format
def test_a_packed_file_that_is_cut_short(tmp_path, suffix, kind, left):
    store = pyoxigraph.Store()
    knows = pyoxigraph.NamedNode("http://example.org/knows")
    people = [pyoxigraph.NamedNode(f"http://example.org/{number:x}") for number in range(2000)]
    store.bulk_extend(
        pyoxigraph.Quad(single, knows, people[number**2 % 1999]) for number, single in enumerate(people)
    )
    content = gzip.compress(store.dump(format=kind, from_graph=pyoxigraph.DefaultGraph()))
    path = tmp_path / f"a{suffix}.gz"
    path.write_bytes(content[: int(len(content) * left)])
    with pytest.raises(InputError, match=rf"a\{suffix}\.gz is damaged or cut short"):
        build([path], tmp_path / "kb")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("value", ["&a;&a;&a;&a;", "x" * 2000])
def test_entities_that_grow_are_refused(tmp_path, value):
    path = tmp_path / "a.rdf"
    path.write_text(
        XML.format("").replace("<rdf:RDF", ENTITIES.format(value) + "<rdf:RDF", 1), encoding="utf-8"
    )
    with pytest.raises(InputError, match=r"a\.rdf:4: the XML entity 'b' is nested, long or external"):
        open_base(path)


def test_entities_that_shorten_iris_are_fine(tmp_path):
    path = tmp_path / "a.owl"
    text = XML.format('<rdf:Description rdf:about="&b;c" e:knows="x"/>')
    path.write_text(text.replace("<rdf:RDF", ENTITIES.format("http://b/") + "<rdf:RDF", 1), encoding="utf-8")
    assert ("http://b/c", "http://example.org/knows", "x") in triples(path)


def test_named_graphs_are_read_as_one(tmp_path):
    path = tmp_path / "a.jsonld"
    path.write_text('{"@id": "http://g", "@graph": [{"@id": "http://x", "http://y": "z"}]}', encoding="utf-8")
    assert triples(path) == [("http://x", "http://y", "z")]
