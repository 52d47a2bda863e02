"""Labels and responsibilities within bounds on the sizes of groups, against slow exact references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, milp, minimize
from scipy.special import softmax

from colligate.knowledge import Knowledge
from colligate.methods.sizes import SizeBounds, assign_within_bounds, fit_offsets


def optimal_cost(cost: np.ndarray, bounds: SizeBounds) -> float:
    """The least cost, as a linear programme over all objects × groups."""
    n, k = cost.shape
    one_group = np.kron(np.eye(n), np.ones(k))
    size = np.kron(np.ones(n), np.eye(k))
    constraints = [LinearConstraint(one_group, 1, 1), LinearConstraint(size, bounds.lower, bounds.upper)]
    return float(milp(cost.ravel(), constraints=constraints, integrality=np.ones(n * k), bounds=(0, 1)).fun)


@st.composite
def problems(draw) -> tuple[np.ndarray, SizeBounds]:
    n, k = draw(st.integers(1, 14)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    cost = rng.integers(0, 5, (n, k)).astype(float) if draw(st.booleans()) else rng.normal(size=(n, k))
    sizes = rng.multinomial(n, rng.dirichlet(np.ones(k)))
    lower = np.maximum(sizes - rng.integers(0, 3, k), 0)
    return cost, SizeBounds(lower, sizes + rng.integers(0, 3, k))


@settings(max_examples=150, deadline=None)
@given(problems())
def test_labels_within_bounds_cost_as_little_as_the_exact_programme(problem) -> None:
    cost, bounds = problem
    labels = assign_within_bounds(cost, bounds)
    assert bounds.admits(np.bincount(labels, minlength=cost.shape[1]))
    total = cost[np.arange(len(cost)), labels].sum()
    assert total == pytest.approx(optimal_cost(cost, bounds), abs=1e-9)
    np.testing.assert_array_equal(labels, assign_within_bounds(cost.copy(), bounds))


def test_without_an_active_bound_every_object_is_in_its_nearest_group() -> None:
    cost = np.random.default_rng(0).random((50, 3))
    free = SizeBounds(np.zeros(3, int), np.full(3, 50))
    np.testing.assert_array_equal(assign_within_bounds(cost, free), cost.argmin(axis=1))


def test_many_objects_take_few_exact_steps() -> None:
    rng = np.random.default_rng(1)
    cost = rng.normal(size=(20_000, 10)) + np.linspace(0, 2, 10)
    bounds = SizeBounds(np.full(10, 1_900), np.full(10, 2_100))
    sizes = np.bincount(assign_within_bounds(cost, bounds), minlength=10)
    assert bounds.admits(sizes)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_offsets_give_the_responsibilities_of_least_free_energy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = 12, 3
    scores, weights = rng.normal(scale=2, size=(n, k)), rng.uniform(0.3, 1.0, n)
    sizes = rng.multinomial(n, np.ones(k) / k)
    bounds = SizeBounds(np.maximum(sizes - 1, 0), sizes + 1)
    b = fit_offsets(scores, bounds, weights)
    q = softmax(scores + b / weights[:, None], axis=1)
    assert bounds.admits(q.sum(axis=0), 5e-3)

    def free_energy(logits: np.ndarray) -> float:
        r = softmax(logits.reshape(n, k), axis=1)
        return float((weights[:, None] * r * (np.log(np.maximum(r, 1e-300)) - scores)).sum())

    inside = [
        {"type": "ineq", "fun": lambda x: softmax(x.reshape(n, k), axis=1).sum(axis=0) - bounds.lower},
        {"type": "ineq", "fun": lambda x: bounds.upper - softmax(x.reshape(n, k), axis=1).sum(axis=0)},
    ]
    best = minimize(free_energy, np.log(np.maximum(q, 1e-9)).ravel(), constraints=inside, method="SLSQP")
    assert free_energy(np.log(np.maximum(q, 1e-300)).ravel()) <= best.fun + 2e-2


def test_offsets_are_zero_where_no_bound_is_active() -> None:
    scores = np.random.default_rng(0).normal(size=(30, 3))
    assert not fit_offsets(scores, SizeBounds(np.zeros(3, int), np.full(3, 30)), np.ones(30)).any()


@pytest.mark.parametrize(
    ("lower", "upper", "n", "expected"),
    [
        ([4, 4, 4], [9, 9, 9], 6, ([2, 2, 2], [6, 6, 6])),
        ([0, 0, 0], [1, 2, 1], 9, ([0, 0, 0], [3, 3, 3])),
        ([5, 0], [9, 2], 6, ([5, 0], [6, 2])),
    ],
)
def test_bounds_that_cannot_be_met_are_relaxed(lower, upper, n, expected) -> None:
    names = "abc"[: len(lower)]
    knowledge = Knowledge(contradictions="report").category("a", words=["w"])
    for name in names[1:]:
        knowledge.category(name, words=["w"])
    for name, least, most in zip(names, lower, upper, strict=True):
        knowledge.group_size(name, at_least=least, at_most=most)
    guidance = knowledge.compile({"documents": range(100), "words": ["w"]}).guidance["documents"]
    groups = {name: number for number, name in enumerate(names)}
    bounds = SizeBounds.of(guidance, len(lower), n, groups)
    assert bounds is not None
    assert (bounds.lower.tolist(), bounds.upper.tolist()) == expected
    assert bounds.lower.sum() <= n <= bounds.upper.sum()


def test_there_are_no_bounds_without_knowledge_of_sizes() -> None:
    assert SizeBounds.of(None, 3, 10) is None
