from dataclasses import replace

import numpy as np

import colligate as cg
from colligate.report.render import describe_agreement, find_least_agreed, render
from colligate.result.report_view import make_report_view

from .make_view import make_view


def told(shares, mean=0.75, groups=4):
    made = make_view(groups=groups)
    return replace(made, trace=replace(made.trace, runs=8, stability=(shares, mean)))


def test_how_far_runs_agree_is_told():
    assert describe_agreement(told([0.9, 0.5, float("nan"), 0.7])) == (
        "It starts from the consensus of 8 short runs with different starts. "
        "On average, 75 % of these runs put a document into its final group."
    )


def test_the_groups_they_agree_on_least_come_first_and_empty_ones_not_at_all():
    made = told([0.9, 0.5, float("nan"), 0.7])
    assert find_least_agreed(made) == [(made.groups[1].name, "50 %"), (made.groups[3].name, "70 %")]


def test_a_method_without_runs_of_its_own_says_nothing():
    made = make_view()
    assert describe_agreement(made) is None
    assert find_least_agreed(made) == []
    assert "short runs" not in render(made)


def test_names_of_groups_are_escaped():
    made = told([0.9, 0.5, float("nan"), 0.7])
    odd = replace(made.groups[1], name="<b>bold</b>")
    page = render(replace(made, groups=[made.groups[0], odd, *made.groups[2:]]))
    assert "The runs agree least on <em><bdi>&lt;b&gt;bold&lt;/b&gt;</bdi></em> (50 %)" in page


def test_a_result_tells_its_stability_by_group():
    rng = np.random.default_rng(0)
    counts = rng.poisson(np.repeat([[3, 3, 0.2, 0.2, 1], [0.2, 0.2, 3, 3, 1]], 30, axis=0))
    result = cg.make("colligate", n_clusters=2, random_state=0).fit(counts).result_
    trace = make_report_view(result).trace
    shares, mean = trace.stability
    assert trace.runs == 8
    labels = result.labels["documents"]
    assert np.allclose(shares, [result.stability[labels == group].mean() for group in range(2)])
    assert np.isclose(mean, result.stability.mean())
