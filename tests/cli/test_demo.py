from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

import colligate as cg

DATA = files("colligate") / "demo"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo") / "out"


def test_the_demo_tells_groups_knowledge_and_report(call, folder):
    done = call("demo", "--out", folder)
    assert done.exit_code == 0, done.output
    for text in (
        "top words",
        "confidence",
        "Knowledge: ",
        "kept",
        "The knowledge moved",
        "without knowledge",
    ):
        assert text in done.stdout
    assert done.stdout.rstrip().endswith(f"Report: {folder / 'report.html'}")
    assert (folder / "report.html").is_file()


def test_the_demo_replaces_its_own_folder_and_its_knowledge_helps(call, folder):
    done = call("demo", "--out", folder, "--json")
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    assert record["command"] == "demo"
    assert record["sizes"]["documents"] == 1500
    found = record["evaluation"]
    assert found["matched"] == 1500
    for part in ("all", "unnamed"):
        assert found["result"][part]["nmi"] > found["without_knowledge"][part]["nmi"]
        assert found["result"][part]["accuracy"] > found["without_knowledge"][part]["accuracy"] + 0.03


def test_the_demo_leaves_the_runs_of_others_alone(call, run_folder):
    before = (run_folder / "run.json").read_bytes()
    done = call("demo", "--out", run_folder)
    assert done.exit_code == 3
    assert "holds a finished run" in done.stderr
    assert (run_folder / "run.json").read_bytes() == before


def test_the_bundled_data_is_small_and_its_knowledge_names_what_is_there():
    sizes = [
        len((DATA / name).read_bytes()) for name in ("newsgroups.jsonl.gz", "knowledge.yaml", "README.md")
    ]
    assert sum(sizes) < 2_000_000
    assert (DATA / "newsgroups.jsonl.gz").read_bytes()[4:8] == bytes(
        4
    )  # no time: the same posts, the same bytes
    corpus = cg.Corpus.read(str(DATA / "newsgroups.jsonl.gz"))
    knowledge = cg.Knowledge.read(str(DATA / "knowledge.yaml"))
    compiled = knowledge.compile({"documents": corpus.ids, "words": corpus.words})
    assert not compiled.unknown.any()
    assert not compiled.contradictions
    assert not any(re.search(r"\w@\w", text) for text in corpus.texts)
