from __future__ import annotations

import itertools

import numpy as np
import pytest

from colligate.network import Network, ObjectType, Relation
from colligate.result.association import combine_relations, tabulate_all
from tests.result.networks import CITES, LABELS, LIVES, USES, WROTE, network

PAPERS = np.array(LABELS["papers"])


def by_hand(matrix, labels=PAPERS):
    return np.array([matrix[labels == group].sum(axis=0) for group in (0, 1)])


def test_a_type_next_to_the_centre_is_counted_in_either_direction():
    found = tabulate_all(network(), PAPERS, 2)
    assert found["words"].counts.toarray().tolist() == by_hand(USES).tolist()
    assert found["people"].counts.toarray().tolist() == by_hand(WROTE.T).tolist()
    assert found["people"].totals.tolist() == WROTE.sum(axis=1).tolist()


def test_a_type_farther_off_is_handed_what_the_objects_before_it_have():
    found = tabulate_all(network(), PAPERS, 2)["cities"]
    walk = LIVES / LIVES.sum(axis=1, keepdims=True)
    assert found.counts.toarray() == pytest.approx(by_hand(WROTE.T) @ walk)
    assert found.totals == pytest.approx(WROTE.sum(axis=1) @ walk)


def test_the_longest_chain_is_followed_and_a_loose_type_is_left_out():
    names = ("documents", "a", "b", "c", "loose")
    types = {name: ObjectType(name, range(2)) for name in names}
    chain = tuple(Relation(x, y, np.eye(2)) for x, y in itertools.pairwise(names[:4]))
    found = tabulate_all(Network(types, chain), np.array([0, 1]), 2)
    assert found.keys() == {"a", "b", "c"}
    assert found["c"].counts.toarray().tolist() == np.eye(2).tolist()


def test_a_relation_of_the_centre_with_itself_counts_in_both_directions():
    found = tabulate_all(network(), PAPERS, 2)["papers"]
    both = CITES / CITES.sum() + CITES.T / CITES.sum()
    assert found.counts.toarray() == pytest.approx(0.1 * by_hand(both))


def test_several_relations_between_two_types_are_weighed():
    types = {name: ObjectType(name, range(2)) for name in ("documents", "people")}
    first, second = np.array([[2, 0], [0, 2]]), np.array([[0, 1], [1, 0]])
    relations = [
        Relation("documents", "people", first, 3.0, "wrote"),
        Relation("people", "documents", second, 1.0, "edits"),
    ]
    found = combine_relations(Network(types, tuple(relations)), "documents", "people")
    assert found.toarray() == pytest.approx(3.0 * first / 4 + second / 2)
    relations[0] = Relation("documents", "people", first, 0.0, "wrote")
    found = combine_relations(Network(types, tuple(relations)), "documents", "people")
    assert found.toarray() == pytest.approx(second / 2)
    assert found.nnz == 2


def test_objects_that_no_group_has_score_nothing():
    found = tabulate_all(network(), PAPERS, 3)
    for reach in found.values():
        assert np.isfinite(reach.scores.data).all()
        assert np.isfinite(reach.weights).all()
    assert found["cities"].typical[0].tolist() == [0, 1, -1]
