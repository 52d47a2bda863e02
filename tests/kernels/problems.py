"""Random inputs for the kernels."""

import numpy as np
from hypothesis import strategies as st
from scipy import sparse

from colligate.kernels import SparseRows


@st.composite
def matrices(draw, max_rows=12, max_columns=9, dtype=np.float32):
    """Sparse count matrices with empty rows and empty columns among them."""
    n, m = draw(st.integers(1, max_rows)), draw(st.integers(1, max_columns))
    seed, density = draw(st.integers(0, 2**32 - 1)), draw(st.floats(0.0, 0.9))
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 6, (n, m)) * (rng.random((n, m)) < density)
    found = sparse.csr_array(dense.astype(dtype))
    if draw(st.booleans()):
        found.indices, found.indptr = found.indices.astype(np.int64), found.indptr.astype(np.int64)
    return found


def labels(rng, size, n_clusters, *, some_missing=False):
    """Random labels, with -1 among them if asked."""
    low = -1 if some_missing else 0
    return rng.integers(low, n_clusters, size).astype(np.int32)


def large(rng, n=5000, m=400, density=0.02):
    """A matrix large enough for several chunks."""
    found = sparse.random_array((n, m), density=density, rng=rng, format="csr", dtype=np.float64)
    found.data = np.ceil(found.data * 5)
    return SparseRows.of(sparse.csr_array(found))
