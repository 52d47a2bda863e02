import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colligate as cg
from colligate.methods.ckmeans import make_metric_objective, step_metric

from .cases import problem_of, random_counts, random_links, textbook


def sums_of(seed):
    rng = np.random.default_rng(seed)
    counts = random_counts(rng)
    _, problem = problem_of(counts, random_links(rng), link_weight=0.7, stiffness=0.3)
    labels = rng.integers(0, 2, len(counts)).astype(np.int32)
    metric = np.exp(rng.normal(0, 0.3, counts.shape[1]))
    return make_metric_objective(problem, problem.view(metric), labels), metric, (counts, problem, labels)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_slope_is_that_of_the_cost(seed):
    sums, metric, _ = sums_of(seed)
    found, step = sums.slope(metric), 1e-5
    for w in range(len(metric)):
        nudge = np.exp(step * (np.arange(len(metric)) == w))
        expected = (sums.cost(metric * nudge) - sums.cost(metric / nudge)) / (2 * step)
        assert found[w] == pytest.approx(expected, abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_cost_differs_from_the_objective_by_a_constant(seed):
    sums, metric, (counts, problem, labels) = sums_of(seed)
    own = problem.guidance["documents"]

    def objective(at):
        return textbook(counts, problem.idf, own, labels, at, weight=0.7, stiffness=problem.rho)

    other = np.exp(np.random.default_rng(seed + 1).normal(0, 0.3, len(metric)))
    expected = objective(metric) - objective(other)
    assert sums.cost(metric) - sums.cost(other) == pytest.approx(expected, abs=1e-10)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_step_lowers_the_cost_or_is_none(seed):
    sums, metric, _ = sums_of(seed)
    following = step_metric(sums, metric)
    assert following is metric or sums.cost(following) < sums.cost(metric)


def test_a_word_that_splits_a_link_loses_weight():
    """Words 0 and 1 tell the clusters apart against a link together; word 2 agrees with it."""
    counts = np.array([[4, 0, 2], [0, 4, 2], [4, 0, 0], [0, 4, 0]])
    _, problem = problem_of(counts, cg.Knowledge().together(documents=[(0, 1)]), link_weight=5.0)
    labels = np.array([0, 1, 0, 1], dtype=np.int32)
    metric = step_metric(make_metric_objective(problem, problem.view(np.ones(3)), labels), np.ones(3))
    assert metric[2] > 1 > metric[0] == pytest.approx(metric[1])
