from __future__ import annotations

import json

import numpy as np
import pytest

from colligate.result import Result
from tests.cli.conftest import topic_rows
from tests.result.test_notebook import run_cells


@pytest.mark.parametrize(
    ("name", "start"), [("map.html", b"<!doctype html>"), ("map.svg", b"<?xml"), ("map.png", b"\x89PNG")]
)
def test_the_name_of_the_file_decides_what_is_written(call, run_folder, tmp_path, name, start):
    if name.endswith("png"):
        pytest.importorskip("PIL")
    done = call("export", run_folder, "--out", tmp_path / name)
    assert done.exit_code == 0, done.output
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize("format", ["csv", "xlsx", "parquet"])
def test_tables(call, run_folder, tmp_path, format):
    done = call("export", run_folder, "--out", tmp_path / f"documents.{format}")
    assert done.exit_code == 0, done.output
    assert (tmp_path / f"documents.{format}").stat().st_size
    done = call("export", run_folder, "--out", tmp_path / "tables", "--format", format)
    assert done.exit_code == 0, done.output
    written = {path.name for path in (tmp_path / "tables").iterdir()}
    assert written == {f"{name}.{format}" for name in ("documents", "clusters", "words", "knowledge")}


def test_a_run_writes_the_tables_that_are_wanted_and_another_run_replaces_them(call, docs, tmp_path):
    out = tmp_path / "run"
    options = ("cluster", docs, "-k", 3, "--out", out, "--no-compare")
    assert call(*options, "--tables", "xlsx").exit_code == 0
    names = {path.name for path in out.iterdir()}
    assert names == {
        *("documents.xlsx", "clusters.xlsx", "words.xlsx", "knowledge.xlsx"),
        *("report.html", "run.json", "model"),
    }
    assert call(*options, "--tables", "parquet", "--overwrite").exit_code == 0
    assert {path.suffix for path in out.iterdir()} == {".parquet", ".html", ".json", ""}
    done = call("predict", out, docs)
    assert done.exit_code == 0, done.output


def test_the_format_can_be_named_and_the_record_is_json(call, run_folder, tmp_path):
    done = call("export", run_folder, "--out", tmp_path / "map.of", "--format", "map-svg", "--json")
    assert json.loads(done.stdout) == {
        "format": "map-svg",
        "out": str(tmp_path / "map.of"),
        "warnings": [],
    }
    assert (tmp_path / "map.of").read_bytes().startswith(b"<?xml")


def test_an_unknown_ending_needs_a_format(call, run_folder, tmp_path):
    done = call("export", run_folder, "--out", tmp_path / "map.doc")
    assert done.exit_code == 2
    assert "map-html" in done.stderr


def test_files_are_replaced_only_when_asked_and_never_inside_the_run(call, run_folder, tmp_path):
    out = tmp_path / "map.svg"
    out.write_text("mine", encoding="utf-8")
    done = call("export", run_folder, "--out", out)
    assert done.exit_code == 3
    assert "--overwrite" in done.stderr
    assert out.read_text(encoding="utf-8") == "mine"
    assert call("export", run_folder, "--out", out, "--overwrite").exit_code == 0
    assert out.read_bytes().startswith(b"<?xml")
    done = call("export", run_folder, "--out", run_folder / "map.svg", "--overwrite")
    assert done.exit_code == 3
    assert not (run_folder / "map.svg").exists()


