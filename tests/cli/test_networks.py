"""Networks on the command line: a table of mentions, its sub-types, a stored network."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

import colligate as cg
from tests.result.test_notebook import run_cells

from .conftest import Call, topic_rows, write_rows

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = {"s": ["Aldrin", "Ride"], "h": ["Gretzky", "Orr"], "f": ["Child", "Escoffier"]}


@pytest.fixture
def mentions(tmp_path: Path) -> Path:
    rows = []
    for number, (id, topic, _) in enumerate(topic_rows()):
        name = PEOPLE[id[0]][number % 2]
        rows.append((id, name, "people", f"{topic}er", "1"))
    return write_rows(tmp_path / "mentions.csv", rows, ("document", "name", "type", "subtype", "count"))


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_mentions_make_a_network_with_a_table_for_every_type(
    call: Call, docs: Path, mentions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    arguments = ("cluster", docs, "-k", 3, "--mentions", mentions, "--out", out, "--restarts", 2)
    done = call(*arguments, "--method", "chinc", "--subtypes", "--param", "n_entity_clusters=3")
    assert done.exit_code == 0, done.output
    people = {row["name"]: row["cluster"] for row in table(out / "people.csv")}
    assert all(people[a] == people[b] for a, b in PEOPLE.values())
    assert len(set(people.values())) == 3
    assert {row["status"] for row in table(out / "knowledge.csv")} == {"kept"}
    assert (out / "relations.csv").is_file()
    assert "people" in (out / "report.html").read_text(encoding="utf-8")
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert {"people.csv", "relations.csv", "documents.csv"} <= set(record["tables"])
    # texts are in the report, since the network knows its corpus
    assert topic_rows()[0][2][:20] in (out / "report.html").read_text(encoding="utf-8")
    # a run of other types replaces it whole, and nothing of the old one stays
    again = call("cluster", docs, "-k", 3, "--out", out, "--overwrite", "--restarts", 1)
    assert again.exit_code == 0, again.output
    assert not (out / "people.csv").exists()
    predicted = call("predict", out, docs)
    assert predicted.exit_code == 0, predicted.output


def test_a_stored_network_is_clustered(call: Call, docs: Path, mentions: Path, tmp_path: Path) -> None:
    network = cg.Network.from_tables(cg.Corpus.read(docs), mentions)
    network.save(tmp_path / "network")
    done = call("cluster", tmp_path / "network", "-k", 3, "--method", "hinc", "--out", tmp_path / "run")
    assert done.exit_code == 0, done.output
    assert len(table(tmp_path / "run" / "documents.csv")) == 36
    twice = call(
        "cluster", tmp_path / "network", "-k", 3, "--mentions", mentions, "--out", tmp_path / "other"
    )
    assert twice.exit_code == 2
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("--text", "text"), "--text"),
        (("--id", "id"), "--id"),
        (("--encoding", "utf-8"), "--encoding"),
        (("--stop-words", "english"), "--stop-words"),
        (("--min-df", "2", "--max-df", "1.0", "--ngrams", "1"), "--min-df, --max-df, --ngrams"),
    ],
)
def test_options_of_documents_are_refused_for_a_stored_network(
    call: Call, docs: Path, tmp_path: Path, given: tuple[str, ...], named: str
) -> None:
    cg.Network.from_corpus(cg.Corpus.read(docs)).save(tmp_path / "network")
    done = call("cluster", tmp_path / "network", "-k", 3, *given, "--out", tmp_path / "run")
    told = " ".join(done.stderr.replace("│", " ").split())
    assert done.exit_code == 2
    assert f"Invalid value for {named}:" in told
    assert "is a stored network" in told
    assert not (tmp_path / "run").exists()


def test_a_network_without_words_or_documents_is_shown_in_its_own_terms(call: Call, tmp_path: Path) -> None:
    venues = np.kron(np.eye(2, dtype=int), np.ones((3, 2), dtype=int))
    papers = [f"p{number}" for number in range(7)]
    types = {
        "papers": cg.ObjectType("papers", papers),
        "venues": cg.ObjectType("venues", ["The Lancet", "Cell", "FIFA News", "Goal"]),
    }
    matrix = np.vstack([venues, np.zeros((1, 4), dtype=int)])
    network = cg.Network(types, (cg.Relation("papers", "venues", matrix),))
    network.save(tmp_path / "network")
    known = tmp_path / "known.yaml"
    known.write_text("papers:\n  together: [[p0, p1]]\n", encoding="utf-8")
    arguments = ("cluster", tmp_path / "network", "-k", 2, "--method", "chinc", "--knowledge", known)
    done = call(*arguments, "--out", tmp_path / "run")
    assert done.exit_code == 0, done.output
    assert "top venues" in done.stdout
    assert "top words" not in done.stdout
    assert re.search("The Lancet; Cell|Cell; The Lancet", done.stdout)
    assert "In no group: 1 paper." in done.stdout
    assert "The knowledge moved 0 of 7 papers" in done.stdout
    record = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert (record["centre"], record["terms"]) == ("papers", "venues")
    assert {"The Lancet", "Cell"} in [set(group["top_venues"]) for group in record["groups"]]


@pytest.fixture
def people_run(call: Call, docs: Path, mentions: Path, tmp_path: Path) -> Path:
    out = tmp_path / "people-run"
    done = call("cluster", docs, "-k", 3, "--mentions", mentions, "--method", "chinc", "--out", out)
    assert done.exit_code == 0, done.output
    return out


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return write_rows(
        tmp_path / "new.csv", [("n1", "unheard"), ("n2", "unseen"), ("n3", "unread")], ("id", "text")
    )


def write_mentions(path: Path, *rows: tuple[str, ...]) -> Path:
    return write_rows(path, [*rows], ("document", "name", "type"))


def test_new_documents_are_placed_by_what_they_mention(
    call: Call, people_run: Path, new: Path, tmp_path: Path
) -> None:
    told = write_mentions(
        tmp_path / "told.csv",
        ("n1", "Ride", "people"),
        ("n2", "Orr", "people"),
        ("n2", "Nobody", "people"),
        ("n3", "Nobody", "people"),
    )
    done = call("predict", people_run, new, "--mentions", told)
    assert done.exit_code == 0, done.output
    assert "note" not in done.stderr
    found = [row["cluster"] for row in csv.DictReader(io.StringIO(done.stdout))]
    known = {row["id"]: row["cluster"] for row in table(people_run / "documents.csv")}
    assert found == [known["s0"], known["h0"], "-1"]
    alone = call("predict", people_run, new)
    assert alone.exit_code == 0, alone.output
    assert {row["cluster"] for row in csv.DictReader(io.StringIO(alone.stdout))} == {"-1"}
    assert "note: the run used people too, but --mentions is not set" in alone.stderr
    # nothing that was given is replaced
    kept = call("predict", people_run, new, "--mentions", told, "--out", told, "--overwrite")
    assert kept.exit_code == 3
    assert "it belongs to --mentions" in kept.stderr


def test_mentions_that_do_not_fit_the_run_are_told(
    call: Call, people_run: Path, new: Path, tmp_path: Path
) -> None:
    other = write_mentions(tmp_path / "other.csv", ("n1", "Acme", "firms"))
    done = call("predict", people_run, new, "--mentions", other)
    assert done.exit_code == 1
    assert f"{other} contains the types firms, which the run does not have" in done.stderr
    assert "--unknown report" in done.stderr
    lenient = call("predict", people_run, new, "--mentions", other, "--unknown", "report")
    assert lenient.exit_code == 0, lenient.output
    assert "the rows of these types are ignored" in lenient.stderr
    assert f"the run used people too, but {other} has none" in lenient.stderr
    stranger = write_mentions(tmp_path / "stranger.csv", ("n9", "Orr", "people"), ("n1", "Orr", "people"))
    assert call("predict", people_run, new, "--mentions", stranger).exit_code == 1
    done = call("predict", people_run, new, "--mentions", stranger, "--unknown", "report")
    assert done.exit_code == 0, done.output


def test_what_does_not_fit_is_told(call: Call, docs: Path, mentions: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    alone = call("cluster", docs, "-k", 3, "--subtypes", "--out", out)
    assert alone.exit_code == 2
    assert "--mentions" in alone.output
    refused = call("cluster", docs, "-k", 3, "--mentions", mentions, "--method", "itcc", "--out", out)
    assert refused.exit_code == 1
    assert "choose hinc, chinc or tnmf" in " ".join(refused.output.split())
    untaken = call(
        "cluster", docs, "-k", 3, "--mentions", mentions, "--subtypes", "--method", "hinc", "--out", out
    )
    assert untaken.exit_code == 1
    assert "hinc does not accept links on people" in " ".join(untaken.output.split())
    assert not out.exists()


def write_base(folder: Path) -> tuple[Path, Path]:
    """Documents that mention people, and a knowledge base of these people."""
    rows = []
    for id, topic, text in topic_rows():
        first, second = PEOPLE[id[0]]
        rows.append((id, topic, f"Today {first} Smithson spoke. {text}. Then {second} Jonesdale left."))
    docs = write_rows(folder / "docs.csv", rows, ("id", "label", "text"))
    people = [
        (f"{name}-{surname}", f"{name} {surname}", "Person", topic)
        for topic, names in zip(("Astronaut", "Player", "Cook"), PEOPLE.values(), strict=True)
        for name, surname in zip(names, ("Smithson", "Jonesdale"), strict=True)
    ]
    return docs, write_rows(folder / "people.csv", people, ("entity", "name", "type", "subtype"))


def test_a_knowledge_base_makes_the_network_in_one_go(call: Call, tmp_path: Path) -> None:
    docs, base = write_base(tmp_path)
    out = tmp_path / "run"
    arguments = ("cluster", docs, "-k", 3, "--out", out, "--restarts", 2, "--kb", base)
    done = call(*arguments, "--kb-type", "Person")
    assert done.exit_code == 0, done.output
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert record["method"] == "colligate"
    found = {row["name"]: row["cluster"] for row in table(out / "Person.csv")}
    assert len(found) == 6
    assert all(found[f"{a} Smithson"] == found[f"{b} Jonesdale"] for a, b in PEOPLE.values())
    assert {row["status"] for row in table(out / "knowledge.csv")} == {"kept"}
    assert {row["source"] for row in table(out / "knowledge.csv")} == {"sub-types of people.csv"}
    both = call("cluster", docs, "-k", 3, "--kb", base, "--mentions", base, "--out", tmp_path / "other")
    assert both.exit_code == 2
    lone = call("cluster", docs, "-k", 3, "--kb-type", "Person", "--out", tmp_path / "other")
    assert lone.exit_code == 2
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("entities", ["mentions", "base", "stored"])
def test_a_notebook_repeats_a_run_with_entities(
    call: Call, docs: Path, mentions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entities: str
) -> None:
    out, input = tmp_path / "run", docs
    more: tuple[object, ...] = ()
    if entities == "mentions":
        more = ("--mentions", mentions, "--subtypes")
    elif entities == "base":
        input, base = write_base(tmp_path)
        more = ("--kb", base, "--kb-type", "Person")
    else:
        input = tmp_path / "network"
        cg.Network.from_tables(cg.Corpus.read(docs), mentions).save(input)
    done = call("cluster", input, "-k", 3, "--out", out, "--method", "chinc", "--restarts", 2, *more)
    assert done.exit_code == 0, done.output
    done = call("export", out, "--format", "notebook", "--out", tmp_path / "session")
    assert done.exit_code == 0, done.output
    expected = cg.Result.load(out / "model")
    result = run_cells(tmp_path / "session", monkeypatch)["result"]
    assert set(result.labels) == set(expected.labels)
    for kind, labels in expected.labels.items():
        assert np.array_equal(result.labels[kind], labels)


def test_subtypes_that_do_not_hold_are_told_before_the_groups(call: Call, docs: Path, tmp_path: Path) -> None:
    rows: list[tuple[str, ...]] = []
    for number, (id, topic, _) in enumerate(topic_rows()):
        # people keep to one topic, and every sub-type has people of all topics
        rows.append((id, f"{topic} {number % 5}", "people", f"kind {number % 5 % 2}"))
    mentions = write_rows(tmp_path / "crossed.csv", rows, ("document", "name", "type", "subtype"))
    out = tmp_path / "run"
    done = call("cluster", docs, "-k", 3, "--mentions", mentions, "--subtypes", "--out", out)
    assert done.exit_code == 0, done.output
    warning = "statements from sub-types of crossed.csv do not hold in these groups."
    assert warning in " ".join(done.stderr.split())
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page.count(warning) == 1
    assert page.index("Before you read on") < page.index(warning) < page.index('id="groups"')
    (text,) = json.loads((out / "run.json").read_text(encoding="utf-8"))["warnings"]
    assert "--no-subtypes" in text
    without = call("cluster", docs, "-k", 3, "--mentions", mentions, "--out", out, "--overwrite")
    assert warning not in " ".join(without.stderr.split())
