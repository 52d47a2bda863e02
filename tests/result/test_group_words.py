from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from colligate.result.association import (
    count_by_group,
    find_typical_groups,
    tabulate_objects,
    take_strongest,
    take_top,
)

COUNTS = np.array([[4, 1, 0, 1], [2, 1, 0, 0], [0, 1, 3, 1], [0, 2, 5, 0], [9, 9, 9, 0]])
LABELS = np.array([0, 0, 1, 1, -1])


def test_scores_are_the_shares_of_the_divergence():
    scores = tabulate_objects(LABELS, 3, sparse.csr_array(COUNTS)).scores.toarray()
    overall = COUNTS.sum(axis=0) / COUNTS.sum()
    for group in (0, 1):
        inside = COUNTS[group == LABELS].sum(axis=0) / COUNTS[group == LABELS].sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = np.where(inside > 0, inside * np.log(inside / overall), 0.0)
        assert scores[group] == pytest.approx(expected)
    assert not scores[2].any()


def test_objects_in_no_group_are_counted_in_none():
    assert count_by_group(LABELS, 2, sparse.csr_array(COUNTS)).sum() == COUNTS[:4].sum()


def test_top_words_are_positive_best_first_and_limited():
    scores = sparse.csr_array(np.array([[0.1, 0.5, -0.2, 0.5, 0.3], [0.0, 0.0, 0.0, 0.0, -1.0]]))
    (columns, values), (none, _) = take_top(scores, 3)
    assert columns.tolist() == [1, 3, 4]
    assert values.tolist() == [0.5, 0.5, 0.3]
    assert none.size == 0


def test_the_typical_group_is_where_a_word_scores_highest():
    group, score = find_typical_groups(sparse.csr_array(np.array([[0.2, -0.1, 0.0], [0.3, -0.4, 0.0]])))
    assert group.tolist() == [1, 0, -1]
    assert score.tolist() == [0.3, -0.1, 0.0]


def test_word_weights_sum_to_the_mutual_information():
    counts = sparse.csr_array(COUNTS[:4])
    joint = count_by_group(LABELS[:4], 2, counts).toarray() / COUNTS[:4].sum()
    outer = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    some = joint > 0
    expected = np.sum(joint[some] * np.log(joint[some] / outer[some]))
    assert tabulate_objects(LABELS[:4], 2, counts).weights.sum() == pytest.approx(expected)


def test_strongest_members_leave_out_objects_in_no_group():
    found = take_strongest(np.array([1, 0, 1, -1, 1]), 3, np.array([1.0, 2.0, 5.0, 9.0, 1.0]), 2)
    assert [part.tolist() for part in found] == [[1], [2, 0], []]
