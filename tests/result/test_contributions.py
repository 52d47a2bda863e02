from __future__ import annotations

import pytest

from colligate.result.association import share_information
from tests.result.networks import LABELS, network, network_result
from tests.test_array import by_the_book

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
