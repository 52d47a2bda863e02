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


def by_a_general_solver(given):
    bounds = [(0.0, None)] * len(given.c)
    caps = [
        {"type": "ineq", "fun": lambda x, b=b: given.cap[b] - x[given.block == b].sum()}
        for b in range(len(given.cap))
    ]
    return minimize(
        given.value,
        np.full(len(given.c), 1e-3),
        jac=lambda x: given.G @ x - given.c,
        bounds=bounds,
        constraints=caps,
        method="SLSQP",
        options={"maxiter": 2000, "ftol": 1e-14},
    ).fun


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("cap", [(64.0, 0.1), (1.0, 5.0)])
def test_it_finds_what_a_general_solver_finds(seed, cap):
    given = programme(seed, 1 + seed * 2, 1 + seed % 7, cap, stretch=10.0 ** (seed % 3 - 1))
    x = solve(given, 1e-9)
    assert given.value(x) == pytest.approx(by_a_general_solver(given), abs=1e-6)
    assert given.gap(x) <= 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_the_gap_is_a_bound_at_any_feasible_point(seed):
    given = programme(seed, 8, 3, (2.0, 1.0))
    least = given.value(solve(given, 1e-11))
    drawn = project_feasible(given, np.random.default_rng(seed).exponential(size=8))
    assert np.all(given.sums(drawn) <= given.cap * (1 + 1e-12))
    assert given.value(drawn) - given.gap(drawn) <= least + 1e-9
    assert given.gap(drawn) > 1e-3


def test_equal_cuts_make_a_singular_matrix_and_no_trouble():
    rows = np.repeat(np.random.default_rng(0).normal(size=(3, 5)), 4, axis=0)
    given = QuadraticProgram(
        rows @ rows.T, np.repeat([1.0, 2.0, 0.5], 4), np.zeros(12, dtype=np.int64), np.array([3.0])
    )
    assert given.gap(solve(given, 1e-9)) <= 1e-9


def test_a_cut_of_slope_zero_takes_all_it_may():
    given = QuadraticProgram(np.zeros((1, 1)), np.array([1.0]), np.zeros(1, dtype=np.int64), np.array([64.0]))
    assert solve(given, 1e-9)[0] == pytest.approx(64.0)
