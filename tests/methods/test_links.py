import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from colligate.errors import NumericalError
from colligate.kernels import Rows
from colligate.kernels.reference import _listed_energies
from colligate.knowledge import GroupLinks, Guidance
from colligate.methods.information.divergence import divergences
from colligate.methods.information.energies import costs_by_cluster, group_sums, link_cost, statement_costs
from colligate.methods.information.links import make_links
from colligate.methods.information.sides import Side

from .knowledge_cases import BACK_ENDS, distributions, grouped, implied, listed, side_of, symmetric_divergence

STRENGTHS = st.sampled_from([(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.7, 2.5)])
WEIGHT = 0.3


def both_forms(case, strengths):
    """The same links implied and listed; cases in which they link different objects are left out."""
    dense, members, group, _ = case
    forms = [
        make_links(side_of(dense), make(len(dense), members, group, *strengths), WEIGHT, BACK_ENDS["fast"])
        for make in (implied, listed)
    ]
    assume(None not in forms)
    assume(np.array_equal(forms[0].where, forms[1].where))
    return forms


@settings(max_examples=50, deadline=None)
@given(grouped())
def test_divergences_equal_their_definition_and_d_max_bounds_them(case):
    dense, members, group, _ = case
    assume(len(members) > 1)
    side, p = side_of(dense), distributions(dense)
    links = make_links(side, listed(len(dense), members, group, 1.0, 1.0), WEIGHT, BACK_ENDS["fast"])
    pairs = links.where[links.pairs.left], links.where[links.pairs.right]
    expected = [symmetric_divergence(p, i, j) for i, j in zip(*pairs, strict=True)]
    for back_end in BACK_ENDS.values():
        found = back_end.divergences(links.kernel, links.pairs.left, links.pairs.right)
        np.testing.assert_allclose(found, expected, atol=1e-10)
    assert 2.0 * divergences(side).d_max >= max(expected) - 1e-12


@settings(max_examples=30, deadline=None)
@given(grouped())
def test_d_max_is_the_bound_of_its_formula_and_bounds_every_divergence(case):
    dense = case[0]
    b = dense.sum(axis=0) / dense.sum()
    x = dense / np.maximum(dense.sum(axis=1, keepdims=True), 1)
    used = b > 0
    s = np.log1p(x[:, used] / b[used])
    u = 0.5 * ((x[:, used] + b[used]) * s).sum(axis=1)
    expected = u.max() - 0.5 * (b[used] * s).sum(axis=1).min()
    assert divergences(side_of(dense)).d_max == pytest.approx(expected, rel=1e-10)
    p = distributions(dense)[dense.sum(axis=1) > 0][:, used]
    one_way = (p[:, None] * np.log(p[:, None] / p[None])).sum(axis=2)
    assert expected >= one_way.max() - 1e-12


@settings(max_examples=60, deadline=None)
@given(grouped(), STRENGTHS, st.integers(2, 4))
def test_implied_links_cost_what_listed_ones_cost(case, strengths, n_clusters):
    forms = both_forms(case, strengths)
    labels = case[3].integers(0, n_clusters, len(forms[0].where)).astype(np.int32)
    costs = [link_cost(links, labels) for links in forms]
    assert costs[0] == pytest.approx(costs[1], rel=1e-10, abs=1e-10)
    tables = [costs_by_cluster(links, labels, n_clusters) for links in forms]
    np.testing.assert_allclose(tables[0], tables[1], rtol=1e-10, atol=1e-10)


@settings(max_examples=60, deadline=None)
@given(grouped(), STRENGTHS, st.integers(2, 4))
def test_labels_settle_alike_implied_and_listed_fast_and_by_definition(case, strengths, n_clusters):
    forms = both_forms(case, strengths)
    rng = case[3]
    start = rng.integers(-1, n_clusters, len(forms[0].where)).astype(np.int32)
    cost = rng.random((len(start), n_clusters)) * 0.5
    seed = int(rng.integers(2**31))
    settled = []
    for links in forms:
        for back_end in BACK_ENDS.values():
            labels = start.copy()
            order = links.order(np.random.default_rng(seed))
            back_end.settle(links.kernel, group_sums(links, labels, n_clusters), cost, labels, order, 30)
            settled.append(labels.tolist())
    # the order follows ties, so it is the same for both forms wherever some tie is
    if strengths[0] > 0:
        assert settled[0] == settled[1] == settled[2] == settled[3]
    else:
        assert settled[0] == settled[1]
        assert settled[2] == settled[3]


