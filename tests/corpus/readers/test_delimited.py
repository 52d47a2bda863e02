from __future__ import annotations

import csv
import io
import sys

import pytest

from colligate.corpus import Corpus
from colligate.corpus.columns import ColumnsBuilder
from colligate.corpus.readers import ColumnRequest, open_source
from colligate.corpus.readers.delimited import detect_delimiter
from colligate.errors import CorpusError, ParameterError
from colligate.progress import ignore_events


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize(("kind", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_rows_are_documents(write, suffix, kind, delimiter):
    rows = [("id", "note", "text"), ("a", "x", "orbit shuttle"), ("b", "y", '"two\nlines"')]
    sink = io.StringIO(newline="")
    csv.writer(sink, delimiter=delimiter).writerows(rows)
    path = write(f"docs.{kind}{suffix}", sink.getvalue())
    corpus = Corpus.read(str(path))
    assert corpus.ids == ["a", "b"]
    assert list(corpus.texts) == ["orbit shuttle", '"two\nlines"']
    assert corpus.source == str(path)


def test_named_and_joined_columns(write):
    path = write("docs.csv", "key,Subject,body\n7,hello,there\n8,,alone\n")
    corpus = Corpus.read(path, text=["Subject", "body"])
    assert corpus.ids == ["7", "8"]
    assert list(corpus.texts) == ["hello\nthere", "alone"]
    assert Corpus.read(path, text="Subject", id="body").ids == ["there", "alone"]


def test_likely_columns_whatever_their_case(write):
    corpus = Corpus.read(write("docs.csv", "\ufeffTitle, Content ,DOC_ID\naa,bb,7\n"))
    assert (corpus.ids, list(corpus.texts)) == (["7"], ["aa\nbb"])
    assert Corpus.read(write("more.csv", "name,text\nn,aa\n\nn,bb\n")).ids == ["1", "2"]


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", {}, r"docs\.csv is empty"),
        ("\n\n", {}, r"docs\.csv is empty"),
        ("id,text\n", {}, r"there are no documents in .*docs\.csv"),
        ("a,b\n1,2\n", {}, r"no text column .* the table has the columns 'a', 'b'"),
        ("a,text\n1,2\n", {"text": "words"}, r"has no column 'words'; it has the columns 'a', 'text'"),
        ("a,text\n1,2\n", {"id": "ID"}, r"has no column 'ID'; it has the columns 'a', 'text'"),
        ("text,x,x\n1,2,3\n", {"id": "x"}, "has 2 columns called 'x'"),
        ("text,x,text\n1,2,3\n", {}, "has 2 columns called 'text'"),
        ('id,text\na,"x\ny"\nb,c,d\n', {}, r"docs\.csv:4: the row has 3 cell\(s\), but the header has 2"),
        ("id,text\na\n", {}, r"docs\.csv:2: the row has 1 cell"),
        ('id,text\na,"x"y\n', {}, r"docs\.csv:2: malformed row"),
        (
            'id,text\na,b\nc,"never closed\n\n',
            {},
            r"docs\.csv:3–4: the row of line 3 opens a quote and nev",
        ),
        (
            'id,text\na,"' + "b\nc,d\n" * 500,
            {},
            r"docs\.csv:2–1001: the row of line 2 opens a quote and nev",
        ),
        ('id,text\na,"\nb,"c"\n', {}, r"docs\.csv:2–3: malformed row \("),
        ('id,text\na,"x\ny",z\n', {}, r"docs\.csv:2–3: the row has 3 cell"),
        ('id,text\na,"x\ny"\nb,y\na,z\n', {}, r"'a' \(.*docs\.csv:2 and .*docs\.csv:5\)"),
        ("id,text\na,x\n,y\n", {}, r"docs\.csv:3: the document has no id, because 'id' is empty"),
        ("id,text\na,x\nb,y\na,z\n", {}, r"'a' \(.*docs\.csv:2 and .*docs\.csv:4\)"),
    ],
)
def test_files_that_cannot_be_used(write, content, options, message):
    with pytest.raises(CorpusError, match=message):
        Corpus.read(write("docs.csv", content), **options)


def test_many_columns_are_not_all_listed(write):
    header = ",".join(f"c{number}" for number in range(50))
    with pytest.raises(CorpusError, match="'c19' and 30 more"):
        Corpus.read(write("docs.csv", f"{header}\n"))


def test_a_cell_may_be_huge(write):
    before = csv.field_size_limit()
    corpus = Corpus.read(write("docs.csv", f'text\n"{"orbit " * 100_000}"\n'))
    assert len(corpus.texts[0]) == 600_000
    assert csv.field_size_limit() >= before


def test_a_long_file_is_streamed(write):
    rows = 200_000
    path = write("docs.csv.gz", "id,text\n" + "".join(f"{n},some words here\n" for n in range(rows)))
    records = open_source(path, ColumnRequest(), None).records(ignore_events, ColumnsBuilder())
    assert next(records).id == "0"
    before = sys.getallocatedblocks()
    assert sum(1 for _ in records) == rows - 1
    assert sys.getallocatedblocks() - before < 10_000


@pytest.mark.parametrize("text", [[], [1]])
def test_columns_are_named_by_text(write, text):
    with pytest.raises(ParameterError, match="text must be the name of a column"):
        Corpus.read(write("docs.csv", "text\na\n"), text=text)


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_the_header_of_a_csv_tells_its_delimiter(write, delimiter):
    cells = [("id", "text"), ("a", f'"orbit, moon{delimiter} nasa"'), ("b", "puck, goal")]
    corpus = Corpus.read(write("d.csv", "\n" + "\n".join(map(delimiter.join, cells))))
    assert corpus.ids == ["a", "b"]
    assert list(corpus.texts) == [f"orbit, moon{delimiter} nasa", "puck, goal"]


@pytest.mark.parametrize(
    ("header", "delimiter"),
    [("id,text;a;b", ","), ("text", ","), ('"a,b";"text"', ";"), ("a|b;c;d", ";"), ("a;b|c", ";")],
)
def test_a_comma_in_the_header_comes_before_all_others(header, delimiter):
    assert detect_delimiter(header) == delimiter


def test_an_uneven_row_is_told_with_the_delimiter_found(write):
    with pytest.raises(CorpusError, match=r"d\.csv:2: .*3 cell.* contains a semicolon"):
        Corpus.read(write("d.csv", "id;text\na;b;c\n"))
