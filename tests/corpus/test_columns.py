from __future__ import annotations

import datetime
import json
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from colligate.corpus import Corpus, store
from colligate.corpus.column_views import ColumnViews
from colligate.corpus.columns import (
    MAX_COLUMNS,
    MAX_NAME_LENGTH,
    ColumnsBuilder,
    clean_names,
    find_title,
    make_array,
    make_columns,
    normalise_column,
)
from colligate.errors import InputError, StoreError
from tests.resealing import reseal

ROWS = [
    {"id": "a", "title": "Moon", "text": "orbit", "date": "2024-01-02", "class": "space"},
    {"id": "b", "title": "", "text": "puck", "date": "", "class": "hockey"},
    {"id": "c", "title": "Ice", "text": "goal", "date": "2024-03-04", "class": "hockey"},
    {"id": "d", "title": "Cup", "text": "team", "date": "2024-03-05", "class": "hockey"},
]


def write_csv(path):
    lines = [",".join(ROWS[0]), *(",".join(row.values()) for row in ROWS)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def write_jsonl(path):
    path.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    return path


def write_parquet(path):
    pq.write_table(pa.Table.from_pylist(ROWS), path)
    return path


def read_frame(make):
    return lambda tmp_path: Corpus.from_frame(make(ROWS))


READERS = {
    "csv": lambda tmp_path: Corpus.read(write_csv(tmp_path / "d.csv")),
    "jsonl": lambda tmp_path: Corpus.read(write_jsonl(tmp_path / "d.jsonl")),
    "parquet": lambda tmp_path: Corpus.read(write_parquet(tmp_path / "d.parquet")),
    "pandas": read_frame(pd.DataFrame),
    "arrow": read_frame(pa.Table.from_pylist),
}


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_keeps_the_other_columns_and_reads_the_title_first(reader, tmp_path):
    corpus = READERS[reader](tmp_path)
    assert corpus.ids == ["a", "b", "c", "d"]
    assert list(corpus.texts) == ["Moon\norbit", "puck", "Ice\ngoal", "Cup\nteam"]
    assert sorted(corpus.columns) == ["class", "date", "title"]
    assert corpus.columns["class"].to_pylist() == ["space", "hockey", "hockey", "hockey"]
    assert (corpus.columns["date"].to_pylist()[1] or "") == ""
    assert (corpus.roles.text, corpus.roles.id, corpus.roles.title) == (("title", "text"), "id", "title")
    assert corpus.describe_columns() in (
        "text from title + text; ids from id; kept with the documents: date, class",
        "text from title + text; ids from id; kept with the documents: class, date",
    )
    assert [corpus.heading(row) for row in range(4)] == ["Moon", "puck", "Ice", "Cup"]


@pytest.mark.parametrize("reader", READERS)
def test_columns_survive_store_and_load(reader, tmp_path):
    corpus = READERS[reader](tmp_path)
    corpus.save(tmp_path / "stored")
    loaded = Corpus.load(tmp_path / "stored")
    assert loaded.roles == corpus.roles
    assert loaded.columns.table.equals(corpus.columns.table)
    loaded.save(tmp_path / "again")
    for name in (store.COLUMNS, store.MANIFEST.name):
        assert (tmp_path / "stored" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


@pytest.mark.parametrize("title", ["title", "Subject", "HEADLINE"])
@pytest.mark.parametrize("text", ["text", "Body", "content"])
def test_a_title_is_read_before_the_text_in_any_case(title, text, write):
    corpus = Corpus.read(write("d.csv", f"{text},x,{title}\norbit,1,Moon\n"))
    assert list(corpus.texts) == ["Moon\norbit"]
    assert corpus.roles.text == (title, text)
    assert list(corpus.columns) == ["x", title]


def test_the_user_chooses_the_text(write):
    path = write("d.csv", "title,text,summary\nMoon,orbit,short\n")
    alone = Corpus.read(path, text="text")
    assert (list(alone.texts), alone.heading(0)) == (["orbit"], "Moon")
    assert list(alone.columns) == ["title", "summary"]
    several = Corpus.read(path, text=["summary", "text"])
    assert (list(several.texts), several.roles.text) == (["short\norbit"], ("summary", "text"))
    title = Corpus.read(path, text="title")
    assert (list(title.texts), title.roles.title, list(title.columns)) == (
        ["Moon"],
        None,
        ["text", "summary"],
    )


def test_a_title_without_text_is_the_text(write):
    corpus = Corpus.read(write("d.csv", "title,year\nMoon,1969\n"))
    assert (list(corpus.texts), corpus.roles.title, list(corpus.columns)) == (["Moon"], None, ["year"])
    assert (
        corpus.describe_columns() == "text from title; ids are numbers from 1; kept with the documents: year"
    )


def test_two_titles_are_none(write):
    corpus = Corpus.read(write("d.csv", "title,title,text\na,b,orbit\n"))
    assert (list(corpus.texts), corpus.roles.title) == (["orbit"], None)
    assert list(corpus.columns) == ["title", "title (2)"]
    assert find_title(["title", "Title"], ()) == "title"
    assert find_title(["subject", "headline"], ()) == "headline"


def test_a_folder_has_no_columns(tmp_path):
    (tmp_path / "a.txt").write_text("first line\nsecond", encoding="utf-8")
    corpus = Corpus.read(tmp_path)
    assert (len(corpus.columns), corpus.describe_columns(), corpus.heading(0)) == (0, "", "first line")
    assert list(corpus.columns) == []
    with pytest.raises(KeyError):
        corpus.columns["date"]


def test_sparse_nested_and_mixed_values_of_json(write):
    lines = [
        {"text": "orbit", "n": 1, "flag": True, "tags": ["x", {"y": 1}], "mixed": 1, "share": 0.5},
        {"text": "moon", "n": 2, "mixed": "two", "share": math.nan, "huge": 10**30},
        {"text": "sun", "late": "here", "share": 2, "mixed": False},
    ]
    corpus = Corpus.read(write("d.jsonl", "\n".join(map(json.dumps, lines))))
    table = corpus.columns.table
    assert table.schema.field("n").type == pa.int64()
    assert table.schema.field("share").type == pa.float64()
    assert table.to_pydict() == {
        "n": [1, 2, None],
        "flag": [True, None, None],
        "tags": ['["x", {"y": 1}]', None, None],
        "mixed": ["1", "two", "false"],
        "share": [0.5, None, 2.0],
        "huge": [None, str(10**30), None],
        "late": [None, None, "here"],
    }
    assert corpus.columns.row(1)["mixed"] == "two"


def test_a_type_that_changes_late_in_a_long_file(write):
    lines = [{"text": "orbit", "n": number, "m": number} for number in range(9_000)]
    lines += [{"text": "moon", "n": 0.5, "m": "x"}]
    corpus = Corpus.read(write("d.jsonl", "\n".join(map(json.dumps, lines))))
    assert corpus.columns["n"].to_pylist()[-2:] == [8999.0, 0.5]
    assert corpus.columns["m"].to_pylist()[-2:] == ["8999", "x"]


def test_whole_numbers_that_floats_cannot_hold_stay_exact():
    assert make_array([2**53 + 1, 0.5]).to_pylist() == [str(2**53 + 1), "0.5"]
    builder = ColumnsBuilder()
    builder.add_column("n", pa.array([2**53 + 1]))
    builder.add_column("n", pa.array([0.5]))
    assert builder.finish()["n"].to_pylist() == [str(2**53 + 1), "0.5"]


def test_values_of_mixed_types_are_text_without_quotation_marks():
    values = [datetime.date(2020, 1, 2), "unknown", Decimal("1.5"), True, {"a": 1}]
    assert make_array(values).to_pylist() == ["2020-01-02", "unknown", "1.5", "true", '{"a": 1}']


def test_a_column_with_a_date_that_python_cannot_hold_can_be_shown():
    dates = pa.array([2**30, 19_000, None], pa.date32())
    corpus = Corpus.from_texts(["orbit", "moon", "sun"], columns={"date": dates})
    assert [corpus.columns.row(row)["date"] for row in range(3)] == [None, "2022-01-08", None]
    view = ColumnViews(corpus).find("date")
    assert (view.kind, view.bins.labels) == ("date", ["2022-01-08"])


def test_repeated_strings_are_stored_once():
    builder = ColumnsBuilder()
    for number in range(50_000):
        builder.add_row({"class": "a very long name of a class " * 5 + str(number % 3), "own": str(number)})
    columns = builder.finish()
    assert pa.types.is_dictionary(columns["class"].type)
    assert columns["class"].nbytes < 250_000
    assert columns["own"].type == pa.large_string()


def test_hostile_names_of_columns(write):
    header = 'text,"=cmd()",,x,x,"a\x1b[31m\nb",' + "n" * 5_000
    corpus = Corpus.read(write("d.csv", f"{header}\norbit,1,2,3,4,5,6\n"))
    names = list(corpus.columns)
    assert names == ["=cmd()", "column 3", "x", "x (2)", "a [31m b", "n" * MAX_NAME_LENGTH]
    assert list(corpus.columns.row(0).values()) == ["1", "2", "3", "4", "5", "6"]
    assert corpus.describe_columns().isprintable()
    assert clean_names(["\ud800", "a" * 200, "a" * 200])[0] == "column 1"


def test_hostile_values(write, tmp_path):
    line = '{"text": "orbit", "x": "\\ud800", "y": "\\u0000", "z": {"\\udfff": "\\ud800"}}'
    corpus = Corpus.read(write("d.jsonl", line))
    corpus.save(tmp_path / "c")
    assert Corpus.load(tmp_path / "c").columns.row(0) == {"x": "�", "y": "\0", "z": '{"�": "�"}'}


def test_a_huge_cell_is_kept_whole(write, tmp_path):
    huge = "x" * 9_000_000
    corpus = Corpus.read(write("d.csv", f"text,note\norbit,{huge}\nmoon,\nsun,{huge}\n"))
    corpus.save(tmp_path / "c")
    assert Corpus.load(tmp_path / "c").columns["note"].to_pylist() == [huge, None, huge]


def test_lines_that_all_have_other_keys_do_not_fill_the_memory(write):
    lines = [json.dumps({"text": "orbit", f"key {number}": number}) for number in range(3 * MAX_COLUMNS)]
    corpus = Corpus.read(write("d.jsonl", "\n".join(lines)))
    assert len(corpus.columns) == MAX_COLUMNS
    assert corpus.roles.left_out[0] == f"key {MAX_COLUMNS}"
    assert f"not kept: key {MAX_COLUMNS}, " in corpus.describe_columns()


def test_a_wide_parquet_file_and_one_with_bytes(tmp_path):
    wide = {f"c{number}": ["x"] for number in range(MAX_COLUMNS + 5)}
    pq.write_table(pa.table({"text": ["orbit"], "image": [b"\xff"], **wide}), tmp_path / "d.parquet")
    corpus = Corpus.read(tmp_path / "d.parquet")
    assert corpus.roles.left_out[0] == "image"
    assert len(corpus.columns) < MAX_COLUMNS + 5
    assert len(corpus.roles.left_out) > 1


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (pa.array([2**62], pa.timestamp("s")), None),
        (
            pa.array([1], pa.timestamp("ns", "Mars/Phobos")),
            datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC),
        ),
        (pa.array([datetime.datetime(2024, 1, 2)]), datetime.datetime(2024, 1, 2)),
        (pa.array([0], pa.date64()), datetime.date(1970, 1, 1)),
        (pa.array([60], pa.duration("s")), "0:01:00"),
        (pa.array([[1, 2]]), "[1, 2]"),
        (pa.array([{"a": [b"x"]}]), '{"a": ["b\'x\'"]}'),
        (pa.array([2**64 - 1], pa.uint64()), str(2**64 - 1)),
        (pa.array([7], pa.uint8()), 7),
        (pa.array([math.nan]), None),
        (pa.array([1.5], pa.float32()), 1.5),
        (pa.nulls(1), None),
        (pa.array([3]).dictionary_encode(), 3),
        (pa.array([True]), True),
        (pa.array([2**30], pa.date32()), None),
        (pa.array([2**55], pa.date64()), None),
    ],
)
def test_every_arrow_type_becomes_one_that_can_be_read(values, expected, tmp_path):
    column = normalise_column(pa.chunked_array([values]))
    pq.write_table(pa.table({"x": column}), tmp_path / "x.parquet")
    assert column[0].as_py() == expected


