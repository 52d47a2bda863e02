from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate.knowledge.evaluation import in_majority_cluster, in_same_cluster

ROWS = st.lists(st.tuples(st.integers(-1, 3), st.integers(0, 4)), min_size=1, max_size=25)


def test_nothing_is_joined_with_an_object_in_no_group():
    labels = np.array([0, 0, -1, -1, 1])
    assert in_same_cluster(labels, np.array([0, 2, 0, 0]), np.array([1, 3, 2, 4])).tolist() == [
        True,
        False,
        False,
        False,
    ]


@given(ROWS)
@settings(max_examples=60, deadline=None)
def test_at_home_equals_counting_by_hand(rows):
    place, name = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    weight = 1.0 + np.arange(len(rows)) % 3

    def count(n, k):
        return sum(w for (p, m), w in zip(rows, weight, strict=True) if (p, m) == (k, n))

    def home_of(n):
        return max(range(4), key=lambda group: (count(n, group), -group))

    for contest in (None, np.zeros(len(rows), dtype=np.int64)):
        expected = []
        for k, n in rows:
            home = home_of(n)
            owner = max(range(5), key=lambda other, k=k: (home_of(other) == k, count(other, k), -other))
            expected.append(k >= 0 and k == home and (contest is None or owner == n))
        assert in_majority_cluster(place, name, contest, weight).tolist() == expected


def test_without_weights_all_members_count_alike():
    place, name = np.array([0, 1, 1]), np.array([0, 0, 0])
    assert in_majority_cluster(place, name).tolist() == [False, True, True]
    assert in_majority_cluster(place, name, weight=np.array([3.0, 1, 1])).tolist() == [True, False, False]


def test_names_of_different_contests_do_not_compete():
    place, name = np.array([0, 0, 0]), np.array([0, 1, 1])
    assert in_majority_cluster(place, name, np.array([0, 1, 1])).all()
    assert in_majority_cluster(place, name, np.array([0, 0, 0])).tolist() == [False, True, True]
    assert in_majority_cluster(place, name, np.array([-1, 0, 0])).all()
