import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from colligate.errors import NumericalError
from colligate.kernels import SparseRows
from colligate.kernels.reference import _densify, _listed_energies
from colligate.knowledge import GroupLinks, Guidance, PairLinks
from colligate.methods.information.links import (
    compile_links,
    costs_by_cluster,
    link_cost,
    smooth_rows,
    statement_costs,
)
from colligate.methods.information.problem import TypeView

from .cases import BACK_ENDS, distributions, grouped, implied, listed, side_of, symmetric_divergence

STRENGTHS = st.sampled_from([(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.7, 2.5)])
WEIGHT = 0.3
FAST = BACK_ENDS["fast"]


def both_forms(case, strengths):
    """The same links implied and listed; cases in which they link different objects are left out."""
    dense, members, group, _ = case
    forms = [
        compile_links(side_of(dense), make(len(dense), members, group, *strengths), WEIGHT, FAST)
        for make in (implied, listed)
    ]
    assume(None not in forms)
    assume(np.array_equal(forms[0].where, forms[1].where))
    return forms


def broken_cost(kernel, labels):
    """What the implied links cost by definition, pair by pair."""
    y, s = _densify(kernel)
    total = 0.0
    for a, b in itertools.combinations(range(len(kernel.owner)), 2):
        i, j, z = kernel.owner[a], kernel.owner[b], kernel.member_set[a]
        if i == j or z != kernel.member_set[b] or min(labels[i], labels[j]) < 0:
            continue
        divergence = (y[i] - y[j]) @ (s[i] - s[j])
        same, joined = kernel.member_group[a] == kernel.member_group[b], labels[i] == labels[j]
        total += kernel.together[z] * divergence if same and not joined else 0.0
        total += kernel.apart[z] * (kernel.twice_d_max - divergence) if joined and not same else 0.0
    return total


@settings(max_examples=50, deadline=None)
@given(grouped())
def test_divergences_equal_their_definition_and_d_max_bounds_them(case):
    dense, members, group, _ = case
    assume(len(members) > 1)
    side, p = side_of(dense), distributions(dense)
    links = compile_links(side, listed(len(dense), members, group, 1.0, 1.0), WEIGHT, FAST)
    pairs = links.where[links.pairs.left], links.where[links.pairs.right]
    expected = [symmetric_divergence(p, i, j) for i, j in zip(*pairs, strict=True)]
    for back_end in BACK_ENDS.values():
        divergences = back_end.divergences(links.kernel, links.pairs.left, links.pairs.right)
        np.testing.assert_allclose(divergences, expected, atol=1e-10)
    assert 2.0 * smooth_rows(side).d_max >= max(expected) - 1e-12


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
    assert smooth_rows(side_of(dense)).d_max == pytest.approx(expected, rel=1e-10)
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
    links = compile_links(side_of(dense), guidance, WEIGHT, FAST)
    labels = rng.integers(-1, 3, len(links.where)).astype(np.int32)
    energy = _listed_energies(links.kernel)
    one_hot = (labels[:, None] == np.arange(3)).astype(float)
    costs = costs_by_cluster(links, labels, 3)
    np.testing.assert_allclose(costs, energy @ one_hot, atol=1e-9)
    assert link_cost(links, labels) == pytest.approx(broken_cost(links.kernel, labels), abs=1e-9)


def test_statement_costs_add_up_to_the_cost_of_listed_links():
    dense = np.random.default_rng(0).poisson(1.0, (12, 6)) + 1
    members, group = np.arange(12), np.arange(12) % 3
    links = compile_links(side_of(dense), listed(12, members, group, 1.0, 1.0), WEIGHT, FAST)
    labels = (np.arange(12) % 2).astype(np.int32)
    costs = statement_costs(links, labels, len(links.pairs.left))
    assert costs.sum() == pytest.approx(link_cost(links, labels))
    assert np.count_nonzero(costs) > 0


