from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from colligate.corpus import Analyser, Corpus
from colligate.errors import CorpusError, InputError, MatrixError, MissingTextWarning


def test_a_corpus_of_texts_keeps_and_marks_empty_documents():
    with pytest.warns(MissingTextWarning, match=r"2 texts are missing \(first: text 2\)"):
        corpus = Corpus.from_texts(["orbit shuttle", None, float("nan"), "the"], ids=["a", 2, 3.0, "d"])
    assert corpus.ids == ["a", "2", "3", "d"]
    assert corpus.empty.tolist() == [False, True, True, True]
    assert list(corpus.texts) == ["orbit shuttle", "", "", "the"]
    assert len(corpus) == 4
    assert repr(corpus) == "Corpus(4 documents (3 empty), 2 words, from the texts)"


def test_a_generator_is_read_once():
    read = []

    def texts():
        for number in range(3):
            read.append(number)
            yield f"word{'abc'[number]} again"

    corpus = Corpus.from_texts(texts())
    assert read == [0, 1, 2]
    assert corpus.ids == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("texts", "ids", "message"),
    [
        ("one text", None, "needs a list of texts; got a single text"),
        ([], None, "there are no documents in the texts"),
        (["aa", b"bb"], None, "text 2 is of type bytes"),
        (["aa", "bb"], ["x"], "fewer ids than texts"),
        (["aa", "bb"], 3, "ids must be a list with an id for each text; got 3"),
        (["aa", "bb"], "ab", "ids must be a list with an id for each text; got 'ab'"),
        (["aa"], ["x", "y"], "fewer texts than ids"),
        (["aa", "bb"], ["x", None], "text 2: the document has no id"),
        (["aa", "bb", "cc"], ["x", "y", "x"], r"'x' \(text 1 and text 3\)"),
    ],
)
def test_texts_that_cannot_be_used(texts, ids, message):
    with pytest.raises(CorpusError, match=message):
        Corpus.from_texts(texts, ids)


def test_one_repeated_id_is_one():
    with pytest.raises(CorpusError, match="there is 1 repeated id in the texts: 'x'"):
        Corpus.from_texts(["aa", "bb"], ["x", "x"])


def test_at_most_five_repeated_ids_are_listed():
    with pytest.raises(CorpusError, match=r"there are 9 repeated ids in .* and 4 more") as caught:
        Corpus.from_texts(["aa"] * 10, ["x"] * 10)
    assert str(caught.value).count("'x'") == 5


def test_a_corpus_of_counts():
    given = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    corpus = Corpus.from_counts(given, ["aa", "bb"], texts=["aa", "bb bb", ""])
    assert corpus.ids == ["1", "2", "3"]
    assert corpus.counts.dtype == np.int32
    assert corpus.counts.nnz == 2
    assert corpus.empty.tolist() == [False, False, True]
    with pytest.raises(InputError, match=r"made from counts.*pass an analyser"):
        Corpus.from_texts(["aa"], like=corpus)
    again = Corpus.from_texts(["bb aa bb"], like=corpus, analyser=Analyser())
    assert again.counts.toarray().tolist() == [[1, 2]]


def test_texts_beside_counts_are_checked():
    counts, words = np.eye(2, dtype=int), ["orbit", "puck"]
    with pytest.warns(MissingTextWarning, match="1 text is missing"):
        corpus = Corpus.from_counts(counts, words, texts=["an orbit", None])
    assert list(corpus.texts) == ["an orbit", ""]
    with pytest.raises(CorpusError, match="text 2 is of type int"):
        Corpus.from_counts(counts, words, texts=["an orbit", 3])


