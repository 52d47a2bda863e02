from __future__ import annotations

import numpy as np
import pytest

from colligate._array import softmax_rows
from colligate.result.groups import average_confidence, find_runner_up, measure_confidence

LABELS = np.array([0, 2, -1, 1], dtype=np.int32)
MEMBERSHIPS = np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0, 0, 0], [0, 1, 0]], dtype=np.float32)


def test_confidence_is_the_membership_of_the_own_group():
    assert measure_confidence(LABELS, MEMBERSHIPS) == pytest.approx([0.6, 0.5, 0.0, 1.0])


def test_the_runner_up_has_the_next_membership_or_is_none():
    assert find_runner_up(LABELS, MEMBERSHIPS).tolist() == [1, 1, -1, -1]


def test_a_single_group_has_no_runner_up():
    assert find_runner_up(np.zeros(2, dtype=np.int32), np.ones((2, 1), dtype=np.float32)).tolist() == [-1, -1]


def test_softmax_rows_sum_to_one_for_any_size_of_score():
    found = softmax_rows(np.array([[-1e6, -1e6 - 1, -2e6], [3.0, 3.0, 3.0]]))
    assert found.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert found[0, 0] == pytest.approx(1 / (1 + np.exp(-1)))


def test_group_confidence_is_a_mean_over_members():
    assert average_confidence(np.array([0, 0, -1]), 2, np.array([0.5, 1.0, 9.0])) == pytest.approx(
        [0.75, 0.0]
    )
