import numpy as np
import pytest
from scipy.optimize import minimize

from colligate.methods.margin.qp import QuadraticProgram, project_feasible, solve


def programme(seed, size, rank, cap, stretch=1.0):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(size, rank)) * stretch
    return QuadraticProgram(
        rows @ rows.T, rng.normal(size=size) + 0.5, rng.integers(0, 2, size), np.array(cap)
    )


def by_a_general_solver(problem):
    bounds = [(0.0, None)] * len(problem.c)
    caps = [
        {"type": "ineq", "fun": lambda x, b=b: problem.cap[b] - x[problem.block == b].sum()}
        for b in range(len(problem.cap))
    ]
    return minimize(
        problem.value,
        np.full(len(problem.c), 1e-3),
        jac=lambda x: problem.G @ x - problem.c,
        bounds=bounds,
        constraints=caps,
        method="SLSQP",
        options={"maxiter": 2000, "ftol": 1e-14},
    ).fun


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("cap", [(64.0, 0.1), (1.0, 5.0)])
def test_it_finds_what_a_general_solver_finds(seed, cap):
    problem = programme(seed, 1 + seed * 2, 1 + seed % 7, cap, stretch=10.0 ** (seed % 3 - 1))
    x = solve(problem, 1e-9)
    assert problem.value(x) == pytest.approx(by_a_general_solver(problem), abs=1e-6)
    assert problem.gap(x) <= 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_the_gap_is_a_bound_at_any_feasible_point(seed):
    problem = programme(seed, 8, 3, (2.0, 1.0))
    least = problem.value(solve(problem, 1e-11))
    drawn = project_feasible(problem, np.random.default_rng(seed).exponential(size=8))
    assert np.all(problem.sums(drawn) <= problem.cap * (1 + 1e-12))
    assert problem.value(drawn) - problem.gap(drawn) <= least + 1e-9
    assert problem.gap(drawn) > 1e-3


def test_equal_cuts_make_a_singular_matrix_and_no_trouble():
    rows = np.repeat(np.random.default_rng(0).normal(size=(3, 5)), 4, axis=0)
    problem = QuadraticProgram(
        rows @ rows.T, np.repeat([1.0, 2.0, 0.5], 4), np.zeros(12, dtype=np.int64), np.array([3.0])
    )
    assert problem.gap(solve(problem, 1e-9)) <= 1e-9


def test_a_cut_of_slope_zero_takes_all_it_may():
    problem = QuadraticProgram(
        np.zeros((1, 1)), np.array([1.0]), np.zeros(1, dtype=np.int64), np.array([64.0])
    )
    assert solve(problem, 1e-9)[0] == pytest.approx(64.0)
