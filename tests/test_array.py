from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from colligate._array import mutual_information, mutual_information_by_row, one_hot, unit_columns, unit_rows


def by_the_book(table):
    """p(i)·KL(p(·|i) ‖ p(·)) of every row."""
    joint = table / table.sum() if table.sum() else table
    found = []
    for row in joint:
        total = 0.0
        for cell, column in zip(row, joint.sum(axis=0), strict=True):
            if cell:
                total += row.sum() * (cell / row.sum()) * np.log((cell / row.sum()) / column)
        found.append(total)
    return np.array(found)


TABLES = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=5)


@settings(max_examples=50, deadline=None)
@given(TABLES)
def test_rows_add_their_divergence_whether_dense_or_sparse(rows):
    table = np.array(rows, dtype=float)
    expected = by_the_book(table)
    for form in (
        table,
        table.astype(int),
        sparse.csr_array(table.astype(np.float32)),
        sparse.coo_array(table),
    ):
        assert mutual_information_by_row(form) == pytest.approx(expected, abs=1e-12)
        assert mutual_information(form) == pytest.approx(expected.sum(), abs=1e-12)
    assert mutual_information(table.T) == pytest.approx(mutual_information(table), abs=1e-12)


def test_a_permutation_tells_everything_and_equal_rows_nothing():
    assert mutual_information(np.eye(8)) == pytest.approx(np.log(8))
    assert mutual_information(np.ones((3, 4))) == pytest.approx(0.0, abs=1e-15)


def test_the_table_is_left_alone_and_stored_zeros_count_nothing():
    table = sparse.csr_array((np.array([2.0, 0.0, 3.0]), ([0, 0, 1], [0, 1, 1])), shape=(2, 2))
    assert mutual_information(table) == pytest.approx(by_the_book(table.toarray()).sum())
    assert table.nnz == 3
    same = sparse.coo_array(table)
    mutual_information(same)
    assert same.nnz == 3


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_the_unit_of_the_counts_does_not_matter(scale):
    table = np.array([[3.0, 1.0], [1.0, 3.0]])
    assert mutual_information(scale * table) == pytest.approx(mutual_information(table))


def test_one_hot_leaves_rows_without_a_label_empty():
    labels = np.array([1, -1, 0], dtype=np.int32)
    np.testing.assert_array_equal(one_hot(labels, 3).toarray(), [[0, 1, 0], [0, 0, 0], [1, 0, 0]])
    weighted = one_hot(labels, 2, np.array([0.5, 7.0, 2.0]))
    np.testing.assert_array_equal(weighted.toarray(), [[0, 0.5], [0, 0], [2.0, 0]])


def test_unit_lengths_leave_zeros_alone():
    table = np.array([[3.0, 4.0], [0.0, 0.0]])
    np.testing.assert_allclose(unit_rows(sparse.csr_array(table)).toarray(), [[0.6, 0.8], [0.0, 0.0]])
    np.testing.assert_allclose(unit_columns(table.T), [[0.6, 0.0], [0.8, 0.0]])
