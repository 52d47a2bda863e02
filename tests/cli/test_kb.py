from __future__ import annotations

import csv
import io
import json

import pytest

ENTITIES = (
    "entity,name,aliases,type,subtype\nq1,Apple,Apple Inc.,organisation,company\nq2,Steve Jobs,,person,\n"
)
FACTS = "head\trelation\ttail\nq2\tfounded\tq1\n"
LABELS = "SELECT ?name WHERE { ?x <http://www.w3.org/2000/01/rdf-schema#label> ?name } ORDER BY ?name"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "entities.csv").write_text(ENTITIES, encoding="utf-8")
    (tmp_path / "facts.tsv").write_text(FACTS, encoding="utf-8")
    return tmp_path / "entities.csv", tmp_path / "facts.tsv"


@pytest.fixture
def base(call, files, tmp_path):
    done = call("kb", "build", *files, "--out", tmp_path / "kb")
    assert done.exit_code == 0, done.output
    return tmp_path / "kb"


def test_build_tells_what_is_in_it(call, files, tmp_path):
    done = call("kb", "build", *files, "--out", tmp_path / "kb")
    assert done.exit_code == 0
    for message in ("entities", "relations", f"Knowledge base: {tmp_path / 'kb'}"):
        assert message in done.stdout
    output = json.loads(call("kb", "build", *files, "-o", tmp_path / "other", "--json").stdout)
    assert (output["entities"], output["names"], output["classes"], output["relations"]) == (2, 3, 3, 1)


def test_build_tells_which_columns_it_used(call, tmp_path):
    table = tmp_path / "e.csv"
    table.write_text("entity,name,types,notes\nq1,Apple,company,x\n", encoding="utf-8")
    done = call("kb", "build", table, "--out", tmp_path / "kb")
    assert f"{table}: entities, from entity, name, types (as type); not read: notes." in done.stdout
    built = json.loads(call("kb", "build", table, "-o", tmp_path / "other", "--json").stdout)
    assert built["tables"] == {
        str(table): {
            "content": "entities",
            "columns": {"entity": "entity", "name": "name", "types": "type"},
            "unused": ["notes"],
        }
    }


def test_info(call, base):
    assert "triples" in call("kb", "info", base).stdout
    output = json.loads(call("kb", "info", base, "--json").stdout)
    assert output == {
        "kb": str(base),
        "triples": 8,
        "entities": 2,
        "names": 3,
        "classes": 3,
        "relations": 1,
        "warnings": [],
    }


def test_query(call, base):
    assert list(csv.reader(io.StringIO(call("kb", "query", base, LABELS).stdout))) == [
        ["name"],
        ["Apple"],
        ["Steve Jobs"],
    ]
    output = json.loads(call("kb", "query", base, LABELS, "--json").stdout)
    assert (output["columns"], output["rows"]) == (["name"], [["Apple"], ["Steve Jobs"]])
    assert call("kb", "query", base, "ASK { ?s ?p ?o }").stdout == "answer\ntrue\n"


def test_a_file_is_asked_without_building(call, files):
    assert json.loads(call("kb", "info", files[0], "--json").stdout)["entities"] == 2


def test_formulas_are_made_harmless(call, tmp_path):
    (tmp_path / "e.csv").write_text('entity,name\nq,"=cmd()"\n', encoding="utf-8")
    assert call("kb", "query", tmp_path / "e.csv", LABELS).stdout == "name\n'=cmd()\n"


def test_a_malformed_file_is_told_and_nothing_is_left(call, files, tmp_path):
    bad = tmp_path / "bad.ttl"
    bad.write_text("<http://a> <http://b> <http://c> .\noops\n", encoding="utf-8")
    done = call("kb", "build", *files, bad, "--out", tmp_path / "deep" / "kb")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"error: {bad}:2: ")
    assert not (tmp_path / "deep" / "kb").exists()


def test_exit_codes(call, base, files, tmp_path):
    done = call("kb", "build", *files, "--out", base)
    assert (done.exit_code, "already exists" in done.stderr) == (3, True)
    assert call("kb", "build", *files, "--out", base, "--overwrite").exit_code == 0
    assert call("kb", "build", "--out", base).exit_code == 2
    done = call("kb", "query", base, "SELECT")
    assert (done.exit_code, "this is not a query in SPARQL" in done.stderr) == (1, True)
    done = call("kb", "info", tmp_path / "none")
    assert (done.exit_code, "there is no knowledge base" in done.stderr) == (1, True)
    (base / "knowledge_base.json").write_text("{}", encoding="utf-8")
    done = call("kb", "info", base)
    assert (done.exit_code, "does not describe a stored knowledge base" in done.stderr) == (3, True)
