"""Groups over time and by other columns on the command line."""

from __future__ import annotations

import csv
import re

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


def test_groups_by_columns_are_one_table_and_pictures_of_the_report(call, dated, tmp_path):
    path, n_documents = dated
    by = ("--by", "label", "--by", "remark", "--by", "label")
    done = call("cluster", path, "-k", 3, "--out", tmp_path / "run", *by)
    assert done.exit_code == 0, done.output
    with (tmp_path / "run" / "by.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == [
        *("column", "value", "cluster", "name", "documents", "of", "share", "low", "high", "words")
    ]
    labels = [row for row in rows if row["column"] == "label"]
    assert {row["value"] for row in labels} == {"space", "hockey", "food"}
    assert sum(int(row["documents"]) for row in labels) == n_documents
    assert sum(int(row["documents"]) for row in rows) == 2 * n_documents
    full = next(row for row in labels if row["documents"] == row["of"])
    assert float(full["low"]) < 0.9 < float(full["share"]) == float(full["high"]) == 1.0
    assert full["words"]
    report = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    headings = re.findall("<h3>By <bdi>(.*?)</bdi></h3>", report)
    # columns of text are shown where they are named; dates are shown anyway
    assert headings[:2] == ["label", "remark"]
    assert headings.count("label") == 1
    assert "(95 %: " in report


def test_a_column_of_values_that_is_not_there_is_one_line_before_the_run(call, dated, tmp_path):
    done = call("cluster", dated[0], "-k", 3, "--out", tmp_path / "run", "--by", "label", "--by", "nothing")
    assert done.exit_code == 1
    message = "error: there is no column 'nothing'; the columns are: "
    assert done.stderr.strip().splitlines()[-1].startswith(message)
    assert not (tmp_path / "run" / "documents.csv").exists()
