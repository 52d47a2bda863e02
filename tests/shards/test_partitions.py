"""Documents in partitions have the words and counts of one process."""

from __future__ import annotations

import json

import dask
import dask.array as da
import dask.bag as db
import numpy as np
import pytest
from scipy import sparse

from colligate import Analyser, Corpus, make
from colligate.corpus.partitions import open_collection
from colligate.errors import CorpusError, MatrixError, ParameterError
from colligate.network.inputs import shard_array

dd = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")
pytestmark = pytest.mark.usefixtures("client")


def check_equal(sharded: Corpus, corpus: Corpus) -> None:
    assert sharded.words == corpus.words
    assert dict(sharded.debris) == dict(corpus.debris)
    assert not sharded.counts.is_collected
    for name in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(sharded.counts, name), getattr(corpus.counts, name))


@pytest.mark.parametrize("n_partitions", [1, 3, 16])
@pytest.mark.parametrize(
    "options", [{}, {"stem": "en", "min_df": 3}, {"ngrams": (1, 2), "max_words": 40}, {"max_df": 0.2}]
)
def test_that_words_are_those_of_one_process(texts, n_partitions, options):
    forms = [f"{text} <b>running runs run</b>" if number % 3 else text for number, text in enumerate(texts)]
    analyser = Analyser(**options)
    bag = db.from_sequence(forms, npartitions=n_partitions)
    check_equal(Corpus.of(bag, analyser=analyser), Corpus.from_texts(forms, analyser=analyser))


def test_frames_have_ids_and_numbers_run_through(texts):
    frame = pd.DataFrame({"id": [f"d{n}" for n in range(len(texts))], "text": texts})
    sharded = Corpus.of(dd.from_pandas(frame, npartitions=4))
    assert sharded.ids == frame["id"].tolist()
    assert sharded.texts[7] == texts[7]
    assert sharded.texts[411] == texts[411]
    assert list(sharded.texts[5:9]) == texts[5:9]
    unnamed = Corpus.of(dd.from_pandas(frame[["text"]], npartitions=4))
    assert unnamed.ids == [str(n + 1) for n in range(len(texts))]
    series = Corpus.of(dd.from_pandas(frame["text"], npartitions=2))
    check_equal(series, Corpus.from_texts(texts))


def test_empty_partitions_and_collections():
    bag = db.from_sequence(["one cat", "two cats", "one dog"], npartitions=3).filter(lambda text: "t" in text)
    corpus = Corpus.of(bag)
    assert len(corpus) == 2
    frame = pd.DataFrame({"id": ["a", "b"], "body": ["one cat", "two dogs"]})
    part = dd.from_pandas(frame, npartitions=2)
    filtered = Corpus.of(part[part["id"] != "a"])
    assert (filtered.ids, filtered.roles.text, filtered.roles.id) == (["b"], ("body",), "id")
    with pytest.raises(CorpusError, match="no documents"):
        Corpus.of(bag.filter(lambda text: False))
    with pytest.raises(CorpusError, match="can be counted"):
        Corpus.of(db.from_sequence(["the", "of"], npartitions=2))


def test_repeated_ids_are_refused():
    frame = pd.DataFrame({"id": ["a", "b", "a"], "text": ["cat", "dog", "bird"]})
    with pytest.raises(CorpusError, match="unique"):
        Corpus.of(dd.from_pandas(frame, npartitions=3))


def test_that_a_vectorizer_is_refused(texts):
    from sklearn.feature_extraction.text import CountVectorizer

    with pytest.raises(ParameterError, match="vectorizer"):
        Corpus.of(db.from_sequence(texts), analyser=Analyser(vectorizer=CountVectorizer()))


def test_arrays_of_counts(corpus):
    dense = corpus.counts.toarray().astype(np.float64)
    blocks = da.from_array(dense, chunks=(100, 20))
    matrix = shard_array(blocks)
    assert np.array_equal(matrix.toarray(), dense)
    sparse_blocks = da.from_array(dense, chunks=(150, -1)).map_blocks(sparse.csr_array)
    expected = make("itcc", n_clusters=4, n_init=1, random_state=0).fit(sparse.csr_array(dense))
    fitted = make("itcc", n_clusters=4, n_init=1, random_state=0).fit(sparse_blocks)
    assert np.array_equal(fitted.labels_, expected.labels_)
    dense[3, 2] = -1.0
    with pytest.raises(MatrixError, match="Negative"):
        shard_array(da.from_array(dense, chunks=(100, -1)))
    with pytest.raises(MatrixError, match="two dimensions"):
        shard_array(da.zeros(5))


@pytest.mark.parametrize("n_columns", [2, 9])
def test_blocks_of_another_shape_than_the_array_are_refused(n_columns):
    """The labels of kmeans were meaningless, and other methods ended in an error of NumPy."""
    block = dask.delayed(np.ones)((4, n_columns))
    with pytest.raises(MatrixError, match=f"a block .* has {n_columns} columns, but the array says 3"):
        make("kmeans", n_clusters=2).fit(da.from_delayed(block, shape=(4, 3), dtype=float))


def test_masked_blocks_and_unknown_columns_are_refused():
    counts = da.from_array(np.eye(4), chunks=(2, 4))
    with pytest.raises(MatrixError, match=r"has masked entries \(1 of them\)"):
        shard_array(
            da.ma.masked_array(counts, mask=da.from_array(np.eye(4) * [1, 0, 0, 0] > 0, chunks=(2, 4)))
        )
    with pytest.raises(MatrixError, match="does not know its columns"):
        shard_array(counts[:, da.from_array(np.array([True, False, True, True]))])
    rows = counts[da.from_array(np.array([True, False, True, True]), chunks=2)]
    assert shard_array(rows).shape == (3, 4)


def test_a_delayed_value_is_no_collection():
    with pytest.raises(CorpusError, match="Delayed of Dask has no partitions"):
        Corpus.of(dask.delayed(list)(["apple pie"]))


def test_files(tmp_path, texts):
    rows = [{"id": f"d{n}", "text": text, "year": n} for n, text in enumerate(texts)]
    (tmp_path / "jsonl").mkdir()
    for part in range(3):
        lines = "".join(json.dumps(row) + "\n" for row in rows[part::3])
        (tmp_path / "jsonl" / f"{part}.jsonl").write_text(lines)
    pd.DataFrame(rows).to_parquet(tmp_path / "docs.parquet")
    pd.DataFrame(rows).to_csv(tmp_path / "docs.csv", index=False)
    expected = Corpus.from_texts(texts)
    for name in ("docs.parquet", "docs.csv"):
        check_equal(Corpus.of(open_collection(tmp_path / name)), expected)
    folder = Corpus.of(open_collection(tmp_path / "jsonl"))
    assert sorted(folder.ids) == sorted(row["id"] for row in rows)
    assert folder.words == expected.words
    with pytest.raises(CorpusError, match=r"one kind in a folder"):
        open_collection(tmp_path)
    with pytest.raises(CorpusError, match="there is no file"):
        open_collection(tmp_path / "absent.jsonl")
