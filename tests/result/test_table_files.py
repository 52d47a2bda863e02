from __future__ import annotations

from datetime import date, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import load_workbook

from colligate.corpus import Analyser, Corpus
from colligate.errors import CutTextWarning, InputError, ParameterError
from colligate.knowledge import Knowledge
from colligate.network import Network
from colligate.result import table_files
from colligate.result.table_files import clip_cell, write_table_files
from tests.result.conftest import IDS, LABELS, TEXTS, build
from tests.result.networks import network_result

FORMULA = '=HYPERLINK("http://example.org","a")'


def with_columns(texts=TEXTS):
    corpus = Corpus.from_texts(
        texts, IDS, columns={"title": [FORMULA, *IDS[1:]], "date": [date(1999, 1, 2)] * len(IDS)}
    )
    return build(texts=[*texts], corpus=corpus, network=Network.from_corpus(corpus))


def read_sheet(path):
    book = load_workbook(path)
    header, *rows = book.worksheets[0].iter_rows(values_only=True)
    return [dict(zip(header, row, strict=True)) for row in rows]


def test_documents_have_their_columns_and_texts_in_every_format(tmp_path):
    result = with_columns()
    table = result.documents.to_arrow()
    assert {"title", "date", "text", "stated", "cluster"} <= set(table.column_names)
    sheet = read_sheet(result.write_documents(tmp_path / "documents.xlsx"))
    stored = pq.read_table(result.write_documents(tmp_path / "documents.parquet"))
    assert stored.schema.equals(table.schema)
    assert stored.to_pylist() == table.to_pylist()
    assert [row["id"] for row in sheet] == IDS
    assert [row["text"] or "" for row in sheet] == TEXTS
    assert [row["cluster"] for row in sheet] == LABELS
    assert sheet[0]["date"] == datetime(1999, 1, 2)
    assert sheet[0]["stated"] is False
    first = result.write_documents(tmp_path / "documents.csv").read_text(encoding="utf-8").splitlines()[0]
    assert first.split(",") == table.column_names


def test_a_workbook_also_has_the_groups_and_the_knowledge(tmp_path):
    plain = with_columns()
    book = load_workbook(plain.write_documents(tmp_path / "plain.xlsx"))
    assert book.sheetnames == ["Documents", "Groups"]
    header, *groups = book["Groups"].iter_rows(values_only=True)
    assert header == ("cluster", "name", "size", "share", "confidence", "coherence", "top_words")
    assert [row[:3] for row in groups] == [
        (number, name, LABELS.count(number))
        for number, name in zip(plain.group_numbers, plain.group_names, strict=True)
    ]
    assert all(0 < row[4] <= 1 and isinstance(row[6], str) for row in groups)
    knowledge = Knowledge().together(documents=[(IDS[0], IDS[1]), (IDS[0], IDS[5])], source="@rumour")
    taught = build(
        corpus=plain.corpus, network=plain.network, compiled=knowledge.compile(plain.network.names)
    )
    book = load_workbook(taught.write_documents(tmp_path / "taught.xlsx"))
    assert book.sheetnames == ["Documents", "Groups", "Knowledge"]
    header, *lines = book["Knowledge"].iter_rows(values_only=True)
    statements = [dict(zip(header, line, strict=True)) for line in lines]
    assert [(row["subject"], row["object"]) for row in statements] == [("d0", "d1"), ("d0", "d5")]
    assert [row["status"] for row in statements] == ["kept", "broken"]
    assert [row["source"] for row in statements] == ["@rumour"] * 2


def test_names_and_words_that_look_like_formulas_stay_text_on_every_sheet(tmp_path):
    plain = with_columns()
    knowledge = Knowledge().together(documents=[(IDS[0], IDS[1])], source=FORMULA)
    named = build(
        corpus=plain.corpus,
        network=plain.network,
        compiled=knowledge.compile(plain.network.names),
        given_names=(FORMULA, ""),
    )
    book = load_workbook(named.write_documents(tmp_path / "documents.xlsx"))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value == FORMULA]
    assert {cell.parent.title for cell in cells} == {"Documents", "Groups", "Knowledge"}
    assert {(cell.data_type, cell.hyperlink) for cell in cells} == {("s", None)}


