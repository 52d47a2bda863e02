from __future__ import annotations

import gzip
import json

import pytest


def test_metrics_are_told_over_all_and_over_unnamed_documents(call, run_folder, docs):
    done = call("evaluate", run_folder, "--labels", docs)
    assert done.exit_code == 0, done.output
    assert "36 of 36 documents have a label." in done.stdout
    for text in ("accuracy", "NMI", "ARI", "rand", "purity", "without statements", "Links kept: 100.0%"):
        assert text in done.stdout


def test_json(call, run_folder, docs):
    found = json.loads(call("evaluate", run_folder, "--labels", docs, "--json").stdout)
    assert found["matched"] == 36
    assert found["unnamed"] == 31
    assert found["result"]["all"]["accuracy"] == 1.0
    assert set(found["result"]["unnamed"]) == {"accuracy", "nmi", "ari", "rand", "purity"}
    assert set(found["without_knowledge"]) == {"all", "unnamed"}
    assert found["link_satisfaction"]["documents"] == {"together": 1.0, "apart": 1.0}


def test_other_formats_columns_and_missing_labels(call, run_folder, tmp_path):
    path = tmp_path / "labels.jsonl.gz"
    lines = [{"doc": "s3", "topic": "space"}, {"doc": "h3", "topic": "hockey"}, {"doc": "f3", "topic": None}]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    done = call("evaluate", run_folder, "--labels", path, "--id", "doc", "--label", "topic", "--json")
    found = json.loads(done.stdout)
    assert (found["matched"], found["documents"]) == (2, 36)
    assert found["result"]["all"]["accuracy"] == 1.0


def test_ids_that_are_not_in_the_run(call, run_folder, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("id,label\ns0,space\n" + "".join(f"x{n},a\n" for n in range(7)), encoding="utf-8")
    done = call("evaluate", run_folder, "--labels", path)
    assert done.exit_code == 1
    assert (
        "do not exist among the documents of the run: 'x0', 'x1', 'x2', 'x3', 'x4' and 2 more" in done.stderr
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id,topic\ns0,space\n", "has no column 'label'"),
        ("id,label\ns0,\n", "no row of the table has a label"),
        ("id,label\ns0,a\ns0,b\n", "ids must be unique"),
    ],
)
def test_labels_that_cannot_be_used(call, run_folder, tmp_path, text, told):
    (tmp_path / "labels.csv").write_text(text, encoding="utf-8")
    done = call("evaluate", run_folder, "--labels", tmp_path / "labels.csv")
    assert done.exit_code == 1
    assert told in done.stderr


def test_a_run_without_knowledge(call, docs, tmp_path):
    call("cluster", docs, "-k", 3, "--out", tmp_path / "out")
    found = json.loads(call("evaluate", tmp_path / "out", "--labels", docs, "--json").stdout)
    assert found["unnamed"] == 36
    assert found["link_satisfaction"] == {}
    assert "without_knowledge" not in found
    table = call("evaluate", tmp_path / "out", "--labels", docs).stdout
    assert "all labelled documents" in table
    assert "without statements" not in table  # it would be the same row again


def test_a_label_that_is_no_text_is_told_by_the_option_there_is(call, run_folder, tmp_path):
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps({"id": "s0", "label": ["a"]}), encoding="utf-8")
    done = call("evaluate", run_folder, "--labels", path)
    assert done.exit_code == 1
    assert "choose a text column with --label" in done.stderr
    assert "--text" not in done.stderr


def test_objects_of_another_type_are_judged(call, run_folder, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("id,label\norbit,space\nnasa,space\npuck,hockey\n", encoding="utf-8")
    done = call("evaluate", run_folder, "--labels", path, "--type", "words")
    assert done.exit_code == 0, done.output
    assert "3 of " in done.stdout
    assert "words have a label." in done.stdout
    assert "all labelled words" in done.stdout
    found = json.loads(call("evaluate", run_folder, "--labels", path, "--type", "words", "--json").stdout)
    assert (found["type"], found["matched"], "documents" in found) == ("words", 3, False)


def test_a_type_that_is_not_there_is_refused(call, run_folder, docs):
    done = call("evaluate", run_folder, "--labels", docs, "--type", "people")
    assert done.exit_code == 1
    assert "there is no type 'people' in this result; the types are documents, words" in done.stderr
