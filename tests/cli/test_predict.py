from __future__ import annotations

import csv
import io
import json

import pytest


@pytest.fixture
def new(tmp_path):
    path = tmp_path / "new.csv"
    path.write_text("id,text\nn1,orbit nasa moon\nn2,puck goalie ice\nn3,unheard\n", encoding="utf-8")
    return path


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_new_documents_find_their_groups(call, run_folder, new):
    done = call("predict", run_folder, new)
    assert done.exit_code == 0, done.output
    found = {row["id"]: row for row in rows(done.stdout)}
    with (run_folder / "documents.csv").open(encoding="utf-8", newline="") as stream:
        known = {row["id"]: row for row in csv.DictReader(stream)}
    assert found["n1"]["cluster"] == known["s0"]["cluster"]
    assert found["n1"]["name"] == known["s0"]["name"]
    assert found["n2"]["cluster"] == known["h0"]["cluster"]
    assert 0 < float(found["n1"]["confidence"]) <= 1
    assert (found["n3"]["cluster"], found["n3"]["name"], found["n3"]["confidence"]) == ("-1", "", "0.0")


def test_the_model_folder_will_do_and_a_file_receives_the_same(call, run_folder, new, tmp_path):
    shown = call("predict", run_folder, new).stdout
    done = call("predict", run_folder / "model", new, "--out", tmp_path / "found" / "new.csv")
    assert done.exit_code == 0
    assert done.stdout == ""
    assert rows((tmp_path / "found" / "new.csv").read_text(encoding="utf-8")) == rows(shown)


def test_json(call, run_folder, new, tmp_path):
    found = json.loads(call("predict", run_folder, new, "--json").stdout)
    assert [row["id"] for row in found["predictions"]] == ["n1", "n2", "n3"]
    found = json.loads(call("predict", run_folder, new, "--json", "--out", tmp_path / "o.csv").stdout)
    assert found == {"documents": 3, "out": str(tmp_path / "o.csv"), "warnings": []}


def test_columns_can_be_named(call, run_folder, tmp_path):
    path = tmp_path / "other.tsv"
    path.write_text("name\tsaid\na\torbit nasa\n", encoding="utf-8")
    assert "no column that looks like text" in call("predict", run_folder, path).stderr
    done = call("predict", run_folder, path, "--text", "said", "--id", "name")
    assert [row["id"] for row in rows(done.stdout)] == ["a"]


def test_a_truncated_or_tampered_model_is_refused(call, run_folder, new):
    arrays = run_folder / "model" / "arrays.npz"
    whole = arrays.read_bytes()
    for damaged in (whole[: len(whole) // 2], whole[:-1] + bytes([whole[-1] ^ 1])):
        arrays.write_bytes(damaged)
        done = call("predict", run_folder, new)
        assert done.exit_code == 3
        assert "arrays.npz is damaged or was changed" in done.stderr
        assert done.stdout == ""
    arrays.unlink()
    assert "arrays.npz is missing" in call("predict", run_folder, new).stderr
    manifest = run_folder / "model" / "manifest.json"
    arrays.write_bytes(whole)
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"citcc"', '"kmeans"'), encoding="utf-8")
    done = call("predict", run_folder, new)
    assert done.exit_code == 3
    assert "manifest.json was changed" in done.stderr


def test_what_is_no_run_is_refused(call, new, tmp_path):
    done = call("predict", tmp_path / "none", new)
    assert done.exit_code == 3
    assert "there is no folder" in done.stderr
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "checkpoint.npz").write_bytes(b"")
    done = call("predict", tmp_path / "half", new)
    assert done.exit_code == 3
    assert "not finished" in done.stderr


def test_an_output_that_cannot_be_written(call, run_folder, new):
    done = call("predict", run_folder, new, "--out", new / "found.csv")
    assert done.exit_code == 3
    assert done.stderr.startswith(f"error: cannot write {new / 'found.csv'}")
