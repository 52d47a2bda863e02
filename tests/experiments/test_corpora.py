"""Data of the papers that are put together from several sources."""

import numpy as np
from scipy.sparse import csc_array, csr_array

from experiments.corpora.counted import CountData, join_words
from experiments.corpora.porter import list_content_stems, list_stems
from experiments.corpora.rcv1 import join_pieces
from experiments.corpora.re0 import match_columns, name_class


def test_two_sets_share_the_words_that_both_have():
    first = CountData(csr_array([[1, 2]]), np.array(["a"]), ["bank", "cell"])
    second = CountData(csr_array([[3, 4], [0, 5]]), np.array(["b", "b"]), ["rate", "bank"])
    joined = join_words(first, second)
    assert joined.words == ["bank", "cell", "rate"]
    assert joined.counts.toarray().tolist() == [[1, 2, 0], [4, 0, 3], [5, 0, 0]]
    assert joined.labels.tolist() == ["a", "b", "b"]


def test_a_column_is_the_word_with_the_same_counts():
    words = csc_array(np.array([[1, 0, 2, 9], [0, 3, 0, 9], [2, 1, 0, 9]]))
    columns = csc_array(np.array([[0, 2, 1, 0], [3, 0, 0, 1], [1, 0, 2, 0]]))
    # the last column is the second word in part, which the first column has
    assert match_columns(columns, words).tolist() == [1, 2, 0, -1]


def test_the_class_of_a_story_is_its_first_topic():
    assert name_class(["money-fx", "interest"]) == "money"
    assert name_class(["cpi"]) == "cpi"
    assert name_class([]) == ""


def test_words_are_cut_to_porters_stems():
    assert list_stems("The Money of February") == ["the", "monei", "of", "februari"]
    assert list_content_stems("The Money of February, a b") == ["monei", "februari"]


def test_names_are_written_in_one_piece_and_counts_stay():
    counts = {"New": 2, "York": 2, "Stock": 1, "rose": 1}
    runs = {"New York": 2, "New York Stock": 1, "York Stock": 1}
    text = join_pieces(counts, runs, {"New York", "Stock"})
    assert text.count("New York") == 2
    assert "York Stock" not in text
    for word, count in counts.items():
        assert text.split().count(word) + text.split().count(f"{word},") == count
