import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from colligate.methods.information.links import compile_links
from colligate.methods.information.step import assign_components

from .cases import BACK_ENDS, grouped, implied, listed, side_of


@settings(max_examples=50, deadline=None)
@given(grouped(), st.integers(2, 4), st.sampled_from([(1.0, 0.0), (1.0, 1.0), (0.5, 2.0)]))
def test_tied_objects_start_together_and_alike_whether_implied_or_listed(case, n_clusters, strengths):
    dense, members, group, rng = case
    fast = BACK_ENDS["fast"]
    forms = [
        compile_links(side_of(dense), make(len(dense), members, group, *strengths), 0.3, fast)
        for make in (implied, listed)
    ]
    assume(None not in forms)
    assume(np.array_equal(forms[0].where, forms[1].where))
    scores = rng.random((len(forms[0].where), n_clusters))
    assigned = [assign_components(links, scores, fast) for links in forms]
    np.testing.assert_array_equal(assigned[0], assigned[1])
    for tie in np.unique(forms[0].component):
        assert len(set(assigned[0][forms[0].component == tie])) == 1


def test_ties_that_are_apart_start_apart_even_where_both_fit_best():
    dense = np.random.default_rng(0).poisson(1.0, (6, 5)) + 1
    members, group = np.arange(6), np.array([0, 0, 0, 1, 1, 1])
    links = compile_links(side_of(dense), implied(6, members, group, 1.0, 1.0), 10.0, BACK_ENDS["fast"])
    scores = np.tile([1.0, 0.9], (6, 1))
    assigned = assign_components(links, scores, BACK_ENDS["fast"])
    assert assigned[0] != assigned[3]
