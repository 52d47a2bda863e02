"""The frames of a result, read by other packages, and the files that have the same tables."""

import csv
import datetime
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import load_workbook

from colligate.corpus import Corpus
from colligate.knowledge import Knowledge
from colligate.network import Network
from colligate.result.tables import make_table_rows
from tests.result.conftest import IDS, LABELS, TEXTS, build
from tests.result.networks import network_result

YEARS = [1990 + number for number in range(len(IDS))]
FRAMES = {
    "documents": "documents.csv",
    "groups": "clusters.csv",
    "words": "words.csv",
    "statements": "knowledge.csv",
}


def make_result():
    columns = {
        "year": YEARS,
        "day": [datetime.date(1999, 1, 2)] * len(IDS),
        "who": ["Ann", "Bo"] * 5 + [None],
    }
    corpus = Corpus.from_texts(TEXTS, IDS, columns=columns)
    network = Network.from_corpus(corpus)
    knowledge = Knowledge().together(documents=[(IDS[0], IDS[1]), (IDS[0], IDS[5])]).label({IDS[2]: "space"})
    return build(corpus=corpus, network=network, compiled=knowledge.compile(network.names))


def to_pandas(frame):
    pandas = pytest.importorskip("pandas")
    read = frame.to_pandas()
    assert isinstance(read, pandas.DataFrame)
    # missing values of all kinds as None
    rows = read.astype(object).where(read.notna(), None).to_dict("records")
    return list(read.columns), rows


def to_polars(frame):
    polars = pytest.importorskip("polars")
    read = polars.DataFrame(frame)
    assert frame.to_polars().equals(read)
    return read.columns, read.to_dicts()


def to_duckdb(frame):
    duckdb = pytest.importorskip("duckdb")
    read = duckdb.sql("select * from frame")
    return list(read.columns), [dict(zip(read.columns, row, strict=True)) for row in read.fetchall()]


def to_arrow(frame):
    read = pa.table(frame)
    return read.column_names, read.to_pylist()


READERS = {"pandas": to_pandas, "polars": to_polars, "DuckDB": to_duckdb, "Arrow": to_arrow}


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("reader", READERS)
def test_every_frame_is_read_by_every_package_as_it_is_in_the_csv_file(reader, name, tmp_path):
    result = make_result()
    columns, rows = READERS[reader](getattr(result, name))
    result.write_tables(tmp_path)
    with (tmp_path / FRAMES[name]).open(encoding="utf-8", newline="") as stream:
        header, *lines = csv.reader(stream)
    assert columns == header
    assert len(rows) == len(lines)
    for row, line in zip(rows, lines, strict=True):
        for value, cell in zip(row.values(), line, strict=True):
            assert same(value, cell), (value, cell)


def same(value, cell):
    if value is None or cell == "":
        return value in (None, "") and cell == ""
    if isinstance(value, bool | np.bool_):
        return cell == ("true" if value else "false")
    if isinstance(value, int | float | np.number):
        return float(cell) == pytest.approx(float(value))
    return cell == str(value)[: len(cell)]


def test_documents_have_text_and_the_columns_of_the_input():
    frame = make_result().documents
    assert frame["text"].to_pylist() == TEXTS
    assert frame["year"].to_pylist() == YEARS
    assert frame["cluster"].to_pylist() == LABELS
    assert frame["day"][0].as_py() == datetime.date(1999, 1, 2)
    assert frame["stated"].to_pylist() == [position == 2 for position in range(len(IDS))]


def test_types_are_those_of_the_values():
    result = make_result()
    types = dict(zip(result.groups.columns, result.groups.to_arrow().schema.types, strict=True))
    assert types["cluster"] == pa.int32()
    assert types["size"] == pa.int64()
    assert types["share"] == types["coherence"] == pa.float64()
    assert result.words.to_arrow().schema.field("count").type == pa.int64()
    statements = result.statements.to_arrow()
    assert statements.schema.field("cost").type == pa.float64()
    assert statements["line"].to_pylist() == [None] * 3
    assert statements["status"].to_pylist() == ["kept", "broken", "kept"]


def test_files_of_all_formats_have_the_tables_of_the_frames(tmp_path):
    result = make_result()
    for format in ("parquet", "xlsx"):
        result.write_tables(tmp_path, format=format)
    for name, file in FRAMES.items():
        table = getattr(result, name).to_arrow()
        assert pq.read_table((tmp_path / file).with_suffix(".parquet")).to_pylist() == table.to_pylist()
        sheet = load_workbook((tmp_path / file).with_suffix(".xlsx")).worksheets[0]
        header, *rows = sheet.iter_rows(values_only=True)
        assert list(header) == table.column_names
        assert len(rows) == table.num_rows


def test_a_frame_is_a_small_table_of_its_own():
    frame = make_result().groups
    assert frame.shape == (2, 7)
    assert len(frame) == 2
    assert list(frame) == frame.columns == frame.to_arrow().column_names
    assert [row["size"] for row in frame.rows()] == frame["size"].to_pylist()
    assert repr(frame) == (
        "Frame(groups: 2 rows, columns cluster, name, size, share, confidence, coherence and 1 more)"
    )
    with pytest.raises(KeyError, match="groups have no column 'sizes', but cluster, name"):
        frame["sizes"]
    assert make_result().groups is not frame


def test_the_frames_of_a_network_are_those_of_its_centre_and_terms():
    result = network_result()
    assert result.documents.name == "papers"
    assert result.words.name == result.terms
    assert len(result.statements) == 0
    assert result.statements.columns[:3] == ["number", "kind", "type"]


def test_a_frame_can_be_clustered_again():
    result = make_result()
    corpus = Corpus.of(result.documents)
    assert corpus.ids == IDS
    assert list(corpus.texts) == TEXTS
    assert corpus.columns["year"].to_pylist() == YEARS


WITHOUT_PACKAGES = """
import sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pandas", "polars", "duckdb", "datasets"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Block())
import colligate as cg

texts = ["red apple pie", "apple tart red", "fast blue car", "blue car engine"]
result = cg.make("kmeans", n_clusters=2, random_state=0).fit(texts).result_
print(result.groups["size"].to_pylist(), result.predict(texts[:1]).shape, "<table" in result._repr_html_())
for convert in (result.groups.to_pandas, result.groups.to_polars):
    try:
        convert()
    except cg.errors.InputError as error:
        print(error)
"""


@pytest.mark.slow
def test_frames_need_none_of_the_packages_and_name_the_one_that_is_missing():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PACKAGES], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "[2, 2] (1,) True",
        "pandas is not installed; install it, or use to_arrow()",
        "polars is not installed; install it, or use to_arrow()",
    ]


def test_numbers_are_rounded_as_in_the_csv_file():
    table = pa.table(
        [pa.array([1234567.0, 2.0, None])],
        schema=pa.schema([pa.field("score", pa.float64(), metadata={"digits": ".6g"})]),
    )
    assert [row[0] for row in make_table_rows(table)] == ["score", "1.23457e+06", "2", ""]
