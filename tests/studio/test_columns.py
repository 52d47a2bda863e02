"""The input's columns in the studio: their kinds, their values and counts, and the routes that serve them."""

from __future__ import annotations

import datetime
import json
from urllib.parse import quote

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binomtest

from colligate.corpus import Corpus
from colligate.corpus.column_views import ColumnView
from colligate.corpus.columns import make_columns
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input, load_documents
from tests.studio.helpers import Serving, write_corpus

HOSTILE = "<img src=x onerror=alert(1)>&=?"


def view(values, name="x"):
    return ColumnView(name, make_columns({name: values})[name])


def milliseconds(*parts):
    return datetime.datetime(*parts, tzinfo=datetime.UTC).timestamp() * 1000


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a", "b", "a", None], "category"),
        ([True, False, None], "category"),
        ([1, 2, 3, 1, 2], "category"),
        (["1", "2", "5"], "category"),
        (list(range(100)), "number"),
        ([0.5, 1.5, 2.5], "number"),
        ([str(number / 7) for number in range(50)], "number"),
        ([*map(str, range(99)), "n/a"], "number"),
        ([*map(str, range(50)), *["unknown"] * 80], "category"),
        ([f"text {number}" for number in range(99)], "text"),
        (["2024-01-02", "2024-02-03"], "date"),
        ([datetime.date(2024, 1, 2), None], "date"),
        (["1_000", "2_000"], "category"),
        (["inf", "nan"], "category"),
        (["1700000000", *map(str, range(1700000001, 1700000099))], "number"),
        ([None, None], "category"),
    ],
)
def test_the_kind_of_a_column(values, kind):
    assert view(values).kind == kind


@pytest.mark.parametrize(
    ("values", "label", "first"),
    [
        (["2024-01-02", "2024-02-03T04:05:06Z"], "ISO 8601", milliseconds(2024, 1, 2)),
        (["2024-01-02T00:00:00+02:00", "2024-02-03"], "ISO 8601", milliseconds(2024, 1, 1, 22)),
        (["13/01/2024", "02/01/2024"], "day/month/year", milliseconds(2024, 1, 13)),
        (["01/13/2024", "02/01/2024"], "month/day/year", milliseconds(2024, 1, 13)),
        (["13.1.2024", "2.1.2024 10:30"], "day.month.year", milliseconds(2024, 1, 13)),
        (["2024/01/13", "2024/01/14"], "year/month/day", milliseconds(2024, 1, 13)),
        (
            ["13-JAN-2024 15:01:01.79", "2-Feb-2024"],
            "day-month-year",
            milliseconds(2024, 1, 13, 15, 1, 1, 790_000),
        ),
        (["13 January 2024", "2 Feb 2024"], "day month year", milliseconds(2024, 1, 13)),
        (["Jan 13, 2024", "March 2, 2024"], "month day, year", milliseconds(2024, 1, 13)),
        (["2024-01", "2023-12"], "year-month", milliseconds(2024, 1, 1)),
        (["Sat, 13 Jan 2024 10:00:00 +0100"], "mail date", milliseconds(2024, 1, 13, 9)),
    ],
)
def test_dates_are_read_from_text(values, label, first):
    column = view(values)
    assert (column.kind, column.format, column.values[0]) == ("date", label, first)


def test_years_are_dates_only_where_the_column_says_so():
    years = [1990 + number for number in range(30)]
    assert view(years).kind == "number"
    column = view(years, "Year")
    assert (column.kind, column.format) == ("date", "year")
    assert column.bins.labels[:2] == ["1990", "1991"]
    assert view([*years, 20240101], "year").kind == "number"


def test_dates_of_arrow_with_gaps_and_zones():
    moment = datetime.datetime(2024, 1, 2, 3, tzinfo=datetime.UTC)
    column = view(pa.array([moment, None]))
    assert column.values[0] == moment.timestamp() * 1000
    assert np.isnan(column.values[1])
    assert view([datetime.date(1960, 1, 2), None]).values[0] == milliseconds(1960, 1, 2)


