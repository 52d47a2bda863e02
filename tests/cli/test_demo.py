from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from importlib.resources import files

import pytest

import colligate as cg
from colligate.cli.demo import describe_comparison
from colligate.entities.kb import open_base

DATA = files("colligate") / "demo"
PACKED = ("articles.jsonl.gz", "dbpedia.nt.gz")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo") / "out"


@pytest.fixture(scope="module")
def demo(call, folder):
    """The demo, run once for the tests of what it prints and writes."""
    done = call("demo", "--out", folder)
    assert done.exit_code == 0, done.output
    return done


@pytest.mark.slow
def test_the_demo_tells_groups_knowledge_and_report(demo, folder):
    for text in (
        "top words",
        "confidence",
        "Knowledge: ",
        "kept",
        "The knowledge moved",
        "without knowledge",
        "part of DBpedia",
        "organisation",
        "in most texts",
        "with words and entities",
    ):
        assert text in demo.stdout
    assert demo.stdout.rstrip().endswith(f"Report: {folder / 'report.html'}")
    assert (folder / "report.html").is_file()


@pytest.mark.slow
def test_the_demo_replaces_its_own_folder_and_its_knowledge_helps(call, demo, folder):
    done = call("demo", "--out", folder, "--json")
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    assert record["command"] == "demo"
    assert record["sizes"]["documents"] == 1500
    found = record["evaluation"]
    assert found["matched"] == 1500
    for part in ("all", "unnamed"):
        assert found["result"][part]["nmi"] > found["without_knowledge"][part]["nmi"]
        errors = [1 - found[run][part]["accuracy"] for run in ("without_knowledge", "result")]
        assert errors[1] < 0.6 * errors[0]


@pytest.mark.slow
def test_the_demo_finds_entities_and_tells_honestly_what_they_change(demo, folder):
    found = json.loads((folder / "run.json").read_text(encoding="utf-8"))["entities"]
    assert found["documents_with_entities"] > 500
    assert found["types"].keys() == {"organisation", "person", "place"}
    assert "Alaska" in found["types"]["place"]["most"]
    assert "NASA" in found["types"]["organisation"]["most"]
    assert found["types"]["person"]["entities"] > 20
    assert {name: len(nmi) for name, nmi in found["nmi"].items()} == {"words": 5, "words_and_entities": 5}


@pytest.mark.parametrize(
    ("both", "verdict"),
    [
        ([0.9, 0.92], "the entities help"),
        ([0.5, 0.52], "the entities make the groups worse"),
        ([0.70, 0.74], "the difference is smaller than the standard deviation"),
        ([0.70, 0.72], "the entities add nothing to these words, so they have no weight"),
    ],
)
def test_the_verdict_on_entities_follows_the_figures(both, verdict):
    assert describe_comparison({"words": [0.7, 0.72], "words_and_entities": both}).endswith(f": {verdict}.")


def test_the_demo_leaves_the_runs_of_others_alone(call, run_folder):
    before = (run_folder / "run.json").read_bytes()
    done = call("demo", "--out", run_folder)
    assert done.exit_code == 3
    assert "contains a finished run" in done.stderr
    assert (run_folder / "run.json").read_bytes() == before


def test_the_bundled_data_is_small_and_its_knowledge_names_what_is_there():
    sizes = [len((DATA / name).read_bytes()) for name in (*PACKED, "knowledge.yaml", "README.md")]
    assert sum(sizes) < 2_000_000
    for name in PACKED:  # no time: the same content, the same bytes
        assert (DATA / name).read_bytes()[4:8] == bytes(4)
    corpus = cg.Corpus.read(str(DATA / "articles.jsonl.gz"))
    knowledge = cg.Knowledge.read(str(DATA / "knowledge.yaml"))
    compiled = knowledge.compile({"documents": corpus.ids, "words": corpus.words})
    assert not compiled.unknown.any()
    assert not compiled.contradictions
    assert not any(re.search(r"\w@\w", text) for text in corpus.texts)


def test_the_bundled_slice_is_a_knowledge_base_with_its_licence_beside_it():
    base = open_base(str(DATA / "dbpedia.nt.gz"))
    counts = base.info()
    assert counts.entities > 500
    assert counts.relations > 10
    (boston,) = [one for one in base.named(["Boston"])["Boston"] if one.endswith("/Boston")]
    hierarchy = base.hierarchy()
    assert {hierarchy.label(hierarchy.top(kind)) for kind in base.types([boston])[boston]} == {"place"}
    told = (DATA / "README.md").read_text(encoding="utf-8")
    assert "https://creativecommons.org/licenses/by-sa/3.0/" in told


def test_every_text_names_its_article_and_revision_and_the_licence_lists_them():
    with gzip.open(str(DATA / "articles.jsonl.gz"), "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    told = (DATA / "README.md").read_text(encoding="utf-8")
    counts = Counter((row["article"], row["revision"], row["group"]) for row in rows)
    for (article, revision, group), count in counts.items():
        address = f"https://en.wikipedia.org/w/index.php?oldid={revision}"
        assert f"| [{article}]({address}) | {group} | {count} |" in told
    assert not any(re.search(r"[{}|<>]|\[\[|https?:", row["text"]) for row in rows)
