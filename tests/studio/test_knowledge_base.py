"""`colligate studio --kb`: the texts of the demo with its slice of DBpedia."""

from __future__ import annotations

import gzip
import signal
import time
from importlib.resources import files

import pytest

from tests.studio.helpers import WAIT
from tests.studio.test_command import Studio, wait_for_run

pytestmark = pytest.mark.slow
TEXTS = 240


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("base")
    demo = files("colligate.demo")
    with gzip.open(str(demo / "articles.jsonl.gz"), "rt", encoding="utf-8") as stream:
        lines = [line for number, line in enumerate(stream) if number % (1_500 // TEXTS) == 0]
    docs = folder / "posts.jsonl"
    docs.write_text("".join(lines), encoding="utf-8")
    made = Studio(docs, "--kb", str(demo / "dbpedia.nt.gz"), "--clusters", "6", "--label", "group")
    wait_for_run(made.client)
    yield made
    made.end(signal.SIGTERM)


def test_entities_are_types_of_the_network_and_tell_groups(studio):
    network = studio.client.get("/api/runs/1/network")
    kinds = {kind["name"] for kind in network["types"]}
    assert {"documents", "words"} < kinds
    assert len(network["relations"]) >= 2
    groups = studio.client.get("/api/runs/1/groups")
    assert any(group["entities"] for group in groups)
    assert {entity["type"] for group in groups for entity in group["entities"]} <= kinds


def test_the_command_of_the_run_names_the_base(studio):
    (run,) = studio.client.get("/api/runs")[:1]
    assert "dbpedia.nt.gz" in run["command"]
    assert "--no-subtypes" in run["command"]


def test_what_is_said_holds_in_the_next_run_and_labels_judge_it(studio):
    asked = studio.client.get("/api/questions?n=3")
    assert {one["kind"] for one in asked} == {"word"}
    told = studio.client.send("POST", f"/api/questions/{asked[0]['id']}", {"answer": "yes"})
    studio.client.send("POST", "/api/runs", {}, 202)
    deadline = time.monotonic() + WAIT
    while studio.client.get("/api/project")["current"] != 2:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    said = [one for one in studio.client.get("/api/statements") if one["id"] == told["statement"]["id"]]
    assert said[0]["verdict"] == "kept"
    first, second = studio.client.get("/api/compare?runs=1,2")["metrics"]
    assert 0 < first["nmi"] < 1
    assert abs(second["nmi"] - first["nmi"]) < 0.5
