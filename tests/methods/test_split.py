"""The division of one group."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from colligate.errors import InputError
from colligate.methods.split import split_cluster

MEMBERS = np.arange(4, 24)
"""Twenty documents of two subjects in turn; the first four of the corpus are of another group."""


@pytest.fixture(scope="module")
def counts():
    rng = np.random.default_rng(3)
    table = np.zeros((24, 12), dtype=np.int64)
    for row in range(24):
        table[row, 6 * (row % 2) : 6 * (row % 2) + 6] = rng.poisson(2, 6)
    table[:, 0] += 1
    return csr_array(table)


def parts_of(parts):
    return {int(row): number for number, rows in enumerate(parts) for row in rows}


def test_a_group_is_divided_by_its_words(counts):
    parts = split_cluster(counts, MEMBERS, 2)
    assert sorted(np.concatenate(parts).tolist()) == MEMBERS.tolist()
    assert {tuple(sorted(set((rows % 2).tolist()))) for rows in parts} == {(0,), (1,)}


@pytest.mark.parametrize("large", [0, 1])
def test_the_largest_part_comes_first(counts, large):
    is_large = large == MEMBERS % 2
    few, many = MEMBERS[~is_large][:4], MEMBERS[is_large]
    first, second = split_cluster(counts, np.sort(np.concatenate([few, many])), 2)
    assert (set(first.tolist()), set(second.tolist())) == (set(many.tolist()), set(few.tolist()))


def test_a_group_is_divided_the_same_way_each_time(counts):
    first, second = split_cluster(counts, MEMBERS, 3), split_cluster(counts, MEMBERS, 3)
    assert [rows.tolist() for rows in first] == [rows.tolist() for rows in second]


def test_linked_documents_stay_in_one_part(counts):
    """Two of one subject are linked with one of the other."""
    component = np.arange(len(MEMBERS))
    component[[1, 3]] = component[0]
    part = parts_of(split_cluster(counts, MEMBERS, 2, component))
    assert part[4] == part[5] == part[7] != part[6]


def test_rivals_go_to_different_parts(counts):
    rivals = {0: [2], 2: [0]}
    part = parts_of(split_cluster(counts, MEMBERS, 2, np.arange(20), rivals))
    assert part[4] != part[6]


def test_documents_that_stay_are_in_the_first_part(counts):
    (first, _) = split_cluster(counts, MEMBERS, 2)
    staying = [0, 1, 2, 3]
    part = parts_of(split_cluster(counts, MEMBERS, 2, np.arange(20), staying=staying))
    assert {part[4 + number] for number in staying} == {0}
    assert len(first) != sum(number == 0 for number in part.values())


def test_a_group_that_is_too_small_or_all_the_same_is_not_divided(counts):
    with pytest.raises(
        InputError, match="7 documents cannot be split into 4 parts; at least 8 documents are needed"
    ):
        split_cluster(counts, MEMBERS[:7], 4)
    same = csr_array(np.ones((20, 3), dtype=np.int64))
    with pytest.raises(InputError, match="are too similar"):
        split_cluster(same, np.arange(20), 2)
