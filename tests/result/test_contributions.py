from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from colligate.result.contributions import information
from tests.result.networks import LABELS, network, network_result


def divergences(mass):
    """p(k) · KL(p(·|k) ‖ p(·)) by the book."""
    found = []
    for row in mass:
        total = 0.0
        for cell, column in zip(row, mass.sum(axis=0), strict=True):
            if cell:
                total += row.sum() * (cell / row.sum()) * np.log((cell / row.sum()) / column)
        found.append(total)
    return np.array(found)


def test_every_relation_adds_its_weighted_divergence_to_each_group():
    result = network_result()
    found = {part.relation: part for part in result.contributions()}
    for name, weight in (("papers × words", 0.5), ("papers × papers", 0.1), ("people × cities", 0.1)):
        assert found[name].by_group == pytest.approx(weight * divergences(result.association[name]))
    turned = 0.3 * divergences(result.association["people × papers"].T)
    assert found["people × papers"].by_group == pytest.approx(turned)


def test_relations_away_from_the_centre_tell_of_the_groups_in_their_rows():
    kinds = {part.relation: part.kind for part in network_result().contributions()}
    assert kinds.pop("people × cities") == "people"
    assert set(kinds.values()) == {"papers"}


def test_the_parts_of_a_relation_sum_to_what_its_groups_keep():
    for part in network_result().contributions():
        assert part.by_group.sum() == pytest.approx(part.weight * part.after)
        assert part.after <= part.before + 1e-12


def test_the_shares_of_a_group_sum_to_one_over_the_relations_of_its_type():
    found = [part for part in network_result().contributions() if part.kind == "papers"]
    assert sum(part.share for part in found) == pytest.approx([1.0, 1.0])
    total = sum(part.by_group for part in found)
    for part in found:
        assert part.share == pytest.approx(part.by_group / total)


def test_a_group_of_which_no_relation_says_anything_has_no_shares():
    result = network_result(labels={**LABELS, "papers": [0, 0, 0, 2, 2, -1]})
    for part in result.contributions():
        if part.kind == "papers":
            assert part.by_group[1] == part.share[1] == 0


def test_a_relation_without_a_weight_counts_one_and_one_of_weight_0_nothing():
    found = network_result(network((None, 0.0, None, None))).contributions()
    assert found[0].weight == 1.0
    assert found[1].by_group.tolist() == found[1].share.tolist() == [0.0, 0.0]
    assert found[1].after > 0


def test_relations_whose_sides_were_not_grouped_are_left_out():
    assert network_result(association={}).contributions() == ()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=5))
def test_the_information_of_a_sparse_matrix_is_that_of_the_dense_one(rows):
    table = np.array(rows, dtype=float)
    expected = divergences(table / table.sum()).sum() if table.sum() else 0.0
    assert information(sparse.csr_array(table)) == pytest.approx(expected, abs=1e-12)