@settings(max_examples=40, deadline=None)
@given(grouped(), STRENGTHS)
def test_an_object_in_several_groups(case, strengths):
    dense, members, _, rng = case
    member = np.repeat(members, 2)
    group = rng.permuted(np.tile(np.arange(3), (len(members), 1)), axis=1)[:, :2].ravel()
    assume(len(members) > 1)
    guidance = Guidance(
        len(dense), groups=(GroupLinks(member, group, ("a", "b", "c"), np.arange(len(member)), *strengths),)
    )
    links = make_links(side_of(dense), guidance, WEIGHT, BACK_ENDS["fast"])
    labels = rng.integers(0, 3, len(links.where)).astype(np.int32)
    cost = rng.random((len(labels), 3)) * 0.5
    settled = []
    for back_end in BACK_ENDS.values():
        own = labels.copy()
        back_end.settle(links.kernel, group_sums(links, own, 3), cost, own, np.arange(len(own)), 30)
        settled.append(own.tolist())
    assert settled[0] == settled[1]
    energy = _listed_energies(links.kernel)
    one_hot = (labels[:, None] == np.arange(3)).astype(float)
    found = costs_by_cluster(links, labels, 3)
    np.testing.assert_allclose(found, energy @ one_hot, atol=1e-9)


def test_statement_costs_add_up_to_the_cost_of_listed_links():
    dense = np.random.default_rng(0).poisson(1.0, (12, 6)) + 1
    members, group = np.arange(12), np.arange(12) % 3
    links = make_links(side_of(dense), listed(12, members, group, 1.0, 1.0), WEIGHT, BACK_ENDS["fast"])
    labels = (np.arange(12) % 2).astype(np.int32)
    costs = statement_costs(links, labels, len(links.pairs.left))
    assert costs.sum() == pytest.approx(link_cost(links, labels))
    assert np.count_nonzero(costs) > 0


def test_group_statements_cost_each_broken_pair_once_for_each_end():
    dense = np.random.default_rng(1).poisson(1.0, (12, 6)) + 1
    members, group = np.arange(12), np.arange(12) % 3
    links = make_links(side_of(dense), implied(12, members, group, 1.0, 1.0), WEIGHT, BACK_ENDS["fast"])
    labels = (np.arange(12) % 2).astype(np.int32)
    costs = statement_costs(links, labels, 12)
    assert costs.sum() == pytest.approx(2.0 * link_cost(links, labels))


def test_a_planted_nan_fails_loudly():
    dense = np.random.default_rng(2).poisson(1.0, (6, 4)) + 1.0
    side = side_of(dense)
    data = side.rows.data.copy()
    data[3] = np.nan
    rows = Rows(data, side.rows.indices, side.rows.indptr, side.rows.n_columns)
    spoilt = Side(side.kind, rows, side.pieces, side.widths, side.counts, side.mass)
    with pytest.raises(NumericalError, match="divergences of documents are not finite"):
        divergences(spoilt)


def test_objects_without_entries_in_several_groups_are_not_apart_from_themselves():
    dense = np.array([[0, 2], [0, 2], [0, 0], [0, 0]])
    groups = GroupLinks(
        np.array([2, 2, 3, 3]), np.array([0, 1, 0, 1]), ("a", "b"), np.arange(4), together=0.0, apart=1.0
    )
    links = make_links(side_of(dense), Guidance(4, groups=(groups,)), WEIGHT, BACK_ENDS["fast"])
    labels = np.array([0, 1], dtype=np.int32)
    found = costs_by_cluster(links, labels, 2)
    assert found[0, 0] == found[1, 1] == 0.0
    assert found[0, 1] == found[1, 0] > 0.0
