import numpy as np
import pytest
from scipy.optimize import minimize as general

from colligate.methods.margin.bundle import Point, minimise
from colligate.methods.margin.risks import BalanceRisk, OutsiderRisk, TargetRisk, margins
from tests.methods.margin.cases import beside, cloud


def solved(risks, weights, tolerance, share=0.0):
    return minimise(risks, Point.of(weights, risks), tolerance, share)


def small(seed, outsider_weight=2.0):
    features, groups = cloud(seed, n=12, width=2)
    outsiders = beside(features, seed, n=6)
    return [TargetRisk(features, groups, 5.0), OutsiderRisk(outsiders, 0.3, outsider_weight)]


def by_a_general_solver(risks):
    """The same with one slack variable per hinge, as equations 10 to 12 have it: a smooth programme."""
    target, outsider = risks
    n, n_out, size = len(target.features), len(outsider.features), 9
    places = np.arange(n)

    def rows(x):
        scores = target.features.scores(x[:size].reshape(3, 3))
        in_group = scores[places, target.groups][:, None]
        first = (in_group - scores - 1.0)[target.groups[:, None] != np.arange(3)] + x[size : size + 2 * n]
        seen = outsider.features.scores(x[:size].reshape(3, 3))
        lead = (seen - seen.mean(axis=1, keepdims=True)) * 1.5
        second = (x[size + 2 * n :][:, None] + outsider.epsilon - lead).ravel()
        return np.concatenate([first, second])

    def value(x):
        return (
            0.5 * x[:size] @ x[:size]
            + target.weight * x[size : size + 2 * n].sum() / (3 * n)
            + outsider.weight * x[size + 2 * n :].mean()
        )

    start = np.concatenate([np.zeros(size), np.ones(2 * n), np.ones(n_out)])
    bounds = [(None, None)] * size + [(0, None)] * (2 * n + n_out)
    return general(
        value,
        start,
        bounds=bounds,
        constraints={"type": "ineq", "fun": rows},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    ).fun


@pytest.mark.parametrize("seed", range(4))
def test_cutting_planes_find_what_a_general_solver_finds(seed):
    risks = small(seed)
    solution = solved(risks, np.zeros((3, 3)), 1e-7)
    assert solution.objective == pytest.approx(by_a_general_solver(risks), rel=1e-5)


@pytest.mark.parametrize("tolerance", [1e-1, 1e-2, 1e-4])
def test_the_duality_gap_is_below_the_tolerance(tolerance):
    features, groups = cloud(1, n=200, width=20, n_groups=4)
    risks = [TargetRisk(features, groups, 64.0), OutsiderRisk(beside(features, 1), 0.5, 6.4)]
    solution = solved(risks, np.zeros((4, features.width)), tolerance)
    assert 0.0 <= solution.gap <= tolerance * solution.objective
    assert solution.objective == pytest.approx(Point.of(solution.W, risks).objective(risks))


def test_with_a_share_it_ends_where_little_is_left_to_gain():
    features, groups = cloud(1, n=200, width=20, n_groups=4)
    risks = [TargetRisk(features, groups, 64.0)]
    start = Point.of(np.zeros((4, features.width)), risks)
    first, solution = start.objective(risks), minimise(risks, start, 1e-9, 0.3)
    assert 1e-3 * solution.objective < solution.gap <= 0.3 * (first - solution.objective)


def test_no_start_is_left_for_a_worse_one():
    risks = small(0)
    best = solved(risks, np.zeros((3, 3)), 1e-8)
    again = solved(risks, best.W, 0.5)
    assert again.objective <= best.objective * (1 + 1e-12)


def test_outsiders_are_drawn_to_the_borders():
    risks = small(2, outsider_weight=200.0)
    without = solved(risks[:1], np.zeros((3, 3)), 1e-6).W
    with_them = solved(risks, np.zeros((3, 3)), 1e-6).W
    reached = [margins(risks[1].scores(weights)) for weights in (without, with_them)]
    assert reached[0].max() > 0.5
    assert reached[1].max() <= 0.35


def test_the_balance_is_kept_as_a_constraint():
    features, groups = cloud(3, n=60)
    uneven = np.where(np.arange(60) < 50, 0, groups).astype(np.int32)
    features = features.scaled(1.0, 1.0)
    target = TargetRisk(features, uneven, 64.0)
    free = solved([target], np.zeros((3, features.width)), 1e-5).W
    held = solved([target, BalanceRisk(features, 0.2, 128.0)], np.zeros((3, features.width)), 1e-5).W
    assert np.ptp(features.mean_scores(free)) > 0.3
    assert np.ptp(features.mean_scores(held)) <= 0.2 + 1e-3
