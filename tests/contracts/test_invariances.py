"""What must not change the groups: the order of documents and words, the type and form of numbers, copies.

The groups of these documents are clear. Where groups overlap, methods that draw their start by position
(`kmeans`, `gmm`, `cpm3c`, `m2dcu`) may end in another local optimum once the order changes.
"""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

import colligate as cg
from colligate.registry import load_methods

METHODS = sorted(name for name, cls in load_methods().items() if not cls.needs)
few = settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def make_counts(seed):
    """Three groups of documents with words of their own."""
    rng = np.random.default_rng(seed)
    truth = np.arange(45) % 3
    rates = np.full((3, 36), 0.02)
    for group in range(3):
        rates[group, 12 * group : 12 * (group + 1)] = 1.2
    return rng.poisson(rates[truth]) + np.eye(45, 36, dtype=int) * (truth[:, None] == np.arange(36) // 12)


def group(method, counts):
    return cg.make(method, n_clusters=3, n_init=3, random_state=0, n_jobs=1).fit(counts).labels_


@pytest.mark.filterwarnings("ignore::colligate.methods.base.NotConvergedWarning")
@pytest.mark.parametrize("method", METHODS)
@few
@given(seed=st.integers(0, 3))
def test_order_scale_copies_and_form_of_numbers(method, seed):
    counts = make_counts(seed)
    labels = group(method, counts)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(counts)), rng.permutation(counts.shape[1])
    assert adjusted_rand_score(labels[rows], group(method, counts[rows])) == pytest.approx(1.0)
    assert adjusted_rand_score(labels, group(method, counts[:, columns])) == pytest.approx(1.0)
    assert adjusted_rand_score(labels, group(method, 7 * counts)) == pytest.approx(1.0)
    doubled = group(method, np.vstack([counts, counts]))
    assert adjusted_rand_score(doubled[:45], doubled[45:]) == pytest.approx(1.0)
    assert np.array_equal(labels, group(method, counts.astype(np.float32)))
    assert np.array_equal(labels, group(method, counts.astype(np.float64)))
    assert np.array_equal(labels, group(method, sparse.csc_array(counts)))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data())
def test_a_sparse_matrix_is_refused_or_sound(data):
    """Whatever is in the index arrays, what passes the check is what SciPy computes with in bounds."""
    from colligate._array import check_sparse

    rows, columns = data.draw(st.integers(0, 4)), data.draw(st.integers(0, 4))
    numbers = st.integers(-2, 6)
    indptr = np.array(data.draw(st.lists(numbers, min_size=1, max_size=6)), dtype=np.int32)
    indices = np.array(data.draw(st.lists(numbers, max_size=6)), dtype=np.int32)
    matrix = sparse.csr_array((rows, columns))
    matrix.indptr, matrix.indices, matrix.data = indptr, indices, np.ones(len(indices))
    sound = (
        len(indptr) == rows + 1
        and indptr[0] == 0
        and bool((np.diff(indptr) >= 0).all())
        and indptr[-1] <= len(indices)
        and bool(((indices[: indptr[-1]] >= 0) & (indices[: indptr[-1]] < columns)).all())
    )
    try:
        check_sparse(matrix)
    except ValueError:
        assert not sound
    else:
        assert sound
