from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import colligate as cg


@pytest.fixture
def counts():
    """Two groups of documents with words of their own."""
    rng = np.random.default_rng(0)
    table = rng.poisson(0.1, (30, 20))
    table[:15, :10] += rng.poisson(2.0, (15, 10))
    table[15:, 10:] += rng.poisson(2.0, (15, 10))
    return sparse.csr_array(table)


def test_wide_indices_give_the_same_groups(counts):
    wide = counts.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    narrow, from_wide = (cg.make("kmeans", n_clusters=2, random_state=0).fit(X) for X in (counts, wide))
    np.testing.assert_array_equal(from_wide.labels_, narrow.labels_)
    np.testing.assert_array_equal(from_wide.predict(wide), narrow.labels_)
    assert wide.indices.dtype == np.int64
    assert len(set(from_wide.labels_[:15])) == 1