def test_bytes_are_left_out_and_broken_text_is_repaired():
    assert normalise_column(pa.chunked_array([pa.array([b"x"])])) is None
    offsets, data = pa.py_buffer(np.int32([0, 2])), pa.py_buffer(b"\xffx")
    broken = pa.Array.from_buffers(pa.string(), 1, [None, offsets, data])
    assert normalise_column(pa.chunked_array([broken])).to_pylist() == ["�x"]


def test_columns_beside_texts_in_memory():
    columns = {
        "headline": ["Moon", "Ice"],
        "year": np.array([1969, 2024]),
        "mixed": pd.Series([1, "x"], dtype=object),
        "arrow": pa.array([1.5, None]),
        "bytes": [b"x", b"y"],
    }
    corpus = Corpus.from_texts(["orbit", "puck"], columns=columns)
    assert list(corpus.texts) == ["orbit", "puck"]
    assert [corpus.heading(0), corpus.heading(1)] == ["Moon", "Ice"]
    assert corpus.columns.row(1) == {"headline": "Ice", "year": 2024, "mixed": "x", "arrow": None}
    assert corpus.describe_columns() == ""
    for frame in (pd.DataFrame({"a": [1, 2]}), pa.table({"a": [1, 2]})):
        assert Corpus.from_texts(["orbit", "puck"], columns=frame).columns["a"].to_pylist() == [1, 2]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": [1]}, "each column has 1 values, but there are 2 documents"),
        ({"a": [1, 2], "b": [1]}, r"the columns have different lengths \(1, 2\)"),
        ({"a": "xy"}, "the column 'a' must be a list of values; got str"),
        ({"a": 1}, "the column 'a' must be a list of values; got int"),
        ([1, 2], "columns must be a mapping of names to lists of values, or a data frame; got list"),
    ],
)
def test_columns_that_are_refused(columns, message):
    with pytest.raises(InputError, match=message):
        Corpus.from_texts(["orbit", "puck"], columns=columns)


