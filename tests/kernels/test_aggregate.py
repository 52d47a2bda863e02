import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from colligate.errors import ParameterError
from colligate.kernels import SparseRows, make_kernels
from colligate.kernels.interface import COLUMN_BLOCK

from .problems import labels, large, matrices

FAST, REFERENCE = make_kernels("fast", n_jobs=2), make_kernels("reference")


@settings(max_examples=60, deadline=None)
@given(matrices(), st.integers(1, 4), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_block_sums_equal_the_reference(matrix, n_rows, n_columns, seed):
    rng = np.random.default_rng(seed)
    rows = labels(rng, matrix.shape[0], n_rows, some_missing=True)
    columns = labels(rng, matrix.shape[1], n_columns, some_missing=True)
    fast, slow = (
        k.block_sums(SparseRows.of(matrix), rows, columns, n_rows, n_columns) for k in (FAST, REFERENCE)
    )
    np.testing.assert_allclose(fast, slow, rtol=1e-12)


@settings(max_examples=60, deadline=None)
@given(matrices(), st.integers(1, 4), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_assignments_and_scores_equal_the_reference(matrix, n_clusters, n_columns, seed):
    rng = np.random.default_rng(seed)
    columns = labels(rng, matrix.shape[1], n_columns, some_missing=True)
    # distinct integers leave no room for ties by rounding
    table = rng.permutation(n_columns * n_clusters).reshape(n_columns, n_clusters).astype(float)
    x = SparseRows.of(matrix)
    np.testing.assert_allclose(FAST.score_rows(x, columns, table), REFERENCE.score_rows(x, columns, table))
    fast, slow = FAST.assign_rows(x, columns, table), REFERENCE.assign_rows(x, columns, table)
    np.testing.assert_array_equal(fast[0], slow[0])
    np.testing.assert_allclose(fast[1], slow[1], rtol=1e-12)
    again, sums = FAST.assign_and_sum(x, columns, table)
    np.testing.assert_array_equal(again, slow[0])
    np.testing.assert_allclose(
        sums, REFERENCE.block_sums(x, slow[0], columns, n_clusters, n_columns), rtol=1e-12
    )


@settings(max_examples=60, deadline=None)
@given(matrices(dtype=np.float64), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_products_equal_the_reference(matrix, width, seed):
    rng = np.random.default_rng(seed)
    x = SparseRows.of(matrix)
    right, left = rng.random((matrix.shape[1], width)), rng.random((matrix.shape[0], width))
    np.testing.assert_allclose(FAST.product(x, right), REFERENCE.product(x, right), rtol=1e-12)
    np.testing.assert_allclose(
        FAST.transposed_product(x, left), REFERENCE.transposed_product(x, left), rtol=1e-12
    )


@settings(max_examples=60, deadline=None)
@given(matrices(), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_products_of_a_matrix_with_blocks_and_in_single_precision_equal_the_reference(matrix, width, seed):
    rng = np.random.default_rng(seed)
    x = SparseRows.of(matrix).with_blocks()
    right, left = rng.random((matrix.shape[1], width)), rng.random((matrix.shape[0], width))
    for dtype, rtol in ((np.float64, 1e-12), (np.float32, 1e-5)):
        single = right.astype(dtype), left.astype(dtype)
        np.testing.assert_allclose(FAST.product(x, single[0]), REFERENCE.product(x, single[0]), rtol=rtol)
        np.testing.assert_allclose(
            FAST.transposed_product(x, single[1]), REFERENCE.transposed_product(x, single[1]), rtol=rtol
        )


@pytest.mark.parametrize("width", [1, 7, 8, 9, 15, 20, 31, 33, 36, 65, 110])
@pytest.mark.parametrize("types", [("f4", "f4"), ("f8", "f8"), ("f4", "f8"), ("f8", "f4"), ("i4", "f4")])
def test_products_equal_the_reference_where_vectors_overlap(width, types):
    """Rows have 0 to 30 entries: runs of four, and what is left of them."""
    rng = np.random.default_rng(width)
    counts = rng.integers(1, 9, (40, 30)) * (rng.random((40, 30)) < np.linspace(0.0, 1.0, 40)[:, None])
    x = SparseRows.of(sparse.csr_array(counts.astype(types[0])))
    right, left = (rng.standard_normal((size, width)).astype(types[1]) for size in (30, 40))
    for call in (
        lambda k: k.product(x, right),
        lambda k: k.transposed_product(x, left),
        lambda k: k.transposed_product(x.with_blocks(), left),
    ):
        np.testing.assert_allclose(call(FAST), call(REFERENCE), rtol=1e-5, atol=1e-4)
        # single precision was asked for only if both factors have it
        if types != ("f4", "f4"):
            np.testing.assert_allclose(call(FAST), call(REFERENCE), rtol=1e-12, atol=1e-12)


def test_parts_in_single_precision_are_added_in_double_precision():
    """A sum of 2²⁴ and many ones stays at 2²⁴ in single precision."""
    n = 4001
    x = SparseRows.of(sparse.csr_array(np.array([[2.0**24] + [1.0] * (n - 1)], dtype=np.float32)))
    product = FAST.product(x, np.ones((n, 20), dtype=np.float32))
    assert np.all(np.abs(product - (2.0**24 + n - 1)) <= 4)


def test_several_blocks_by_columns_equal_the_reference():
    rng = np.random.default_rng(2)
    x = large(rng, n=2 * COLUMN_BLOCK + 7).with_blocks()
    left = rng.random((len(x), 3))
    assert len(x.blocks) == 3
    np.testing.assert_allclose(
        FAST.transposed_product(x, left), REFERENCE.transposed_product(x, left), rtol=1e-12
    )


@pytest.mark.parametrize("width", [3, 80])
def test_overlaps_in_single_precision_equal_the_reference(width):
    rng = np.random.default_rng(3)
    left, right = (rng.standard_normal((6000, width), dtype=np.float32) for _ in range(2))
    np.testing.assert_allclose(FAST.overlap(left, right), REFERENCE.overlap(left, right), atol=1e-3)


@pytest.mark.parametrize("count", [1, 4, 30])
def test_nearest_rows_equal_the_reference(count):
    rng = np.random.default_rng(4)
    # whole numbers, whose products are exact, with many equal ones
    rows = rng.integers(0, 4, (300, 5)).astype(np.float32)
    queries = rng.permutation(300)[:150]
    np.testing.assert_array_equal(FAST.nearest(queries, rows, count), REFERENCE.nearest(queries, rows, count))


def test_an_empty_row_is_in_no_cluster(back_end):
    x = SparseRows(np.array([2.0]), np.array([0]), np.array([0, 0, 1]), 1)
    found, _ = back_end.assign_rows(x, np.zeros(1, dtype=np.int32), np.array([[1.0, 3.0]]))
    assert found.tolist() == [-1, 1]


@pytest.mark.parametrize("n_jobs", [2, 3, 5])
def test_numbers_do_not_depend_on_the_number_of_threads(n_jobs):
    rng = np.random.default_rng(0)
    x = large(rng)
    rows, columns = labels(rng, len(x), 6), labels(rng, x.n_columns, 7)
    table, right, left = rng.random((7, 6)), rng.random((x.n_columns, 5)), rng.random((len(x), 5))
    one, many = make_kernels("fast", n_jobs=1), make_kernels("fast", n_jobs=n_jobs)
    for call in (
        lambda k: k.block_sums(x, rows, columns, 6, 7),
        lambda k: k.assign_rows(x, columns, table)[0],
        lambda k: k.score_rows(x, columns, table),
        lambda k: k.product(x, right),
        lambda k: k.transposed_product(x, left),
        lambda k: k.transposed_product(x.with_blocks(), left),
        lambda k: k.overlap(left, left),
        lambda k: k.nearest(np.arange(100), left.astype(np.float32), 7),
    ):
        np.testing.assert_array_equal(call(one), call(many))


def test_large_inputs_equal_the_reference():
    rng = np.random.default_rng(1)
    x = large(rng)
    rows, columns = labels(rng, len(x), 6), labels(rng, x.n_columns, 7)
    np.testing.assert_allclose(
        FAST.block_sums(x, rows, columns, 6, 7), REFERENCE.block_sums(x, rows, columns, 6, 7), rtol=1e-12
    )
    dense = rng.random((len(x), 3))
    np.testing.assert_allclose(FAST.transposed_product(x, dense), REFERENCE.transposed_product(x, dense))


def test_an_unknown_back_end_is_named():
    with pytest.raises(ParameterError, match="no back end 'abacus'; choose 'fast' or 'reference'"):
        make_kernels("abacus")
