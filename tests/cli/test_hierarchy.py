from __future__ import annotations

import csv
import json

import pytest

from colligate.result import Result


def test_the_tree_is_printed_and_its_leaves_are_the_groups(call, run_folder):
    done = call("hierarchy", run_folder)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("all documents (36)\n")
    for number, name in enumerate(Result.load(run_folder / "model").group_names):
        assert f"─ {number}: {name} (12)" in done.stdout


def test_a_cut_lists_parts_and_writes_the_part_of_each_document(call, run_folder, tmp_path):
    out = tmp_path / "parts.csv"
    done = call("hierarchy", run_folder, "--cut", 2, "--out", out)
    assert done.exit_code == 0, done.output
    with out.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 36
    assert {row["part"] for row in rows} == {"0", "1"}
    parts = {row["cluster"]: row["part"] for row in rows}
    assert len(parts) == 3
    assert all(parts[row["cluster"]] == row["part"] for row in rows)
    assert call("hierarchy", run_folder, "--cut", 2, "--out", out).exit_code == 3
    assert call("hierarchy", run_folder, "--cut", 2, "--out", out, "--overwrite").exit_code == 0


def test_the_record_is_json(call, run_folder, tmp_path):
    nodes = json.loads(call("hierarchy", run_folder, "--json").stdout)["nodes"]
    assert [node["cluster"] for node in nodes] == [0, 1, 2, None, None]
    done = call("hierarchy", run_folder, "--cut", 2, "--json", "--out", tmp_path / "parts.parquet")
    record = json.loads(done.stdout)
    assert sorted(number for part in record["parts"] for number in part["clusters"]) == [0, 1, 2]
    assert sum(part["size"] for part in record["parts"]) == 36
    assert record["out"] == str(tmp_path / "parts.parquet")


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--cut", 4), 2, "from 1 to 3"),
        (("--cut", 0), 2, "--cut"),
        (("--out", "tree.doc"), 1, '"csv", "xlsx" or "parquet"'),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(call, run_folder, options, code, words):
    done = call("hierarchy", run_folder, *options)
    assert done.exit_code == code
    assert words in done.stderr