def test_a_pandas_frame_with_mixed_and_repeated_columns():
    frame = pd.DataFrame([["orbit", 1, "x", None]], columns=["text", "a", "a", 7])
    frame[7] = pd.Series([[1, "x"]])
    corpus = Corpus.from_frame(frame)
    assert corpus.columns.row(0) == {"a": 1, "a (2)": "x", "7": '[1, "x"]'}


def test_headings_are_short_and_on_one_line():
    texts = ["\n\n  first\tline \nsecond", "x" * 100_000, "", "title\ntext"]
    corpus = Corpus.from_texts(texts, columns={"title": [None, "", "  \n ", "two\nlines"]})
    assert [corpus.heading(row) for row in range(4)] == ["first line", "x" * 200, "", "two lines"]


def test_a_stored_corpus_of_before_columns_has_none(tmp_path):
    Corpus.from_texts(["orbit"]).save(tmp_path / "c")
    reseal(tmp_path / "c" / store.MANIFEST.name, remove=["roles"])
    assert Corpus.load(tmp_path / "c").roles.text == ()


@pytest.mark.parametrize("roles", ["x", [], {}, {"text": "orbit", "id": None, "title": None, "left_out": []}])
def test_damaged_roles_are_named(roles, tmp_path):
    Corpus.from_texts(["orbit"]).save(tmp_path / "c")
    reseal(tmp_path / "c" / store.MANIFEST.name, roles=roles)
    with pytest.raises(StoreError, match=r"corpus\.json is damaged: (roles|text) must be"):
        Corpus.load(tmp_path / "c")


def test_stored_columns_of_another_length_are_refused(tmp_path):
    Corpus.from_texts(["orbit", "puck"], columns={"a": [1, 2]}).save(tmp_path / "c")
    pq.write_table(pa.table({"a": [1] * 100_000}), tmp_path / "c" / store.COLUMNS)
    files = {path.name: store.MANIFEST.measure(path) for path in (tmp_path / "c").iterdir()}
    files.pop(store.MANIFEST.name)
    reseal(tmp_path / "c" / store.MANIFEST.name, files=files)
    with pytest.raises(StoreError, match=r"does not fit columns\.parquet"):
        Corpus.load(tmp_path / "c")


def test_columns_of_none_are_no_columns():
    assert len(make_columns(None)) == 0
    assert repr(make_columns({"a": [1]})) == "DocumentColumns('a')"
