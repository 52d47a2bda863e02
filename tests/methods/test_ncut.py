from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import colligate as cg
from colligate.methods.graph_clustering import (
    find_neighbours,
    leading_eigenvectors,
    rotate_towards,
    symmetric_operator,
)
from tests.methods.margin.cases import topics


def unit_rows(n, seed=0):
    rows = np.random.default_rng(seed).normal(size=(n, 4))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_groups_with_words_of_their_own_are_found():
    counts, truth = topics(0)
    model = cg.make("ncut", n_clusters=3, random_state=0).fit(counts)
    assert adjusted_rand_score(truth, model.labels_) > 0.9
    assert adjusted_rand_score(truth, model.predict(counts)) > 0.9


def test_neighbours_are_the_nearest_others_over_all_blocks():
    rows = unit_rows(600)
    neighbours = find_neighbours(rows, 5)
    cosines = rows @ rows.T
    np.fill_diagonal(cosines, -np.inf)
    np.testing.assert_allclose(neighbours.cosine, -np.sort(-cosines, axis=1)[:, :5])
    np.testing.assert_allclose(np.take_along_axis(cosines, neighbours.index, axis=1), neighbours.cosine)


def test_affinities_are_symmetric_and_sparse():
    affinity = find_neighbours(unit_rows(100), 6).affinity()
    assert affinity.nnz <= 2 * 6 * 100
    np.testing.assert_allclose(affinity.toarray(), affinity.toarray().T)
    assert affinity.data.max() <= 1.0


def test_few_and_many_documents_give_the_same_eigenvectors():
    cut = find_neighbours(unit_rows(300), 10).normalised_affinity().toarray()
    Y = leading_eigenvectors(symmetric_operator(lambda vector: cut @ vector, 300), 3)
    vectors = np.linalg.eigh(cut)[1][:, -3:]
    expected = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    alike = np.abs((Y * expected).sum(axis=0)) / (expected**2).sum(axis=0)
    np.testing.assert_allclose(alike, 1.0, atol=0.02)


def test_the_rotation_is_the_best_one():
    rng = np.random.default_rng(0)
    rows, groups = unit_rows(30)[:, :3], (np.arange(30) % 3).astype(np.int32)
    best = rotate_towards(rows, groups)
    indicator = np.eye(3)[groups]
    for _ in range(50):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        assert ((indicator - best) ** 2).sum() <= ((indicator - rows @ turn) ** 2).sum() + 1e-9


def test_two_copies_of_one_document_are_no_group_of_their_own():
    counts, truth = topics(0)
    counts = np.concatenate([counts, np.tile(counts[:1] * 3, (4, 1))])
    labels = cg.make("ncut", n_clusters=3, random_state=0).fit(counts).labels_
    assert adjusted_rand_score(truth, labels[: len(truth)]) > 0.9


def test_affinities_are_equation_2_over_degrees_with_their_mean():
    rows, width = unit_rows(40), 9
    neighbours = find_neighbours(rows, width)
    distance = np.linalg.norm(rows[:, None] - rows[None], axis=2)
    order = np.argsort(distance + 9.0 * np.eye(40), axis=1)
    sigma = [distance[i, order[i, 6]] for i in range(40)]
    A = np.zeros((40, 40))
    for i in range(40):
        for j in order[i, :width]:
            A[i, j] = A[j, i] = np.exp(-(distance[i, j] ** 2) / (sigma[i] * sigma[j]))
    np.testing.assert_allclose(neighbours.affinity().toarray(), A, atol=1e-12)
    degree = A.sum(axis=1) + A.sum(axis=1).mean()
    cut = np.array([[A[i, j] / np.sqrt(degree[i] * degree[j]) for j in range(40)] for i in range(40)])
    np.testing.assert_allclose(neighbours.normalised_affinity().toarray(), cut, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_an_iteration_rotates_and_moves_every_document_to_the_nearest_axis(seed):
    counts, _ = topics(seed)
    method = cg.make("ncut", n_clusters=3, random_state=0)
    problem = method.problem(cg.Network.from_matrix(counts), {})
    state = method.start(problem, np.random.default_rng(seed))
    centre = problem.network.centre
    groups = np.random.default_rng(seed).permutation(state.labels[centre])
    X, Y = np.eye(3)[groups], problem.Y
    left, _, right = np.linalg.svd(Y.T @ X)
    turned = Y @ left @ right
    state = replace(state, labels={centre: groups})
    assert method.objective(problem, state) == pytest.approx(((X - turned) ** 2).sum())
    distance = [[((np.eye(3)[k] - row) ** 2).sum() for k in range(3)] for row in turned]
    np.testing.assert_array_equal(method.sweep(problem, state).labels[centre], np.argmin(distance, axis=1))