def test_group_statements_cost_each_broken_pair_once_for_each_end():
    dense = np.random.default_rng(1).poisson(1.0, (12, 6)) + 1
    members, group = np.arange(12), np.arange(12) % 3
    links = compile_links(side_of(dense), implied(12, members, group, 1.0, 1.0), WEIGHT, FAST)
    labels = (np.arange(12) % 2).astype(np.int32)
    costs = statement_costs(links, labels, 12)
    assert costs.sum() == pytest.approx(2.0 * link_cost(links, labels))


def test_a_planted_nan_fails_loudly():
    dense = np.random.default_rng(2).poisson(1.0, (6, 4)) + 1.0
    side = side_of(dense)
    data = side.rows.data.copy()
    data[3] = np.nan
    rows = SparseRows(data, side.rows.indices, side.rows.indptr, side.rows.n_columns)
    spoilt = TypeView(side.kind, rows, side.relations, side.widths, side.sums, side.mass)
    with pytest.raises(NumericalError, match="divergences of documents are not finite"):
        smooth_rows(spoilt)


def six_links(make, weight=WEIGHT):
    dense = np.random.default_rng(3).poisson(1.0, (6, 4)) + 1
    return compile_links(side_of(dense), make(6, np.arange(6), np.arange(6) % 2, 1.0, 1.0), weight, FAST)


@pytest.mark.parametrize("make", [implied, listed])
def test_a_nan_in_what_links_weigh_fails_loudly(make):
    with pytest.raises(NumericalError, match="links of documents are not finite"):
        six_links(make, weight=np.nan)


@pytest.mark.parametrize(("make", "spoilt"), [(implied, "y"), (implied, "self_term"), (listed, "energy")])
def test_a_nan_in_a_divergence_fails_loudly(make, spoilt):
    links = six_links(make)
    values = getattr(links.kernel, spoilt).copy()
    values[2] = np.nan
    spoiled = replace(links, kernel=replace(links.kernel, **{spoilt: values}))
    with pytest.raises(NumericalError, match="costs of links are not finite"):
        spoiled.run_icm(np.zeros(6, dtype=np.int32), np.zeros((6, 2)), np.arange(6), 30)


def test_a_nan_in_the_scores_of_linked_objects_fails_loudly():
    cost = np.zeros((6, 2))
    cost[5, 1] = np.nan
    with pytest.raises(NumericalError, match="scores of linked objects are not finite"):
        six_links(implied).run_icm(np.zeros(6, dtype=np.int32), cost, np.arange(6), 30)


def test_a_pair_both_together_and_apart_is_always_broken_once():
    dense = np.random.default_rng(4).poisson(1.0, (4, 5)) + 1
    both = PairLinks(
        np.array([0, 0]), np.array([1, 1]), np.array([1, -1], dtype=np.int8), np.ones(2), np.arange(2)
    )
    links = compile_links(side_of(dense), Guidance(4, pairs=both), WEIGHT, FAST)
    for labels in ([0, 0], [0, 1]):
        current = np.array(labels, dtype=np.int32)
        costs = statement_costs(links, current, 2)
        assert np.count_nonzero(costs) == 1
        assert link_cost(links, current) == pytest.approx(costs.sum())


def test_objects_without_entries_in_several_groups_are_not_apart_from_themselves():
    dense = np.array([[0, 2], [0, 2], [0, 0], [0, 0]])
    groups = GroupLinks(
        np.array([2, 2, 3, 3]), np.array([0, 1, 0, 1]), ("a", "b"), np.arange(4), together=0.0, apart=1.0
    )
    links = compile_links(side_of(dense), Guidance(4, groups=(groups,)), WEIGHT, FAST)
    labels = np.array([0, 1], dtype=np.int32)
    costs = costs_by_cluster(links, labels, 2)
    assert costs[0, 0] == costs[1, 1] == 0.0
    assert costs[0, 1] == costs[1, 0] > 0.0