@pytest.mark.parametrize(("tool", "answers"), [("label-studio", "tasks.json"), ("argilla", "records.json")])
def test_answers_of_annotators_become_a_knowledge_file(call, run_folder, docs, tmp_path, tool, answers):
    folder = tmp_path / "tasks"
    assert call("export", run_folder, "--format", tool, "--out", folder).exit_code == 0
    assert call("export", run_folder, "--format", tool, "--out", folder).exit_code == 3
    assert call("export", run_folder, "--format", tool, "--out", folder, "--overwrite").exit_code == 0
    items = json.loads((folder / answers).read_text(encoding="utf-8"))
    for item in items[:3]:
        if tool == "argilla":
            item["responses"] = {"group": [{"value": "mine", "user_id": "u"}]}
        else:
            item["annotations"] = [{"result": [dict(item["predictions"][0]["result"][0])]}]
            item["annotations"][0]["result"][0]["value"] = {"choices": ["mine"]}
    (folder / answers).write_text(json.dumps(items), encoding="utf-8")
    out = tmp_path / "answers.yaml"
    done = call("import-labels", folder / answers, "--from", tool, "--out", out)
    assert done.exit_code == 0, done.output
    assert "mine" in out.read_text(encoding="utf-8")
    done = call("cluster", docs, "-k", 3, "--knowledge", out, "--out", tmp_path / "again", "--no-compare")
    assert done.exit_code == 0, done.output
    assert call("import-labels", folder / answers, "--from", tool, "--out", out).exit_code == 3
    done = call("import-labels", folder / answers, "--from", tool, "--out", out, "--overwrite", "--json")
    assert json.loads(done.stdout)["statements"] >= 3
    done = call("import-labels", folder / answers, "--from", tool, "--question", "mood", "--overwrite")
    assert done.exit_code == 1
    assert "--question" in done.stderr


def test_the_key_of_ids_can_be_named(call, tmp_path):
    choice = {"from_name": "group", "to_name": "text", "type": "choices", "value": {"choices": ["mine"]}}
    tasks = [{"data": {"key": "a"}, "annotations": [{"result": [choice]}]}]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    read = ("import-labels", tmp_path / "tasks.json", "--out", tmp_path / "answers.yaml")
    assert "name the right key with --id …" in call(*read, "--from", "label-studio").stderr
    assert call(*read, "--from", "label-studio", "--id", "key").exit_code == 0
    assert "a: {label: mine" in (tmp_path / "answers.yaml").read_text(encoding="utf-8")
    assert call(*read, "--from", "argilla", "--id", "key", "--overwrite").exit_code == 2


def test_a_notebook_repeats_a_run(call, docs, knowledge, tmp_path, monkeypatch):
    start = {id: number // 12 for number, (id, _, _) in enumerate(topic_rows())}
    file = tmp_path / "from.json"
    content = {"format": "colligate-start", "format_version": 2, "groups": {"documents": start}}
    file.write_text(json.dumps({**content, "numbers": [4, 7, 9], "names": ["", "Ice", ""]}), encoding="utf-8")
    out, folder = tmp_path / "run", tmp_path / "session"
    options = ("--knowledge", knowledge, "--start", file, "--min-df", "2", "--no-compare", "--seed", 3)
    done = call("cluster", docs, "-k", 3, "--out", out, *options)
    assert done.exit_code == 0, done.output
    done = call("export", out, "--format", "notebook", "--out", folder)
    assert done.exit_code == 0, done.output
    assert {path.name for path in folder.iterdir()} == {"session.ipynb", "knowledge.yaml", "start.json"}
    expected = Result.load(out / "model")
    result = run_cells(folder, monkeypatch)["result"]
    assert np.array_equal(result.labels["documents"], expected.labels["documents"])
    assert result.corpus.words == expected.corpus.words
    assert (result.group_numbers, result.group_names) == (expected.group_numbers, expected.group_names)
    assert len(result.audit()) == len(expected.audit())
    assert call("export", out, "--format", "notebook", "--out", folder, "--overwrite").exit_code == 0


def test_a_notebook_needs_the_start_file_and_a_run_of_cluster(call, run_folder, tmp_path):
    done = call("export", run_folder / "model", "--format", "notebook", "--out", tmp_path / "session")
    assert done.exit_code == 1
    assert "colligate cluster" in done.stderr
    record = json.loads((run_folder / "run.json").read_text(encoding="utf-8"))
    record["options"]["start"] = str(tmp_path / "lost.json")
    (run_folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    done = call("export", run_folder, "--format", "notebook", "--out", tmp_path / "session")
    assert done.exit_code == 3
    assert "lost.json" in done.stderr
    assert not (tmp_path / "session").exists()
