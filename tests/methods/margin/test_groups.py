import numpy as np
import pytest

from colligate.methods.margin.groups import assign_groups, fill_empty_groups
from colligate.methods.margin.risks import hinge_losses


@pytest.mark.parametrize("seed", range(30))
def test_no_group_loses_all_its_members_and_no_loss_rises(seed):
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.arange(9) % 4).astype(np.int32)
    scores = rng.normal(size=(9, 4)) + np.array([6.0, 0.0, 0.0, 0.0])
    assigned = assign_groups(scores, groups, hinge_losses(scores, groups))
    assert set(assigned.tolist()) == {0, 1, 2, 3}
    assert np.all(hinge_losses(scores, assigned) <= hinge_losses(scores, groups) + 1e-12)


def test_documents_go_where_they_score_highest_if_that_empties_nothing():
    scores = np.eye(3)[[0, 0, 1, 2]]
    groups = np.array([1, 0, 2, 2], dtype=np.int32)
    assert assign_groups(scores, groups, np.zeros(4)).tolist() == [0, 0, 1, 2]


def test_a_group_that_was_empty_may_stay_so():
    groups = np.array([0, 0, 1], dtype=np.int32)
    assert assign_groups(np.eye(3)[[0, 0, 1]], groups, np.zeros(3)).tolist() == [0, 0, 1]


def test_gaps_are_filled_by_misfits_of_groups_that_can_spare_them():
    groups = np.array([0, 0, 0, 1], dtype=np.int32)
    assert fill_empty_groups(groups, 3, np.array([3, 1, 0, 2])).tolist() == [0, 2, 0, 1]
    assert fill_empty_groups(groups, 2, np.array([3, 1, 0, 2])) is not None
    assert sorted(fill_empty_groups(groups[:1], 3, np.array([0])).tolist()) == [0]
