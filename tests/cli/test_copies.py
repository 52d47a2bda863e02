"""Copies on the command line: told before a run, folded when asked; similar documents of a run."""

from __future__ import annotations

import csv
import json

import pytest


@pytest.fixture
def copied(docs, tmp_path):
    """The documents of `docs` with four copies of the first, which differ in one word."""
    with docs.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    first = rows[0]
    rows += [{**first, "id": f"copy{k}", "text": f"{first['text']} copy{k}"} for k in range(4)]
    path = tmp_path / "copied.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(first))
        writer.writeheader()
        writer.writerows(rows)
    return path


def read_documents(folder):
    with (folder / "documents.csv").open(encoding="utf-8", newline="") as stream:
        return {row["id"]: row for row in csv.DictReader(stream)}


def test_copies_are_told_before_the_run_and_not_folded(call, copied, tmp_path):
    done = call("cluster", copied, "-k", 3, "--out", tmp_path / "run")
    assert done.exit_code == 0, done.output
    assert "documents are copies of others (0 exact, 4 near), such as copy0 of s0" in done.stderr
    assert "--fold-duplicates counts such texts once" in done.stderr
    assert "copy_of" not in read_documents(tmp_path / "run")["s0"]


def test_folded_copies_have_the_group_of_their_original(call, copied, tmp_path):
    knowledge = tmp_path / "k.yaml"
    knowledge.write_text("documents:\n  labels: {copy0: ice, h0: space}\n", encoding="utf-8")
    options = ("-k", 3, "--out", tmp_path / "run", "--fold-duplicates", "--knowledge", knowledge)
    done = call("cluster", copied, *options)
    assert done.exit_code == 0, done.output
    assert "each of these texts counts once" in done.stderr
    rows = read_documents(tmp_path / "run")
    names = {rows[name]["name"] for name in ("s0", "copy0", "copy1", "copy2", "copy3")}
    assert len(names) == 1
    assert names.pop().startswith("ice")
    assert (rows["copy3"]["copy_of"], rows["s0"]["copy_of"]) == ("s0", "")
    with (tmp_path / "run" / "knowledge.csv").open(encoding="utf-8", newline="") as stream:
        audit = {row["subject"]: row["status"] for row in csv.DictReader(stream)}
    assert audit == {"copy0": "kept", "h0": "kept"}


def test_similar_documents_of_a_run_are_listed(call, run_folder):
    done = call("similar", run_folder, "s0", "-n", 3, "--json")
    assert done.exit_code == 0, done.output
    listed = json.loads(done.stdout)["similar"]
    assert len(listed) == 3
    assert all(row["id"].startswith("s") for row in listed)
    assert {row["cluster"] for row in listed} == {int(read_documents(run_folder)["s0"]["cluster"])}
    similarities = [row["similarity"] for row in listed]
    assert similarities == sorted(similarities, reverse=True)
    table = call("similar", run_folder, "s0", "-n", 3).stdout
    assert all(row["id"] in table for row in listed)


def test_an_unknown_document_is_one_line(call, run_folder):
    done = call("similar", run_folder, "nobody")
    assert done.exit_code == 1
    assert done.stderr.strip().splitlines()[-1].startswith("error: there is no document 'nobody'")


def test_documents_that_fit_nowhere_are_left_out_when_asked(call, docs, tmp_path):
    refused = call("cluster", docs, "-k", 3, "--out", tmp_path / "run", "--unfit", 2)
    assert refused.exit_code == 2
    assert "the share must be between 0 and 1" in refused.output
    done = call("cluster", docs, "-k", 3, "--out", tmp_path / "run", "--unfit", 0.001)
    assert done.exit_code == 0, done.output
    rows = read_documents(tmp_path / "run").values()
    # no p-value of two thousand random documents is that small for all of these short texts
    assert {row["cluster"] for row in rows if row["fits"] == "false"} <= {"-1"}
    assert any(row["cluster"] == "-1" for row in rows)