def test_the_most_frequent_categories_and_all_others():
    values = [f"c{number}" for number in range(20) for _ in range(30 - number)] + [None] * 3
    bins = view(values).categories
    assert bins.labels == [*(f"c{number}" for number in range(12)), "other"]
    assert bins.codes[0] == 0
    assert (bins.codes == 12).sum() == sum(30 - number for number in range(12, 20))
    assert bins.codes[-3:].tolist() == [-1, -1, -1]
    assert view(["a", "b"]).categories.labels == ["a", "b"]


@pytest.mark.parametrize(
    ("first", "last", "labels"),
    [
        ("2024-01-30", "2024-02-02", ["2024-01-30", "2024-01-31", "2024-02-01", "2024-02-02"]),
        ("2023-11-30", "2024-02-29", None),
        ("2022-12-31", "2023-06-01", [f"2022-{12}", *(f"2023-{month:02}" for month in range(1, 7))]),
        ("1965-06-01", "1971-01-01", [str(year) for year in range(1965, 1972)]),
        ("1490-01-01", "1999-01-01", None),
        ("0001-01-01", "9999-12-31", None),
        ("2024-01-01", "2024-01-01", ["2024-01-01"]),
    ],
)
def test_dates_are_binned_by_their_range(first, last, labels):
    bins = view([first, last]).bins
    assert bins.labels == (labels or bins.labels)
    assert bins.codes.tolist() == [0, len(bins.labels) - 1]
    assert len(bins.labels) <= 100
    assert bins.labels[0] in ("1490 to 1499", "0 to 99", "0 to 999") or bins.labels[0].startswith(first[:4])


def test_numbers_are_binned():
    bins = view([0.0, 0.5, 99.9, 100.0, None]).bins
    assert (len(bins.labels), bins.labels[0]) == (10, "0 to 10")
    assert bins.codes.tolist() == [0, 0, 9, 9, -1]
    assert view([2.5, 2.5]).bins.codes.tolist() == [9, 9]


