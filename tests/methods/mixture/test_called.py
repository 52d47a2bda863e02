"""What statements call the groups: an error is told from another view of what a group is."""

import numpy as np

from colligate.methods.mixture.called import called_so


def shares(groups, n_groups=4, sure=0.97):
    found = np.full((len(groups), n_groups), (1 - sure) / (n_groups - 1))
    found[np.arange(len(groups)), groups] = sure
    return found


def test_a_lone_name_elsewhere_is_improbable():
    groups = np.repeat(np.arange(4), 30)
    said = groups.copy()
    said[0] = 1
    found = called_so(shares(groups), said, np.ones(len(said)))
    assert found[0] < 0.05
    assert found[1:].min() > 0.8


def test_a_name_that_others_give_to_the_group_too_is_probable():
    groups = np.repeat(np.arange(4), 30)
    said = groups.copy()
    said[:12] = 1
    found = called_so(shares(groups), said, np.ones(len(said)))
    assert found[:12].min() > 0.15
    assert found[:12].max() < found[12:].min()


def test_those_who_are_not_trusted_vouch_for_nobody():
    groups = np.repeat(np.arange(4), 30)
    said = groups.copy()
    said[:12] = 1
    trust = np.where(said == groups, 1.0, 0.0)
    assert called_so(shares(groups), said, trust)[:12].max() < 0.05


def test_no_statement_vouches_for_itself():
    groups, said = np.zeros(20, dtype=np.int64), np.zeros(20, dtype=np.int64)
    said[0] = 1
    own = shares(groups)
    one, other = (called_so(own, said, np.r_[trust, np.ones(19)])[0] for trust in (0.0, 1.0))
    assert np.isclose(one, other)


def test_all_that_a_member_may_be_called_is_a_probability():
    rng = np.random.default_rng(0)
    drawn = rng.dirichlet(np.ones(5), size=40)
    said = rng.integers(5, size=40)
    trust = rng.random(40)
    each = []
    for name in range(5):
        told = said.copy()
        told[0] = name
        each.append(called_so(drawn, told, np.r_[0.0, trust[1:]])[0])
    assert np.isclose(sum(each), 1.0)
