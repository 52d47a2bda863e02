"""Arrays with rows on workers have the numbers of arrays on one machine, and are placed again if lost."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from scipy.sparse import csr_array

from colligate import _array
from colligate.kernels import SparseRows, arrays
from colligate.kernels.numba import FastKernels
from colligate.kernels.sharded import ShardedKernels
from colligate.network.inputs import shard_array
from colligate.shards import arrays as sharded_arrays

da = pytest.importorskip("dask.array")
pytestmark = pytest.mark.usefixtures("client")
N_ROWS, N_WORDS, N_GROUPS, N_DIMENSIONS = 700, 40, 5, 7


@pytest.fixture(autouse=True)
def sums_of_few_rows(monkeypatch):
    """Let sums have parts of 64 rows."""
    monkeypatch.setattr(_array, "SUM_ROWS", 64)


@pytest.fixture
def counts() -> csr_array:
    rng = np.random.default_rng(0)
    return csr_array(rng.poisson(0.3, (N_ROWS, N_WORDS)).astype(np.float32))


@pytest.fixture
def sharded(counts) -> SparseRows:
    matrix = shard_array(da.from_array(counts.toarray(), chunks=(300, -1)).map_blocks(csr_array))
    assert len(matrix.shards) > 1
    return SparseRows.of(matrix).with_blocks()


def run_iteration(kernels, x, resp, weights, unit, table, prior, labels) -> list:
    """Run the operations of an EM iteration, and return all that they compute."""
    placed = kernels.place_rows(resp, x)
    weighted, mass = arrays.weigh_rows(placed, weights)
    single = weighted.astype(np.float32, copy=False)
    sums = kernels.transposed_product(x, single)
    centres = kernels.overlap(arrays.beside(unit, single, keep=True), single)
    scores = kernels.product(x, table, placed=not arrays.is_on_host(placed))
    arrays.add_product(scores, 2.0, unit, centres)
    arrays.add_row(scores, np.log(mass))
    scores += arrays.beside(prior, scores, keep=True)
    scores[arrays.beside(prior > 0.9, scores)] = -1e30
    cost = arrays.sum_costs(placed, scores, weights)
    new = arrays.softmax(scores)
    arrays.put_rows(new, labels)
    numbers = [new.argmax(axis=1), new.max(axis=1), arrays.to_host(scores), arrays.to_host(new)]
    return [mass, sums, centres, cost, arrays.is_finite(new), *numbers]


def draw_arguments() -> list:
    rng = np.random.default_rng(1)
    resp = arrays.softmax(rng.normal(size=(N_ROWS, N_GROUPS)))
    unit = rng.normal(size=(N_ROWS, N_DIMENSIONS)).astype(np.float32)
    table = rng.normal(size=(N_WORDS, N_GROUPS)).astype(np.float32)
    labels = np.where(np.arange(N_ROWS) % 9 == 0, np.arange(N_ROWS) % N_GROUPS, -1)
    return [resp, rng.random(N_ROWS), unit, table, rng.random((N_ROWS, N_GROUPS)), labels]


def test_that_an_iteration_has_the_numbers_of_one_machine(counts, sharded):
    arguments = draw_arguments()
    here = run_iteration(FastKernels(1), SparseRows.of(counts).with_blocks(), *arguments)
    there = run_iteration(ShardedKernels(1), sharded, *arguments)
    for one, other in zip(here, there, strict=True):
        assert np.array_equal(one, other)


def test_that_steps_leave_the_array_they_start_from(sharded):
    resp = draw_arguments()[0]
    placed = ShardedKernels(1).place_rows(resp, sharded)
    changed = placed.map(_double)
    changed += placed
    assert np.array_equal(changed.collect(), 3.0 * resp)
    assert np.array_equal(placed.collect(), resp)


def test_that_numbers_that_are_not_finite_are_noticed(sharded):
    resp = draw_arguments()[0]
    assert arrays.is_finite(ShardedKernels(1).place_rows(resp, sharded))
    resp[123, 2] = np.nan
    assert not arrays.is_finite(ShardedKernels(1).place_rows(resp, sharded))


def test_that_kept_arrays_travel_once_and_end_with_the_array(sharded):
    weights = draw_arguments()[1]
    first = sharded_arrays.place_rows(weights, sharded.shards, keep=True)
    assert np.array_equal(first.collect(), weights)
    second = sharded_arrays.place_rows(weights, sharded.shards, keep=True)
    assert [each.key for each in first.keep().futures] == [each.key for each in second.keep().futures]
    number = id(weights)
    assert number in sharded_arrays._KEPT
    del weights, first, second
    gc.collect()
    assert number not in sharded_arrays._KEPT


def test_that_lost_rows_are_placed_again(client, sharded):
    resp, *_ = draw_arguments()
    placed = ShardedKernels(1).place_rows(resp, sharded)
    doubled = placed.map(_double)
    assert doubled.keep().futures
    client.cancel(placed.keep().futures, force=True)
    assert np.array_equal(doubled.collect(), 2.0 * resp)


def _double(rows):
    return 2.0 * rows
