"""Kernels take matrices with more than 2³¹ entries, and tables of 100,000 clusters."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.sparse import csr_array

from colligate.kernels import SparseRows
from colligate.kernels.numba import FastKernels, aggregate, products

BEYOND, N_ROWS, N_COLUMNS = 2**31 + 5, 40, 7


@pytest.fixture
def far_rows(tmp_path):
    """Return rows whose entries are in arrays after more than 2³¹ others, and the same rows alone.

    The arrays are files with a hole, which has no place on the disk. The first row has the hole.
    """
    if not sys.platform.startswith("linux"):
        pytest.skip("files have no holes here")
    rng = np.random.default_rng(0)
    rows = csr_array(rng.poisson(0.8, (N_ROWS, N_COLUMNS)).astype(np.float32))

    def put_behind(values, name):
        whole = np.memmap(tmp_path / name, dtype=values.dtype, mode="w+", shape=BEYOND + len(values))
        whole[BEYOND:] = values
        return whole

    data, indices = put_behind(rows.data, "data"), put_behind(rows.indices.astype(np.int32), "indices")
    indptr = np.concatenate([[0], BEYOND + rows.indptr.astype(np.int64)])
    return SparseRows(np.asarray(data), np.asarray(indices), indptr, N_COLUMNS), SparseRows.of(rows)


def test_entries_beyond_32_bits(far_rows):
    far, near = far_rows
    rng = np.random.default_rng(1)
    columns, labels = np.arange(N_COLUMNS, dtype=np.int32) % 3, np.arange(N_ROWS, dtype=np.int32) % 4
    # a row in no cluster is not read
    sums = FastKernels(1).block_sums(far, np.append(np.int32(-1), labels), columns, 4, 3)
    assert np.array_equal(sums, FastKernels(1).block_sums(near, labels, columns, 4, 3))
    table, span = rng.random((3, 4)), (1, N_ROWS + 1)
    found, best = np.full(N_ROWS + 1, -1, dtype=np.int32), np.zeros(N_ROWS + 1)
    aggregate.assign(far.data, far.indices, far.indptr, columns, table, found, best, *span)
    expected = FastKernels(1).assign_rows(near, columns, table)
    assert np.array_equal(found[1:], expected[0])
    assert np.array_equal(best[1:], expected[1])
    dense, product = rng.random((N_COLUMNS, 8)), np.zeros((N_ROWS + 1, 8))
    products.add_product(far.data, far.indices, far.indptr, dense, product, *span)
    np.testing.assert_allclose(product[1:], near.matrix() @ dense)


@pytest.mark.parametrize(("n_rows", "n_columns"), [(100_000, 3), (3, 100_000)])
def test_tables_of_a_hundred_thousand_clusters(n_rows, n_columns):
    """Labels above 65,535 need more than 16 bits."""
    rng = np.random.default_rng(0)
    matrix = csr_array(rng.poisson(0.1, (60, n_columns)).astype(np.float64))
    rows = rng.integers(n_rows - 50, n_rows, 60).astype(np.int32) if n_rows > 50 else np.zeros(60, np.int32)
    columns = np.arange(n_columns, dtype=np.int32)
    x, kernels = SparseRows.of(matrix), FastKernels(1)
    sums = kernels.block_sums(x, rows, columns, n_rows, n_columns)
    expected = np.zeros((n_rows, n_columns))
    np.add.at(expected, rows, matrix.toarray())
    assert np.array_equal(sums, expected)
    table = np.zeros((n_columns, n_rows))
    # the last cluster is the best for the last column alone, the first one for all others
    table[:, 0], table[-1, -1] = 1.0, 2.0
    labels, _ = kernels.assign_rows(x, columns, table)
    counts = matrix.toarray()
    best = np.where(2.0 * counts[:, -1] > counts.sum(axis=1), n_rows - 1, 0)
    assert np.array_equal(labels, np.where(counts.any(axis=1), best, -1))
