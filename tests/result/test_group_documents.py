from __future__ import annotations

import numpy as np
from scipy import sparse

from colligate.result.groups import choose_representatives


def rows(*parts):
    return sparse.csr_array(np.array(parts, dtype=np.int32))


def test_the_surest_come_first():
    counts = rows([5, 0, 1], [1, 5, 0], [0, 1, 5], [9, 9, 9])
    found = choose_representatives(np.array([0, 0, 0, -1]), 1, np.array([0.5, 0.9, 0.7, 0.0]), counts)
    assert found[0].tolist() == [1, 2, 0]


def test_the_same_text_is_not_shown_twice():
    counts = rows([5, 1], [1, 5], [3, 3])
    texts = ["one  text", "another", "one\ntext"]
    found = choose_representatives(np.zeros(3, dtype=int), 1, np.array([0.9, 0.8, 0.7]), counts, texts)
    assert found[0].tolist() == [0, 1]


def test_near_duplicates_are_passed_over():
    counts = rows([5, 5, 0], [5, 6, 0], [0, 1, 9])
    found = choose_representatives(np.zeros(3, dtype=int), 1, np.array([0.9, 0.8, 0.1]), counts)
    assert found[0].tolist() == [0, 2]


def test_documents_with_enough_words_come_before_short_ones():
    counts = rows([1, 0, 0], [0, 20, 9], [9, 0, 30])
    found = choose_representatives(np.zeros(3, dtype=int), 1, np.array([1.0, 0.6, 0.5]), counts)
    assert found[0].tolist()[-1] == 0


def test_of_equally_sure_documents_the_one_nearest_the_middle_of_its_group_comes_first():
    counts = rows([30, 30, 0, 0], [30, 0, 30, 0], [30, 20, 20, 0], [0, 0, 0, 30], [0, 0, 0, 20])
    found = choose_representatives(np.array([0, 0, 0, 1, 1]), 2, np.ones(5), counts)
    assert found[0].tolist()[0] == 2


def test_an_empty_group_has_no_representatives():
    found = choose_representatives(np.array([1]), 2, np.array([1.0]), rows([1, 2]))
    assert [part.tolist() for part in found] == [[], [0]]
