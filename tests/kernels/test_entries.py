import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate.kernels import SparseRows, cut_entries, make_kernels
from colligate.kernels.interface import cut_rows

from .problems import large, matrices

FAST, REFERENCE = make_kernels("fast", n_jobs=2), make_kernels("reference")


@settings(max_examples=60, deadline=None)
@given(matrices(), st.integers(0, 2**32 - 1))
def test_tfidf_and_log_ratios_equal_the_reference(matrix, seed):
    rng = np.random.default_rng(seed)
    idf = 1.0 + rng.random(matrix.shape[1])
    # weights below 1 have no logarithm
    matrix.data *= rng.choice([0.25, 1.0], len(matrix.data)).astype(np.float32)
    x = SparseRows.of(matrix)
    for dtype, tolerance in ((np.float64, 1e-12), (np.float32, 1e-6)):
        fast, slow = (kernels.tfidf(x, idf, dtype) for kernels in (FAST, REFERENCE))
        assert fast.dtype == dtype
        np.testing.assert_allclose(fast, slow, rtol=tolerance)
    np.testing.assert_allclose(FAST.sum_log_ratios(x, idf), REFERENCE.sum_log_ratios(x, idf), atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(matrices())
def test_transposed_matrices_equal_those_of_scipy(matrix):
    x = SparseRows.of(matrix)
    for kernels in (FAST, REFERENCE):
        transposed = kernels.transpose(x)
        np.testing.assert_array_equal(transposed.matrix().toarray(), matrix.toarray().T)
        assert transposed.indices.dtype == matrix.indices.dtype
        np.testing.assert_array_equal(kernels.count_columns(x), np.diff(transposed.indptr))


@pytest.mark.parametrize("n_jobs", [1, 3, 16])
def test_the_number_of_threads_does_not_change_passes_over_the_entries(n_jobs):
    x = large(np.random.default_rng(0), n=20000, m=500, density=0.05)
    assert len(cut_entries(x.indptr)) > 2
    idf, kernels = np.random.default_rng(1).random(500), make_kernels("fast", n_jobs=n_jobs)
    transposed, expected = kernels.transpose(x), REFERENCE.transpose(x)
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(transposed, name), getattr(expected, name))
    np.testing.assert_array_equal(kernels.count_columns(x), REFERENCE.count_columns(x))
    np.testing.assert_array_equal(kernels.tfidf(x, idf, np.float64), FAST.tfidf(x, idf, np.float64))
    np.testing.assert_array_equal(kernels.sum_log_ratios(x, idf), FAST.sum_log_ratios(x, idf))


def test_a_matrix_shares_its_entries_whatever_the_type_of_indptr():
    x = large(np.random.default_rng(0))
    assert x.indptr.dtype == np.int64
    assert x.indices.dtype == np.int32
    assert np.shares_memory(x.matrix().indices, x.indices)
    assert np.shares_memory(x.between(10, 20).data, x.data)
    np.testing.assert_array_equal(x.between(10, 20).matrix().toarray(), x.matrix()[10:20].toarray())


@pytest.mark.parametrize("cost_of_row", [0, 3])
@pytest.mark.parametrize("n_ranges", [1, 4, 50])
def test_ranges_of_rows_have_about_equal_work(n_ranges, cost_of_row):
    lengths = np.random.default_rng(0).integers(0, 40, 500) * (np.arange(500) % 7 > 0)
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    edges = cut_rows(indptr, n_ranges, cost_of_row)
    assert edges[0] == 0
    assert edges[-1] == 500
    assert (np.diff(edges) > 0).all()
    work = np.diff(indptr[edges] + cost_of_row * edges)
    # the last row of a range may be beyond its share
    assert work.max() <= (indptr[-1] + cost_of_row * 500) / n_ranges + 40 + cost_of_row
