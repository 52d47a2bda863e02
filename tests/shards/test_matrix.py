"""Sharded matrices give the numbers of the plain ones, and stay on their workers."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import csr_array

from colligate import _array
from colligate._array import add_parts, mutual_information
from colligate.kernels import SparseRows, kernels_of, make_kernels
from colligate.shards.matrix import ShardedMatrix, append_columns, append_rows, by_rows, count_columns
from colligate.shards.shards import assemble, choose_edges


@pytest.fixture(scope="module")
def plain() -> csr_array:
    rng = np.random.default_rng(1)
    matrix = csr_array(sparse.random(300, 40, 0.2, format="csr", random_state=2))
    matrix.data = rng.integers(1, 9, size=matrix.nnz).astype(np.float32)
    return matrix


@pytest.fixture(autouse=True)
def smaller_sums(monkeypatch):
    """Let the 300 rows be five shards."""
    monkeypatch.setattr(_array, "SUM_ROWS", 64)


@pytest.fixture(params=[(300,), (1, 99, 200)])
def sharded(request, client, plain) -> ShardedMatrix:
    ends = np.cumsum(request.param)
    parts = [csr_array(plain[end - size : end]) for end, size in zip(ends, request.param, strict=True)]
    return ShardedMatrix.of(assemble(client, parts, request.param, plain.nnz), plain.shape[1])


def same(left, right) -> bool:
    return all(
        np.array_equal(getattr(left, name), getattr(right, name)) for name in ("data", "indices", "indptr")
    )


def test_that_entries_come_only_when_they_are_read(sharded, plain):
    assert sharded.shape == plain.shape
    assert sharded.nnz == plain.nnz
    assert np.array_equal(sharded.sum(axis=1), plain.sum(axis=1))
    assert np.array_equal(sharded.sum(axis=0), plain.sum(axis=0))
    assert sharded.sum() == plain.sum()
    assert np.array_equal(count_columns(sharded), count_columns(plain))
    assert np.array_equal(sharded @ np.eye(40), plain @ np.eye(40))
    assert mutual_information(sharded) == mutual_information(plain)
    assert not sharded.is_collected
    assert same(sharded, plain)
    assert sharded.is_collected
    assert type(sharded * 2) is csr_array


def test_that_rows_and_columns_are_selected_and_appended(sharded, plain):
    where = np.array([250, 3, 3, 128])
    assert same(sharded[where], csr_array(plain[where]))
    assert same(sharded.T[np.array([5, 1])], csr_array(plain.T.tocsr()[np.array([5, 1])]))
    kept = np.arange(300) % 3 > 0
    assert same(sharded.select_rows(kept), csr_array(plain[kept]))
    assert same(append_rows(sharded, plain[:100]), append_rows(plain, plain[:100]))
    assert same(append_columns(sharded, plain), append_columns(plain, plain))
    assert not sharded.is_collected


def test_that_a_pickle_has_the_entries(sharded, plain):
    copied = pickle.loads(pickle.dumps(sharded))
    assert type(copied) is csr_array
    assert same(copied, plain)


@by_rows("matrix", "array")
def _halve(matrix, divisor):
    halves = csr_array((matrix.data / divisor, matrix.indices, matrix.indptr), shape=matrix.shape)
    return halves, np.diff(matrix.indptr)


def test_functions_by_rows(sharded, plain):
    halves, lengths = _halve(sharded, 2.0)
    assert same(halves, _halve(plain, 2.0)[0])
    assert np.array_equal(lengths, np.diff(plain.indptr))


def test_that_kernels_give_the_same_bits(sharded, plain):
    weights = np.random.default_rng(0).random((300, 7))
    table = np.log(np.random.default_rng(1).random((5, 3)))
    columns = np.arange(40, dtype=np.int32) % 6 - 1
    rows = np.arange(300, dtype=np.int32) % 4 - 1
    here, there = make_kernels(n_jobs=1), kernels_of(sharded)
    real = (plain / 3.0).astype(np.float32), sharded.map_rows(_divide, 3.0)
    x, y = (SparseRows.of(csr_array(real[0])).with_blocks(), SparseRows.of(real[1]).with_blocks())
    assert np.array_equal(here.transposed_product(x, weights), there.transposed_product(y, weights))
    assert np.array_equal(here.product(x, weights[:40]), there.product(y, weights[:40]))
    assert np.array_equal(x.column_sums(), y.column_sums())
    assert np.array_equal(x.row_sums(), y.row_sums())
    x, y = SparseRows.of(plain), SparseRows.of(sharded)
    for name, arguments in (
        ("block_sums", (rows, np.maximum(columns, 0), 3, 5)),
        ("score_rows", (columns, table)),
    ):
        assert np.array_equal(getattr(here, name)(x, *arguments), getattr(there, name)(y, *arguments))
    words = SparseRows.of(csr_array(plain.T.tocsr())), SparseRows.of(sharded.T)
    for rows_here, rows_there, labels in ((x, y, columns), (*words, np.arange(300, dtype=np.int32) % 5)):
        expected = here.assign_rows(rows_here, labels, table)
        assert all(map(np.array_equal, expected, there.assign_rows(rows_there, labels, table)))
        labelled, sums = there.assign_and_sum(rows_there, labels, table)
        assert np.array_equal(labelled, expected[0])
        assert np.array_equal(sums, here.block_sums(rows_here, labelled, labels, 3, 5))
    assert not sharded.is_collected


def _divide(matrix, divisor):
    return csr_array(
        ((matrix.data / divisor).astype(np.float32), matrix.indices, matrix.indptr), shape=matrix.shape
    )


@pytest.mark.parametrize("n_parts", range(1, 18))
@pytest.mark.parametrize("size", [1, 2, 4])
def test_that_sums_do_not_depend_on_who_adds(n_parts, size):
    parts = (np.random.default_rng(n_parts).random(n_parts) * 10.0 ** np.arange(n_parts)).tolist()
    grouped = [add_parts(parts[start : start + size]) for start in range(0, n_parts, size)]
    assert add_parts(grouped) == add_parts(parts)


def test_that_edges_are_those_of_sums():
    for n_rows in (1, 64, 65, 300, 5000):
        for n_workers in (1, 2, 5):
            edges = choose_edges(n_rows, n_rows, n_workers)
            assert edges[0] == 0
            assert edges[-1] == n_rows
            sizes = np.diff(edges)[:-1]
            assert all(size % 64 == 0 and (size // 64).bit_count() == 1 for size in sizes.tolist())


def test_that_shards_are_a_small_part_of_the_memory():
    # 5,000 rows of 100 entries of 8 bytes, and workers with room for 256 rows in a 32nd of their memory
    memory = 256 * 100 * 8 * 32
    edges = choose_edges(5000, 500_000, 1, memory)
    assert np.diff(edges).max() == 256
    assert np.diff(choose_edges(5000, 500_000, 1, 2 * memory)).max() == 512
    # no shard is smaller than a part of a sum
    assert np.diff(choose_edges(5000, 500_000, 1, 1.0)).max() == 128
