"""`colligate update`: what it writes and prints, and what it refuses."""

from __future__ import annotations

import csv
import json

import pytest
from typer.testing import CliRunner

from colligate.cli.main import app
from tests.methods.test_update import LATER, draw_texts
from tests.studio.helpers import TOPICS, write_corpus


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("update")
    docs = write_corpus(folder / "docs.jsonl")
    done = CliRunner().invoke(app, ["cluster", str(docs), "--clusters", "4", "--out", str(folder / "run")])
    assert done.exit_code == 0, done.output
    return folder / "run"


def write_late(path, texts):
    lines = [json.dumps({"id": f"late {k}", "text": text}) for k, text in enumerate(texts)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def update(run, documents, out, *options):
    return CliRunner().invoke(app, ["update", str(run), str(documents), "--out", str(out), *options])


def read_groups(run):
    with (run / "documents.csv").open(encoding="utf-8") as file:
        return {row["id"]: row["cluster"] for row in csv.DictReader(file)}


def test_it_writes_all_documents_and_says_what_changed(run, tmp_path):
    texts = [*draw_texts(TOPICS["space"], 5, seed=3), *draw_texts(LATER, 15, seed=4)]
    done = update(run, write_late(tmp_path / "late.jsonl", texts), tmp_path / "out")
    assert done.exit_code == 0, done.output
    before, after = read_groups(run), read_groups(tmp_path / "out")
    assert {id: group for id, group in after.items() if id in before} == before
    assert {after[f"late {k}"] for k in range(5)} == {before["s0"]}
    assert {after[f"late {k}"] for k in range(5, 20)} == {"4"}
    assert (
        "20 new documents: 5 in the groups that were there, 15 in 1 new group, 0 in no group" in done.output
    )
    record = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    assert [group["placed"] for group in record["update"]["new_groups"]] == [15]


def test_bad_input_leaves_the_run_and_writes_nothing(run, tmp_path):
    before = (run / "documents.csv").read_bytes()
    unknown = write_late(tmp_path / "unknown.jsonl", ["Wir fuhren nach Hause", "und blieben"])
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    other = tmp_path / "other.csv"
    other.write_text("year,price\n1990,3\n", encoding="utf-8")
    for path, words in ((unknown, "no word"), (tmp_path / "empty.jsonl", "is empty"), (other, "column")):
        done = update(run, path, tmp_path / "out")
        assert done.exit_code == 1, done.output
        assert words in done.output
        assert not (tmp_path / "out" / "documents.csv").exists()
    assert (run / "documents.csv").read_bytes() == before


def test_json_has_the_summary(run, tmp_path):
    late = write_late(tmp_path / "late.jsonl", draw_texts(TOPICS["food"], 3, seed=3))
    done = update(run, late, tmp_path / "out", "--json")
    record = json.loads(done.stdout)
    assert (record["command"], record["update"]["documents"]) == ("update", 3)
    assert (record["update"]["new_groups"], record["update"]["moved"]) == ([], [])