def test_counts_by_group():
    column = view(["a", "b", "a", None, "a"])
    counts = column.count_by_group(np.array([0, 0, 1, 1, -1]), 2)
    assert counts.tolist() == [[1, 1, 0], [1, 0, 1], [1, 0, 0]]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A server on documents with columns, with one finished run."""
    folder = tmp_path_factory.mktemp("columns")
    docs = write_corpus(folder / "docs.jsonl")
    rows = [json.loads(line) for line in docs.read_text(encoding="utf-8").splitlines()]
    for number, row in enumerate(rows):
        row["title"] = f"{row['id']} <b>title</b>"
        row["class"] = row["id"][0]
        row["date"] = f"2024-{1 + number % 12:02}-01"
        row["score"] = number / 7 if number else None
        row[HOSTILE] = HOSTILE
        row["tags"] = [number]
    docs.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    settings = Settings(str(docs), hash_input(docs), "citcc", 4)
    serving = Serving(Project.create(folder / "p.studio", Corpus.read(docs), settings))
    serving.watched.run()
    yield serving
    serving.close()


def test_the_project_says_which_columns_were_read(served):
    columns = served.client.get("/api/project")["columns"]
    assert (columns["text"], columns["id"], columns["title"]) == (["title", "text"], "id", "title")
    assert {column["name"]: column["kind"] for column in columns["kept"]} == {
        "topic": "category",
        "class": "category",
        "date": "date",
        "score": "number",
        HOSTILE: "category",
        "tags": "text",
    }
    assert columns["sentence"].startswith(
        "text from title + text; ids from id; kept with the documents: topic"
    )


def test_documents_have_headings_and_columns(served):
    rows = served.client.send("POST", "/api/runs/1/documents", {"at": [0, 31]})["documents"]
    assert [row["title"] for row in rows] == ["s0 <b>title</b>", "h1 <b>title</b>"]
    assert all(row["text"] and "title</b>" not in row["text"] for row in rows)
    hits = served.client.send("POST", "/api/runs/1/documents", {"q": "title s0"})["documents"]
    assert hits[0]["title_pieces"] == ["", "s0", " <b>", "title", "</b>"]
    document = served.client.get("/api/runs/1/documents/1")
    assert document["title"] == "s1 <b>title</b>"
    assert document["columns"] == [
        {"name": "topic", "value": "space"},
        {"name": "class", "value": "s"},
        {"name": "date", "value": "2024-02-01"},
        {"name": "score", "value": "0.142857142857143"},
        {"name": HOSTILE, "value": HOSTILE},
        {"name": "tags", "value": "[1]"},
    ]
    assert served.client.get("/api/runs/1/documents/0")["columns"][3]["value"] == ""


def test_the_values_of_a_category(served):
    column = served.client.get("/api/column?name=class")
    assert column["bins"] == [{"label": label, "documents": 30} for label in "shfc"]
    assert (column["codes"][0], column["codes"][119], len(column["codes"])) == (0, 3, 120)
    assert (column["missing"], column["values"], column["range"]) == (0, [], None)
    hostile = served.client.get(f"/api/column?name={quote(HOSTILE)}")
    assert hostile["bins"] == [{"label": HOSTILE, "documents": 120}]


def test_the_values_of_numbers_and_dates(served):
    score = served.client.get("/api/column?name=score")
    assert (score["kind"], score["missing"], score["values"][:2]) == ("number", 1, [None, 1 / 7])
    assert score["range"] == [1 / 7, 119 / 7]
    assert score["codes"][0] == -1
    date = served.client.get("/api/column?name=date")
    assert (date["kind"], date["unit"], date["format"]) == ("date", "month", "ISO 8601")
    assert date["values"][0] == milliseconds(2024, 1, 1)
    assert [row["label"] for row in date["bins"]] == [f"2024-{month:02}" for month in range(1, 13)]


def test_groups_by_a_column_and_over_time(served):
    by_class = served.client.get("/api/runs/1/column?name=class")
    assert by_class["bins"] == list("shfc")
    sizes = {row["group"]: row["size"] for row in served.client.get("/api/runs/1/groups")}
    assert {row["group"]: sum(row["counts"]) for row in by_class["groups"]} == sizes
    assert np.array([row["counts"] for row in by_class["groups"]]).sum(axis=0).tolist() == [30] * 4
    assert by_class["totals"] == [30] * 4
    for row in by_class["groups"]:
        for number, low, high in zip(row["counts"], row["low"], row["high"], strict=True):
            expected = binomtest(number, 30).proportion_ci(method="wilson")
            assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-4)
    over_time = served.client.get("/api/runs/1/column?name=date")
    assert (over_time["unit"], len(over_time["bins"])) == ("month", 12)
    numbers = served.client.get("/api/runs/1/column?name=score")
    assert sum(row["missing"] for row in numbers["groups"]) == 1


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("/api/column?name=nowhere", 404, "there is no column 'nowhere'"),
        ("/api/column?name=title", 404, "there is no column 'title'"),
        ("/api/column", 422, "the parameter name is missing from the address"),
        ("/api/runs/1/column?name=", 422, "the parameter name is missing from the address"),
        ("/api/runs/9/column?name=class", 404, "there is no run 9"),
        (f"/api/column?name={'x' * 3000}", 404, "there is no column 'xxx"),
    ],
)
def test_columns_that_are_not_there(served, path, status, message):
    answer, _, content = served.client.ask("GET", path)
    error = json.loads(content)["error"]
    assert answer == status
    assert error["what"].startswith(message)
    assert len(content) < 3_000


def test_a_project_without_titles(serving):
    columns = serving.client.get("/api/project")["columns"]
    assert (columns["text"], columns["title"]) == (["text"], None)
    assert columns["kept"] == [{"name": "topic", "kind": "category"}]
    row = serving.client.send("POST", "/api/runs/1/documents", {"at": [0]})["documents"][0]
    assert (row["title"], row["title_pieces"]) == ("", [""])
    assert row["text"]


def test_columns_come_back_with_the_project(served):
    corpus = load_documents(served.session.project.folder).corpus
    assert corpus is not None
    assert corpus.columns["class"][31].as_py() == "h"
    assert corpus.roles.title == "title"
