"""Networks on the command line: a table of mentions, its sub-types, a stored network."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

import colligate as cg

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


def test_what_does_not_fit_is_told(call: Call, docs: Path, mentions: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    alone = call("cluster", docs, "-k", 3, "--subtypes", "--out", out)
    assert alone.exit_code == 2
    assert "--mentions" in alone.output
    refused = call("cluster", docs, "-k", 3, "--mentions", mentions, "--method", "itcc", "--out", out)
    assert refused.exit_code == 1
    assert "hinc and chinc take any" in " ".join(refused.output.split())
    untaken = call(
        "cluster", docs, "-k", 3, "--mentions", mentions, "--subtypes", "--method", "hinc", "--out", out
    )
    assert untaken.exit_code == 1
    assert "hinc does not take links on people" in " ".join(untaken.output.split())
    assert not out.exists()
