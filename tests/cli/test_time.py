"""Groups over time on the command line."""

from __future__ import annotations

import csv

import pytest


@pytest.fixture
def dated(docs, tmp_path):
    """The documents of `docs`, with a date and a remark each."""
    with docs.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    rows = [{**row, "date": f"{2001 + k % 9}-05-07", "remark": f"r{k}"} for k, row in enumerate(rows)]
    path = tmp_path / "dated.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path, len(rows)


def test_the_groups_of_each_year_are_a_table(call, dated, tmp_path):
    path, n_documents = dated
    done = call("cluster", path, "-k", 3, "--out", tmp_path / "run", "--time", "date")
    assert done.exit_code == 0, done.output
    with (tmp_path / "run" / "time.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["year"] for row in rows} == {str(2001 + k) for k in range(9)}
    assert sum(int(row["documents"]) for row in rows) == n_documents
    assert all(float(row["low"]) <= float(row["share"]) <= float(row["high"]) for row in rows)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("nothing", "error: there is no column 'nothing'; the columns are: "),
        (
            "remark",
            "error: the values of column 'remark' cannot be read as dates, such as 'r0'; write them like",
        ),
    ],
)
def test_a_wrong_column_is_one_line_before_the_run(call, dated, tmp_path, column, message):
    done = call("cluster", dated[0], "-k", 3, "--out", tmp_path / "run", "--time", column)
    assert done.exit_code == 1
    assert done.stderr.strip().splitlines()[-1].startswith(message)
    assert not (tmp_path / "run" / "documents.csv").exists()