def test_the_users_counts_are_not_changed():
    given = sparse.coo_array(([1, 2, 0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2)).tocsr()
    before = given.copy()
    corpus = Corpus.from_counts(given, ["aa", "bb"])
    assert corpus.counts.toarray().tolist() == [[0, 3], [0, 0]]
    assert corpus.counts.nnz == 1
    assert (given.data == before.data).all()


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1, -1]], "got -1 at row 0, column 1"),
        ([[0, 1], [np.nan, 1]], "got nan at row 1, column 0"),
        ([[0, np.inf]], "got inf"),
        ([[0.5, 1]], r"got 0.5 at row 0, column 0 \(1 wrong entries in all\)"),
        ([[2**40, 1]], "from 0 to 2147483647"),
        ([1, 2], "documents × words"),
        ([["a", "b"]], "counts must be"),
    ],
)
def test_matrices_that_are_no_counts(counts, message):
    with pytest.raises(MatrixError, match=message):
        Corpus.from_counts(np.array(counts), ["aa", "bb"])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"words": ["aa"]}, InputError, "there are 1 words, but the matrix of counts is for 2"),
        ({"words": "ab"}, InputError, "words must be a list of names"),
        ({"words": ["aa", "aa"]}, CorpusError, "words must be unique; 'aa' is at positions 0 and 1"),
        ({"words": ["aa", "\ud800"]}, CorpusError, "valid Unicode"),
        ({"ids": ["x", "x"]}, CorpusError, "ids must be unique; 'x' is at positions 0 and 1"),
        ({"ids": ["x"]}, InputError, "there are 1 ids, but the matrix of counts is for 2"),
        ({"texts": ["x"]}, InputError, "there are 1 texts for 2 documents"),
    ],
)
def test_names_that_do_not_fit_the_counts(options, error, message):
    with pytest.raises(error, match=message):
        Corpus.from_counts(**{"counts": np.eye(2), "words": ["aa", "bb"], **options})


def test_counts_over_other_words():
    corpus = Corpus.from_counts([[1, 2, 3], [0, 0, 4]], ["aa", "bb", "cc"])
    moved = corpus.counts_over(["cc", "new", "aa"])
    assert moved.toarray().tolist() == [[3, 0, 1], [4, 0, 0]]
    assert moved.has_sorted_indices
    assert moved.dtype == np.int32
    assert corpus.counts_over(corpus.words).toarray().tolist() == corpus.counts.toarray().tolist()
    assert corpus.counts_over([]).shape == (2, 0)
    with pytest.raises(CorpusError, match="words must be unique"):
        corpus.counts_over(["aa", "aa"])


PRINT_WORDS = """
from colligate.corpus import Corpus, Analyser
texts = ["delta alpha beta", "gamma beta alpha", "epsilon beta zeta"]
corpus = Corpus.from_texts(texts, analyser=Analyser(max_words=3, stop_words={"zeta", "eta"}))
print(corpus.words, corpus.counts.toarray().tolist(), corpus.analyser.to_dict())
"""


@pytest.mark.slow
def test_the_same_words_whatever_the_hash_seed():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PRINT_WORDS],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_importing_is_light():
    command = "import sys, colligate.corpus; print({'pyarrow', 'sklearn', 'pandas'} & set(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", command],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        check=True,
        text=True,
    )
    assert run.stdout.strip() == "set()"


def test_the_counts_cannot_be_changed(tmp_path):
    made = Corpus.from_texts(["orbit moon", "puck ice puck"])
    made.save(tmp_path / "stored")
    given = Corpus.from_counts([[1, 2], [0, 1]], ["a", "b"])
    for corpus in (made, given, Corpus.load(tmp_path / "stored")):
        for part in ("data", "indices", "indptr"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(corpus.counts, part)[0] = 9
        assert corpus.counts.sum() == corpus.counts_over(corpus.words).sum()


def test_counts_out_of_order_are_put_in_order_in_a_copy():
    counts = sparse.csr_array(([1, 2, 3], [1, 0, 1], [0, 3]), shape=(1, 2))
    corpus = Corpus(["a"], counts, ["x", "y"], None, Analyser(), "here")
    assert corpus.counts.toarray().tolist() == [[2, 4]]
    assert corpus.counts.data.tolist() == [2, 4]
    assert counts.data.tolist() == [1, 2, 3]
    counts.data[0] = 7


def test_texts_are_counted_as_those_of_another_corpus_and_counts_word_by_word():
    known = Corpus.from_texts(["Orbit nasa moon", "moon moon ice"])
    new = Corpus.from_texts(["the MOON, the moon and puck", "ice"])
    counted = new.counts_like(known).toarray()
    assert [counted[0, known.words.index(word)] for word in ("moon", "ice")] == [2, 0]
    assert counted[1, known.words.index("ice")] == 1
    bare = Corpus.from_counts(new.counts, new.words)
    np.testing.assert_array_equal(bare.counts_like(known).toarray(), counted)
    assert known.counts_like(known) is known.counts
