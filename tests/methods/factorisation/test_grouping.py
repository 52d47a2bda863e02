import numpy as np

from colligate.methods.factorisation.problem import assign_groups, log_memberships, normalise_memberships


def test_scaling_a_column_changes_nothing():
    G = np.random.default_rng(0).random((10, 3))
    filled = np.ones(10, dtype=bool)
    np.testing.assert_allclose(normalise_memberships(G), normalise_memberships(G * [1e-3, 5.0, 1e4]))
    np.testing.assert_array_equal(assign_groups(G, filled), assign_groups(G * [1e-3, 5.0, 1e4], filled))


def test_shares_sum_to_one_and_the_scores_are_their_logarithms():
    G = np.random.default_rng(0).random((10, 3))
    np.testing.assert_allclose(normalise_memberships(G).sum(axis=1), 1.0)
    np.testing.assert_allclose(np.exp(log_memberships(G)), normalise_memberships(G))


def test_a_group_that_is_nobodys_first_gets_the_object_that_shares_most_in_it():
    G = np.array([[1.0, 0.0, 0.5], [1.0, 0.0, 0.6], [0.0, 1.0, 0.5], [0.0, 1.0, 0.5]])
    own = normalise_memberships(G)
    assert 2 not in own.argmax(axis=1)
    labels = assign_groups(G, np.ones(4, dtype=bool))
    assert labels.tolist() == [0, 2, 1, 1]


def test_objects_without_entries_are_in_no_group_and_fill_none():
    G = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0]])
    assert assign_groups(G, np.array([True, True, False])).tolist() == [0, 1, -1]


def test_a_dead_column_wins_nothing():
    G = np.array([[1.0, 1e-30, 0.2], [0.9, 1e-30, 0.1], [0.1, 1e-30, 1.0]])
    assert normalise_memberships(G)[:, 1].max() < 1e-12
