"""Operations on documents × groups: the same numbers with and without threads."""

import numpy as np
import pytest

from colligate._array import SUM_ROWS
from colligate.kernels import arrays, make_kernels


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
@pytest.mark.parametrize("n", [5, 2 * SUM_ROWS + 321])
def test_numbers_do_not_depend_on_threads(n, n_jobs):
    rng, kernels = np.random.default_rng(0), make_kernels("fast", n_jobs)
    scores, weights = rng.normal(size=(n, 6)) * 5, rng.random(n)
    left, right = rng.normal(size=(n, 30)).astype(np.float32), rng.normal(size=(30, 6))
    expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    shares = arrays.softmax(scores)
    np.testing.assert_allclose(shares, expected, rtol=1e-12)
    np.testing.assert_array_equal(arrays.softmax(scores, kernels), shares)
    cost = arrays.sum_costs(shares, scores, weights)
    assert cost == pytest.approx(float(weights @ (shares * (np.log(shares) - scores)).sum(axis=1)))
    assert arrays.sum_costs(shares, scores, weights, kernels=kernels) == cost
    for one, many in zip(
        arrays.weigh_rows(shares, weights), arrays.weigh_rows(shares, weights, kernels=kernels), strict=True
    ):
        np.testing.assert_array_equal(one, many)
    one, many = scores.copy(), scores.copy()
    arrays.add_product(one, 2.0, left, right)
    arrays.add_product(many, 2.0, left, right, kernels=kernels)
    arrays.add_row(one, right[0])
    arrays.add_row(many, right[0], kernels)
    np.testing.assert_array_equal(one, many)
    np.testing.assert_allclose(one, scores + 2.0 * (left @ right) + right[0], atol=1e-4)
