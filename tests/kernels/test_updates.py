import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from colligate.kernels import SparseRows, SplitGradient, make_kernels

FAST, REFERENCE = make_kernels("fast", n_jobs=2), make_kernels("reference")
FLOOR = 1e-30


def memberships(rng, n, width):
    G = rng.random((n, width)) + 0.01
    return G / np.linalg.norm(G, axis=0)


def slope_at(rng, G, inner, *, signed, further):
    n, width = G.shape
    left, right = rng.random((n, inner)), rng.normal(size=(inner, width))
    Q = rng.normal(size=(width, width)) if signed else rng.random((width, width))
    parts = (rng.random((n, width)), rng.random((n, width))) if further else (None, None)
    right = right if signed else np.abs(right)
    made = SplitGradient(left, right, np.maximum(Q, 0), np.maximum(-Q, 0), np.zeros(width), *parts)
    gain, loss = made.parts(G)
    return SplitGradient(left, right, made.plus, made.minus, ((gain - loss) * G).sum(axis=0), *parts)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 20), st.integers(1, 6), st.integers(0, 5), st.booleans(), st.booleans(), st.booleans(),
    st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_steps_equal_the_reference(n, width, inner, signed, further, root, seed):
    rng = np.random.default_rng(seed)
    G = memberships(rng, n, width)
    slope = slope_at(rng, G, inner, signed=signed, further=further)
    fast, slow = (k.step(G, slope, 1e-9, FLOOR, root=root) for k in (FAST, REFERENCE))
    np.testing.assert_allclose(np.linalg.norm(fast, axis=0), 1.0)
    np.testing.assert_allclose(fast, slow, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("root", [False, True])
def test_a_rough_step_of_many_rows_equals_the_reference(root):
    rng = np.random.default_rng(0)
    G = memberships(rng, 9000, 7)
    slope = slope_at(rng, G, 4, signed=False, further=True)
    fast, slow = (k.step(G, slope, 0.05, FLOOR, root=root) for k in (FAST, REFERENCE))
    np.testing.assert_allclose(fast, slow, rtol=1e-9)


def test_a_column_without_any_gain_stays_finite(back_end):
    rng = np.random.default_rng(1)
    G = memberships(rng, 8, 3)
    left, right = rng.random((8, 2)), rng.random((2, 3))
    right[:, 1] = 0.0
    plus = rng.random((3, 3))
    loss = G @ plus
    lead = ((left @ right - loss) * G).sum(axis=0)
    for root in (False, True):
        found = back_end.step(
            G, SplitGradient(left, right, plus, np.zeros((3, 3)), lead), 1e-9, FLOOR, root=root
        )
        np.testing.assert_allclose(np.linalg.norm(found, axis=0), 1.0)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 20), st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_overlaps_equal_the_reference(n, first, second, seed):
    rng = np.random.default_rng(seed)
    left, right = rng.normal(size=(n, first)), rng.normal(size=(n, second))
    np.testing.assert_allclose(FAST.overlap(left, right), REFERENCE.overlap(left, right), atol=1e-12)


@pytest.mark.parametrize("n_jobs", [2, 3, 5])
def test_numbers_do_not_depend_on_the_number_of_threads(n_jobs):
    rng = np.random.default_rng(2)
    G = memberships(rng, 9000, 5)
    slope = slope_at(rng, G, 4, signed=True, further=True)
    one, many = make_kernels("fast", n_jobs=1), make_kernels("fast", n_jobs=n_jobs)
    for call in (
        lambda k: k.overlap(G, slope.left),
        lambda k: k.step(G, slope, 0.05, FLOOR, root=False),
        lambda k: k.step(G, slope, 1e-9, FLOOR, root=True),
    ):
        np.testing.assert_array_equal(call(one), call(many))


def test_rows_in_any_order_are_multiplied_right(back_end):
    """The fast kernel finds a range of columns by halving, which needs them in order."""
    rng = np.random.default_rng(3)
    tidy = sparse.random_array((5000, 60), density=0.2, rng=rng, format="csr")
    mixed = tidy.copy()
    for start, stop in zip(tidy.indptr[:-1], tidy.indptr[1:], strict=True):
        mixed.indices[start:stop] = tidy.indices[start:stop][::-1]
        mixed.data[start:stop] = tidy.data[start:stop][::-1]
    mixed.has_sorted_indices = False
    dense = rng.random((5000, 3))
    found = back_end.transposed_product(SparseRows.of(sparse.csr_array(mixed)), dense)
    np.testing.assert_allclose(found, tidy.T @ dense)
