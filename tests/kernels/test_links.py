import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from colligate.kernels import costs_by_cluster, make_kernels
from colligate.knowledge import GroupLinks, Guidance
from colligate.methods.information.links import compile_links, link_cost

from ..methods.information.cases import BACK_ENDS, grouped, implied, listed, side_of

FAST, REFERENCE = BACK_ENDS["fast"], BACK_ENDS["reference"]
STRENGTHS = st.sampled_from([(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.7, 2.5)])
WEIGHT = 0.3
TABLES = ("labels", "pulled", "broken", "inside", "everywhere")


def mixed_links(case, strengths):
    """Listed links and two sets of groups at once, with objects in several groups of the first set."""
    dense, members, group, rng = case
    assume(len(members) > 1)
    again = rng.permutation(members)[: len(members) // 2]
    member = np.concatenate([members, again])
    several = np.unique(np.stack([member, rng.integers(0, 4, len(member))]), axis=1)
    first = GroupLinks(*several, tuple("abcd"), np.arange(several.shape[1]), *strengths)
    second = implied(len(dense), members, group, 0.5, 0.0).groups[0]
    pairs = listed(len(dense), members, group, 0.4, 0.2).pairs
    guidance = Guidance(len(dense), pairs=pairs, groups=(first, second))
    return compile_links(side_of(dense), guidance, WEIGHT, FAST)


def many_links(n=3000, n_groups=7):
    """Enough linked objects for several chunks and for rounds that end early."""
    rng = np.random.default_rng(0)
    dense = rng.poisson(0.4, (n, 40)) + (rng.random((n, 40)) < 0.02)
    guidance = implied(n, np.arange(n), rng.integers(0, n_groups, n), 1.0, 1.0)
    return compile_links(side_of(dense), guidance, 1e-4, FAST), rng


def settled(back_end, links, start, cost, order, max_rounds=30):
    """The tables of settled labels; the labels given stay as they are."""
    labels = start.copy()
    known = back_end.link_tables(links.kernel, start, cost.shape[1])
    tables = back_end.run_icm(links.kernel, known, cost, labels, order, max_rounds)
    assert tables.labels.tolist() == labels.tolist()
    return tables


@settings(max_examples=60, deadline=None)
@given(grouped(), STRENGTHS, st.integers(2, 9))
def test_tables_equal_their_definition_from_nothing_and_from_other_labels(case, strengths, n_clusters):
    links, rng = mixed_links(case, strengths), case[3]
    known = None
    for share in (1.0, 0.3, 0.1):
        labels = rng.integers(-1, n_clusters, len(links.where)).astype(np.int32)
        if known is not None:
            labels = np.where(rng.random(len(labels)) < share, labels, known.labels)
        expected = REFERENCE.link_tables(links.kernel, labels, n_clusters)
        known = FAST.link_tables(links.kernel, labels, n_clusters, known)
        for name in TABLES:
            np.testing.assert_allclose(
                getattr(known, name), getattr(expected, name), atol=1e-10, err_msg=name
            )


@settings(max_examples=60, deadline=None)
@given(grouped(), STRENGTHS, st.integers(2, 5))
def test_labels_settle_as_by_definition(case, strengths, n_clusters):
    links, rng = mixed_links(case, strengths), case[3]
    start = rng.integers(-1, n_clusters, len(links.where)).astype(np.int32)
    cost, order = rng.random((len(start), n_clusters)) * 0.5, rng.permutation(len(start))
    for max_rounds in (1, 30):
        found = [settled(back_end, links, start, cost, order, max_rounds) for back_end in (FAST, REFERENCE)]
        assert found[0].labels.tolist() == found[1].labels.tolist()
        for name in TABLES:
            np.testing.assert_allclose(getattr(found[0], name), getattr(found[1], name), atol=1e-10)


@settings(max_examples=60, deadline=None)
@given(grouped(), STRENGTHS, st.integers(2, 4))
def test_labels_settle_alike_implied_and_listed(case, strengths, n_clusters):
    dense, members, group, rng = case
    forms = [
        compile_links(side_of(dense), make(len(dense), members, group, *strengths), WEIGHT, FAST)
        for make in (implied, listed)
    ]
    assume(None not in forms)
    assume(np.array_equal(forms[0].where, forms[1].where))
    start = rng.integers(-1, n_clusters, len(forms[0].where)).astype(np.int32)
    cost, order = rng.random((len(start), n_clusters)) * 0.5, rng.permutation(len(start))
    found = [links.run_icm(start, cost, order, 30).tolist() for links in forms]
    assert found[0] == found[1]


def test_the_order_follows_ties_listed_or_implied():
    dense = np.random.default_rng(0).poisson(1.0, (12, 6)) + 1
    orders = [
        compile_links(side_of(dense), make(12, np.arange(12), np.arange(12) % 3, 1.0, 1.0), WEIGHT, FAST)
        .order(np.random.default_rng(5))
        .tolist()
        for make in (implied, listed)
    ]
    assert orders[0] == orders[1]
    assert np.count_nonzero(np.diff(np.array(orders[0]) % 3)) == 2


def test_every_round_lowers_the_energy_until_no_object_would_move():
    links, rng = many_links()
    start = rng.integers(0, 6, len(links.where)).astype(np.int32)
    cost, order = rng.random((len(start), 6)), rng.permutation(len(start))
    tables = FAST.link_tables(links.kernel, start, 6)
    energies = []
    for _ in range(60):
        own = cost[np.arange(len(start)), tables.labels].sum()
        energies.append(own + link_cost(links, tables.labels))
        following = settled(FAST, links, tables.labels, cost, order, 1)
        if np.array_equal(following.labels, tables.labels):
            break
        tables = following
    assert len(energies) > 3
    assert np.all(np.diff(energies) < 0)
    total = cost + costs_by_cluster(links.kernel, tables)
    own = total[np.arange(len(start)), tables.labels]
    assert np.all(total.min(axis=1) >= own - 1e-9 * np.abs(own))


@pytest.mark.parametrize("n_jobs", [2, 5])
def test_labels_and_tables_do_not_depend_on_the_number_of_threads(n_jobs):
    links, rng = many_links()
    start = rng.integers(-1, 6, len(links.where)).astype(np.int32)
    cost, order = rng.random((len(start), 6)), rng.permutation(len(start))
    found = [settled(make_kernels("fast", n_jobs=jobs), links, start, cost, order) for jobs in (1, n_jobs)]
    for name in TABLES:
        np.testing.assert_array_equal(getattr(found[0], name), getattr(found[1], name))


def test_remembered_tables_are_those_of_the_labels_asked_for():
    links, rng = many_links(n=200)
    for _ in range(8):
        labels = rng.integers(0, rng.integers(2, 6), len(links.where)).astype(np.int32)
        fresh = FAST.link_tables(links.kernel, labels, 6)
        assert links.tables(labels).labels.tolist() == labels.tolist()
        np.testing.assert_allclose(links.tables(labels, 6).inside, fresh.inside, atol=1e-9)
        assert links.tables(labels, 6) is links.tables(labels.copy(), 6)
