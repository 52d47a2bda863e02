from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from colligate.corpus import Corpus
from colligate.errors import CorpusError, EncodingError, MissingTextWarning, ParameterError


def test_a_pandas_frame_without_its_index():
    frame = pd.DataFrame(
        {"text": ["orbit", None, float("nan"), "moon"], "n": [1, 2, 3, 4]}, index=list("abcd")
    )
    frame.index.name = "id"
    with pytest.warns(MissingTextWarning, match=r"2 texts are missing \(first: row 2 of the DataFrame\)"):
        corpus = Corpus.from_frame(frame)
    assert corpus.ids == ["1", "2", "3", "4"]
    assert list(corpus.texts) == ["orbit", "", "", "moon"]
    assert corpus.source == "the DataFrame"


def test_named_columns_numbers_and_categories():
    frame = pd.DataFrame({"who": [1.0, 2.0], "a": pd.Categorical(["orbit", "moon"]), 5: [7, 8]})
    corpus = Corpus.from_frame(frame, text=["a", "5"], id="who")
    assert corpus.ids == ["1", "2"]
    assert list(corpus.texts) == ["orbit\n7", "moon\n8"]


class Streamed:
    """What polars and others give: an Arrow stream and nothing else."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("wrap", [lambda table: table, Streamed, pa.Table.to_reader])
def test_anything_with_an_arrow_stream(wrap):
    table = pa.table({"doc_id": ["x", "y"], "text": pa.array(["orbit", None], pa.string_view())})
    for make in (Corpus.from_frame, Corpus.of):
        with pytest.warns(MissingTextWarning, match=r"1 text is missing \(first: row 2"):
            corpus = make(wrap(table))
        assert corpus.ids == ["x", "y"]
        assert list(corpus.texts) == ["orbit", ""]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            pd.Series(["orbit"], name="text"),
            "from_frame accepts .* got Series. To read a single column",
        ),
        ([1, 2], "from_frame accepts a pandas or polars DataFrame.* got list"),
        (pd.DataFrame({"a": [1]}), "the DataFrame has no text column.* the table has the columns 'a'"),
        (pd.DataFrame({"text": ["a", 1]}), "values of different types .*astype"),
        (pd.DataFrame({"text": ["a", "b"], "id": [1, 1]}), "'1' .row 1 of the DataFrame and row 2 of"),
        (pd.DataFrame({"text": []}), "there are no documents in the DataFrame"),
        (pd.DataFrame({"text": [["a"]]}), "row 1 of the DataFrame: 'text' contains a list"),
    ],
)
def test_frames_that_cannot_be_used(frame, message):
    with pytest.raises(CorpusError, match=message):
        Corpus.from_frame(frame)


def test_the_same_words_as_another_corpus():
    first = Corpus.from_texts(["orbit moon"])
    assert Corpus.from_frame(pd.DataFrame({"text": ["moon sun"]}), like=first).counts.toarray().tolist() == [
        [1, 0]
    ]


def parquet(**columns) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_rows_are_documents(write, suffix):
    content = parquet(uid=[1, 2, 3], body=["orbit\nshuttle", None, "café"], other=[[1], [2], [3]])
    with pytest.warns(MissingTextWarning, match="row 2"):
        corpus = Corpus.read(write(f"d.parquet{suffix}", content))
    assert corpus.ids == ["1", "2", "3"]
    assert list(corpus.texts) == ["orbit\nshuttle", "", "café"]


@pytest.mark.parametrize("kind", [pa.large_string(), pa.dictionary(pa.int32(), pa.string()), pa.string()])
def test_kinds_of_text(write, kind):
    content = parquet(text=pa.array(["orbit", None, "moon"]).cast(kind))
    with pytest.warns(MissingTextWarning, match="row 2"):
        corpus = Corpus.read(write("d.parquet", content))
    assert list(corpus.texts) == ["orbit", "", "moon"]


def test_more_rows_than_one_batch_holds(write):
    texts = [f"orbit {number}" for number in range(10_000)]
    corpus = Corpus.read(write("d.parquet", parquet(text=texts)))
    assert list(corpus.texts) == texts
    assert corpus.ids[-1] == "10000"


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (b"", {}, r"d\.parquet is empty"),
        (b"PAR1 not really PAR1", {}, r"cannot read .*d\.parquet as Parquet"),
        (parquet(text=["aa"] * 9)[:-20], {}, r"cannot read .*d\.parquet as Parquet"),
        (parquet(a=[1], b=[2]), {}, "no text column .* 'a', 'b'"),
        (parquet(text=["a"]), {"id": "uid"}, "no column 'uid'; it has the columns 'text'"),
        (parquet(text=[["a"]]), {}, r"d\.parquet, row 1: 'text' contains a list"),
        (parquet(text=[b"a"]), {}, r"d\.parquet, row 1: 'text' contains a sequence of bytes"),
        (parquet(text=["a"], id=[None]), {}, r"d\.parquet, row 1: the document has no id"),
        (parquet(text=["a", "b"], id=[1, 1]), {}, r"'1' \(.*, row 1 and .*, row 2\)"),
        (parquet(text=pa.array([], pa.string())), {}, "there are no documents"),
    ],
)
def test_files_that_cannot_be_used(write, content, options, message):
    with pytest.raises(CorpusError, match=message):
        Corpus.read(write("d.parquet", content), **options)


def test_texts_that_are_not_utf8(write):
    broken = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\4\0\0\0"), pa.py_buffer(b"caf\xe9")]
    )
    with pytest.raises(
        EncodingError, match=r"d\.parquet, row 1 or a later row: 'text' .* not UTF-8 \(0xe9\)"
    ):
        Corpus.read(write("d.parquet", parquet(text=broken)))


def test_an_encoding_makes_no_sense(write):
    with pytest.raises(ParameterError, match="always UTF-8; leave out encoding"):
        Corpus.read(write("d.parquet", parquet(text=["a"])), encoding="latin-1")
