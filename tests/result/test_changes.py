from __future__ import annotations

import numpy as np
import pytest

from colligate.result.changes import compare_groupings, match_identities


def test_renamed_groups_are_no_change():
    found = compare_groupings(np.array([0, 0, 1, 1, -1]), np.array([1, 1, 0, 0, -1]), 2, 2)
    assert not found.moved.any()
    assert found.match.tolist() == [1, 0]
    assert found.agreement == pytest.approx(1.0)
    assert found.examples.size == 0


def test_moved_documents_and_their_flow():
    before, after = np.array([0, 0, 0, 1, 1, 1, 0]), np.array([0, 0, 1, 1, 1, 1, -1])
    found = compare_groupings(before, after, 2, 2, np.array([1, 1, 0.6, 1, 1, 1, 0.0]))
    assert np.flatnonzero(found.moved).tolist() == [2, 6]
    assert found.flow.tolist() == [[2, 1, 1], [0, 3, 0], [0, 0, 0]]
    assert found.examples.tolist() == [2, 6]


def test_examples_are_the_surest_moves():
    before, after = np.array([0] * 6 + [1] * 6), np.array([0] * 4 + [1] * 8)
    found = compare_groupings(before, after, 2, 2, np.linspace(0, 1, 12), limit=1)
    assert found.examples.tolist() == [5]


def test_groups_are_who_they_share_most_documents_with():
    before, after = np.array([0, 0, 0, 1, 1, -1]), np.array([1, 1, 0, 0, 0, 0])
    assert match_identities(before, [7, 4], after, 2, unused=9) == (4, 7)


def test_a_group_that_matches_nobody_or_a_new_one_gets_a_new_number():
    before, after = np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1])
    assert match_identities(before, [3, -1], after, 3, unused=5) == (3, 5, 6)


def test_groups_that_statements_are_about_keep_their_numbers_wherever_their_documents_are():
    before, after = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 0, 1, 1, 1])
    assert match_identities(before, [3, 4], after, 2, unused=5) == (3, 4)
    assert match_identities(before, [3, 4], after, 2, unused=5, bound={0: 4}) == (4, 5)
    assert match_identities(before, [3, 4], after, 3, unused=5, bound={2: 4}) == (3, 5, 4)
    assert match_identities(before, [3, 4], after, 2, unused=9, bound={1: 8}) == (3, 8)
