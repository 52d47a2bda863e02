from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import sparse

from colligate.network import Network, ObjectType, Relation
from colligate.result.association import (
    combine_relations,
    count_by_group,
    find_typical_groups,
    share_information,
    tabulate_all,
    tabulate_objects,
    take_strongest,
    take_top,
)
from tests.result.networks import CITES, LABELS, LIVES, USES, WROTE, network, network_result
from tests.test_array import by_the_book

COUNTS = np.array([[4, 1, 0, 1], [2, 1, 0, 0], [0, 1, 3, 1], [0, 2, 5, 0], [9, 9, 9, 0]])
GROUPS = np.array([0, 0, 1, 1, -1])


def test_scores_are_the_shares_of_the_divergence():
    scores = tabulate_objects(GROUPS, 3, sparse.csr_array(COUNTS)).scores.toarray()
    overall = COUNTS.sum(axis=0) / COUNTS.sum()
    for group in (0, 1):
        inside = COUNTS[group == GROUPS].sum(axis=0) / COUNTS[group == GROUPS].sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = np.where(inside > 0, inside * np.log(inside / overall), 0.0)
        assert scores[group] == pytest.approx(expected)
    assert not scores[2].any()


def test_objects_in_no_group_are_counted_in_none():
    assert count_by_group(GROUPS, 2, sparse.csr_array(COUNTS)).sum() == COUNTS[:4].sum()


def test_top_words_are_positive_best_first_and_limited():
    scores = sparse.csr_array(np.array([[0.1, 0.5, -0.2, 0.5, 0.3], [0.0, 0.0, 0.0, 0.0, -1.0]]))
    (columns, values), (none, _) = take_top(scores, 3)
    assert columns.tolist() == [1, 3, 4]
    assert values.tolist() == [0.5, 0.5, 0.3]
    assert none.size == 0
    assert [columns.size for columns, _ in take_top(scores, 0)] == [0, 0]


def test_the_typical_group_is_where_a_word_scores_highest():
    group, score = find_typical_groups(sparse.csr_array(np.array([[0.2, -0.1, 0.0], [0.3, -0.4, 0.0]])))
    assert group.tolist() == [1, 0, -1]
    assert score.tolist() == [0.3, -0.1, 0.0]


def test_word_weights_sum_to_the_mutual_information():
    counts = sparse.csr_array(COUNTS[:4])
    joint = count_by_group(GROUPS[:4], 2, counts).toarray() / COUNTS[:4].sum()
    outer = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    some = joint > 0
    expected = np.sum(joint[some] * np.log(joint[some] / outer[some]))
    assert tabulate_objects(GROUPS[:4], 2, counts).weights.sum() == pytest.approx(expected)


def test_strongest_members_leave_out_objects_in_no_group():
    found = take_strongest(np.array([1, 0, 1, -1, 1]), 3, np.array([1.0, 2.0, 5.0, 9.0, 1.0]), 2)
    assert [part.tolist() for part in found] == [[1], [2, 0], []]


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


SIDES = [("papers", "words", 0.5), ("people", "papers", 0.3), ("people", "cities", 0.1)]


def by_relation(result):
    return {part.relation: part for part in result.contributions()}


@pytest.mark.parametrize(("rows", "columns", "weight"), SIDES)
def test_every_relation_adds_its_weighted_divergence_to_the_groups_of_both_sides(rows, columns, weight):
    result = network_result()
    part = by_relation(result)[f"{rows} × {columns}"]
    mass = result.association[part.relation]
    assert list(part.by_group) == list(part.share) == [rows, columns]
    assert part.by_group[rows] == pytest.approx(weight * by_the_book(mass))
    assert part.by_group[columns] == pytest.approx(weight * by_the_book(mass.T))


def test_a_relation_of_a_type_with_itself_adds_the_mean_of_both_directions():
    papers = {**LABELS, "papers": [0, 1, 0, 1, 2, 2]}
    result = network_result(labels=papers)
    part, mass = by_relation(result)["papers × papers"], result.association["papers × papers"]
    cited, citing = by_the_book(mass.T), by_the_book(mass)
    assert cited != pytest.approx(citing)
    assert list(part.by_group) == ["papers"]
    assert part.by_group["papers"] == pytest.approx(0.1 * (cited + citing) / 2)


def test_the_parts_of_a_relation_sum_on_either_side_to_what_its_groups_keep():
    for part in network_result().contributions():
        for values in part.by_group.values():
            assert values.sum() == pytest.approx(part.weight * part.after)
        assert part.after <= part.before + 1e-12


def test_the_shares_of_a_group_sum_to_one_over_the_relations_of_its_type():
    result = network_result()
    for kind, n_groups in (("papers", 2), ("words", 3), ("people", 2), ("cities", 2)):
        found = [part for part in result.contributions() if kind in part.share]
        assert sum(part.share[kind] for part in found) == pytest.approx([1.0] * n_groups)
        total = sum(part.by_group[kind] for part in found)
        for part in found:
            assert part.share[kind] == pytest.approx(part.by_group[kind] / total)


def test_a_group_of_which_no_relation_says_anything_has_no_shares():
    result = network_result(labels={**LABELS, "papers": [0, 0, 0, 2, 2, -1]})
    for part in result.contributions():
        if "papers" in part.share:
            assert part.by_group["papers"][1] == part.share["papers"][1] == 0


def test_a_relation_without_a_weight_counts_one_and_one_of_weight_0_nothing():
    found = network_result(network((None, 0.0, None, None))).contributions()
    assert found[0].weight == 1.0
    for kind in ("people", "papers"):
        assert found[1].by_group[kind].tolist() == found[1].share[kind].tolist() == [0.0, 0.0]
    assert found[1].after > 0


def test_relations_whose_sides_were_not_grouped_are_left_out():
    assert network_result(association={}).contributions() == ()


def test_each_relation_has_its_part_of_the_whole_once():
    found = network_result().contributions()
    kept = [part.weight * part.after for part in found]
    assert list(share_information(found).values()) == pytest.approx([own / sum(kept) for own in kept])
    assert share_information(network_result(network((0.0, 0.0, 0.0, 0.0))).contributions()) == {
        part.relation: 0.0 for part in found
    }


def test_an_object_is_typical_of_the_groups_that_have_clearly_more_of_it_than_all_and_than_none_less():
    """In 10,000 words each: the second group has 58, over all there are 55, and the third has 350."""
    counts = np.array(
        [
            [20, 90, 30, 0],
            [58, 85, 31, 0],
            [350, 5, 30, 0],
            [20, 10, 30, 0],
        ],
        dtype=np.float64,
    )
    rest = 100_000 - counts.sum(axis=1, keepdims=True)
    table = tabulate_objects(np.arange(4), 4, sparse.csr_array(np.hstack([counts, rest])))
    assert table.typical_of[:4].tolist() == [
        [False, False, True, False],
        [True, True, False, False],
        [False, True, False, False],
        [False, False, False, False],
    ]