def test_knowledge_that_is_too_long_for_a_sheet_does_not_stop_the_documents(tmp_path, monkeypatch):
    plain = with_columns()
    links = [(IDS[0], id) for id in IDS[1:]] + [(IDS[1], id) for id in IDS[2:]]
    compiled = Knowledge().together(documents=links).compile(plain.network.names)
    taught = build(corpus=plain.corpus, network=plain.network, compiled=compiled)
    monkeypatch.setattr(table_files, "MAX_ROWS", len(IDS) + 1)
    book = load_workbook(taught.write_documents(tmp_path / "documents.xlsx"))
    assert book["Documents"].max_row == len(IDS) + 1
    assert book["Knowledge"]["A2"].value.startswith(f"{len(links)} statements do not fit")


def test_text_that_looks_like_a_formula_or_a_link_stays_text(tmp_path):
    path = with_columns().write_documents(tmp_path / "documents.xlsx")
    sheet = load_workbook(path).worksheets[0]
    column = [cell.value for cell in sheet[1]].index("title")
    cell = sheet[2][column]
    assert (cell.value, cell.data_type, cell.hyperlink) == (FORMULA, "s", None)


def test_every_table_in_every_format(tmp_path):
    result = network_result()
    names = [path.stem for path in result.write_tables(tmp_path)]
    for format in ("xlsx", "parquet"):
        paths = result.write_tables(tmp_path, format=format)
        assert [path.stem for path in paths] == names
        assert all(path.suffix == f".{format}" for path in paths)
    clusters = pq.read_table(tmp_path / "clusters.parquet")
    assert clusters.schema.field("size").type == pa.int64()
    assert pa.types.is_floating(clusters.schema.field("share").type)
    relations = read_sheet(tmp_path / "relations.xlsx")
    assert all(isinstance(row["information_before"], float) for row in relations)
    assert isinstance(relations[0]["relation"], str)


def test_a_column_of_words_that_are_numbers_stays_text(tmp_path):
    analyser = Analyser(keep_markup=True)
    corpus = Corpus.from_texts([f"1984 {text}" for text in TEXTS], IDS, analyser=analyser)
    result = build(corpus=corpus, network=Network.from_corpus(corpus))
    result.write_tables(tmp_path, format="parquet")
    words = pq.read_table(tmp_path / "words.parquet")
    assert "1984" in words["word"].to_pylist()
    assert words.schema.field("count").type == pa.int64()


def test_a_text_that_is_too_long_for_a_cell_is_cut_visibly(tmp_path):
    texts = [*TEXTS]
    texts[1] = "nasa orbit " * 4000
    with pytest.warns(CutTextWarning, match=r"documents\.xlsx: 1 texts"):
        path = with_columns(texts).write_documents(tmp_path / "documents.xlsx")
    row = read_sheet(path)[1]
    assert len(row["text"]) == 32_767
    assert row["text"].endswith("… [cut: the text has 44,000 characters]")
    assert "1 texts" in load_workbook(path)["About"]["A1"].value
    stored = with_columns(texts).write_documents(tmp_path / "documents.parquet")
    assert pq.read_table(stored)["text"][1].as_py() == texts[1]


def test_excel_counts_units_of_utf_16():
    cell, is_cut = clip_cell("😀" * 20_000)
    assert is_cut
    assert len(cell.encode("utf-16-le")) <= 2 * 32_767
    assert clip_cell("😀" * 16_000) == ("😀" * 16_000, False)
    assert clip_cell("a\x00b\x1fc\ud800") == ("a\ufffdb\ufffdc\ufffd", False)


def test_values_that_excel_lacks_are_written_as_text(tmp_path):
    table = pa.table(
        {
            "number": pa.array([2**60, None]),
            "moment": pa.array([datetime(1850, 1, 2, 3), datetime(2020, 5, 6, 7)]),
            "share": pa.array([float("nan"), 0.5]),
            "text": pa.array(["", "a\tb\r\nc\rd"]),
        }
    )
    write_table_files({tmp_path / "a.xlsx": table}, "xlsx")
    first, second = read_sheet(tmp_path / "a.xlsx")
    assert first["number"] == str(2**60)
    assert first["moment"] == "1850-01-02T03:00:00"
    assert first["share"] is None
    assert second == {
        "number": None,
        "moment": datetime(2020, 5, 6, 7),
        "share": 0.5,
        "text": "a\tb\nc\nd",
    }


def test_a_sheet_that_would_be_too_long_is_refused_with_advice(tmp_path, monkeypatch):
    monkeypatch.setattr(table_files, "MAX_ROWS", 11)
    with pytest.raises(InputError, match=r"12 rows.*at most 11; write Parquet or CSV"):
        with_columns().write_documents(tmp_path / "documents.xlsx")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="xlsx"):
        with_columns().write_tables(tmp_path, format="xls")
    with pytest.raises(ParameterError, match="xlsx"):
        with_columns().write_documents(tmp_path / "documents.xls")
