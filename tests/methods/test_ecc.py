import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import colligate as cg
from colligate.network import Network

from .planted_documents import blocks


def problem_and_state(counts, seed=0, **parameters):
    method = cg.make("ecc", **{"n_clusters": 3, "n_word_clusters": 4, **parameters})
    problem = method.problem(Network.from_matrix(sparse.csr_array(counts)), {})
    return method, problem, method.start(problem, np.random.default_rng(seed))


def textbook(X, rows, columns):
    """‖X − R·M·Cᵀ‖², block by block; objects in no group have no entries."""
    total = 0.0
    for k in set(rows[rows >= 0]):
        for j in set(columns[columns >= 0]):
            block = X[np.ix_(rows == k, columns == j)]
            total += np.square(block - block.mean()).sum()
    return total


def test_planted_groups_of_documents_and_words_are_found():
    counts, truth = blocks(np.random.default_rng(0))
    model = cg.make("ecc", n_clusters=3, n_word_clusters=4, random_state=0).fit(counts)
    assert model.result_.evaluate(truth)["nmi"] == pytest.approx(1.0)
    assert model.column_labels_ is model.word_labels_
    assert model.word_labels_.shape == (48,)


def test_the_objective_is_the_sum_of_squared_residues():
    counts = np.random.default_rng(1).poisson(0.6, (20, 12))
    method, problem, state = problem_and_state(counts)
    for _ in range(3):
        X = problem.matrices[0].toarray()
        expected = textbook(X, state.labels["documents"], state.labels["words"])
        assert method.objective(problem, state) == pytest.approx(expected)
        state = method.sweep(problem, state)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_no_sweep_raises_the_objective(seed):
    counts = np.random.default_rng(seed).poisson(0.6, (25, 15))
    counts[:, 0] += 1
    method, problem, state = problem_and_state(counts, seed)
    before = method.objective(problem, state)
    for _ in range(4):
        state = method.sweep(problem, state)
        after = method.objective(problem, state)
        assert after <= before + 1e-12
        before = after


def test_at_the_end_no_single_move_of_a_document_helps():
    counts, _ = blocks(np.random.default_rng(2))
    method, problem, state = problem_and_state(counts)
    for _ in range(30):
        state = method.sweep(problem, state)
    rows, columns = state.labels["documents"], state.labels["words"]
    X = problem.matrices[0].toarray()
    means = np.array([[X[np.ix_(rows == k, columns == j)].mean() for j in range(4)] for k in range(3)])
    left = np.square(X[:, None, :] - means[:, columns][None]).sum(axis=2)
    assert np.all(left[np.arange(len(X)), rows] <= left.min(axis=1) + 1e-9)


def test_new_documents_go_to_the_nearest_group():
    counts, truth = blocks(np.random.default_rng(3))
    model = cg.make("ecc", n_clusters=3, n_word_clusters=4, random_state=0).fit(counts[::2])
    predicted = model.predict(counts[1::2])
    assert len({(a, b) for a, b in zip(predicted, truth[1::2], strict=True)}) == 3
