from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest

from colligate.corpus import Corpus
from colligate.errors import CorpusError


def test_a_pandas_frame_without_its_index():
    frame = pd.DataFrame(
        {"text": ["orbit", None, float("nan"), "moon"], "n": [1, 2, 3, 4]}, index=list("abcd")
    )
    frame.index.name = "id"
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
    corpus = Corpus.from_frame(wrap(table))
    assert corpus.ids == ["x", "y"]
    assert list(corpus.texts) == ["orbit", ""]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.Series(["orbit"], name="text"), "from_frame takes .* got Series; a single column .* from_texts"),
        ([1, 2], "from_frame takes a pandas or polars DataFrame.* got list"),
        (pd.DataFrame({"a": [1]}), "the DataFrame has no column that looks like text.* it has 'a'"),
        (pd.DataFrame({"text": ["a", 1]}), "mixes kinds of values .*astype"),
        (pd.DataFrame({"text": ["a", "b"], "id": [1, 1]}), "'1' .row 1 of the DataFrame and row 2 of"),
        (pd.DataFrame({"text": []}), "the DataFrame: there are no documents"),
        (pd.DataFrame({"text": [["a"]]}), "row 1 of the DataFrame: 'text' holds a list"),
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
