import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from colligate.kernels import SparseRows, make_kernels

from .problems import labels, matrices

FAST, REFERENCE = make_kernels("fast"), make_kernels("reference")


def kept(table, blocks, scale):
    """The information that a table of masses keeps, up to what row moves do not change."""

    def x_log_x(values):
        return np.sum(values[values > 0] * np.log(values[values > 0]))

    parts = (table[:, a:b] for a, b in itertools.pairwise(blocks))
    return sum(f * (x_log_x(t) - x_log_x(t.sum(axis=1))) for f, t in zip(scale, parts, strict=True))


@settings(max_examples=60, deadline=None)
@given(matrices(), st.integers(2, 4), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_a_move_gains_what_the_best_move_by_definition_gains(matrix, n_clusters, n_columns, seed):
    rng = np.random.default_rng(seed)
    x = SparseRows.of(matrix)
    filled = np.flatnonzero(np.diff(x.indptr))
    assume(len(filled) >= n_clusters)
    rows = np.full(len(x), -1, dtype=np.int32)
    rows[filled] = rng.permutation(np.arange(len(filled)) % n_clusters)
    columns = labels(rng, x.n_columns, n_columns)
    blocks, scale = np.array([0, n_columns // 2, n_columns]), np.array([0.3, 1.1])
    table = REFERENCE.block_sums(x, rows, columns, n_clusters, n_columns)
    for i in filled:
        gains = []
        for back_end in (FAST, REFERENCE):
            own_rows, own_table = rows.copy(), table.copy()
            moves = back_end.polish_rows(x, own_rows, columns, own_table, blocks, scale, np.array([i]))
            rebuilt = REFERENCE.block_sums(x, own_rows, columns, n_clusters, n_columns)
            np.testing.assert_allclose(own_table, rebuilt, atol=1e-5)
            assert moves == np.count_nonzero(own_rows != rows)
            assert set(own_rows[own_rows >= 0]) == set(range(n_clusters))
            gains.append(kept(rebuilt, blocks, scale) - kept(table, blocks, scale))
        # two moves may gain the same, so the gains are compared and not the moves
        assert gains[0] == pytest.approx(gains[1], abs=1e-6)
        assert gains[0] >= -1e-9
