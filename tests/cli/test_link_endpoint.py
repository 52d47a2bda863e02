"""`colligate link` against a real SPARQL server: the output of the embedded store, and no work lost."""

from __future__ import annotations

import csv
import json
import time
import urllib.request

import pytest

from colligate.entities.kb import build

from ..entities.kb.misbehaving import Misbehaving, send
from ..entities.kb.serving import serving

pytestmark = pytest.mark.slow

HOSTILE = (
    'Robert "Bobby" Tables',
    "Tables} UNION {Robert",
    "DROP ALL; SELECT Robert",
    "Back\\slash \\u0022 Robert",
    "Robert\x07 Bell\x1b[31m",
    "Right\u202eTo\u200f Left",
    "<script>Robert</script>",
    "SELECT * WHERE {Robert}",
    "{{ Robert }} ${Tables}",
)
OUTPUTS = ("entities.csv", "mentions.csv", "relations.csv", "report.html")


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kb")
    rows = [("ibm", "IBM", "Organisation", "Firm"), ("gates", "Bill Gates", "Person", "Founder")]
    rows += [("microsoft", "Microsoft", "Organisation", "Firm"), ("seattle", "Seattle", "Place", "City")]
    rows += [(f"hostile/{number}", name, "Odd", "") for number, name in enumerate(HOSTILE)]
    _write(folder / "entities.csv", [("entity", "name", "type", "subtype"), *rows])
    facts = [("gates", "founded", "microsoft"), ("microsoft", "based_in", "seattle")]
    _write(folder / "facts.csv", [("head", "relation", "tail"), *facts])
    build([folder / "entities.csv", folder / "facts.csv"], folder / "kb")
    return folder / "kb"


def _write(path, rows):
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)


@pytest.fixture(scope="module")
def server(base):
    with serving(base) as address:
        yield address


PLAIN = {"plain": "We know that Bill Gates founded Microsoft. Then Microsoft moved to Seattle with IBM."}
ODD = {f"hostile {name}": f"It is said that {name} spoke of IBM there." for name in HOSTILE}
LONG = {"long": "We saw IBM, and then " + "antidisestablishmentarianism " * 345_000}
"""One line of ten million characters."""


def written(path, texts):
    lines = (json.dumps({"id": id, "text": text}) for id, text in texts.items())
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def linked(call, documents, kb, out, *more):
    return call("link", documents, "--kb", kb, "--out", out, "--jobs", 1, *more)


def outputs(folder):
    return {name: (folder / name).read_bytes() for name in OUTPUTS}


def test_the_same_output_from_the_store_and_the_server_whatever_names_and_texts_hold(
    call, base, server, tmp_path
):
    documents = written(tmp_path / "texts.jsonl", PLAIN | ODD | LONG)
    for place, kb in (("store", base), ("server", server)):
        done = linked(call, documents, kb, tmp_path / place)
        assert done.exit_code == 0, done.output
    store = outputs(tmp_path / "store")
    assert outputs(tmp_path / "server") == store
    rows = list(csv.DictReader(store["mentions.csv"].decode().splitlines()))
    assert {row["document"] for row in rows if row["name"] == "IBM"} >= {"plain", "long"}
    assert {row["entity"].rpartition("/")[2] for row in rows if row["type"] == "Odd"} >= set("01234567")
    assert b"founded" in store["relations.csv"]
    page = store["report.html"].decode()
    assert "<script" not in page
    assert not {"\x07", "\x1b", "\u202e", "\u200f"} & set(page)


def hang(handler, _):
    time.sleep(1.5)


def break_off(handler, _):
    handler.connection.close()


@pytest.fixture
def played(server):
    """Servers that pass questions on to the real one, unless their turn is to misbehave."""
    started = []

    def answer(handler, body):
        asked = urllib.request.Request(server, body.encode(), dict(handler.headers))
        with urllib.request.urlopen(asked) as answered:
            send(200, answered.read())(handler, body)

    def start(good, *bad):
        started.append(Misbehaving(*[answer] * good, *bad, answer))
        return started[-1]

    yield start
    for each in started:
        each.stop()


@pytest.fixture(scope="module")
def from_store(call, base, tmp_path_factory):
    """What the embedded store makes of the documents."""
    folder = tmp_path_factory.mktemp("store")
    documents = written(folder / "texts.jsonl", PLAIN | ODD)
    assert linked(call, documents, base, folder / "store").exit_code == 0
    return outputs(folder / "store")


@pytest.mark.parametrize(
    ("play", "message"),
    [
        (send(404, b"gone", "text/plain"), "refuses the request with 404 gone"),
        (send(503, b"busy", "text/plain"), "refuses the request with 503 busy (tried once)"),
        (send(200, b"<html>Welcome</html>", "text/html"), "returned no SPARQL result"),
        (send(200, b'{"head": {"vars": ["entity"'), "returned no SPARQL result"),
        (hang, "did not answer within 1 seconds"),
        (break_off, "closed the connection or does not use HTTP"),
    ],
    ids=["refuses", "is busy", "rubbish", "cut short", "hangs", "breaks off"],
)
def test_an_endpoint_that_fails_midway_costs_nothing_that_is_done(
    call, played, from_store, tmp_path, play, message
):
    documents = written(tmp_path / "texts.jsonl", PLAIN | ODD)
    once = ("--timeout", 1, "--retries", 0)
    whole = played(0)
    assert linked(call, documents, whole.url, tmp_path / "whole").exit_code == 0
    needed = len(whole.queries)
    # the last question is about relations, when all documents are searched already
    failing = played(needed - 1, play)
    done = linked(call, documents, failing.url, tmp_path / "out", *once)
    assert done.exit_code == 1
    assert message in done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["checkpoint.npz"]
    done = linked(call, documents, failing.url, tmp_path / "out", "--resume", *once)
    assert done.exit_code == 0, done.output
    assert len(failing.queries) == needed + 1
    assert outputs(tmp_path / "out") == from_store


def test_an_endpoint_that_is_not_there(call, played, tmp_path):
    documents = written(tmp_path / "texts.jsonl", PLAIN)
    gone = played(0)
    gone.stop()
    done = linked(call, documents, gone.url, tmp_path / "out", "--retries", 0)
    assert done.exit_code == 1
    assert "cannot be reached: Connection refused" in done.stderr
    assert not (tmp_path / "out").exists()


def test_queries_and_counts_are_asked_of_the_server(call, base, server):
    labels = "SELECT ?x ?name WHERE { ?x <http://www.w3.org/2000/01/rdf-schema#label> ?name } ORDER BY ?x"
    for command in (("info",), ("query", labels)):
        store, remote = (call("kb", command[0], kb, *command[1:], "--json") for kb in (base, server))
        assert remote.exit_code == 0, remote.output
        expected = json.loads(store.stdout) | {"kb": ""}
        assert json.loads(remote.stdout) | {"kb": ""} == expected
